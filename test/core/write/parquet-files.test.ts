/**
 * Files of data sets, by a reader that shares no code with the writer, and files of other engines, whose rows give the
 * same answers. Damage is the fuzzer's (test/fuzz/parquet.test.ts).
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TableName } from "../../../src/core/tables/data-sets.ts";
import { UNPACKERS } from "../../../src/fleet/data-set-codec.ts";
import { sameText } from "../../../src/fleet/parquet/column-data.ts";
import { Damaged } from "../../../src/fleet/parquet/damage.ts";
import { writeFile } from "../../../src/fleet/parquet/file.ts";
import { Opened } from "../../../src/fleet/parquet/file-reader.ts";
import type { Kernels } from "../../../src/fleet/parquet/kernels.ts";
import { parseLists, parseParts, partsText } from "../../../src/fleet/parquet/part-lists.ts";
import { checkIndexes, readFile } from "../../../src/fleet/parquet/read-file.ts";
import { type Table, tableOf } from "../../../src/fleet/parquet/schema.ts";
import { selectSamples } from "../../../src/fleet/tables/select.ts";
import type { Wanted } from "../../../src/fleet/tables/selectors.ts";
import { DUCKDB } from "../../kit/needs.ts";
import {
  DATE,
  ENDPOINT,
  filesIn,
  GZIP,
  newKernels,
  PART_TABLES,
  PLAIN,
  partFiles,
  pathsOf,
  rootOf,
  SINCE,
  TRACE,
} from "../../kit/parquet-parts.ts";

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

let kernels: Kernels;
beforeAll(async () => {
  kernels = await newKernels();
});

it.each([
  ["many ids", 3, false],
  ["few ids", 500, true],
])(
  "ids that are neighbours have a dictionary only where it is small: %s, %i rows of each",
  async (_, rowsOfId, hasDictionary) => {
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
  },
);

const PART = `${DATE}-0123456789abcdef`;
const QUESTIONS: Wanted[] = [{ root: rootOf(7) }, { trace: TRACE }, { endpoint: ENDPOINT }, { since: SINCE }];
const compressors = { GZIP: (bytes: Uint8Array) => gunzipSync(bytes) };

describe("another reader", () => {
  it.each([
    ["codes", "packed"],
    ["values", "plain"],
    ["differences", "delta"],
  ] as const)("has the rows that this one has: %s", async (_, how) => {
    const isDelta = (column: string) => /^time|^start|^function_id$/.test(column);
    for (const [name, bytes] of partFiles(kernels, PART, 3, {
      codec: GZIP,
      how: (column) => (how === "delta" && !isDelta(column) ? "packed" : how),
    })) {
      const table = tableOf(name);
      const columns = table.columns.map((column) => column.name);
      const file = Uint8Array.from(bytes).buffer;
      const source = { byteLength: bytes.length, slice: (from: number, to: number) => file.slice(from, to) };
      const own = await (await Opened.open(source, table, {})).allRows(columns);
      const theirs = await parquetReadObjects({
        file,
        compressors,
        columns,
        parsers: { timestampFromMicroseconds: (value) => value },
      });
      expect(own.map(comparable)).toEqual(theirs.map(comparable));
    }
  });
});

it("row groups begin with their first column, whose place Java's reader takes for theirs", () => {
  for (const [, bytes] of partFiles(kernels, PART, 3, { codec: GZIP, how: () => "packed" })) {
    for (const { columns } of parquetMetadata(Uint8Array.from(bytes).buffer).row_groups) {
      const starts = columns.map(({ meta_data }) => meta_data!.dictionary_page_offset ?? meta_data!.data_page_offset);
      expect(starts.filter((start) => start < starts[0]!)).toEqual([]);
    }
  }
});

/** Maps as lists of pairs, lists as arrays, ids as texts; nothing for a value that is missing. */
function comparable(row: Record<string, unknown>): Record<string, unknown> {
  const one = (value: unknown): unknown => {
    if (value === undefined || value === null) return null;
    if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array);
    if (Array.isArray(value) || typeof value !== "object") return value;
    return Object.entries(value);
  };
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, one(value)]));
}

async function answersOf(files: ReadonlyMap<string, Uint8Array>) {
  const answers = await Promise.all(QUESTIONS.map((wanted) => selectSamples(filesIn(files), wanted)));
  return answers.map(({ message, samples, damaged, unchecked }) => {
    return { message: Buffer.from(message).toString("latin1"), samples, damaged, unchecked };
  });
}

