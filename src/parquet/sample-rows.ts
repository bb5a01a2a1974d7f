/** Rows of the table of samples, sorted. */
import { type ColumnData, codedLongs, sameText, Texts, type Values } from "./column-data.ts";
import type { Contexts } from "./contexts.ts";
import type { Rows } from "./file.ts";
import type { Observations } from "./observations.ts";
import type { Recording } from "./recording-rows.ts";
import { inOrder } from "./sort.ts";
import type { StackIds, StackTable } from "./stack-rows.ts";

/** Columns with more different numbers are stored as they are. */
const MOST_VALUES = 1 << 14;

/** What the rows of an event in a recording share: numbers of texts, and the period in nanoseconds. */
export interface Kind {
  type: number;
  unit: number;
  unit2: number;
  event: number;
  period: bigint;
}

export interface SampleSource {
  part: string;
  all: Observations;
  contexts: Contexts;
  stacks: StackTable;
  /** Row of `stacks` in the part for each stack of the core. */
  ids: StackIds;
  /** Texts of the kinds. */
  texts: Texts;
  kinds: readonly Kind[];
  kindOf: Uint32Array;
  recordings: readonly Recording[];
  recordingOf: Uint32Array;
  /** Number in the part of each recording. */
  numbers: ReadonlyMap<number, number>;
  /** Observations of the part. */
  rows: Uint32Array<ArrayBuffer>;
}

export function sampleRows(source: SampleSource): Rows {
  const order = sorted(source);
  return { part: sameText(source.part, order.length), ...kindColumns(source, order), ...contextColumns(source, order) };
}

/** Rows by service, profile, the first moment of their request, and time. */
function sorted({ all, rows, contexts, kinds, kindOf, texts, recordings, recordingOf }: SampleSource) {
  const services = [...new Set(recordings.map(({ service }) => service))].sort();
  const types = [...new Set(kinds.map(({ type }) => texts.list[type]!))].sort();
  const byKind = kinds.map(({ type }) => types.indexOf(texts.list[type]!));
  const byRecording = recordings.map(({ service }) => services.indexOf(service) * types.length);
  const group = new Uint32Array(all.rows);
  for (const row of rows) group[row] = byRecording[recordingOf[row]!]! + byKind[kindOf[row]!]!;
  // A request is a local root, or a trace where there is none; 0 for neither.
  const { roots, traces } = contexts;
  const requestOf = roots.codes.map((root, link) => {
    const trace = traces.codes[link]!;
    return root === 0 && trace !== 0 ? roots.count + trace : root;
  });
  const request = new Uint32Array(all.rows);
  for (const row of rows) request[row] = requestOf[all.link[row]!]!;
  const groups = services.length * types.length;
  return inOrder({ rows, time: all.time, request, requests: roots.count + traces.count, group, groups });
}

type Ordered = Uint32Array;

/** The entries of a table that rows refer to. A loop: `map` calls a function for each of a million rows. */
function through(rows: Uint32Array, table: Uint32Array): Uint32Array<ArrayBuffer> {
  const found = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) found[i] = table[rows[i]!]!;
  return found;
}

function unsigned({ buffer, byteOffset, length }: Int32Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length);
}

function signed({ buffer }: Uint32Array<ArrayBuffer>): Int32Array {
  return new Int32Array(buffer);
}

/** Entries of the first table, or of the second one where those are 0. */
function either(rows: Uint32Array, table: Uint32Array, otherRows: Uint32Array, others: Uint32Array): Uint32Array {
  const found = through(rows, table);
  for (let i = 0; i < found.length; i++) if (found[i] === 0) found[i] = others[otherRows[i]!]!;
  return found;
}

function coded(codes: Uint32Array, texts: Texts, none: number | null): Values {
  return { kind: "coded", codes, dictionary: texts.dictionary(), none };
}

function longs(words: Uint32Array, order: Ordered): Uint32Array {
  const sorted = new Uint32Array(2 * order.length);
  for (let i = 0; i < order.length; i++) {
    sorted[2 * i] = words[2 * order[i]!]!;
    sorted[2 * i + 1] = words[2 * order[i]! + 1]!;
  }
  return sorted;
}

/** Few different numbers as codes. */
function codedIfFew(words: Uint32Array): Values {
  return codedLongs(words, Math.min(MOST_VALUES, 1 + words.length / 4)) ?? { kind: "longs", words, none: null };
}

function kindColumns({ all, kinds, kindOf, texts, recordingOf, numbers }: SampleSource, order: Ordered): Rows {
  const kind = through(order, kindOf);
  const texted = (of: (kind: Kind) => number, none: number | null) => {
    const codes = Uint32Array.from(kinds, of);
    return coded(through(kind, codes), texts, none);
  };
  const nanos = longs(all.time, order);
  const periods = new Uint32Array(BigInt64Array.from([0n, ...kinds.map(({ period }) => period)]).buffer);
  const hasPeriod = Uint32Array.from(kinds, ({ period }, i) => (period > 0n ? i + 1 : 0));
  const number = new Int32Array(1 + Math.max(-1, ...numbers.keys()));
  for (const [recording, id] of numbers) number[recording] = id;
  return {
    recording_id: {
      kind: "ints",
      values: signed(through(through(order, recordingOf), unsigned(number))),
      hasNone: false,
    },
    time: { kind: "longs", words: microseconds(nanos), none: 0 },
    time_unix_nano: { kind: "longs", words: nanos, none: null },
    profile_type: texted(({ type }) => type, null),
    unit: texted(({ unit }) => unit, null),
    value: codedIfFew(longs(all.value, order)),
    period: {
      kind: "coded",
      codes: through(kind, hasPeriod),
      dictionary: { of: "int64", words: periods },
      none: 0,
    },
    unit2: texted(({ unit2 }) => unit2, 0),
    value2: secondValues(all, kinds, kind, order),
    event: texted(({ event }) => event, 0),
  };
}

