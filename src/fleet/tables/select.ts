/**
 * Rows of a data set, found by footers, bloom filters and page indexes and read by ranges, so that a trace needs little
 * of a large file: the columns of the condition give the places of rows, and other columns are read for these places
 * only.
 */
import type { TableName } from "../../core/tables/data-sets.ts";
import { groupsWith } from "../parquet/bloom-lookup.ts";
import type { Cell, RowRange } from "../parquet/cells.ts";
import { Damaged, DamagedFile, placed, Refused } from "../parquet/damage.ts";
import { Opened, type Row } from "../parquet/file-reader.ts";
import type { Group } from "../parquet/footer.ts";
import { pageEndsOf } from "../parquet/page-reader.ts";
import { nearTo } from "../parquet/part-lists.ts";
import { type DataSetFiles, mayBeWithin, type Part, pathOf } from "../parquet/parts.ts";
import { RangesAhead } from "../parquet/ranges-ahead.ts";
import { tableOf } from "../parquet/schema.ts";
import { MOST_GROUPS, PartFiles, type Siblings, STACK_COLUMNS, text } from "./asked-part.ts";
import {
  type Belonging,
  type Condition,
  choicesOf,
  conditionOf,
  conditionsOf,
  idOf,
  type Known,
  lowerOf,
  ofIds,
} from "./conditions.ts";
import { IdIndex, localRootsOf } from "./ids.ts";
import { type FunctionRow, messageOf, type Process, type SampleRow, type StackRow } from "./rows-message.ts";
import type { Wanted } from "./selectors.ts";
import { eachOnce, type SpanRow, tracesMessage } from "./spans-message.ts";

export interface Selected {
  /** A message of OTLP profiles. */
  message: Uint8Array<ArrayBuffer>;
  samples: number;
  /** Spans of the trace or request as OTLP traces; null if the data set knows none. */
  spans: Uint8Array<ArrayBuffer> | null;
  /** Parts whose samples are left out, with the file and the reason, a sentence each. */
  damaged: string[];
  /** Parts that were written without checksums, so that damage in them may not be noticed. */
  unchecked: number;
}

/** Rows that are read although they are not wanted, rather than with another request. */
const GAP = { samples: 2000, stacks: 64, recordings: 16 };
/** Reading a part is mostly waiting, if it is fetched. */
const PARTS_AT_A_TIME = 4;
/** A row takes about 2 KB until the message is written, and an engine ends the process at 4 GB. */
const MOST_ROWS = 1_500_000;
const MS_OF_DAY = 86_400_000;
const NANOS_OF_DAY = 86_400_000_000_000n;
const NANOS_OF_MICRO = 1000n;

/** Damaged parts in the message of a selection of which nothing is left. */
const MOST_NAMED = 5;

/** Samples that may still be found, in all parts. */
interface Budget {
  left: number;
}

function take(budget: Budget, rows: number): void {
  budget.left -= rows;
  if (budget.left < 0) throw new Refused(`more than ${MOST_ROWS} samples cannot be opened; narrow the selection`);
}

const TIMES = ["time_unix_nano", "time_end"];

/** Row groups that may have wanted rows. */
async function groupsFor(opened: Opened, conditions: readonly Condition[]): Promise<Group[]> {
  // Statistics first: they are in the footer, and a bloom filter takes a request.
  const groups = opened.footer.groups.filter((group) =>
    conditions.every(({ column, mayBe }) => {
      const [chunk] = opened.chunksOf(group, [column]);
      const { least = null, most = null, isEmpty = false } = chunk ?? {};
      return !isEmpty && placed({ column }, () => least === null || most === null || mayBe(least, most));
    }),
  );
  const filtered = conditions.find(({ ids }) => ids !== undefined);
  // Of one row group pages of ids are read at once: a time leaves one or two.
  const isNear = groups.length === 1 && conditions.some(({ column }) => TIMES.includes(column));
  return filtered === undefined || isNear ? groups : groupsWith(opened, groups, filtered.column, filtered.ids!);
}

