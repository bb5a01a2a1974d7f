/** Words of a search among calls: each has to occur, with `-` in front it must not. */

export interface SearchWord {
  /** In small letters. */
  word: string;
  isAbsent: boolean;
}

export function wordsOf(query: string): SearchWord[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .map((text) => ({ word: text.replace(/^[+-]/, ""), isAbsent: text.startsWith("-") }))
    .filter(({ word }) => word !== "");
}