/** Second measures; missing where the profile has none, so that their codes begin at 1. */
function secondValues(all: Observations, kinds: readonly Kind[], kind: Uint32Array, order: Ordered): Values {
  const words = longs(all.second, order);
  const has = Uint8Array.from(kinds, ({ unit2 }) => (unit2 === 0 ? 0 : 1));
  const rows = order.length;
  const some = codedLongs(words, Math.max(1, rows));
  if (some === null || some.kind !== "coded" || some.dictionary.of !== "int64") throw new RangeError("second values");
  const shifted = new Uint32Array(some.dictionary.words.length + 2);
  shifted.set(some.dictionary.words, 2);
  const codes = some.codes.map((code, i) => (has[kind[i]!] === 1 ? code + 1 : 0));
  return { kind: "coded", codes, dictionary: { of: "int64", words: shifted }, none: 0 };
}

/** Times in µs; 0 stays 0. */
function microseconds(nanos: Uint32Array): Uint32Array {
  const micros = new Uint32Array(nanos.length);
  for (let i = 0; i < nanos.length; i += 2) {
    // By long division in base 2^16: no step exceeds 2^26.
    const high = nanos[i + 1]!;
    const quotient = Math.floor(high / 1000);
    let rest = (high - quotient * 1000) * 2 ** 16 + (nanos[i]! >>> 16);
    const upper = Math.floor(rest / 1000);
    rest = (rest - upper * 1000) * 2 ** 16 + (nanos[i]! & 0xffff);
    micros[i] = upper * 2 ** 16 + Math.floor(rest / 1000);
    micros[i + 1] = quotient;
  }
  return micros;
}

function contextColumns(source: SampleSource, order: Ordered): Rows {
  const { all, contexts, stacks, ids, recordings, recordingOf } = source;
  const link = through(order, all.link);
  const thread = through(order, all.thread);
  const stack = through(order, all.stack);
  const attributes = order.map((row) => contexts.attributesOf(all.link[row]!, all.set[row]!));
  const { texts, spans, roots, traces, threadName, threadId } = contexts;
  const list = contexts.attributes;
  const services = Uint32Array.from(recordings, ({ service }) => texts.of(service));
  const instances = Uint32Array.from(recordings, ({ instance }) => texts.of(instance));
  const recording = through(order, recordingOf);
  const byAttributes = (field: "endpoint" | "operation" | "service" | "instance") =>
    Uint32Array.from(list, (each) => each[field]);
  const [endpoint, operation] = [byAttributes("endpoint"), byAttributes("operation")];
  const [service, instance] = [byAttributes("service"), byAttributes("instance")];
  const ofLinks = ({ codes, dictionary }: Contexts["spans"], none: number | null): Values => ({
    kind: "coded",
    codes: through(link, codes),
    dictionary,
    none,
  });
  const text = (codes: Uint32Array) => coded(codes, texts, 0);
  return {
    local_root_span_id: ofLinks(roots, null),
    span_id: ofLinks(spans, null),
    trace_id: ofLinks(traces, 0),
    service: text(either(attributes, service, recording, services)),
    instance: text(either(attributes, instance, recording, instances)),
    operation: text(through(attributes, operation)),
    endpoint: text(through(attributes, endpoint)),
    thread: text(through(thread, threadName)),
    thread_id: threadIds(thread, threadId),
    leaf: leaves(stacks, stack),
    stack_id: { kind: "ints", values: signed(through(stack, unsigned(ids))), hasNone: true },
    attributes: others(contexts, attributes),
  };
}

function threadIds(thread: Uint32Array, threadId: Uint32Array): Values {
  const distinct = codedLongs(threadId, Math.max(1, threadId.length / 2));
  if (distinct === null || distinct.kind !== "coded") throw new RangeError("threads");
  const { codes, dictionary } = distinct;
  // Row 0 has no thread, so that code 0 is 0.
  return { kind: "coded", codes: through(thread, codes), dictionary, none: 0 };
}

function leaves(stacks: StackTable, stack: Uint32Array): Values {
  const texts = new Texts();
  const codes = Uint32Array.from(stacks.functions.display, (name) => texts.of(name));
  const leaf = new Uint32Array(stacks.count);
  for (let each = 0; each < leaf.length; each++) {
    const found = stacks.leafOf(each);
    leaf[each] = found < 0 ? 0 : codes[found]!;
  }
  return coded(through(stack, leaf), texts, 0);
}

function others({ attributes, keys, texts }: Contexts, rows: Uint32Array): ColumnData {
  const offsets = new Uint32Array(rows.length + 1);
  for (let i = 0; i < rows.length; i++) offsets[i + 1] = offsets[i]! + attributes[rows[i]!]!.others.length / 2;
  const key = new Uint32Array(offsets[rows.length]!);
  const value = new Uint32Array(key.length);
  let n = 0;
  for (const each of rows) {
    const { others: pairs } = attributes[each]!;
    for (let i = 0; i < pairs.length; i += 2) {
      key[n] = pairs[i]!;
      value[n++] = pairs[i + 1]!;
    }
  }
  return { kind: "map", offsets, keys: coded(key, keys, null), values: coded(value, texts, null) };
}
