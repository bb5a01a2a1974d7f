/** Collections of files: so many recordings that a table of them is shown before they are read together. */
import { isDumpPath } from "../../../core/inputs/bundle-paths.ts";
import { uniqueNames } from "../../../model/recording/folder-files.ts";
import type { InputFile } from "../../../worker/api.ts";
import { areTraces, withKinds } from "../../parts/symbols/sort-files.ts";
import type { Collection } from "../recording/recording-state.ts";

/** Fewer recordings are opened together at once. */
const LEAST_FILES = 3;

/**
 * The recordings, and trace files beside them; null for files that belong together: few, a dump, or uploads of one
 * process.
 */
export async function collected(files: readonly InputFile[], least = LEAST_FILES): Promise<Collection | null> {
  if (files.some(({ name, parts }) => parts !== undefined || isDumpPath(name))) return null;
  const names = uniqueNames(files.map(({ name }) => name));
  const named = (await withKinds(files)).map((file, i) => ({ ...file, name: names[i] ?? file.name }));
  const recordings = named.filter((file) => !areTraces([file]));
  const units = new Set(recordings.map(({ upload }, i) => upload?.resource["service.instance.id"] ?? upload ?? i));
  if (units.size < least) return null;
  return { files: recordings, beside: named.filter((file) => areTraces([file])) };
}

/** The collection that open files belong to, or one of these files. */
export async function tableOf(known: Collection | null, files: readonly InputFile[]): Promise<Collection | null> {
  return known !== null && files.some((file) => isIn(known, file)) ? known : collected(files, 2);
}

export function isIn({ files }: Collection, { blob }: InputFile): boolean {
  return files.some((file) => file.blob === blob);
}