DUCKDB.describe("files that DuckDB has rewritten", () => {
  const folder = mkdtempSync(join(tmpdir(), "spanflame-rewritten-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    "COMPRESSION snappy",
    "COMPRESSION gzip",
    "COMPRESSION zstd",
    "COMPRESSION uncompressed, ROW_GROUP_SIZE 2048",
    "COMPRESSION zstd, PARQUET_VERSION v2",
    "COMPRESSION snappy, PARQUET_VERSION v2, DICTIONARY_SIZE_LIMIT 1",
  ])("give the same answers, and are counted as files without checksums: %s", async (options) => {
    const sound = pathsOf(new Map([[PART, partFiles(kernels, PART, 3, { codec: PLAIN, how: () => "packed" })]]));
    const { DuckDBInstance } = createRequire(import.meta.url)("@duckdb/node-api") as {
      DuckDBInstance: {
        create(
          path: string,
        ): Promise<{ connect(): Promise<{ run(sql: string): Promise<unknown>; closeSync(): void }> }>;
      };
    };
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const rewritten = new Map<string, Uint8Array>();
    for (const [path, bytes] of sound) {
      const [from, to] = [join(folder, path), join(folder, `${path}.new`)];
      mkdirSync(dirname(from), { recursive: true });
      writeFileSync(from, bytes);
      await connection.run(
        `COPY (SELECT * FROM read_parquet('${from}', hive_partitioning = false)) TO '${to}' (FORMAT parquet, ${options})`,
      );
      rewritten.set(path, new Uint8Array(readFileSync(to)));
    }
    connection.closeSync();
    const [before, after] = [await answersOf(sound), await answersOf(rewritten)];
    expect(before.every(({ samples, damaged, unchecked }) => samples > 0 && damaged.length + unchecked === 0)).toBe(
      true,
    );
    expect(after).toEqual(before.map((answer) => ({ ...answer, unchecked: 1 })));
  });
});

describe("a damaged part", () => {
  const parts = [`${DATE}-000000000000000a`, `${DATE}-000000000000000b`] as const;
  const written = () =>
    pathsOf(
      new Map(parts.map((part, i) => [part, partFiles(kernels, part, 3 + i, { codec: GZIP, how: () => "packed" })])),
    );
  const pathIn = (table: TableName) => `${table}/date=${DATE}/${parts[0]}.parquet`;

  it.each(["samples", "stacks", "functions", "recordings"] as const)("in %s is left out and named", async (table) => {
    const files = written();
    const bytes = files.get(pathIn(table))!.slice();
    bytes.fill(0x55, 4, bytes.length / 2);
    const [answer] = await answersOf(files.set(pathIn(table), bytes));
    const [sound] = await answersOf(new Map([...written()].filter(([path]) => path.includes(parts[1]))));
    expect(answer).toMatchObject({ message: sound!.message, samples: sound!.samples, unchecked: 0 });
    const place = table === "samples" ? "(its samples|8 samples)" : "8 samples";
    expect(answer!.damaged).toEqual([
      expect.stringMatching(`^${pathIn(table)}: .*byte \\d+: .* \\(${place} are left out\\)$`),
    ]);
  });

  it("is an error where nothing is left", async () => {
    const files = new Map([...written()].filter(([path]) => path.includes(parts[0])));
    files.set(pathIn("samples"), files.get(pathIn("samples"))!.slice(0, 999));
    await expect(selectSamples(filesIn(files), { since: 0n })).rejects.toThrow(
      `${pathIn("samples")}: byte 991: the file`,
    );
  });
});

it.each(PART_TABLES)("any other byte of a file of %s is noticed", (table) => {
  const bytes = partFiles(kernels, PART, 1, { codec: GZIP, how: () => "packed" }, table).get(table)!;
  const read = (file: Uint8Array) => {
    const { column } = readFile(kernels, tableOf(table), file, UNPACKERS);
    for (const { name } of tableOf(table).columns) column(name);
    return checkIndexes(file);
  };
  expect(read(bytes)).toBe(true);
  const places = Array.from(bytes.keys()).filter((at) => at < 8 || at % Math.ceil(bytes.length / 900) === 0);
  const unnoticed = places.filter((at) => {
    const other = bytes.slice();
    other[at]! ^= 1 << (at % 8);
    try {
      return read(other);
    } catch (error) {
      expect(error).toBeInstanceOf(Damaged);
      return false;
    }
  });
  // What fills a row group up.
  expect(unnoticed.filter((at) => bytes[at] !== 0)).toEqual([]);
  expect(unnoticed.length).toBeLessThan(places.length / 10);
});

describe("the list of parts", () => {
  const list = [{ table: "samples", date: DATE, part: PART, bytes: 1000, footer: 100 }];

  it("is checked, unless an earlier version wrote it", () => {
    const text = partsText(list);
    expect(parseParts("x.json", text)).toEqual(list);
    expect(() => parseParts("x.json", text.replace("samples", "sampler"))).toThrow(
      "x.json is damaged: its checksum is wrong",
    );
    expect(() => parseParts("x.json", text.slice(0, 50))).toThrow("x.json is damaged: ");
    const { crc: _, ...older } = JSON.parse(text) as { crc: number };
    expect(parseLists(JSON.stringify(older))).toEqual({ dates: [], parts: list, older: null });
  });
});