/** Places of the wanted rows in these row groups of a file of samples. */
async function placesIn(
  opened: Opened,
  groups: readonly Group[],
  conditions: readonly Condition[],
  budget: Budget,
): Promise<number[]> {
  const columns = conditions.map(({ column }) => column);
  const indexes = groups.flatMap((group) =>
    opened.chunksOf(group, columns).flatMap(({ columnIndex }) => columnIndex ?? []),
  );
  opened.fetchIndexes(columns, groups);
  opened.file.fetch(indexes);
  const ranges = await Promise.all(groups.map((group) => rangesIn(opened, group, conditions)));
  const [first, ...others] = columns;
  await opened.fetchPages(columns, ranges.flat());
  const found: number[] = [];
  for (const [i, group] of groups.entries()) {
    if (ranges[i]!.length === 0) continue;
    const cells = await opened.cellsOf(group, first!, ranges[i]!);
    let places = cells.placesIn(ranges[i]!, conditions[0]!.holds);
    for (const [k, column] of others.entries()) {
      if (places.length === 0) break;
      const more = await opened.cellsOf(group, column, ranges[i]!);
      places = places.filter((place) => conditions[k + 1]!.holds(more.at(place)));
    }
    for (const place of places) found.push(place);
    take(budget, places.length);
  }
  return found;
}

/** Rows of a row group in pages that may have wanted rows. */
async function rangesIn(opened: Opened, group: Group, conditions: readonly Condition[]): Promise<RowRange[]> {
  let ranges: RowRange[] = [{ from: group.first, to: group.end }];
  for (const { column, mayBe } of conditions) {
    const [chunk] = opened.chunksOf(group, [column]);
    if (chunk?.columnIndex == null || chunk.offsetIndex === null) continue;
    const { pages } = await opened.indexOf(chunk, group);
    const ends = pageEndsOf(chunk, await opened.file.slice(chunk.columnIndex.from, chunk.columnIndex.to), pages.length);
    const kept = pages.filter((_, i) => {
      const own = ends[i];
      return own != null && placed({ column }, () => mayBe(...own));
    });
    ranges = ranges.flatMap(({ from, to }) =>
      kept.flatMap(({ firstRow, endRow }) => {
        const own = { from: Math.max(from, group.first + firstRow), to: Math.min(to, group.first + endRow) };
        return own.from < own.to ? [own] : [];
      }),
    );
  }
  return ranges;
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

const pairsOf = (map: Cell) => (map ?? []) as (readonly [string, string])[];

async function stacksOf(
  stacks: Opened,
  functions: readonly FunctionRow[],
  ids: readonly number[],
): Promise<Map<number, StackRow>> {
  if (stacks.footer.groups.length > MOST_GROUPS) stacks.fetchWhole(STACK_COLUMNS, ids);
  const rows = await stacks.rowsAt(ids, STACK_COLUMNS, GAP.stacks);
  const found = new Map<number, StackRow>();
  for (const [id, { frames, lines }] of rows) {
    const list = Array.from((frames ?? []) as Int32Array, (frame) => {
      const own = functions[frame];
      if (own === undefined) throw new Damaged(`stack ${id} has function ${frame} of ${functions.length}`);
      return own;
    });
    found.set(id, { frames: list, lines: lines == null ? null : Array.from(lines as Int32Array) });
  }
  return found;
}

/** Throws if ascending ids are not all those of rows. */
function checkIds(column: string, ids: readonly number[], { footer: { rows } }: Opened): void {
  const wrong = (ids[0] ?? 0) < 0 ? ids[0] : ids.at(-1);
  if (wrong !== undefined && (wrong < 0 || wrong >= rows))
    throw new Damaged(`it refers to row ${wrong} of ${rows}`, { column });
}

interface Found {
  rows: SampleRow[];
  processes: [string, Process][];
  unchecked: boolean;
  /** Why the samples of the part are left out. */
  damage: string | null;
}

/** Rows for which all conditions of a choice hold, by place. `meanwhile` begins what is fetched beside them. */
async function rowsOf(
  opened: Opened,
  columns: readonly string[],
  choices: readonly (readonly Condition[])[],
  budget: Budget,
  meanwhile?: () => void,
): Promise<Map<number, Row>> {
  const all = new Set<number>();
  for (const conditions of choices) {
    const groups = await groupsFor(opened, conditions);
    if (groups.length === 0) continue;
    if (meanwhile !== undefined) {
      // Most of these groups have wanted rows, so what follows from these is fetched with the ids.
      meanwhile();
      opened.fetchIndexes(columns, groups);
    }
    for (const place of await placesIn(opened, groups, conditions, budget)) all.add(place);
  }
  return opened.rowsAt(ascending(all), columns, GAP.samples);
}

/** Rows at places that an index has, if all conditions of a choice hold. */
async function rowsIn(
  opened: Opened,
  ranges: readonly RowRange[],
  columns: readonly string[],
  choices: readonly (readonly Condition[])[],
  budget: Budget,
): Promise<Map<number, Row>> {
  take(
    budget,
    ranges.reduce((sum, { from, to }) => sum + to - from, 0),
  );
  const places = ranges.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i));
  const read = new Set([...columns, ...choices.flat().map(({ column }) => column)]);
  const rows = await opened.rowsAt(places, [...read], GAP.samples);
  const isWanted = (row: Row) => choices.some((own) => own.every(({ column, holds }) => holds(row[column]!)));
  return new Map([...rows].filter(([, row]) => isWanted(row)));
}

