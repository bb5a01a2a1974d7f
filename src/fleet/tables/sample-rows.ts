/** Rows of the table of samples, sorted. */

import { deploymentOf } from "../deployment.ts";
import { type ColumnData, coded, ints, longs, sameText, Texts, type Values } from "../parquet/column-data.ts";
import type { Rows } from "../parquet/file.ts";
import type { Kernels } from "../parquet/kernels.ts";
import type { Contexts } from "./contexts.ts";
import type { Observations } from "./observations.ts";
import { deploymentColumns, type Recording } from "./recording-rows.ts";
import { inOrder } from "./sort.ts";
import type { StackIds, StackTable } from "./stack-rows.ts";
import type { Windows } from "./windows.ts";

/** Columns with more different numbers are stored as they are. */
const MOST_VALUES = 1 << 14;

/** What the rows of an event in a recording share: numbers of texts, and the period in nanoseconds. */
export interface Kind {
  type: number;
  unit: number;
  unit2: number;
  event: number;
  period: bigint;
  /** Number of the keys that name its endpoints and operations (contexts.ts). */
  naming: number;
}

export interface SampleSource {
  kernels: Kernels;
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
  windows: Windows;
}

export function sampleRows(source: SampleSource): Rows {
  const order = sorted(source);
  return { part: sameText(source.part, order.length), ...kindColumns(source, order), ...contextColumns(source, order) };
}

/** Rows in the order of sort.ts. */
function sorted({ kernels, all, rows, contexts, kinds, kindOf, texts, recordings, recordingOf }: SampleSource) {
  const services = [...new Set(recordings.map(({ service }) => service))].sort();
  const types = [...new Set(kinds.map(({ type }) => texts.list[type]!))].sort();
  const byKind = kinds.map(({ type }) => types.indexOf(texts.list[type]!));
  const byRecording = recordings.map(({ service }) => services.indexOf(service));
  const service = kernels.mapped(recordingOf, Uint32Array.from(byRecording));
  const type = kernels.mapped(kindOf, Uint32Array.from(byKind));
  // A request is a local root, or a trace where there is none; 0 for neither.
  const { roots, traces } = contexts;
  const requestOf = roots.codes.map((root, link) => {
    const trace = traces.codes[link]!;
    return root === 0 && trace !== 0 ? roots.count + trace : root;
  });
  const request = kernels.mapped(all.link, requestOf);
  const requests = roots.count + traces.count;
  return inOrder(kernels, { rows, time: all.time, request, requests, service, type, types: types.length });
}

function unsigned({ buffer, byteOffset, length }: Int32Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length);
}

function signed({ buffer, byteOffset, length }: Uint32Array): Int32Array {
  return new Int32Array(buffer, byteOffset, length);
}

/** Entries of the first table, or of the second one where those are 0. */
function either(rows: Uint32Array, table: Uint32Array, otherRows: Uint32Array, others: Uint32Array): Uint32Array {
  const found = new Uint32Array(rows.length);
  for (let i = 0; i < found.length; i++) found[i] = table[rows[i]!]! || others[otherRows[i]!]!;
  return found;
}

function kindColumns(source: SampleSource, order: Uint32Array): Rows {
  const { kernels, all, kinds, kindOf, texts, recordingOf, numbers, windows } = source;
  const kind = kernels.mapped(order, kindOf);
  const texted = (of: (kind: Kind) => number, none: 0 | null) => texts.column(kind, none, Uint32Array.from(kinds, of));
  const nanos = kernels.pairs(all.time, order);
  const begins = kernels.pairs(all.time, order, "micros");
  const [window, windowOf] = [windows.micros(), kernels.mapped(order, windows.numbers)];
  place(begins, windowOf, window.from);
  const values = kernels.pairs(all.value, order);
  const periods = new Uint32Array(BigInt64Array.from([0n, ...kinds.map(({ period }) => period)]).buffer);
  const hasPeriod = Uint32Array.from(kinds, ({ period }, i) => (period > 0n ? i + 1 : 0));
  const number = new Int32Array(1 + Math.max(-1, ...numbers.keys()));
  for (const [recording, id] of numbers) number[recording] = id;
  const most = Math.min(MOST_VALUES, 1 + order.length / 4);
  return {
    recording_id: ints(signed(kernels.mapped(order, recordingOf)), false, unsigned(number)),
    time: longs(begins, 0),
    time_end: coded({ of: "int64", words: window.to }, windowOf, 0),
    time_unix_nano: longs(nanos),
    profile_type: texted(({ type }) => type, null),
    unit: texted(({ unit }) => unit, null),
    value: kernels.codedLongs(values, Math.floor(most)) ?? longs(values),
    period: coded({ of: "int64", words: periods }, kind, 0, hasPeriod),
    unit2: texted(({ unit2 }) => unit2, 0),
    value2: secondValues(source, kind, order),
    event: texted(({ event }) => event, 0),
  };
}

