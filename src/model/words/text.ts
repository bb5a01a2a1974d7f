/**
 * Safe display of names. They come out of recordings and may be hostile: megabytes long, or with characters that
 * reorder or hide the text beside them. What goes on screen passes through here first.
 */

/** Characters of a name shown at most; the rest is a click away in the exported file. */
export const NAME_CAP = 400;

/**
 * Characters that have no shape or move others: controls, line and paragraph separators, bidi controls and other format
 * characters, zero-width ones, halves of surrogate pairs, code points that are no characters. A joiner or a variation
 * selector inside an emoji is left.
 */
const UNSEEN =
  /(?!(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)[\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/** `\u000a`; above U+FFFF as two of these, as JSON and Java write it. */
function escaped(character: string): string {
  let text = "";
  for (let i = 0; i < character.length; i++) text += `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`;
  return text;
}

/** The text with unseen characters as escapes, cut to `cap` UTF-16 units. */
export function visible(text: string, cap: number = NAME_CAP): string {
  return cut(text, cap).replace(UNSEEN, escaped);
}

/** The title of a row: its name, and more words about it on the next line. */
export function titled(name: string, more: string): string {
  return more === "" ? name : `${name}\n${more}`;
}

/**
 * The text with unseen characters as escapes, but for line breaks. JSON has the same value afterwards: line breaks are
 * the only control characters that JSON.stringify makes.
 */
export function visibleLines(text: string): string {
  return text.replace(UNSEEN, (c) => (c === "\n" ? c : escaped(c)));
}

/** A name longer than this is cut before it leaves the worker: no line of the page shows more. */
export const CROSSING_CAP = 4096;

/** Whether a name is only the beginning of one that was cut on its way. */
export function isCutAtCrossing(text: string): boolean {
  return text.length >= CROSSING_CAP && text.endsWith("…");
}

/** Cut without leaving half a character at the end. */
export function cut(text: string, cap: number): string {
  if (text.length <= cap) return text;
  const last = text.charCodeAt(cap - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? cap - 1 : cap;
  return `${text.slice(0, end)}…`;
}
