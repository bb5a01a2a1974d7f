/** Files of symbols among the files of the user, by their content. */
import { MAGIC_BYTES, sniff } from "../../symbols/sniff.ts";
import type { InputFile, SymbolInput } from "../../worker/api.ts";
import { Lazy } from "../lazy/lazy.ts";
import { changeSymbols } from "./symbol-store.ts";

/** What reads symbols: fetched with the first such file, or a recording that needs them. */
export const SHELF = new Lazy(() => import("./shelf.ts").then(({ shelf }) => shelf));

/** Files whose first bytes are read at once. */
const AT_ONCE = 32;

/** Files that may be recordings, and files of folders that can only be symbols. */
export interface Sorted {
  recordings: InputFile[];
  others: SymbolInput[];
}

/** Takes the files of symbols, and returns the recordings. `hasSymbols`: there are files of symbols among them. */
export async function takeSymbols({ recordings, others }: Sorted): Promise<{ rest: InputFile[]; hasSymbols: boolean }> {
  const kinds = await kindsOf(recordings.map(({ blob, parts }) => (parts === undefined ? blob : null)));
  const kindsOfOthers = await kindsOf(others.map(({ blob }) => blob));
  const inputs = recordings.map(({ name, blob }) => ({ path: name, blob }));
  const elf = [...inputs.filter((_, i) => kinds[i] === "elf"), ...others.filter((_, i) => kindsOfOthers[i] === "elf")];
  const archives = inputs.filter((_, i) => kinds[i] === "zip");
  const taken = new Set(elf.map(({ blob }) => blob));
  if (elf.length + archives.length > 0) {
    const shelf = await SHELF.fetch();
    if (elf.length > 0) void shelf.add(elf);
    if (archives.length > 0) for (const { blob } of await shelf.addArchives(archives)) taken.add(blob);
  }
  return { rest: recordings.filter(({ blob }) => !taken.has(blob)), hasSymbols: taken.size > 0 };
}

/** The recordings among chosen files. */
export async function withoutSymbols(files: InputFile[]): Promise<InputFile[]> {
  return (await takeSymbols({ recordings: files, others: [] })).rest;
}

type Kind = ReturnType<typeof sniff>;

async function kindsOf(blobs: readonly (Blob | null)[]): Promise<Kind[]> {
  const kinds: Kind[] = [];
  for (let at = 0; at < blobs.length; at += AT_ONCE) {
    if (blobs.length > AT_ONCE) progressOf(at, blobs.length);
    kinds.push(...(await Promise.all(blobs.slice(at, at + AT_ONCE).map(kindOf))));
  }
  if (blobs.length > AT_ONCE) changeSymbols({ progress: null });
  return kinds;
}

function progressOf(done: number, total: number): void {
  changeSymbols({ progress: { text: `Looking for symbols in ${total} files`, share: done / total } });
}

/** A file that cannot be read is left to the reader of recordings, which reports it. */
async function kindOf(blob: Blob | null): Promise<Kind> {
  if (blob === null || blob.size < MAGIC_BYTES) return "other";
  try {
    return sniff(new Uint8Array(await blob.slice(0, MAGIC_BYTES).arrayBuffer()));
  } catch {
    return "other";
  }
}
