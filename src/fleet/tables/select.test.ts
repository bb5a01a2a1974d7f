/** What a selection reads over a network: requests, bytes, and how often it waits for answers. No times. */

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import type { TableName } from "../../core/tables/data-sets.ts";
import { equalShares } from "../id-index.ts";
import { type ColumnData, intValues, longValues, sameText, textValues } from "../parquet/column-data.ts";
import { type FileOptions, type Rows, writeFile } from "../parquet/file.ts";
import { Kernels } from "../parquet/kernels.ts";
import { type DataSetFiles, groupPlaces, groupsNoted, KEYS, type Part, placesOf } from "../parquet/parts.ts";
import { footerOf } from "../parquet/read-file.ts";
import { type Column, tableOf } from "../parquet/schema.ts";
import { noteOf } from "./ids.ts";
import { selectSamples } from "./select.ts";

const TYPES = ["alloc-samples", "cpu", "wall"];
const SERVICES = ["cart", "shop"];
const REQUESTS = 2400;
/** Rows of a request in a profile type. */
const ROWS = 9;
const SPANS = 3;
const COUNT = TYPES.length * SERVICES.length * REQUESTS * ROWS;
const STACKS = 4000;
const DEPTH = 40;
const FUNCTIONS = 3000;
const DATE = "2026-11-23";
const PART = `${DATE}-0123456789abcdef`;
const GROUP_ROWS = 1 << 14;
const PAGE_ROWS = 1 << 10;
const STACK_GROUP_ROWS = 1 << 9;
const KEY_GROUP_ROWS = 1 << 8;
const CODEC = { id: 2, compress: (bytes: Uint8Array) => gzipSync(bytes, { level: 1 }) };

/** A number that looks random, by its place. */
const mixed = (i: number) => BigInt.asIntN(64, BigInt(i + 1) * 0x9e3779b97f4a7c15n) ^ BigInt(i * 7919);
const rootOf = (service: number, request: number) => mixed(service * REQUESTS + request);

const files = new Map<TableName, Uint8Array>();

beforeAll(async () => {
  const wasm = readFileSync(new URL("../../../build/parquet.wasm", import.meta.url));
  const kernels = await Kernels.create(await WebAssembly.compile(wasm));
  const write = (name: TableName, count: number, given: Rows, more: Partial<FileOptions> = {}) => {
    const pieces: Uint8Array[] = [];
    const sizes = { groupRows: name === "stacks" ? STACK_GROUP_ROWS : GROUP_ROWS, pageRows: PAGE_ROWS };
    const options = { kernels, codec: CODEC, ...sizes, how: () => "packed" as const, ...more };
    writeFile(tableOf(name), rowsOf(name, count, given), count, options, (bytes) => pieces.push(bytes));
    files.set(name, Buffer.concat(pieces));
  };
  write("samples", COUNT, samples());
  const items = Int32Array.from({ length: STACKS * DEPTH }, (_, i) => Number(BigInt.asUintN(32, mixed(i))) % FUNCTIONS);
  const offsets = Uint32Array.from({ length: STACKS + 1 }, (_, i) => i * DEPTH);
  const frames: ColumnData = { kind: "list", offsets, absent: null, items: intValues(items) };
  write("stacks", STACKS, { stack_id: intValues(numbers(STACKS)), frames, lines: frames });
  const names = numbers(FUNCTIONS).map((i) => `com.example.package${i % 50}.Class${i % 300}.method${i}`);
  write("functions", FUNCTIONS, {
    function_id: intValues(numbers(FUNCTIONS)),
    function_name: textValues(names, false),
  });
  write("recordings", 1, {});
  const runs = keys();
  const shares = equalShares(
    BigInt64Array.from(runs, ({ key }) => key),
    KEY_GROUP_ROWS,
  );
  const ids: Rows = {
    key: longValues(runs.map(({ key }) => key)),
    part: sameText(PART, runs.length),
    in_table: sameText("samples", runs.length),
    first_row: intValues(runs.map(({ first }) => first)),
    rows: intValues(runs.map(() => TYPES.length * ROWS)),
  };
  const notes = noteOf({ parts: [PART], files: 1 });
  write("ids", runs.length, ids, { groupRows: KEY_GROUP_ROWS, ...shares, notes });
});

