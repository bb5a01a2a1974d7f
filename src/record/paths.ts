/**
 * Templates of paths without a route, in which ids are `*`. A segment is a word if it has letters only, with `-`, `_`
 * or `.` between them, or is a version such as `v2`. Names of users are words, too: where more than 20 words follow
 * the same prefix, or 100 begin paths, they are ids.
 */

const WORD = /^(?:[a-z]+(?:[-_.][a-z]+)*|v\d{1,2})$/i;
const LONGEST_WORD = 24;
const MOST_WORDS = 20;
const MOST_FIRST = 100;
const MOST_SEGMENTS = 8;
const MOST_PREFIXES = 1000;
const ANY = "*";

/** Words by the prefix before them. */
const words = new Map<string, Set<string>>();

/** Learns the words of a path, and returns its template by what is known so far; empty for what is no path. */
export function templateOf(path: string): string {
  if (!path.startsWith("/")) return "";
  let prefix = "";
  const segments = path.split("/", MOST_SEGMENTS + 2).slice(1);
  for (const [i, segment] of segments.entries()) {
    if (i === MOST_SEGMENTS) return `${prefix}/${ANY}`;
    prefix += `/${isWord(prefix, segment) ? segment : ANY}`;
  }
  return prefix;
}

function isWord(prefix: string, segment: string): boolean {
  if (segment === "") return true;
  if (segment.length > LONGEST_WORD || !WORD.test(segment)) return false;
  const known = words.get(prefix) ?? new Set();
  const most = prefix === "" ? MOST_FIRST : MOST_WORDS;
  if (known.size <= most) known.add(segment);
  if (words.size < MOST_PREFIXES) words.set(prefix, known);
  return known.size <= most && words.has(prefix);
}
