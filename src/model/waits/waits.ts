/** Waits of a selection as rows: when, how long, on what, and who held it (docs/waits.md). */

import type { ReadSample, SampleReader } from "../../core/samples/sample-reader.ts";
import type { FileWaits } from "../../core/samples/waits.ts";
import { PROFILES } from "../../core/tables/catalogue.ts";
import type { Filter, ProfileSummary, TimeRange } from "../../core/types.ts";
import type { Marks } from "../../core/view-types.ts";
import { ENDPOINT_KEYS, OPERATION_KEYS } from "../lists/request-keys.ts";
import { Pauses } from "../span-time/pauses.ts";

export type WaitKind = "monitor" | "notify" | "park" | "sleep" | "socket" | "file" | "queue" | "safepoint" | "gc";

/** What a thread worked for: null where that is not known. */
export interface Work {
  thread: string;
  span: bigint | null;
  localRoot: bigint | null;
  operation: string | null;
}

/** A stretch of a wait. */
export interface Held extends Work {
  /** Of the holder's request, such as a tenant. */
  attributes: Readonly<Record<string, string>>;
  startUnixNano: bigint;
  durationNano: bigint;
  certain: boolean;
}

/** What samples state of a request. */
export interface RequestNames {
  endpoint: string | null;
  attributes: Held["attributes"];
}

const OF_RECORDERS = new Set([
  ...PROFILES.flatMap(({ events }) => events.flatMap(({ attributes = [] }) => attributes.map(([, key]) => key))),
  ...OPERATION_KEYS,
  ...ENDPOINT_KEYS,
]);
const RECORDERS = ["_dd.", "jfr.", "library", "process.", "spanflame.", "thread.", "trace"];

/** Whether an attribute is the application's: neither of an event's fields nor a name of the request. */
export function isOwnKey(key: string): boolean {
  return !OF_RECORDERS.has(key) && !RECORDERS.some((each) => key.startsWith(each));
}

export interface Wait extends Work {
  kind: WaitKind;
  /** Of what was waited for. */
  class: string | null;
  address: bigint | null;
  /** Host and port, or path. */
  target: string | null;
  startUnixNano: bigint;
  durationNano: bigint;
  /** In the order of time, without overlap. */
  held: Held[];
}

/** Profiles whose observations are waits, by type; the monitors' say by their event whether a signal was waited for. */
const KINDS = new Map<string, WaitKind>([
  ["lock-contention", "monitor"],
  ["park", "park"],
  ["sleep", "sleep"],
  ["socket-read", "socket"],
  ["socket-write", "socket"],
  ["file-read", "file"],
  ["file-write", "file"],
  ["file-force", "file"],
  ["queue-time", "queue"],
]);
const NOTIFY_EVENT = "jdk.JavaMonitorWait";

/** Time in which all threads were stopped, in ns since 1970. */
export interface Stop {
  kind: "gc" | "safepoint";
  start: bigint;
  nanos: number;
}

interface Columns {
  at: Float64Array;
  nanos: Float64Array;
}

/** Collections, and the safepoints that are not of one, that touch a time; all of them without a time. */
export function stopsIn({ start, pauses }: Marks, safepoints: Columns, time: TimeRange | null): Stop[] {
  const collections = new Pauses({ start, pauses });
  const stops = (kind: Stop["kind"], { at, nanos }: Columns) =>
    Array.from(at, (from, i): Stop => ({ kind, start: start + BigInt(Math.round(from)), nanos: nanos[i]! }));
  const endOf = (stop: Stop) => stop.start + BigInt(Math.round(stop.nanos));
  // The operation of a collection begins before its pause.
  const others = stops("safepoint", safepoints).filter(
    (stop) => collections.within({ start: stop.start, end: endOf(stop) }).length === 0,
  );
  const touches = (stop: Stop) => time === null || (stop.start < time.to && endOf(stop) > time.from);
  return [...stops("gc", pauses), ...others].filter(touches);
}

/** All threads waited for it. */
function waitOfStop({ kind, start, nanos }: Stop): Wait {
  return {
    kind,
    class: null,
    address: null,
    target: null,
    startUnixNano: start,
    durationNano: BigInt(Math.round(nanos)),
    ...NOBODY,
    held: [],
  };
}

const NO_REQUEST: RequestNames = { endpoint: null, attributes: {} };
const NOBODY: Work = { thread: "", span: null, localRoot: null, operation: null };