/** What an index has of the roots: their keys in order, and their first rows. */
function keys(): { key: bigint; first: number }[] {
  const runs = SERVICES.flatMap((_, service) =>
    numbers(REQUESTS).map((request) => ({
      key: BigInt.asIntN(64, rootOf(service, request) * 0x9e3779b97f4a7c15n),
      first: (service * REQUESTS + request) * TYPES.length * ROWS,
    })),
  );
  return runs.sort((a, b) => (a.key < b.key ? -1 : 1));
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

const NANOS = BigInt(Date.parse(DATE)) * 1_000_000n;
const ROW_NANOS = 3_000_001n;
/** When the first row of a request is. */
const startOf = (request: number) => NANOS + BigInt(request * TYPES.length * ROWS) * ROW_NANOS;

/** Rows by service, request, profile type and time. */
function samples(): Rows {
  const roots: bigint[] = [];
  const spans: bigint[] = [];
  const times: bigint[] = [];
  const types: string[] = [];
  const services: string[] = [];
  for (const [service, name] of SERVICES.entries()) {
    for (let i = 0; i < REQUESTS * TYPES.length * ROWS; i++) {
      const request = Math.floor(i / ROWS / TYPES.length);
      roots.push(rootOf(service, request));
      spans.push(mixed(1_000_000 + SPANS * (service * REQUESTS + request) + (i % SPANS)));
      times.push(NANOS + BigInt(i) * ROW_NANOS);
      types.push(TYPES[Math.floor(i / ROWS) % TYPES.length]!);
      services.push(name);
    }
  }
  return {
    local_root_span_id: coded(roots),
    span_id: coded(spans),
    time_unix_nano: longValues(times),
    profile_type: textValues(types, false),
    service: textValues(services, true),
    stack_id: intValues(
      numbers(COUNT).map((i) => Number(BigInt.asUintN(32, mixed(i >> 1))) % STACKS),
      true,
    ),
  };
}

function coded(values: readonly bigint[]): ColumnData {
  const codes = new Map<bigint, number>();
  for (const value of values) if (!codes.has(value)) codes.set(value, codes.size);
  const words = new Uint32Array(BigInt64Array.from(codes.keys()).buffer);
  const rows = Uint32Array.from(values, (value) => codes.get(value)!);
  return { kind: "coded", codes: rows, dictionary: { of: "int64", words }, none: null };
}

/** All columns of a table; those that are not given have one value. */
function rowsOf(table: TableName, count: number, given: Rows): Rows {
  const same = ({ name, type, nullable }: Column): ColumnData => {
    const none = textValues([], false);
    const offsets = new Uint32Array(count + 1);
    if (type === "map<text,text>") return { kind: "map", offsets, keys: none, values: none };
    if (type.startsWith("list")) return { kind: "list", offsets, absent: null, items: none };
    if (type === "text") return sameText(nullable === true ? null : name, count);
    if (type === "int32") return intValues(new Int32Array(count));
    if (type !== "bytes16") return { kind: "longs", words: new Uint32Array(2 * count), none: nullable ? 0 : null };
    const dictionary = { of: "bytes16", values: [new Uint8Array(16)] } as const;
    return { kind: "coded", codes: new Uint32Array(count), dictionary, none: 0 };
  };
  return Object.fromEntries(tableOf(table).columns.map((column) => [column.name, given[column.name] ?? same(column)]));
}

/** A network in which all requests that are open are answered at a time: a wave. */
class Network implements DataSetFiles {
  readonly parts: Part[];
  readonly tables = new Map<string, number>();
  readonly asked = new Map<string, { from: number; to: number }[]>();
  requests = 0;
  bytes = 0;
  waves = 0;
  private open_: (() => void)[] = [];

  /** `isIndexed`: as the list of parts has it after `compact --index`. */
  constructor(withFooters: boolean, isIndexed = false) {
    this.parts = [...files]
      .filter(([table]) => isIndexed || table !== "ids")
      .map(([table, bytes]) => {
        const footer = 8 + new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 8, 4).getUint32(0, true);
        const runs = table === "ids" ? keys().map(({ key }) => Number(key / KEYS)) : [];
        return {
          ...{ table, date: DATE, part: PART, bytes: bytes.length, ...(withFooters && { footer }) },
          ...(table === "ids" && { from: runs[0]!, to: runs.at(-1)! + 1 }),
          ...(isIndexed && groupsNoted(footerOf(bytes).notes, bytes.length)),
        };
      });
  }

  open({ table, bytes: size }: Part) {
    return { byteLength: size, slice: (from: number, to = size) => this.answer(table as TableName, from, to) };
  }

  private answer(table: TableName, from: number, to: number): Promise<ArrayBuffer> {
    this.requests++;
    this.asked.set(table, [...(this.asked.get(table) ?? []), { from, to }]);
    this.bytes += to - from;
    this.tables.set(table, (this.tables.get(table) ?? 0) + to - from);
    return new Promise((resolve) => {
      this.open_.push(() => resolve(Uint8Array.from(files.get(table)!.subarray(from, to)).buffer));
      if (this.open_.length > 1) return;
      setImmediate(() => {
        this.waves++;
        for (const reply of this.open_.splice(0)) reply();
      });
    });
  }
}

const size = () => [...files.values()].reduce((sum, { length }) => sum + length, 0);

