/** Ways to open files while a recording is open. */
import { shownNames } from "../../../model/recording/shown-names.ts";

export type Joining = "replace" | "add" | "compare";

export const JOININGS: { how: Joining; label: string; about: (open: string) => string }[] = [
  { how: "replace", label: "Replace", about: (open) => `Closes ${open}. Back opens it again.` },
  { how: "add", label: "Add", about: (open) => `Shows both together: ${open} and the new file.` },
  { how: "compare", label: "Compare", about: (open) => `Opens Compare: ${open} against the new file.` },
];

/** Names of the open files, short enough for a sentence. */
export function openWords(names: readonly string[]): string {
  const [first = "", ...more] = shownNames(names);
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}
