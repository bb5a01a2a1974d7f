/**
 * Escapes in names of Rust's older mangling: `$LT$` is `<`, `$u20$` a space, `$uf6$` an ö.
 *
 *   _ZN 4yard 13gr$uf6$$udf$e 17h0123456789abcdef E          length, part; the last part is a hash
 *
 * c++filt decodes those of ASCII; from any other one on, the rest of its part stays as it is. The demangler decodes all
 * of them. `symbolize` prints names as c++filt does, recordings have them decoded.
 */
import { withoutMarks } from "./fold.ts";

const LEGACY = /^(_{0,2}ZN)([!-~]*17h[0-9a-f]{16}E)$/;
const KNOWN = /^\$(?:SP|BP|RF|LT|GT|LP|RP|C|u[2-7][0-9a-f])\$/;
const CODE = /\$u([0-9a-f]{1,6})\$/g;
const LARGEST_CODE = 0x10ffff;

/** The name for the demangler, which then leaves the escapes as they are that c++filt leaves. */
export function withKeptEscapes(mangled: string): string {
  const [, head = "", rest = ""] = LEGACY.exec(mangled) ?? [];
  if (!rest.includes("$")) return mangled;
  let text = head;
  let at = 0;
  for (;;) {
    const [digits = ""] = /^\d{1,4}/.exec(rest.slice(at, at + 4)) ?? [];
    if (digits === "") return text + rest.slice(at);
    const start = at + digits.length;
    at = start + Number(digits);
    const part = keptIn(rest.slice(start, at));
    text += `${part.length}${part}`;
  }
}

function keptIn(part: string): string {
  for (let at = part.indexOf("$"); at >= 0; at = part.indexOf("$", at)) {
    const [known] = KNOWN.exec(part.slice(at, at + 5)) ?? [];
    // The codes of the characters that mean something to the demangler.
    if (known === undefined)
      return part.slice(0, at) + part.slice(at).replaceAll("$", "$$u24$$").replaceAll(".", "$$u2e$$");
    at += known.length;
  }
  return part;
}

/** The readable name with its escapes decoded, as far as they are of characters. */
export function withoutEscapes(mangled: string, readable: string): string {
  if (!readable.includes("$u") || !LEGACY.test(withoutMarks(mangled))) return readable;
  return readable.replace(CODE, (whole, hex: string) => {
    const code = Number.parseInt(hex, 16);
    const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
    const isSurrogate = code >= 0xd800 && code < 0xe000;
    return isControl || isSurrogate || code > LARGEST_CODE ? whole : String.fromCodePoint(code);
  });
}
