/** "Did you mean …?": the known words that are most like a mistyped one. */

/** Edits after which a word is another word. */
const MOST_EDITS = 3;
/** A suggestion shares more than this part of the longer word. */
const LEAST_ALIKE = 0.5;
/** Longer words are no typos of a name that we know. */
const LONGEST = 60;

/**
 * The least number of inserted, deleted, replaced and exchanged characters (optimal string alignment) between two
 * words. Each row has the distances of one beginning of `a` to all beginnings of `b`.
 */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, replaced);
      const isExchange = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isExchange) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}

/** The candidates with the fewest edits, in the order given; none where every one is too different. */
function similar(word: string, candidates: Iterable<string>): string[] {
  let found: string[] = [];
  let fewest = MOST_EDITS;
  // Dashes in front do not make words alike.
  const dashes = /^-*/.exec(word)![0];
  const typed = word.slice(dashes.length).toLowerCase();
  if (typed.length > LONGEST) return [];
  for (const each of new Set(candidates)) {
    const candidate = each.startsWith(dashes) ? each.slice(dashes.length) : each;
    const length = Math.max(typed.length, candidate.length);
    if (length > LONGEST || Math.abs(typed.length - candidate.length) > fewest) continue;
    const edits = editsBetween(typed, candidate.toLowerCase());
    if (edits > fewest || (length - edits) / length <= LEAST_ALIKE) continue;
    if (edits < fewest) found = [];
    fewest = edits;
    found.push(each);
  }
  return found;
}

/** `; did you mean cpu?`, or nothing. To be put at the end of a message. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const words = similar(word, candidates).slice(0, MOST_EDITS);
  return words.length === 0 ? "" : `; did you mean ${words.join(" or ")}?`;
}

/** A value that is not one of the known ones. */
export function notOneOf(option: string, text: string, choices: readonly string[]): string {
  return `${option}: ${JSON.stringify(text)} is not one of ${choices.join(", ")}${didYouMean(text, choices)}`;
}
