/** Texts of the URL hash: keys encoded inside of values, and how many of one kind are read. */

/** No query needs more filters of one kind; a hostile address gets no further. */
export const MOST_FILTERS = 200;

/** encodeURIComponent throws for half a surrogate pair; URLSearchParams replaces it, and so does this. */
export function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

/** Null for a text that is not encoded soundly. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The different texts that are not empty. */
export function patternsIn(texts: string[]): string[] {
  return [...new Set(texts.filter((text) => text !== ""))].slice(0, MOST_FILTERS);
}
