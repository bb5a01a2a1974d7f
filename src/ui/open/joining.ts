/** Ways to open files while a recording is open. */

export type Joining = "replace" | "add" | "compare";

export const JOININGS: { how: Joining; label: string; about: (open: string) => string }[] = [
  { how: "replace", label: "Replace", about: (open) => `Closes ${open}. Back opens it again.` },
  { how: "add", label: "Add", about: (open) => `Adds the samples to those of ${open}.` },
  { how: "compare", label: "Compare", about: (open) => `Opens Diff: ${open} against the new file.` },
];

/** Names of the open files, short enough for a sentence. */
export function openWords(names: readonly string[]): string {
  const [first = ""] = names;
  return names.length < 2 ? first : `${first} and ${names.length - 1} more`;
}
