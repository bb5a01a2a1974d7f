/**
 * Crates in names of Rust (v0). Two crates of one name differ by a number that the compiler makes, and tools print it:
 * `alloc[fdfd2bd8633a6659]::alloc::dealloc`. The demangler leaves it out. Flame graphs have names without it, because
 * the number changes with the compiler and its options.
 *
 *   crate := C [ s base62 _ ] identifier                  base62 digits are 0-9 a-z A-Z; `_` is 0, `0_` is 1
 *   identifier := [ u ] length [ _ ] bytes
 */
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const RADIX = BigInt(DIGITS.length);
const BITS = 64;
const CRATE = /\[[0-9a-f]{1,16}\](?=::)/g;

/** The readable name of a mangled one, with the numbers of its crates. */
export function withCrates(mangled: string, readable: string): string {
  const numbers = cratesOf(mangled);
  if (numbers.size === 0) return readable;
  return readable.replace(/(^|[^\w:])(\w+)(?=::)/g, (whole, before: string, name: string) => {
    const number = numbers.get(name);
    return number === undefined || number === "" ? whole : `${before}${name}[${number}]`;
  });
}

/** The name without the numbers of crates. */
export function withoutCrates(linkage: string, readable: string): string {
  return linkage.startsWith("_R") ? readable.replace(CRATE, "") : readable;
}

/** Numbers in hex by the crate's name; "" for a name of several crates. */
function cratesOf(mangled: string): Map<string, string> {
  const found = new Map<string, string>();
  if (!mangled.startsWith("_R")) return found;
  let at = 2;
  const number = () => {
    const end = mangled.indexOf("_", at);
    const text = end < 0 ? "" : mangled.slice(at, end);
    at = end < 0 ? mangled.length : end + 1;
    let value = 0n;
    for (const c of text) value = value * RADIX + BigInt(Math.max(0, DIGITS.indexOf(c)));
    return text === "" ? 0n : value + 1n;
  };
  const identifier = () => {
    if (mangled[at] === "u") at++;
    const digits = /^\d{1,5}/.exec(mangled.slice(at, at + 5))?.[0] ?? "";
    at += digits.length;
    if (mangled[at] === "_") at++;
    const name = mangled.slice(at, at + Number(digits));
    at += name.length;
    return name;
  };
  while (at < mangled.length) {
    const c = mangled[at] ?? "";
    if (/[\du]/.test(c) && /^u?\d/.test(mangled.slice(at, at + 2))) {
      identifier();
      continue;
    }
    at++;
    // The kind of a namespace, and the ABI `C`, are letters that begin no crate.
    if (c === "N" || (c === "K" && mangled[at] === "C")) at++;
    else if ("sBGLK".includes(c)) number();
    else if (c === "C") {
      const isNumbered = mangled[at] === "s";
      if (isNumbered) at++;
      const crate = isNumbered ? number() + 1n : 0n;
      const name = identifier();
      const hex = BigInt.asUintN(BITS, crate).toString(16);
      found.set(name, found.has(name) && found.get(name) !== hex ? "" : hex);
    }
  }
  return found;
}
