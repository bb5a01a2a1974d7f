/**
 * Names come out of recordings and may be hostile: megabytes long, or with characters that reorder or hide what
 * stands beside them. What goes on screen passes through here first.
 */

/** Characters of a name shown at most; the rest is a click away in the exported file. */
export const NAME_CAP = 400;

/** Control characters, line breaks, bidi controls, and the invisible marks a name can hide behind. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** The text with unseen characters spelled out, cut to `cap` UTF-16 units. */
export function visible(text: string, cap: number = NAME_CAP): string {
  return cut(text, cap).replace(UNSEEN, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The JVM names hidden classes (lambdas) with an address, `Shop$$Lambda.0x00007f7b783819c0.run`: noise to a reader. */
export function withoutHiddenAddress(name: string): string {
  return name.replace(/[./+]0x[0-9a-f]{8,16}(?=\.)/, "");
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