/** The waits of a selection, in the order of their starts. `requestOf`: a request by its local root. */
export function waitsOf(
  reader: SampleReader,
  profiles: readonly ProfileSummary[],
  files: readonly FileWaits[],
  filter: Filter,
  requestOf: (root: bigint) => RequestNames,
  stops: readonly Stop[],
  wanted: readonly WaitKind[] = [...KINDS.values()],
): Wait[] {
  const holders = new Holders(reader, files, requestOf);
  const kinds = new Map<number, WaitKind>();
  for (const { id, type } of profiles) {
    const kind = KINDS.get(type);
    if (kind !== undefined && wanted.includes(kind)) kinds.set(id, kind);
  }
  const found = stops.map(waitOfStop);
  reader.eachOf(new Set(kinds.keys()), filter, (profile, sample) => {
    const kind = sample.event === NOTIFY_EVENT ? "notify" : kinds.get(profile)!;
    const target = (...keys: string[]) => firstOf(reader, sample, keys);
    const port = target("network.peer.port");
    const host = `${target("server.address", "network.peer.address") ?? ""}${port === null ? "" : `:${port}`}`;
    const { name, ...known } = holders.of(sample.number);
    found.push({
      kind,
      class: name ?? target("park.class", "queue.task"),
      target: host || target("file.path"),
      startUnixNano: sample.time,
      durationNano: sample.nanos,
      thread: reader.threadName(sample.thread),
      span: sample.span || null,
      localRoot: sample.root || null,
      operation: target(...OPERATION_KEYS) ?? (sample.root === 0n ? null : requestOf(sample.root).endpoint),
      ...known,
    });
  });
  return found.sort((a, b) => Number(a.startUnixNano - b.startUnixNano));
}

function firstOf(reader: SampleReader, { set }: Pick<ReadSample, "set">, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = reader.attribute(set, key);
    if (text !== "") return text;
  }
  return null;
}

/** What is known of the waits of all files, by observation. */
class Holders {
  private readonly reader: SampleReader;
  private readonly requestOf: (root: bigint) => RequestNames;
  /** `at`: the next row. */
  private readonly files: (FileWaits & { first: Uint32Array; end: Uint32Array; at: number })[];

  constructor(reader: SampleReader, files: readonly FileWaits[], requestOf: (root: bigint) => RequestNames) {
    [this.reader, this.requestOf] = [reader, requestOf];
    this.files = files.map((file) => {
      const { waits, held } = file;
      const count = waits.observation.length;
      const found = { ...file, first: new Uint32Array(count), end: new Uint32Array(count), at: 0 };
      for (let first = 0, end = 0; first < held.wait.length; first = end) {
        while (held.wait[end] === held.wait[first]) end++;
        const row = waits.enters[held.wait[first]!]!;
        [found.first[row], found.end[row]] = [first, end];
      }
      return found;
    });
  }

  /** Of observations in their order. */
  of(observation: number): { name: string | null; address: bigint | null; held: Held[] } {
    for (const file of this.files) {
      const { waits, first, end } = file;
      while (waits.observation[file.at]! < observation) file.at++;
      const row = file.at;
      if (waits.observation[row] !== observation) continue;
      return {
        name: this.reader.text(waits.type[row]!) || null,
        address: waits.address[row]! || null,
        held: Array.from({ length: end[row]! - first[row]! }, (_, i) => this.stretch(file, first[row]! + i)),
      };
    }
    return { name: null, address: null, held: [] };
  }

  private stretch({ base, held }: FileWaits, i: number): Held {
    const start = base + BigInt(Math.round(held.from[i]!));
    const root = held.root[i]!;
    const set = held.set?.[i] ?? 0;
    const request = root === 0n ? NO_REQUEST : this.requestOf(root);
    const fields = [...this.reader.attributesOf(set)].filter(([key]) => isOwnKey(key));
    return {
      thread: this.reader.threadName(held.row[i]!),
      span: held.span[i]! || null,
      localRoot: root || null,
      operation: firstOf(this.reader, { set }, OPERATION_KEYS) ?? request.endpoint,
      attributes: fields.length > 0 ? Object.fromEntries(fields) : request.attributes,
      startUnixNano: start,
      durationNano: base + BigInt(Math.round(held.to[i]!)) - start,
      certain: held.certain[i] === 1,
    };
  }
}