/** What is asked of each part. */
interface Question {
  wanted: Wanted;
  own: Belonging;
  budget: Budget;
  index: IdIndex;
  /** By which the index has the samples; null if it has not all. */
  ids: readonly bigint[] | null;
}

async function samplesIn(files: DataSetFiles, part: Part, question: Question): Promise<Found> {
  const { wanted, own, budget, index, ids } = question;
  const partFiles = new PartFiles(files, part);
  const found: Found = { rows: [], processes: [], unchecked: false, damage: null };
  const ranges = ids === null ? null : index.rangesOf("samples", part, ids);
  if (ranges?.length === 0) return found;
  let samples = "its samples";
  try {
    let others: Promise<Siblings> | null = null;
    const meanwhile = () => {
      others ??= partFiles.siblings();
      others.catch(() => {});
    };
    if (ranges !== null) meanwhile();
    await partFiles.read("samples", ranges, async (opened) => {
      const known = knownOf(own, wanted, ranges !== null);
      const columns = SAMPLE_COLUMNS.filter((column) => !Object.hasOwn(known, column));
      const isById = own.roots.size + own.spans.size > 0;
      const rows = await (ranges === null
        ? rowsOf(opened, columns, choicesOf(own, wanted), budget, isById ? meanwhile : undefined)
        : rowsIn(opened, ranges, columns, conditionsOf(wanted), budget));
      if (rows.size === 0) return;
      samples = `${rows.size} samples`;
      const siblings = await (others ?? partFiles.siblings());
      const ids = ascending([...rows.values()].flatMap(({ stack_id }) => (stack_id == null ? [] : [Number(stack_id)])));
      const recordings = ascending([...rows.values()].map(({ recording_id }) => Number(recording_id)));
      const places = ids.map((id) => ({ from: id, to: id + 1 }));
      const stacks = siblings.stacks ?? (await partFiles.read("stacks", places, (own) => own));
      checkIds("stack_id", ids, stacks);
      checkIds("recording_id", recordings, siblings.recordings);
      // Profiles of samples without a time have that of the recording.
      const isTimeless = Array.from(rows.values()).some(({ time_unix_nano }) => time_unix_nano === 0n);
      const described = isTimeless ? ["resource", "start", "end"] : ["resource"];
      const [frames, processes] = await Promise.all([
        partFiles.named("stacks", () => stacksOf(stacks, siblings.functions, ids)),
        partFiles.named("recordings", () => siblings.recordings.rowsAt(recordings, described, GAP.recordings)),
      ]);
      found.processes = [...processes].map(([id, row]) => [`${part.part} ${id}`, processOf(row)]);
      found.rows = Array.from(rows.values(), (row) => sampleRow(part, { ...row, ...known }, frames));
    });
  } catch (error) {
    found.damage = damageOf(error, part, samples);
  }
  found.unchecked = partFiles.unchecked;
  return found;
}

