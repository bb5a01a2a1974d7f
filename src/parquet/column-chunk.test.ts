/** Ids that are neighbours get a dictionary only where it is small, because a reader of one page reads all of it. */
import { readFileSync } from "node:fs";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { expect, it } from "vitest";
import { sameText } from "./column-data.ts";
import { writeFile } from "./file.ts";
import { Kernels } from "./kernels.ts";
import type { Table } from "./schema.ts";

const TABLE: Table = {
  name: "samples",
  about: "",
  sort: "",
  columns: [
    { name: "part", type: "text", about: "" },
    { name: "span_id", type: "int64", bloom: true, about: "" },
  ],
};
const ROWS = 5000;

it.each([
  ["many ids", 3, false],
  ["few ids", 500, true],
])("%s: %i rows of each", async (_, rowsOfId, hasDictionary) => {
  const wasm = readFileSync(new URL("../../build/parquet.wasm", import.meta.url));
  const kernels = await Kernels.create(await WebAssembly.compile(wasm));
  const ids = Array.from({ length: Math.ceil(ROWS / rowsOfId) }, (_, i) => BigInt.asIntN(64, BigInt(i) ** 5n - 7n));
  const words = new Uint32Array(BigInt64Array.from(ids).buffer);
  const codes = Uint32Array.from({ length: ROWS }, (_, i) => Math.floor(i / rowsOfId));
  const rows = {
    part: sameText("a", ROWS),
    span_id: { kind: "coded", codes, dictionary: { of: "int64", words }, none: null } as const,
  };
  const codec = { id: 0, compress: (bytes: Uint8Array) => bytes };
  const pieces: Uint8Array[] = [];
  const options = { kernels, codec, groupRows: ROWS, pageRows: 1000, how: () => "near" as const };
  writeFile(TABLE, rows, ROWS, options, (bytes) => pieces.push(bytes));
  const file = Uint8Array.from(Buffer.concat(pieces)).buffer;
  const meta = parquetMetadata(file).row_groups[0]?.columns[1]?.meta_data;
  expect(meta?.encodings.includes("RLE_DICTIONARY")).toBe(hasDictionary);
  expect(meta?.bloom_filter_length).toBeGreaterThan(0);
  const found = await parquetReadObjects({ file, columns: ["span_id"] });
  expect(found.map(({ span_id }) => span_id)).toEqual(Array.from(codes, (code) => ids[code]));
});
