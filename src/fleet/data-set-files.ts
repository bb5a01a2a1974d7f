/** A data set in a local folder. */

import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { PARTS_FILE, type TableName } from "../core/tables/data-sets.ts";
import { Folder } from "../node/disk.ts";
import { UNPACKERS } from "./data-set-codec.ts";
import { FOOTER_TAIL, type Part, partsText, pathOf } from "./parquet/parts.ts";
import { TABLES } from "./parquet/schema.ts";
import type { DataSetFiles } from "./tables/select.ts";

const DATE = /^date=(\d{4}-\d\d-\d\d)$/;

function localParts(dir: string): Part[] {
  return TABLES.flatMap(({ name }) => [...partsOf(dir, name)]);
}

/** Parts of a table, by date. */
export function* partsOf(dir: string, table: TableName): Generator<Part> {
  for (const folder of namesIn(join(dir, table))) {
    const date = DATE.exec(folder)?.[1];
    if (date === undefined) continue;
    for (const name of namesIn(join(dir, table, folder)).filter((each) => /^[^_.].*\.parquet$/.test(each))) {
      const stats = statSync(join(dir, table, folder, name), { throwIfNoEntry: false });
      // Not a link without a file, a pipe, a device.
      if (stats?.isFile()) yield { table, date, part: name.slice(0, -".parquet".length), bytes: stats.size };
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    // A file is no folder of parts.
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

export function localFiles(dir: string): DataSetFiles {
  return {
    parts: localParts(dir),
    unpackers: UNPACKERS,
    open: (part) => ({
      byteLength: part.bytes,
      slice: (from, to) => bytesOf(join(dir, pathOf(part)), from, to),
    }),
  };
}

function bytesOf(path: string, from: number, to: number): ArrayBuffer {
  const bytes = new Uint8Array(to - from);
  const file = openSync(path, "r");
  try {
    let at = 0;
    while (at < bytes.length) {
      const count = readSync(file, bytes, at, bytes.length - at, from + at);
      if (count === 0) throw new Error(`${path} ends before byte ${to}`);
      at += count;
    }
  } finally {
    closeSync(file);
  }
  return bytes.buffer;
}

/** Bytes of the footer of a file of Parquet, with its tail. */
function footerOf(path: string, size: number): number {
  // Readers find out that it cannot be.
  if (size < FOOTER_TAIL) return 0;
  const tail = bytesOf(path, size - FOOTER_TAIL, size);
  return new DataView(tail).getUint32(0, true) + FOOTER_TAIL;
}

/** Lists the parts for readers of static hosts. The last one of several writers lists the parts of all. */
export function writePartsFile(dir: string): void {
  const parts = localParts(dir).map((part) => ({ ...part, footer: footerOf(join(dir, pathOf(part)), part.bytes) }));
  new Folder(dir).replace(PARTS_FILE, partsText(parts));
}