/** What is wrong in a part, if the others can be read. */
function damageOf(error: unknown, part: Part, what: string): string {
  if (error instanceof Refused || !(error instanceof Error)) throw error;
  const text = error instanceof DamagedFile ? error.message : `${pathOf(part)}: ${error.message}`;
  return `${text} (${what} are left out)`;
}

const SPAN_COLUMNS = [
  "trace_id",
  "span_id",
  "parent_span_id",
  "service",
  "name",
  "kind",
  "status",
  "thread",
  "start_unix_nano",
  "duration_nano",
  "origin",
];

/** Spans of all parts. What is wrong in a part is added to `damaged`. */
async function spansWith(files: DataSetFiles, known: Known, wanted: Wanted, index: IdIndex, damaged: string[]) {
  const id = idOf(known);
  await index.lookUp([id]);
  const isNear = nearTo(wanted);
  const parts = files.parts.filter((part) => part.table === "spans" && isNear(part.date) && mayBeWithin(part, wanted));
  const budget: Budget = { left: MOST_ROWS };
  const conditions = [conditionOf(known)];
  const found = await inTurns(parts, PARTS_AT_A_TIME, async (part): Promise<SpanRow[]> => {
    const ranges = index.rangesOf("spans", part, [id]);
    if (ranges?.length === 0) return [];
    try {
      return await new PartFiles(files, part).read("spans", ranges, async (opened) => {
        const rows = await (ranges === null
          ? rowsOf(opened, SPAN_COLUMNS, [conditions], budget)
          : rowsIn(opened, ranges, SPAN_COLUMNS, [conditions], budget));
        return [...rows.values()].map(spanRow);
      });
    } catch (error) {
      damaged.push(damageOf(error, part, "its spans"));
      return [];
    }
  });
  return found.flat();
}

/** Spans of these ids in some parts. Damaged parts have none. */
export async function spansOf(
  files: DataSetFiles,
  parts: readonly Part[],
  ids: ReadonlySet<bigint>,
): Promise<SpanRow[]> {
  const found = await inTurns(parts, PARTS_AT_A_TIME, async (part) => {
    try {
      return await new PartFiles({ ...files, parts }, part).read("spans", null, async (opened) => {
        const rows = await rowsOf(opened, SPAN_COLUMNS, [[ofIds("span_id", ids)]], { left: Number.POSITIVE_INFINITY });
        return [...rows.values()].map(spanRow);
      });
    } catch (error) {
      damageOf(error, part, "");
      return [];
    }
  });
  return found.flat();
}

function spanRow(row: Row): SpanRow {
  const start = big(row.start_unix_nano) ?? 0n;
  return {
    trace: row.trace_id instanceof Uint8Array ? row.trace_id : null,
    id: big(row.span_id) ?? 0n,
    parent: big(row.parent_span_id) ?? 0n,
    service: text(row.service),
    name: text(row.name),
    kind: text(row.kind),
    status: text(row.status),
    thread: text(row.thread),
    start,
    end: start + (big(row.duration_nano) ?? 0n),
    isOfFile: row.origin === "trace",
  };
}

