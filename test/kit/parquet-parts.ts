/** Small parts of a data set with values of every type, missing ones and lists, in several row groups and pages. */

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { TableName } from "../../src/core/tables/data-sets.ts";
import { DEPLOYMENT } from "../../src/fleet/deployment.ts";
import type { Codec } from "../../src/fleet/parquet/column-chunk.ts";
import {
  type ColumnData,
  type How,
  intValues,
  longValues,
  sameText,
  textLists,
  textMaps,
  textValues,
} from "../../src/fleet/parquet/column-data.ts";
import { type Rows, writeFile } from "../../src/fleet/parquet/file.ts";
import { Kernels } from "../../src/fleet/parquet/kernels.ts";
import { type DataSetFiles, type Part, pathOf } from "../../src/fleet/parquet/parts.ts";
import { tableOf } from "../../src/fleet/parquet/schema.ts";

export const GZIP: Codec = { id: 2, compress: (bytes) => gzipSync(bytes) };
export const PLAIN: Codec = { id: 0, compress: (bytes) => bytes };

export async function newKernels(): Promise<Kernels> {
  const wasm = readFileSync(new URL("../../build/parquet.wasm", import.meta.url));
  return Kernels.create(await WebAssembly.compile(wasm));
}

export const DATE = "2026-11-23";
export const PART_TABLES = ["samples", "stacks", "functions", "recordings"] as const satisfies readonly TableName[];
const START = BigInt(Date.parse(DATE)) * 1_000_000n;
const ROWS = 300;
const REQUEST_ROWS = 8;
const STACKS = 90;
const FUNCTIONS = 70;
const TYPES = ["cpu", "wall", "alloc-samples"];
const ENDPOINTS = ["GET /cart", "POST /order", "", "GET /très/long"];

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

/** The local root of a request; both parts have it. */
export const rootOf = (request: number) => BigInt.asIntN(64, BigInt(request + 1) * 0x9e3779b97f4a7c15n);
export const ENDPOINT = ENDPOINTS[1]!;
export const SINCE = START + 200n * 1_000_003n;

function traces(): ColumnData {
  const values = [new Uint8Array(16), ...numbers(9).map((i) => new Uint8Array(16).fill(i + 1))];
  return {
    kind: "coded",
    codes: Uint32Array.from(numbers(ROWS), (i) => i % 10),
    dictionary: { of: "bytes16", values },
    none: 0,
  };
}

export const TRACE = new Uint8Array(16).fill(3);

function coded(values: readonly bigint[]): ColumnData {
  const codes = new Map<bigint, number>();
  for (const value of values) if (!codes.has(value)) codes.set(value, codes.size);
  const words = new Uint32Array(BigInt64Array.from(codes.keys()).buffer);
  return {
    kind: "coded",
    codes: Uint32Array.from(values, (value) => codes.get(value)!),
    dictionary: { of: "int64", words },
    none: null,
  };
}

function deployment(of: (column: string) => ColumnData): Rows {
  return Object.fromEntries(Object.keys(DEPLOYMENT).map((column) => [column, of(column)]));
}

const hasWindow = (i: number) => i % 9 === 4;

function samplesOf(part: string, salt: number): Rows {
  const all = numbers(ROWS);
  const text = (of: (i: number) => string, nullable = true) => textValues(all.map(of), nullable);
  const times = all.map((i) => START + BigInt(i) * 1_000_003n);
  return {
    part: sameText(part, ROWS),
    recording_id: intValues(all.map((i) => i % 2)),
    time: longValues(
      times.map((time) => time / 1000n),
      0,
    ),
    // A few rows lie in a window of a minute instead of at a time.
    time_end: longValues(
      times.map((time, i) => (hasWindow(i) ? time / 1000n + 60_000_000n : 0n)),
      0,
    ),
    time_unix_nano: longValues(times.map((time, i) => (hasWindow(i) ? 0n : time))),
    profile_type: text((i) => TYPES[i % 3]!, false),
    unit: text(() => "nanoseconds", false),
    value: longValues(all.map((i) => BigInt(i * salt - 7))),
    period: longValues(
      all.map((i) => BigInt(i % 3) * 10_000_000n),
      0,
    ),
    unit2: text((i) => (i % 5 === 0 ? "bytes" : "")),
    value2: longValues(
      all.map((i) => (i % 5 === 0 ? BigInt(i + 1) : 0n)),
      0,
    ),
    event: text(() => "jdk.ExecutionSample"),
    local_root_span_id: coded(all.map((i) => rootOf(Math.floor(i / REQUEST_ROWS)))),
    span_id: coded(all.map((i) => rootOf(1000 + Math.floor(i / 3) * salt))),
    trace_id: traces(),
    service: text((i) => (i < 100 ? "cart" : "shop")),
    instance: text((i) => (i % 7 === 0 ? "" : "host1")),
    ...deployment((column) => text((i) => (i % 3 === 0 ? "" : `${column} ${i % 2}`))),
    operation: text((i) => `op ${i % 11}`),
    endpoint: text((i) => ENDPOINTS[i % 4]!),
    thread: text((i) => `worker-${i % 13}-${salt}`),
    thread_id: longValues(
      all.map((i) => BigInt(i % 13)),
      0,
    ),
    leaf: text((i) => `shop.Cart.m${i % 20}`),
    stack_id: intValues(
      all.map((i) => (i % 17 === 0 ? -1 : (i * 7 + salt) % STACKS)),
      true,
    ),
    attributes: textMaps(
      all.map((i): Record<string, string> => (i % 3 === 0 ? { tenant: `t${i % 4}`, zone: "a" } : {})),
    ),
  };
}

