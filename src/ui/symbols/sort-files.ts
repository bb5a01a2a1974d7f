/** Files of symbols among the files of the user, by their content. */
import { isEventName } from "../../input/bundle.ts";
import { MAGIC_SIZE, sniff } from "../../symbols/sniff.ts";
import type { InputFile } from "../../worker/api.ts";
import { Lazy } from "../lazy/lazy.ts";
import { changeSymbols } from "./symbol-store.ts";

/** What reads symbols: fetched with the first such file, or a recording that needs them. */
export const SHELF = new Lazy(() => import("./shelf.ts").then(({ shelf }) => shelf));

/** Files whose first bytes are read at once. */
const AT_ONCE = 32;

/** Takes the files of symbols, and returns the recordings. Throws an error for the user if there are neither. */
export async function withoutSymbols(files: InputFile[]): Promise<InputFile[]> {
  const isUpload = files.some(({ name }) => isEventName(name));
  const all = isUpload ? await (await import("../open/uploads.ts")).withUploads(files) : files;
  const { rest, hasSymbols } = await takeSymbols(all);
  if (rest.length === 0 && !hasSymbols) throw (await import("../open/folders.ts")).nothingFound();
  return rest;
}

/** Takes the files of symbols; `rest` has the recordings, if there are any. */
export async function takeSymbols(files: InputFile[]): Promise<{ rest: InputFile[]; hasSymbols: boolean }> {
  const kinds = await kindsOf(files.map(({ blob, parts }) => (parts === undefined ? blob : null)));
  const inputs = files.map(({ name, blob }) => ({ path: name, blob }));
  const elf = inputs.filter((_, i) => kinds[i] === "elf");
  const archives = inputs.filter((_, i) => kinds[i] === "zip");
  const taken = new Set(elf.map(({ blob }) => blob));
  if (elf.length + archives.length > 0) {
    const shelf = await SHELF.fetch();
    if (elf.length > 0) void shelf.add(elf);
    if (archives.length > 0) for (const { blob } of await shelf.addArchives(archives)) taken.add(blob);
  }
  const rest = files.filter(({ blob, onlySymbols }) => onlySymbols !== true && !taken.has(blob));
  return { rest, hasSymbols: taken.size > 0 };
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
  if (blob === null || blob.size < MAGIC_SIZE) return "other";
  try {
    return sniff(new Uint8Array(await blob.slice(0, MAGIC_SIZE).arrayBuffer()));
  } catch {
    return "other";
  }
}