/**
 * What belongs to the wanted trace or local root. Recordings name a trace by its local roots and spans, and trace files
 * say which these are, also if they are exported later. `isTrace`: a 64-bit id is the lower half of a trace id.
 */
async function belongingTo(files: DataSetFiles, wanted: Wanted, isTrace: boolean, index: IdIndex, damaged: string[]) {
  const { root, trace } = wanted;
  const known = (of: Known) => spansWith(files, of, wanted, index, damaged);
  let spans: SpanRow[] = [];
  if (trace !== undefined) spans = await known({ trace });
  else if (root !== undefined && isTrace) spans = await known({ lower: root });
  else if (root !== undefined) {
    const [own] = eachOnce(await known({ span: root }));
    if (own?.trace != null) spans = await known({ trace: own.trace });
  }
  spans = eachOnce(spans);
  const ids = new Set(spans.map(({ id }) => id));
  const isWhole = trace !== undefined || isTrace;
  const roots = root === undefined || isTrace ? ids : new Set([root]);
  const own: Belonging = { roots, spans: isWhole ? ids : new Set(), trace: trace ?? null };
  return { own, spans };
}

/** Gives rows the trace that the spans state. Those that state another one themselves are not of the trace. */
function ofTrace(rows: readonly SampleRow[], spans: readonly SpanRow[], trace: Uint8Array | undefined): SampleRow[] {
  const traces = new Map(spans.map((span) => [span.id, span.trace]));
  const own = trace === undefined ? null : String(trace);
  return rows.flatMap((row) => {
    if (row.trace !== null) return own === null || String(row.trace) === own ? [row] : [];
    const stated = traces.get(row.span) ?? traces.get(row.root) ?? null;
    // With eight zero bytes it is a local root.
    return [stated === null || stated.subarray(0, 8).every((byte) => byte === 0) ? row : { ...row, trace: stated }];
  });
}

/** Without the trace: the answer is filtered by the local root, and the trace is in the spans. */
function ofRoot(row: SampleRow): SampleRow {
  return row.root === 0n ? row : { ...row, trace: null };
}

/** Columns that have one value in all wanted rows. Ids take more bytes than everything else of a few rows. */
function knownOf({ roots, spans, trace }: Belonging, { endpoint }: Wanted, isIndexed: boolean): Row {
  const isRoot = roots.size === 1 && spans.size === 0 && trace === null;
  // An index has the lower half of a trace id.
  const isTrace = roots.size + spans.size === 0 && trace !== null && !isIndexed;
  return {
    ...(isRoot && { local_root_span_id: [...roots][0]! }),
    ...(isTrace && { trace_id: trace }),
    ...(endpoint !== undefined && { endpoint }),
  };
}

const big = (value: Cell | undefined) => (value == null ? null : BigInt(value as bigint));

function processOf({ resource = null, start, end }: Row): Process {
  const nanos = (micros: Cell | undefined) => (big(micros) ?? 0n) * NANOS_OF_MICRO;
  return { resource: pairsOf(resource), start: nanos(start), end: nanos(end) };
}

function sampleRow({ part }: Part, row: Row, stacks: ReadonlyMap<number, StackRow>): SampleRow {
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
    stack: row.stack_id == null ? null : stacks.get(Number(row.stack_id))!,
    attributes: pairsOf(row.attributes ?? null),
  };
}

/** All wanted samples of a data set, in the order of its parts, and the spans of their trace. */
export async function selectSamples(given: DataSetFiles, wanted: Wanted): Promise<Selected> {
  const spans = new Map<Part, RangesAhead>();
  const open = (part: Part) => {
    if (part.table !== "spans") return given.open(part);
    // They are asked for a span, and then for its trace.
    const file = spans.get(part) ?? RangesAhead.of(given.open(part));
    spans.set(part, file);
    return file;
  };
  const files = { ...given, parts: given.parts, open };
  const damaged: string[] = [];
  const index = new IdIndex(files, nearTo(wanted), damaged);
  const first = await selected(files, wanted, false, index, damaged);
  // Nothing has this id as a local root: it may be what Datadog shows of a trace id.
  if (first.samples > 0 || first.spans !== null || wanted.root === undefined) return first;
  return selected(files, wanted, true, index, damaged);
}