function stacksOf(part: string): Rows {
  const sizes = numbers(STACKS).map((i) => 1 + (i % 9));
  const offsets = new Uint32Array(STACKS + 1);
  for (const [i, size] of sizes.entries()) offsets[i + 1] = offsets[i]! + size;
  const frames = numbers(offsets[STACKS]!).map((i) => (i * 31) % FUNCTIONS);
  const absent = Uint8Array.from(numbers(STACKS), (i) => (i % 4 === 0 ? 1 : 0));
  const lineOffsets = new Uint32Array(STACKS + 1);
  for (const [i, size] of sizes.entries()) lineOffsets[i + 1] = lineOffsets[i]! + (absent[i] === 1 ? 0 : size);
  return {
    part: sameText(part, STACKS),
    stack_id: intValues(numbers(STACKS)),
    stack_hash: {
      kind: "coded",
      codes: Uint32Array.from(numbers(STACKS)),
      dictionary: { of: "bytes16", values: numbers(STACKS).map((i) => new Uint8Array(16).fill(i * 3)) },
      none: null,
    },
    frames: { kind: "list", offsets, absent: null, items: intValues(frames) },
    lines: {
      kind: "list",
      offsets: lineOffsets,
      absent,
      items: intValues(numbers(lineOffsets[STACKS]!).map((i) => i % 400)),
    },
  };
}

function functionsOf(part: string): Rows {
  const all = numbers(FUNCTIONS);
  return {
    part: sameText(part, FUNCTIONS),
    function_id: intValues(all),
    function_name: textValues(
      all.map((i) => `shop.Cart$${i % 5}.method${i}`),
      false,
    ),
    display_name: textValues(
      all.map((i) => `shop.Cart.method${i}`),
      false,
    ),
    class_name: textValues(
      all.map((i) => `shop.Cart${i % 5}`),
      true,
    ),
    file: textValues(
      all.map((i) => (i % 6 === 0 ? "" : `Cart${i % 5}.java`)),
      true,
    ),
    frame_type: textValues(
      all.map((i) => (i % 8 === 0 ? "native" : "jvm")),
      true,
    ),
  };
}

function recordingsOf(part: string): Rows {
  return {
    part: sameText(part, 2),
    recording_id: intValues([0, 1]),
    sha256: textValues(["a".repeat(64), "b".repeat(64)], false),
    file: textValues(["a.jfr", "b.jfr"], false),
    bytes: longValues([1000n, 2000n]),
    service: textValues(["cart", ""], true),
    instance: textValues(["", "host1"], true),
    ...deployment((column) => textValues(["", `${column} 1`], true)),
    start: longValues([START / 1000n, 0n], 0),
    end: longValues([START / 1000n + 5n, 0n], 0),
    samples: longValues([150n, 150n]),
    resource: textMaps([{ "service.name": "cart", "host.name": "h" }, {}]),
    diagnostics: textLists([[], ["the recording is cut off"]]),
  };
}

export interface Written {
  codec: Codec;
  how: (column: string) => How;
}

/** Files of a part by their table, or of one table. Parts differ by their salt. */
export function partFiles(
  kernels: Kernels,
  part: string,
  salt: number,
  { codec, how }: Written,
  only?: TableName,
): Map<TableName, Uint8Array> {
  const tables: [TableName, number, () => Rows][] = [
    ["samples", ROWS, () => samplesOf(part, salt)],
    ["stacks", STACKS, () => stacksOf(part)],
    ["functions", FUNCTIONS, () => functionsOf(part)],
    ["recordings", 2, () => recordingsOf(part)],
  ];
  const files = new Map<TableName, Uint8Array>();
  for (const [name, count, rows] of tables) {
    if (only !== undefined && name !== only) continue;
    const pieces: Uint8Array[] = [];
    const options = { kernels, codec, groupRows: 160, pageRows: 56, how };
    writeFile(tableOf(name), rows(), count, options, (bytes) => pieces.push(bytes));
    files.set(name, Uint8Array.from(Buffer.concat(pieces)));
  }
  return files;
}

/** A data set of files by their paths. */
export function filesIn(files: ReadonlyMap<string, Uint8Array>): DataSetFiles {
  const parts = [...files].map(([path, bytes]): Part => {
    const [table = "", , name = ""] = path.split("/");
    return { table, date: DATE, part: name.replace(".parquet", ""), bytes: bytes.length };
  });
  return {
    parts,
    open: (part) => ({
      byteLength: part.bytes,
      slice: (from, to) => Uint8Array.from(files.get(pathOf(part))!.subarray(from, to)).buffer,
    }),
  };
}

/** Paths and files of parts. */
export function pathsOf(parts: ReadonlyMap<string, ReadonlyMap<TableName, Uint8Array>>): Map<string, Uint8Array> {
  return new Map(
    [...parts].flatMap(([part, files]) =>
      [...files].map(([table, bytes]) => [pathOf({ table, date: DATE, part }), bytes] as const),
    ),
  );
}
