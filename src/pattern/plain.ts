/** Patterns without operators: texts that are searched literally. They need no engine. */

/** Finds something in texts. */
export interface Finder {
  test(text: string): boolean;
}

interface Literal {
  text: string;
  atBegin: boolean;
  atEnd: boolean;
}

/** One alternative: a text between an optional `^` and an optional `$`. A backslash before punctuation is left out. */
const ALTERNATIVE = /(\^?)((?:\\[!-/:-@[-`{-~]|[^\\^$.*+?()[\]{}|])*)(\$?)(\||$)/y;

/** A text of these characters finds the same in lower case as an engine that ignores case. */
const ASCII = /^[\0-\x7f]*$/;

/** Case matters if the text has a capital letter. */
export function hasCapital(text: string): boolean {
  return /\p{Lu}/u.test(text);
}

/** A matcher for a pattern that needs no engine; null for any other pattern. */
export function plainPattern(pattern: string, ignoreCase: boolean): Finder | null {
  if (ignoreCase && !ASCII.test(pattern)) return null;
  const literals: Literal[] = [];
  let isMore = true;
  for (let from = 0; isMore; from = ALTERNATIVE.lastIndex) {
    ALTERNATIVE.lastIndex = from;
    const [, begin, text = "", end, separator] = ALTERNATIVE.exec(pattern) ?? [];
    if (begin === undefined) return null;
    literals.push({ text: text.replace(/\\(.)/g, "$1"), atBegin: begin !== "", atEnd: end !== "" });
    isMore = separator === "|";
  }
  return finderOf(literals, ignoreCase);
}

/** A matcher for the texts between `|`. They contain no operators; case matters if a text has a capital letter. */
export function plainText(text: string): Finder {
  const texts = text.split("|").filter((part) => part !== "");
  return finderOf(
    texts.map((part) => ({ text: part, atBegin: false, atEnd: false })),
    !hasCapital(text),
  );
}

function finderOf(literals: readonly Literal[], ignoreCase: boolean): Finder {
  const wanted = literals.map((literal) => (ignoreCase ? { ...literal, text: literal.text.toLowerCase() } : literal));
  // Lists of beginnings are long: only those with the first character of the text are compared.
  const anywhere = wanted.filter(({ text, atBegin }) => !atBegin || text === "");
  const beginnings = new Map<string, Literal[]>();
  for (const literal of wanted) {
    const first = literal.text.charAt(0);
    if (!anywhere.includes(literal)) beginnings.set(first, [...(beginnings.get(first) ?? []), literal]);
  }
  return {
    test(text) {
      const searched = ignoreCase ? text.toLowerCase() : text;
      const isFound = (literal: Literal) => isIn(searched, literal);
      return (beginnings.get(searched.charAt(0))?.some(isFound) ?? false) || anywhere.some(isFound);
    },
  };
}

function isIn(searched: string, { text, atBegin, atEnd }: Literal): boolean {
  if (atBegin && atEnd) return searched === text;
  if (atBegin) return searched.startsWith(text);
  return atEnd ? searched.endsWith(text) : searched.includes(text);
}
