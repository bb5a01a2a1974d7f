/** How Node writes the files of a data set: compression, sizes, encodings. */

import { readFile } from "node:fs/promises";
import * as zlib from "node:zlib";
import type { TableName } from "../core/tables/data-sets.ts";
import type { Codec } from "./parquet/column-chunk.ts";
import type { How } from "./parquet/column-data.ts";
import type { FileOptions } from "./parquet/file.ts";
import { Compression } from "./parquet/format.ts";
import { Kernels } from "./parquet/kernels.ts";
import type { Unpackers } from "./parquet/unpack-page.ts";

const ZSTD_LEVEL = 3;
const GZIP_LEVEL = 1;
/** Of Node's compressor. */
const CHUNK_LEAST = 64;

/** Since Node 22.15. */
type Zstd = (bytes: Uint8Array, options: { params: Record<number, number> }) => Uint8Array;

/** A page in one chunk: most are small, and room for the usual 16 KB takes as long as the compression. */
function gzip(bytes: Uint8Array): Uint8Array {
  return zlib.gzipSync(bytes, { level: GZIP_LEVEL, chunkSize: bytes.length + CHUNK_LEAST });
}

function codec(): Codec {
  const { zstdCompressSync, constants } = zlib as unknown as {
    zstdCompressSync?: Zstd;
    constants: { ZSTD_c_compressionLevel: number };
  };
  if (zstdCompressSync === undefined) return { id: Compression.gzip, compress: gzip };
  const params = { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL };
  return { id: Compression.zstd, compress: (bytes) => zstdCompressSync(bytes, { params }) };
}

const { zstdDecompressSync: unzstd } = zlib as unknown as {
  zstdDecompressSync?: (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;
};

/** Faster than the page's own. */
export const UNPACKERS: Unpackers = {
  [Compression.gzip]: (bytes, size) => zlib.gunzipSync(bytes, { maxOutputLength: size }),
  ...(unzstd !== undefined && { [Compression.zstd]: (bytes, size) => unzstd(bytes, { maxOutputLength: size }) }),
};

/**
 * Columns whose values ascend, lists that repeat after whole bytes, and ids, which are neighbours if they are equal;
 * all others are packed (bench/README.md).
 */
const HOW: ReadonlyMap<string, How> = new Map(
  Object.entries({
    time: "delta",
    time_unix_nano: "delta",
    start: "delta",
    end: "delta",
    start_unix_nano: "delta",
    stack_id: "packed",
    function_id: "delta",
    recording_id: "packed",
    stack_hash: "plain",
    local_root_span_id: "near",
    span_id: "near",
    frames: "aligned",
    lines: "aligned",
    attributes: "aligned",
    key: "delta",
    first_row: "delta",
    rows: "delta",
  }),
);

/**
 * A reader of one trace takes few pages, so they are small, and the ids of each row group that has the trace. Rows of a
 * stack are long: a reader fetches whole row groups.
 */
const SAMPLE_ROWS: Sizes = { groupRows: 1 << 16, pageRows: 1 << 13 };
const STACK_ROWS: Sizes = { groupRows: 1 << 10, pageRows: 1 << 9 };
/** Of an index a row group is read whole, so its columns are neighbours. */
const ID_ROWS: Sizes = { groupRows: 1 << 13, pageRows: 1 << 13 };
type Sizes = Pick<FileOptions, "groupRows" | "pageRows">;

/** The loops of the writer, in memory of a thread. Built beside the command line by scripts/vite.package.config.ts. */
export async function newKernels(): Promise<Kernels> {
  const bytes = await readFile(new URL("./parquet.wasm", import.meta.url));
  return Kernels.create(await WebAssembly.compile(bytes));
}

export function fileOptions(kernels: Kernels, table: TableName): FileOptions {
  const sizes = { stacks: STACK_ROWS, ids: ID_ROWS }[table as string] ?? SAMPLE_ROWS;
  return { kernels, ...sizes, codec: codec(), how: (column) => HOW.get(column) ?? "packed" };
}
