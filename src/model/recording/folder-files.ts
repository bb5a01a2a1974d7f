/** Files of a folder that are read: the rule for folders that are dropped on the page or named on the command line. */
import { ARCHIVE_ENDINGS, INPUT_FORMATS, PACKED_ENDINGS } from "../../core/inputs/formats.ts";

const READ = Object.values(INPUT_FORMATS).map(({ endings }) => endings);

/** Whether a file of a folder may be a profile, by its name. The other files of the folder are left alone. */
export function isProfileName(name: string): boolean {
  const [last = "", before = ""] = name.toLowerCase().split(".").slice(1).reverse();
  if (ARCHIVE_ENDINGS.includes(last)) return true;
  const ending = PACKED_ENDINGS.includes(last) ? before : last;
  return READ.some((endings) => endings.includes(ending));
}

/** `.jfr, .pprof, .pb or .zip`. */
export function usualEndings(): string {
  const usual = READ.flatMap(([first]) => (first === undefined ? [] : `.${first}`));
  return `${usual.join(", ")} or .${ARCHIVE_ENDINGS.join(", .")}`;
}

/** Names of which each is unique: the second `a` becomes `a (2)`. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((wanted) => {
    let name = wanted;
    for (let n = 2; taken.has(name); n++) name = `${wanted} (${n})`;
    taken.add(name);
    return name;
  });
}

/** A path as its parts, and how many of the last ones are its name at least. */
export interface Path {
  parts: readonly string[];
  least: number;
}

/** Short names of paths: the last parts of each, as many as tell it from all others. Equal paths get a number. */
export function shortNames(paths: readonly Path[]): string[] {
  const used = paths.map(({ least }) => least);
  const nameOf = ({ parts }: Path, count: number) => parts.slice(-count).join("/");
  for (;;) {
    const names = paths.map((path, i) => nameOf(path, used[i]!));
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    let isLonger = false;
    for (const [i, { parts }] of paths.entries()) {
      if (counts.get(names[i]!) === 1 || used[i]! >= parts.length) continue;
      used[i]!++;
      isLonger = true;
    }
    if (!isLonger) return uniqueNames(names);
  }
}