/** The ids by which an index has the samples; null if there is none that has all. */
function indexedBy({ roots, spans, trace }: Belonging, rows: readonly SpanRow[], { root }: Wanted): bigint[] | null {
  const lower = trace === null ? root : lowerOf(trace);
  const own = lower === undefined ? [] : [lower];
  if (spans.size === 0) return own.length + roots.size === 0 ? null : [...own, ...roots];
  const begins = localRootsOf(rows);
  return begins && [...own, ...begins];
}

async function selected(
  files: DataSetFiles,
  wanted: Wanted,
  isTrace: boolean,
  index: IdIndex,
  damaged: string[],
): Promise<Selected> {
  const firstDay = Number((wanted.since ?? 0n) / NANOS_OF_DAY) * MS_OF_DAY;
  const firstDate = wanted.since === undefined ? "" : new Date(firstDay).toISOString().slice(0, 10);
  const parts = files.parts.filter((part) => {
    const isOfDate = part.date >= firstDate && (wanted.date === undefined || part.date === wanted.date);
    return part.table === "samples" && isOfDate && mayBeWithin(part, wanted);
  });
  const { own, spans } = await belongingTo(files, wanted, isTrace, index, damaged);
  const isNothing = isTrace && spans.length === 0;
  const ids = indexedBy(own, spans, wanted);
  await index.lookUp(ids ?? []);
  const question = { wanted, own, budget: { left: MOST_ROWS }, index, ids };
  const found = await inTurns(isNothing ? [] : parts, PARTS_AT_A_TIME, (part) => samplesIn(files, part, question));
  const all = found.flatMap((each) => each.rows);
  const isRoot = wanted.root !== undefined && !isTrace;
  const rows = isRoot ? all.map(ofRoot) : ofTrace(all, spans, wanted.trace);
  damaged.push(...found.flatMap(({ damage }) => damage ?? []));
  if (rows.length === 0 && damaged.length > 0) throw new Error(damaged.slice(0, MOST_NAMED).join("; "));
  const processes = new Map(found.flatMap((each) => each.processes));
  const unchecked = found.filter((each) => each.unchecked).length;
  return {
    message: messageOf(rows, processes),
    samples: rows.length,
    spans: tracesMessage(spans),
    damaged,
    unchecked,
  };
}

/** Names of the parts that may have samples of a trace or local root; null if no index says it. */
export async function partsWith(files: DataSetFiles, wanted: Wanted): Promise<string[] | null> {
  const index = new IdIndex(files, () => true, []);
  if (index.isEmpty) return null;
  const found: string[] = [];
  // A local root, or the lower half of a trace id.
  for (const isTrace of [false, true]) {
    const { own, spans } = await belongingTo(files, wanted, isTrace, index, []);
    const ids = indexedBy(own, spans, wanted);
    if (ids === null) return null;
    await index.lookUp(ids);
    const parts = files.parts.filter((part) => part.table === "samples");
    found.push(...parts.filter((part) => index.rangesOf("samples", part, ids)?.length !== 0).map(({ part }) => part));
  }
  return found;
}

/** Files of a data set whose footers are damaged, with the reason. */
export async function damagedFooters(files: DataSetFiles): Promise<string[]> {
  const found = await inTurns(files.parts, PARTS_AT_A_TIME, async (part) => {
    try {
      await Opened.open(files.open(part), tableOf(part.table as TableName), {}, part.footer);
      return [];
    } catch (error) {
      return error instanceof Damaged ? [`${pathOf(part)}: ${error.message}`] : [];
    }
  });
  return found.flat();
}
