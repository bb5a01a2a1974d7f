/**
 * Rows of a data set, found by footers, bloom filters and page indexes and read by ranges, so that a trace needs little
 * of a large file: the columns of the condition give the places of rows, and other columns are read for these places
 * only.
 */
import { type AsyncBuffer, type ParquetQueryFilter, parquetReadObjects, parquetScan } from "hyparquet";
import { groupsWith } from "./bloom-lookup.ts";
import {
  compressors,
  fetchIndexes,
  type Group,
  groupsOf,
  type Opened,
  openFile,
  type Row,
  rowsAt,
} from "./file-reader.ts";
import type { Part } from "./parts.ts";
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

/** Rows that are read although they are not wanted, rather than with another request. */
const GAP = { samples: 2000, stacks: 64, recordings: 16 };
/** Reading a part is mostly waiting, if it is fetched. */
const PARTS_AT_A_TIME = 4;
const RANGES_AT_A_TIME = 8;
/** More rows would not fit into the page. */
const MOST_ROWS = 20_000_000;
const NANOS_OF_DAY = 86_400_000_000_000n;

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

/** Row groups that may have wanted rows. */
async function groupsFor(opened: Opened, { root }: Wanted): Promise<Group[]> {
  return root === undefined ? groupsOf(opened) : groupsWith(opened, "local_root_span_id", root);
}

/** Places of the wanted rows in these row groups of a file of samples. */
async function placesIn({ file, metadata }: Opened, groups: readonly Group[], wanted: Wanted): Promise<number[]> {
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
    usePageIndex: true,
    ...(first === undefined ? {} : { pruningFilter: filters.length === 1 ? first : { $and: filters } }),
  });
  const ranges = scan.ranges.filter(({ rowStart, rowEnd }) =>
    groups.some((group) => group.first < rowEnd && group.end > rowStart),
  );
  const found = await inTurns(ranges, RANGES_AT_A_TIME, async ({ rowStart, rowEnd }) => {
    let places: number[] | null = null;
    for (const { column, holds } of conditions) {
      const values = await scan.readColumn({ column, rowStart, rowEnd });
      if (places === null) {
        places = [];
        for (let i = 0; i < values.length; i++) if (holds(values[i])) places.push(i);
      } else places = places.filter((i) => holds(values[i]));
      if (places.length === 0) break;
    }
    return (places ?? []).map((i) => rowStart + i);
  });
  return found.flat();
}

/** Answers for all items in their order, so many at a time. */
async function inTurns<T, U>(items: readonly T[], most: number, answer: (item: T) => Promise<U>): Promise<U[]> {
  const found: U[] = [];
  let next = 0;
  const run = async () => {
    for (let i = next++; i < items.length; i = next++) found[i] = await answer(items[i]!);
  };
  await Promise.all(Array.from({ length: most }, run));
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

/** The other tables of a part, which are fetched while its samples are read. */
interface Siblings {
  stacks: Opened;
  recordings: Opened;
  functions: FunctionRow[];
}

const STACK_COLUMNS = ["frames", "lines"];

async function siblingsOf(files: DataSetFiles, part: Part): Promise<Siblings> {
  const open = async (table: string) => openPart(files, sibling(files, part, table));
  const [stacks, recordings, functions] = await Promise.all([
    open("stacks").then((opened) => {
      fetchIndexes(opened, STACK_COLUMNS, groupsOf(opened));
      return opened;
    }),
    open("recordings"),
    open("functions").then(functionsOf),
  ]);
  return { stacks, recordings, functions };
}

function openPart(files: DataSetFiles, part: Part): Promise<Opened> {
  return openFile(files.open(part), part.footer);
}

async function functionsOf({ file, metadata }: Opened): Promise<FunctionRow[]> {
  const columns = ["function_name", "file", "frame_type"];
  const rows = await parquetReadObjects({ file, metadata, compressors, columns, utf8: false });
  return rows.map((row) => ({ name: row.function_name, file: row.file ?? null, frameType: row.frame_type ?? null }));
}

async function stacksOf({ stacks, functions }: Siblings, ids: readonly number[]): Promise<Map<number, StackRow>> {
  const rows = await rowsAt(stacks, ids, STACK_COLUMNS, GAP.stacks);
  const unknown: FunctionRow = { name: "[unknown]", file: null, frameType: null };
  const found = new Map<number, StackRow>();
  for (const [id, { frames, lines }] of rows) {
    const list = Array.from(frames as ArrayLike<number>, (frame) => functions[frame] ?? unknown);
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
  const samples = await openPart(files, part);
  const groups = await groupsFor(samples, wanted);
  if (groups.length === 0) return [];
  const known = knownOf(wanted);
  const columns = SAMPLE_COLUMNS.filter((column) => !(column in known));
  // Most of these groups have wanted rows, so what follows from these is fetched with the ids.
  const others = wanted.root === undefined ? null : siblingsOf(files, part);
  others?.catch(() => {});
  if (others !== null) fetchIndexes(samples, columns, groups);
  const places = await placesIn(samples, groups, wanted);
  if (places.length === 0) return [];
  if (places.length > MOST_ROWS)
    throw new Error(`${places.length} samples are too many for a core; narrow the selection`);
  const rows = await rowsAt(samples, places, columns, GAP.samples);
  const siblings = await (others ?? siblingsOf(files, part));
  const ids = ascending([...rows.values()].flatMap(({ stack_id }) => (stack_id == null ? [] : [Number(stack_id)])));
  const recordings = ascending([...rows.values()].map(({ recording_id }) => Number(recording_id)));
  const [stacks, described] = await Promise.all([
    stacksOf(siblings, ids),
    rowsAt(siblings.recordings, recordings, ["resource"], GAP.recordings),
  ]);
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
  const found = await inTurns(parts, PARTS_AT_A_TIME, (part) => samplesIn(files, part, wanted, resources));
  const rows = found.flat();
  return { message: messageOf(rows, resources as Resources), samples: rows.length };
}
