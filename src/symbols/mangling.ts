/** Names of C++ that the demangler reads in another way than other tools, or not at all. */

/**
 * A thunk calls a method for an object whose base class is elsewhere in it; `n` is a minus.
 *
 *   _ZThn8_N4Base4workEv                   by a fixed offset
 *   _ZTv0_n24_N4Base4workEv                by one that the object has
 *   _ZTchn8_v0_n24_N4Base4workEv           with both for the result
 */
const THUNKS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^_ZThn?\d+_(?!T)/, "non-virtual thunk to"],
  [/^_ZTvn?\d+_n?\d+_(?!T)/, "virtual thunk to"],
  [/^_ZTc(?:hn?\d+_|vn?\d+_n?\d+_){2}(?!T)/, "covariant return thunk to"],
];

/** The method that a thunk calls, as a linkage name; null if it is no thunk. */
export function targetOfThunk(linkage: string): { words: string; target: string } | null {
  for (const [pattern, words] of THUNKS) {
    const [head] = pattern.exec(linkage) ?? [];
    if (head !== undefined) return { words, target: `_Z${linkage.slice(head.length)}` };
  }
  return null;
}

/**
 * The name with an E after the qualifier of each unresolved name: GCC leaves it out, as in `sr3FooIXT_EE5value`, which
 * the library reads as `sr3FooIXT_EEE5value`, and one of std as `srNSt3FooIXT_EEE5value`. The base name, which begins
 * with its length, follows the qualifier.
 */
export function withQualifierEnds(name: string): string {
  let text = "";
  let at = 0;
  for (const { index, 0: head, 1: std = "", 2: length } of name.matchAll(/sr(St)?(\d{1,4})/g)) {
    if (index < at) continue;
    const start = index + head.length + Number(length);
    const end = name[start] === "I" ? endOfList(name, start) : start;
    if (end === null) break;
    // Names inside the qualifier may have qualifiers, too.
    text += `${name.slice(at, index)}sr${std === "" ? "" : "N"}${name.slice(index + 2, start)}`;
    text += `${end === start ? "" : withQualifierEnds(name.slice(start, end))}E`;
    at = end;
  }
  return text + name.slice(at);
}

/** The place after a list of template arguments; null if it does not end. */
function endOfList(name: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < name.length; ) {
    const [digits] = /^\d{1,4}/.exec(name.slice(at, at + 4)) ?? [];
    // The length of an identifier; other numbers follow a letter that takes them: S1_, T2_, Li3E.
    if (digits !== undefined && !/[ST_a-z]/.test(name[at - 1] ?? "")) {
      at += digits.length + Number(digits);
      continue;
    }
    const letter = name[at++] ?? "";
    if ("INXLJFZ".includes(letter)) depth++;
    else if (letter === "E" && --depth === 0) return at;
  }
  return null;
}