describe("a local root of a large part", () => {
  it.each([0, 1, 1200, 2399])("request %i takes few requests, few waits and a part of the bytes", async (request) => {
    const network = new Network(true);
    const { samples } = await selectSamples(network, { root: rootOf(1, request) });
    expect(samples).toBe(TYPES.length * ROWS);
    expect(network.requests).toBeLessThanOrEqual(13);
    expect(network.bytes).toBeLessThan(0.4 * size());
    // Footer; filters; ids beside the other footers; pages; stacks.
    expect(network.waves).toBe(5);
  });

  it("with service and time takes the requests of one row group", async () => {
    const root = rootOf(1, 1200);
    const [plain, hinted] = [new Network(true), new Network(true)];
    const all = await selectSamples(plain, { root });
    const [since, until] = [startOf(1200), startOf(1201)];
    const own = await selectSamples(hinted, { root, service: SERVICES[1]!, since, until });
    expect([own.samples, own.message]).toEqual([all.samples, all.message]);
    expect(hinted.requests).toBeLessThanOrEqual(12);
    expect(hinted.bytes).toBeLessThan(plain.bytes);
    expect(await selectSamples(hinted, { root, service: SERVICES[0]! })).toMatchObject({ samples: 0 });
    expect(await selectSamples(hinted, { root, until: since })).toMatchObject({ samples: 0 });
  });

  it("in parts of other times needs nothing but the list", async () => {
    const network = new Network(true);
    const [from, to] = [startOf(0), startOf(REQUESTS)].map((nanos) => Number(nanos / 1_000_000n)) as [number, number];
    const parts = network.parts.map((part) => ({ ...part, from, to: to + 1 }));
    const listed: DataSetFiles = { parts, open: (part) => network.open(part) };
    const root = rootOf(0, 5);
    const early = await selectSamples(listed, { root, until: startOf(0) - 1_000_000n });
    const late = await selectSamples(listed, { root, since: startOf(REQUESTS) + 3_000_000n });
    expect([early.samples, late.samples, network.requests]).toEqual([0, 0, 0]);
    expect(await selectSamples(listed, { root, since: startOf(5) })).toMatchObject({ samples: TYPES.length * ROWS });
  });

  it("without footers in the list of parts, the answer is the same", async () => {
    const wanted = { root: rootOf(0, 77) };
    const [known, unknown] = [new Network(true), new Network(false)];
    expect((await selectSamples(unknown, wanted)).message).toEqual((await selectSamples(known, wanted)).message);
  });

  it("that no row group has needs the footer and a block of each filter", async () => {
    const network = new Network(true);
    expect(await selectSamples(network, { root: 12345n })).toMatchObject({ samples: 0 });
    expect(network.waves).toBe(2);
    expect(network.requests).toBeLessThanOrEqual(1 + Math.ceil(COUNT / GROUP_ROWS));
    expect([...network.tables.keys()]).toEqual(["samples"]);
    expect(network.bytes).toBeLessThan(0.04 * size());
  });

  it.each([0, 1, 1200, 2399])(
    "request %i with an index takes five requests, and no footer of a large file",
    async (request) => {
      const wanted = { root: rootOf(1, request) };
      const network = new Network(true, true);
      const own = await selectSamples(network, wanted);
      expect(own.message).toEqual((await selectSamples(new Network(true), wanted)).message);
      // Index; row group, recordings, functions; row groups of stacks.
      expect(network.requests).toBe(5);
      expect(network.waves).toBe(3);
      expect(network.asked.get("samples")!.filter(({ to }) => to === files.get("samples")!.length)).toEqual([]);
    },
  );

  it("the row group of a key is that which the list says, and has a footer that is checked", () => {
    const bytes = files.get("ids")!;
    const part = new Network(true, true).parts.find(({ table }) => table === "ids")!;
    const places = placesOf(part.groups!);
    expect(places.length).toBe(Math.ceil((SERVICES.length * REQUESTS) / KEY_GROUP_ROWS));
    let before = 0;
    for (const { to } of places) {
      const { rows } = footerOf(bytes.subarray(0, to));
      for (const { key } of keys().slice(before, before + rows)) expect(groupPlaces(part, key)).toMatchObject([{ to }]);
      before += rows;
      const damaged = Uint8Array.from(bytes.subarray(0, to));
      damaged[to - 40]! ^= 1;
      expect(() => footerOf(damaged)).toThrow("checksum");
    }
    expect(before).toBe(SERVICES.length * REQUESTS);
  });

  it.each([
    ["few ids", [1n, 1n, 2n]],
    ["one id very often", Array.from({ length: 5000 }, () => 7n)],
    ["ids that are no equal shares", Array.from({ length: 5000 }, (_, i) => BigInt(i < 4999 ? i : 2 ** 60))],
  ])("keys of %s are in row groups of as many rows", (_, all) => {
    expect(equalShares(BigInt64Array.from(all), KEY_GROUP_ROWS)).toEqual({});
  });

  it("of a list of parts that is cut off is not answered by nothing", async () => {
    const network = new Network(true);
    const parts = network.parts.filter(({ table }) => table !== "functions");
    const without: DataSetFiles = { parts, open: (part) => network.open(part) };
    await expect(selectSamples(without, { root: rootOf(0, 5) })).rejects.toThrow("has no file of functions");
  });
});
