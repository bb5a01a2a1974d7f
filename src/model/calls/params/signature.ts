/**
 * Signatures of parameter values: the value with its literals replaced, so that statements and documents of one form
 * are one group. A value of another form than SQL or markup has its numbers and ids replaced.
 */

/** Characters of a value that its signature is made of. */
export const SIGNATURE_ROOM = 10_000;

const SQL =
  /^[\s(]*(?:select|insert|update|upsert|delete|merge|with|create|alter|drop|truncate|call|exec|execute|begin)\b/i;
const MARKUP = /^\s*</;

/** `grouping`: the function that the dump states for the parameter; "" where it states none. */
export function signatureOf(value: string, grouping = ""): string {
  const text = value.slice(0, SIGNATURE_ROOM);
  if (grouping === "sql" || SQL.test(text)) return sqlSignature(text);
  if (MARKUP.test(text)) return markupSignature(text);
  return plainSignature(text);
}

/** `select * from t where id in (1, 2) and name = 'x'` → `select * from t where id in (?) and name = ?`. */
function sqlSignature(text: string): string {
  return (
    text
      // A quote in a string is written twice. The last string may be cut off.
      .replace(/'(?:[^']|'')*(?:'|$)/g, "?")
      .replace(/\b0x[\da-f]+\b/gi, "?")
      // Not the digits of a name, as in t1; nor those of a bind variable, as in :1 and $1.
      .replace(/(?<![\w$:@.])\d[\d.]*(?:e[+-]?\d+)?(?!\w)/gi, "?")
      .replace(/(?<![\w?)]\s*)[+-]\?/g, "?")
      .replace(/\s+/g, " ")
      .trim()
      .replace(/\( ?\?(?: ?, ?\?)* ?\)/g, "(?)")
      .replace(/\(\?\)(?: ?, ?\(\?\))+/g, "(?)")
  );
}

/** `<a x="1"><b>text</b></a>` → `<a x="?"><b>?</b></a>`: neighbours of one form are one. */
function markupSignature(text: string): string {
  const signature = text
    .replace(/=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$))/g, '="?"')
    .replace(/>[^<>]+/g, (part) => (part.slice(1).trim() === "" ? ">" : ">?"))
    .replace(/\s+/g, " ")
    .trim();
  // The name ends before the attributes, so that no shorter one is tried.
  return signature.replace(/(<([^\s<>/]+)(?=[\s/>])[^<>]*>\?<\/\2>)\1+/g, "$1");
}

/** `http-nio-8080-exec-12` → `http-nio-?-exec-?`; UUIDs and long hexadecimal numbers are one `?`. */
function plainSignature(text: string): string {
  return text
    .replace(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi, "?")
    .replace(/\b(?=[a-z]*\d)[\da-f]{16,}\b/gi, "?")
    .replace(/(?<![\p{L}\d])\d+(?![\p{L}\d])/gu, "?");
}
