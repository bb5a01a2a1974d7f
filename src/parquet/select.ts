/**
 * Rows of a data set, found by footers, bloom filters and page indexes and read by ranges, so that a trace needs little
 * of a large file: the columns of the condition give the places of rows, and other columns are read for these places
 * only.
 */
import { gunzipSync } from "fflate";
import { decompress } from "fzstd";
import {
  type AsyncBuffer,
  type Compressors,
  cachedAsyncBuffer,
  type FileMetaData,
  type ParquetQueryFilter,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetScan,
} from "hyparquet";
import type { Part } from "./parts.ts";
import { RangesAhead } from "./ranges-ahead.ts";
import { type FunctionRow, messageOf, type Resources, type SampleRow, type StackRow } from "./rows-message.ts";

export interface DataSetFiles {
  parts: readonly Part[];
  open(part: Part): AsyncBuffer;
}

/** Conditions of samples, all of which must hold. Ids are signed. */
export interface Wanted {
  root?: bigint;
  trace?: Uint8Array;
  endpoint?: string;
  /** Nanoseconds since 1970. */
  since?: bigint;
  /** UTC date of the parts that are read. */
  date?: string;
}

export interface Selected {
  /** A message of OTLP profiles. */
  message: Uint8Array<ArrayBuffer>;
  samples: number;
}

/** Bytes of a footer that are fetched with the end of a file. */
const FOOTER = 1 << 15;
/** Rows that are read although they are not wanted, rather than with another request. */
const GAP = { samples: 2000, stacks: 64, recordings: 16 };
/** Reading a part is mostly waiting, if it is fetched. */
const PARTS_AT_A_TIME = 4;
/** More rows would not fit into the page. */
const MOST_ROWS = 20_000_000;
const NANOS_OF_DAY = 86_400_000_000_000n;

const compressors: Compressors = {
  GZIP: (input, length) => gunzipSync(input, { out: new Uint8Array(length) }),
  ZSTD: (input, length) => decompress(input, new Uint8Array(length)),
};

type Row = Record<string, unknown>;

interface Opened {
  file: AsyncBuffer;
  ahead: RangesAhead;
  metadata: FileMetaData;
}

async function opened(files: DataSetFiles, part: Part): Promise<Opened> {
  const ahead = new RangesAhead(files.open(part));
  const file = cachedAsyncBuffer({ byteLength: ahead.byteLength, slice: (from, to) => ahead.slice(from, to) });
  return { file, ahead, metadata: await parquetMetadataAsync(file, { initialFetchSize: FOOTER }) };
}

function conditionsOf(
  wanted: Wanted,
): { column: string; holds: (value: unknown) => boolean; filter?: ParquetQueryFilter }[] {
  const { root, trace, endpoint, since } = wanted;
  const text = trace === undefined ? "" : String(trace);
  return [
    ...(root === undefined
      ? []
      : [
          {
            column: "local_root_span_id",
            holds: (value: unknown) => value === root,
            filter: { local_root_span_id: { $eq: root } },
          },
        ]),
    ...(trace === undefined
      ? []
      : [{ column: "trace_id", holds: (value: unknown) => value instanceof Uint8Array && String(value) === text }]),
    ...(endpoint === undefined
      ? []
      : [
          {
            column: "endpoint",
            holds: (value: unknown) => value === endpoint,
            filter: { endpoint: { $eq: endpoint } },
          },
        ]),
    ...(since === undefined
      ? []
      : [{ column: "time_unix_nano", holds: (value: unknown) => (value as bigint) >= since }]),
  ];
}

interface Range {
  from: number;
  to: number;
}

/** Ranges with all places, in order; places less than `gap` apart are in one. */
export function rangesOf(places: readonly number[], gap: number): Range[] {
  const ranges: Range[] = [];
  for (const place of places) {
    const last = ranges.at(-1);
    if (last !== undefined && place - last.to < gap) last.to = place + 1;
    else ranges.push({ from: place, to: place + 1 });
  }
  return ranges;
}