/** Numbers of 64 bits by number, in place of those of the rows that have one. */
function place(words: Uint32Array, numbers: Uint32Array, by: Uint32Array): void {
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]!;
    if (number !== 0) words.set(by.subarray(2 * number, 2 * number + 2), 2 * i);
  }
}

/** Second measures; missing where the profile has none. */
function secondValues({ kernels, all, kinds }: SampleSource, kind: Uint32Array, order: Uint32Array): Values {
  const has = Uint32Array.from(kinds, ({ unit2 }) => (unit2 === 0 ? 0 : 1));
  if (!has.includes(1)) return coded({ of: "int64", words: new Uint32Array(2) }, kind, 0, new Uint32Array(has.length));
  return kernels.sparseLongs(kernels.pairs(all.second, order), kernels.mapped(kind, has));
}

function contextColumns(source: SampleSource, order: Uint32Array): Rows {
  const { kernels, all, contexts, stacks, ids, kinds, kindOf, recordings, recordingOf } = source;
  const link = kernels.mapped(order, all.link);
  const thread = kernels.mapped(order, all.thread);
  const stack = kernels.mapped(order, all.stack);
  const namings = Uint32Array.from(kinds, ({ naming }) => naming);
  const naming = kernels.mapped(kernels.mapped(order, kindOf), namings);
  const attributes = contexts.attributesOf(link, kernels.mapped(order, all.set), naming);
  const { texts, spans, roots, traces, threadName } = contexts;
  const services = Uint32Array.from(recordings, ({ service }) => texts.of(service));
  const instances = Uint32Array.from(recordings, ({ instance }) => texts.of(instance));
  const recording = kernels.mapped(order, recordingOf);
  const byAttributes = (field: "endpoint" | "operation" | "service" | "instance") =>
    Uint32Array.from(contexts.attributes, (each) => each[field]);
  const ofLinks = ({ codes, dictionary }: Contexts["spans"], none: 0 | null) => coded(dictionary, link, none, codes);
  return {
    local_root_span_id: ofLinks(roots, null),
    span_id: ofLinks(spans, null),
    trace_id: ofLinks(traces, 0),
    service: texts.column(either(attributes, byAttributes("service"), recording, services), 0),
    instance: texts.column(either(attributes, byAttributes("instance"), recording, instances), 0),
    ...deploymentColumns((column) => {
      const values = Uint32Array.from(recordings, ({ resource }) => texts.of(deploymentOf(resource, column)));
      return texts.column(recording, 0, values);
    }),
    operation: texts.column(attributes, 0, byAttributes("operation")),
    endpoint: texts.column(attributes, 0, byAttributes("endpoint")),
    thread: texts.column(thread, 0, threadName),
    thread_id: threadIds(source, thread),
    leaf: leaves(stacks, stack),
    stack_id: ints(signed(stack), true, unsigned(ids)),
    attributes: others(contexts, attributes),
  };
}

function threadIds({ kernels, contexts: { threadId } }: SampleSource, thread: Uint32Array): Values {
  const { codes, dictionary } = kernels.codedLongs(threadId, Math.max(1, threadId.length / 2))!;
  // Row 0 has no thread, so that code 0 is 0.
  return coded(dictionary, thread, 0, codes);
}

function leaves(stacks: StackTable, stack: Uint32Array): Values {
  const texts = new Texts();
  const codes = Uint32Array.from(stacks.functions.display, (name) => texts.of(name));
  const leaf = new Uint32Array(stacks.count);
  for (let each = 0; each < leaf.length; each++) {
    const found = stacks.leafOf(each);
    leaf[each] = found < 0 ? 0 : codes[found]!;
  }
  return texts.column(stack, 0, leaf);
}

function others({ attributes, keys, texts }: Contexts, rows: Uint32Array): ColumnData {
  const pairs = Uint32Array.from(attributes.flatMap(({ others }) => others));
  const ends = new Uint32Array(attributes.length + 1);
  for (const [i, { others }] of attributes.entries()) ends[i + 1] = ends[i]! + others.length;
  const offsets = new Uint32Array(rows.length + 1);
  let n = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    n += (ends[row + 1]! - ends[row]!) >> 1;
    offsets[i + 1] = n;
  }
  const key = new Uint32Array(n);
  const value = new Uint32Array(n);
  n = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    for (let at = ends[row]!, end = ends[row + 1]!; at < end; at += 2, n++) {
      key[n] = pairs[at]!;
      value[n] = pairs[at + 1]!;
    }
  }
  return { kind: "map", offsets, keys: keys.column(key), values: texts.column(value) };
}
