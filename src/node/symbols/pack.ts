/**
 * --pack: a folder with the files of symbols that a recording needs, and no others:
 *
 *   .build-id/2d/e3e4….debug        the file of a library with lines, or with the best symbols
 *   .build-id/2d/e3e4….d/0/unit.dwo     what was split off from it, or a supplement without build id
 */
import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import { piecesOf } from "../../bytes/byte-source.ts";
import { baseName } from "../../symbols/archive-path.ts";
import { hasBuildId } from "../../symbols/build-id.ts";
import { Folder } from "../disk.ts";
import { isHexId } from "./fetched-files.ts";
import type { RecordedSymbols } from "./recorded-symbols.ts";
import type { SymbolFile } from "./symbol-files.ts";

const PIECE = 1 << 22;

/** Paths below the folder, and bytes. */
export interface Packed {
  files: string[];
  bytes: number;
}

export async function packSymbols(folder: string, { libraries, files }: RecordedSymbols): Promise<Packed> {
  const packed: Packed = { files: [], bytes: 0 };
  for (const [buildId, names] of libraries) {
    const used = names.files.flatMap((summary) => {
      const file = files.find(({ path, kind }) => path === summary.path && kind === "readable");
      return file === undefined ? [] : [{ summary, file }];
    });
    const own = used.filter(({ file }) => hasBuildId(file, buildId));
    const lines = own.find(({ summary }) => summary.lines || summary.inlines);
    const symbols =
      own.find(({ summary }) => summary.symbols === ".symtab") ?? own.find(({ summary }) => summary.symbols);
    const main = lines ?? symbols;
    const id = main?.file.buildId ?? "";
    if (main === undefined || !isHexId(id)) continue;
    const place = `.build-id/${id.slice(0, 2)}/${id.slice(2)}`;
    const copies: [string, SymbolFile][] = [[`${place}.debug`, main.file]];
    // A debug file may have lines and no symbols.
    if (symbols !== undefined && symbols !== main) copies.push([place, symbols.file]);
    const others = used.filter(({ file }) => !own.some((each) => each.file === file));
    for (const [i, { file }] of others.entries()) copies.push([`${place}.d/${i}/${baseName(file.path)}`, file]);
    for (const [path, file] of copies) {
      await copy(file, new Folder(folder), path);
      packed.files.push(path);
      packed.bytes += file.bytes;
    }
  }
  return packed;
}

/** The copy is in its place once it is complete. */
async function copy(file: SymbolFile, folder: Folder, path: string): Promise<void> {
  const temporary = `${posix.dirname(path)}/.${randomBytes(8).toString("hex")}.tmp`;
  const { source, close } = await file.open();
  try {
    const out = folder.create(temporary);
    try {
      for await (const piece of piecesOf(source, PIECE)) out.write(piece);
    } finally {
      out.close();
    }
    folder.move(temporary, path);
  } finally {
    folder.remove(temporary);
    await close();
  }
}