/** Places of the wanted rows in a file of samples. */
async function placesIn({ file, metadata }: Opened, wanted: Wanted): Promise<number[]> {
  const conditions = conditionsOf(wanted);
  const filters: ParquetQueryFilter[] = [];
  for (const { filter } of conditions) if (filter !== undefined) filters.push(filter);
  const [first] = filters;
  const scan = await parquetScan({
    file,
    metadata,
    compressors,
    utf8: false,
    columns: conditions.map(({ column }) => column),
    useBloomFilters: true,
    usePageIndex: true,
    ...(first === undefined ? {} : { pruningFilter: filters.length === 1 ? first : { $and: filters } }),
  });
  const places: number[] = [];
  for (const { rowStart, rowEnd } of scan.ranges) {
    let found: number[] | null = null;
    for (const { column, holds } of conditions) {
      const values = await scan.readColumn({ column, rowStart, rowEnd });
      if (found === null) {
        found = [];
        for (let i = 0; i < values.length; i++) if (holds(values[i])) found.push(i);
      } else found = found.filter((i) => holds(values[i]));
      if (found.length === 0) break;
    }
    for (const i of found ?? []) places.push(rowStart + i);
  }
  return places;
}

/** Rows at places, by place. */
async function rowsAt(
  { file, ahead, metadata }: Opened,
  places: readonly number[],
  columns: string[],
  gap: number,
): Promise<Map<number, Row>> {
  const wanted = new Set(places);
  const found = new Map<number, Row>();
  const ranges = rangesOf(places, gap);
  ahead.fetchSmall(metadata, new Set(columns), ranges);
  await Promise.all(
    ranges.map(async ({ from, to }) => {
      const options = { file, metadata, compressors, columns, utf8: false, useOffsetIndex: true };
      const rows = await parquetReadObjects({ ...options, rowStart: from, rowEnd: to });
      for (const [i, row] of rows.entries()) if (wanted.has(from + i)) found.set(from + i, row);
    }),
  );
  return found;
}

const SAMPLE_COLUMNS = [
  "recording_id",
  "time_unix_nano",
  "profile_type",
  "unit",
  "value",
  "value2",
  "period",
  "event",
  "local_root_span_id",
  "span_id",
  "trace_id",
  "endpoint",
  "operation",
  "thread",
  "thread_id",
  "stack_id",
  "attributes",
];

const ascending = (values: Iterable<number>) => [...new Set(values)].sort((a, b) => a - b);

/** A list of texts as hyparquet has a MAP: an object, or pairs. */
function pairsOf(map: unknown): [string, string][] {
  if (map === null || map === undefined) return [];
  if (Array.isArray(map)) return map.map(({ key, value }) => [String(key), String(value)]);
  return Object.entries(map).map(([key, value]) => [key, String(value)]);
}

async function stacksOf(files: DataSetFiles, part: Part, ids: readonly number[]): Promise<Map<number, StackRow>> {
  const stacks = await opened(files, sibling(files, part, "stacks"));
  const rows = await rowsAt(stacks, ids, ["frames", "lines"], GAP.stacks);
  const functions = await opened(files, sibling(files, part, "functions"));
  const columns = ["function_name", "file", "frame_type"];
  const { file, metadata } = functions;
  const named = (await parquetReadObjects({ file, metadata, compressors, columns, utf8: false })).map(
    (row): FunctionRow => ({ name: row.function_name, file: row.file ?? null, frameType: row.frame_type ?? null }),
  );
  const unknown: FunctionRow = { name: "[unknown]", file: null, frameType: null };
  const found = new Map<number, StackRow>();
  for (const [id, { frames, lines }] of rows) {
    const list = Array.from(frames as ArrayLike<number>, (frame) => named[frame] ?? unknown);
    found.set(id, { frames: list, lines: lines == null ? null : Array.from(lines as ArrayLike<number>) });
  }
  return found;
}

function sibling({ parts }: DataSetFiles, { date, part }: Part, table: string): Part {
  const found = parts.find((each) => each.table === table && each.date === date && each.part === part);
  if (found === undefined) throw new Error(`the part ${part} has no file of ${table}`);
  return found;
}

async function samplesIn(files: DataSetFiles, part: Part, wanted: Wanted, resources: Map<string, [string, string][]>) {
  const samples = await opened(files, part);
  const places = await placesIn(samples, wanted);
  if (places.length === 0) return [];
  if (places.length > MOST_ROWS)
    throw new Error(`${places.length} samples are too many for a core; narrow the selection`);
  const known = knownOf(wanted);
  const columns = SAMPLE_COLUMNS.filter((column) => !(column in known));
  const rows = await rowsAt(samples, places, columns, GAP.samples);
  const ids = ascending([...rows.values()].flatMap(({ stack_id }) => (stack_id == null ? [] : [Number(stack_id)])));
  const stacks = ids.length === 0 ? new Map<number, StackRow>() : await stacksOf(files, part, ids);
  const recordings = ascending([...rows.values()].map(({ recording_id }) => Number(recording_id)));
  const described = await rowsAt(
    await opened(files, sibling(files, part, "recordings")),
    recordings,
    ["resource"],
    GAP.recordings,
  );
  for (const [id, { resource }] of described) resources.set(`${part.part} ${id}`, pairsOf(resource));
  return places.map((place) => sampleRow(part, { ...rows.get(place), ...known }, stacks));
}

/** Columns that have one value in all wanted rows. Ids take more bytes than everything else of a few rows. */
function knownOf({ root, trace, endpoint }: Wanted): Row {
  return {
    ...(root !== undefined && { local_root_span_id: root }),
    ...(trace !== undefined && { trace_id: trace }),
    ...(endpoint !== undefined && { endpoint }),
  };
}

function sampleRow({ part }: Part, row: Row, stacks: ReadonlyMap<number, StackRow>): SampleRow {
  const big = (value: unknown) => (value == null ? null : BigInt(value as bigint | number));
  const text = (value: unknown) => (value == null ? null : String(value));
  return {
    process: `${part} ${row.recording_id}`,
    time: big(row.time_unix_nano) ?? 0n,
    type: String(row.profile_type),
    unit: String(row.unit),
    value: big(row.value) ?? 0n,
    second: big(row.value2),
    period: big(row.period),
    event: text(row.event),
    root: big(row.local_root_span_id) ?? 0n,
    span: big(row.span_id) ?? 0n,
    trace: row.trace_id instanceof Uint8Array ? row.trace_id : null,
    endpoint: text(row.endpoint),
    operation: text(row.operation),
    thread: text(row.thread),
    threadId: big(row.thread_id),
    stack: row.stack_id == null ? null : (stacks.get(Number(row.stack_id)) ?? null),
    attributes: pairsOf(row.attributes),
  };
}

/** All wanted samples of a data set, in the order of its parts. */
export async function selectSamples(files: DataSetFiles, wanted: Wanted): Promise<Selected> {
  const firstDate =
    wanted.since === undefined
      ? ""
      : new Date(Number((wanted.since / NANOS_OF_DAY) * 86_400_000n)).toISOString().slice(0, 10);
  const parts = files.parts.filter(({ table, date }) => {
    return table === "samples" && date >= firstDate && (wanted.date === undefined || date === wanted.date);
  });
  const resources = new Map<string, [string, string][]>();
  const found: SampleRow[][] = [];
  let next = 0;
  const run = async () => {
    for (let i = next++; i < parts.length; i = next++) found[i] = await samplesIn(files, parts[i]!, wanted, resources);
  };
  await Promise.all(Array.from({ length: PARTS_AT_A_TIME }, run));
  const rows = found.flat();
  return { message: messageOf(rows, resources as Resources), samples: rows.length };
}
