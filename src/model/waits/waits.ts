/** Waits of a selection as rows: when, how long, on what, and who held it (docs/waits.md). */

import type { ReadSample, SampleReader } from "../../core/samples/sample-reader.ts";
import type { FileWaits } from "../../core/samples/waits.ts";
import { PROFILES } from "../../core/tables/catalogue.ts";
import type { Filter, ProfileSummary, TimeRange } from "../../core/types.ts";
import type { Marks } from "../../core/view-types.ts";
import { ENDPOINT_KEYS, OPERATION_KEYS } from "../lists/request-keys.ts";
import { Pauses } from "../span-time/pauses.ts";

/** Why a thread waited; `gc` and `safepoint` stopped all threads. */
export type WaitKind = "monitor" | "notify" | "park" | "sleep" | "socket" | "file" | "queue" | "safepoint" | "gc";

/** What a thread worked for: null where that is not known. */
export interface Work {
  thread: string;
  /** In the JVM, else in the system: several threads may have one name. */
  threadId: string | null;
  /** Of the recording, where several were read: ids of threads are those of a process. */
  file: string | null;
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

/** A wait of a thread, and who held what it waited for. */
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

export const LOCK_TYPE = "lock-contention";
/** Profiles whose observations are waits, by type; the monitors' say by their event whether a signal was waited for. */
const KINDS = new Map<string, WaitKind>([
  [LOCK_TYPE, "monitor"],
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
const NOBODY: Work = { thread: "", threadId: null, file: null, span: null, localRoot: null, operation: null };

interface Wanted {
  /** Times in which all threads were stopped. */
  stops?: readonly Stop[];
  kinds?: readonly WaitKind[];
  /** Of parks only those with a holder: most parks are for no lock. */
  isForLocks?: boolean;
  /** Only so many, the longest. */
  longest?: number;
  /** Called for all of them, before that. */
  each?: (wait: Wait) => void;
  isWanted?: ((wait: Wait) => boolean) | undefined;
}

const byStart = (a: Wait, b: Wait) =>
  Number(a.startUnixNano > b.startUnixNano) - Number(a.startUnixNano < b.startUnixNano);
/** The longest first. A difference of two numbers of 64 bits is a third one: there may be millions. */
export const byDuration = (a: Lasting, b: Lasting) => Number(b.durationNano) - Number(a.durationNano);

export interface Lasting {
  durationNano: bigint;
}

/** The waits of a selection, in the order of their starts. `requestOf`: a request by its local root. */
export function waitsOf(
  reader: SampleReader,
  profiles: readonly ProfileSummary[],
  files: readonly FileWaits[],
  filter: Filter,
  requestOf: (root: bigint) => RequestNames,
  {
    stops = [],
    kinds: wanted = [...KINDS.values()],
    isForLocks = false,
    longest = Number.POSITIVE_INFINITY,
    each,
    isWanted = () => true,
  }: Wanted = {},
): Wait[] {
  const holders = new Holders(reader, files, requestOf);
  const kinds = new Map<number, WaitKind>();
  for (const { id, type } of profiles) {
    const kind = KINDS.get(type);
    const isNone = isForLocks && kind === "park" && !holders.hasParks;
    if (kind !== undefined && wanted.includes(kind) && !isNone) kinds.set(id, kind);
  }
  const texts = new Map<number, Texts>();
  const found = stops.map(waitOfStop).filter(isWanted);
  if (each !== undefined) found.forEach(each);
  let least = 0n;
  const leaveShort = () => {
    found.sort(byDuration).splice(longest);
    least = found.at(-1)?.durationNano ?? 0n;
  };
  reader.eachOf(new Set(kinds.keys()), filter, (profile, sample) => {
    const { set, nanos } = sample;
    if (nanos < least && each === undefined) return;
    const { name, ...known } = holders.of(sample.number);
    if (isForLocks && kinds.get(profile) === "park" && known.held.length === 0) return;
    const of = texts.get(set) ?? textsOf(reader, set);
    texts.set(set, of);
    const wait: Wait = {
      kind: sample.event === NOTIFY_EVENT ? "notify" : kinds.get(profile)!,
      class: name ?? of.class,
      target: of.target,
      startUnixNano: sample.time,
      durationNano: nanos,
      thread: reader.threadName(sample.thread),
      threadId: reader.threadId(sample.thread),
      file: reader.fileName(sample.file),
      span: sample.span || null,
      localRoot: sample.root || null,
      operation: of.operation ?? (sample.root === 0n ? null : requestOf(sample.root).endpoint),
      ...known,
    };
    if (!isWanted(wait)) return;
    each?.(wait);
    if (nanos >= least && longest > 0) found.push(wait);
    if (found.length >= MOST_FOUND + 2 * longest) leaveShort();
  });
  if (found.length > longest) leaveShort();
  return found.sort(byStart);
}

/** Waits from which short ones are left out. */
const MOST_FOUND = 1000;

type Texts = Pick<Wait, "class" | "target" | "operation">;

function textsOf(reader: SampleReader, set: number): Texts {
  const of = (...keys: string[]) => firstOf(reader, { set }, keys);
  const port = of("network.peer.port");
  const host = `${of("server.address", "network.peer.address") ?? ""}${port === null ? "" : `:${port}`}`;
  const target = host || of("file.path");
  return { class: of("park.class", "queue.task"), target, operation: of(...OPERATION_KEYS) };
}

function firstOf(reader: SampleReader, { set }: Pick<ReadSample, "set">, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = reader.attribute(set, key);
    if (text !== "") return text;
  }
  return null;
}

/** What contextual fields state of a holder; null where they do not. */
interface Fields {
  operation: string | null;
  attributes: Held["attributes"] | null;
}

/** What is known of the waits of all files, by observation. */
export class Holders {
  private readonly reader: SampleReader;
  private readonly requestOf: (root: bigint) => RequestNames;
  /** Of classes, by their text. */
  private readonly names = new Map<number, string>();
  /** By attribute set. */
  private readonly fields = new Map<number, Fields>();
  /** `at`: the next row. */
  private readonly files: (FileWaits & { first: Uint32Array; end: Uint32Array; at: number })[];

  constructor(reader: SampleReader, files: readonly FileWaits[], requestOf: (root: bigint) => RequestNames) {
    [this.reader, this.requestOf] = [reader, requestOf];
    this.files = files.map((file) => {
      const { waits, held } = file;
      const count = waits.observation.length;
      const found = { ...file, first: new Uint32Array(count), end: new Uint32Array(count), at: 0 };
      const { enters, parks } = waits;
      for (let first = 0, end = 0; first < held.wait.length; first = end) {
        while (held.wait[end] === held.wait[first]) end++;
        const wait = held.wait[first]!;
        const row = enters[wait] ?? parks[wait - enters.length]!;
        [found.first[row], found.end[row]] = [first, end];
      }
      return found;
    });
  }

  /** Whether holders of parks are known. */
  get hasParks(): boolean {
    return this.files.some(({ waits, held }) => held.wait.at(-1)! >= waits.enters.length);
  }

  /** The observations of the waits whose holders are known, in their order. */
  observations(): number[] {
    return this.files.flatMap(({ waits, end }) => [...waits.observation].filter((_, row) => end[row]! > 0));
  }

  /** Of observations in their order. */
  of(observation: number): { name: string | null; address: bigint | null; held: Held[] } {
    for (const file of this.files) {
      const { waits, first, end } = file;
      while (waits.observation[file.at]! < observation) file.at++;
      const row = file.at;
      if (waits.observation[row] !== observation) continue;
      const held: Held[] = [];
      for (let i = first[row]!; i < end[row]!; i++) held.push(this.stretch(file, i));
      return { name: this.nameAt(waits.type[row]!) || null, address: waits.address[row]! || null, held };
    }
    return { name: null, address: null, held: [] };
  }

  private fieldsOf(set: number): Fields {
    const own = [...this.reader.attributesOf(set)].filter(([key]) => isOwnKey(key));
    const operation = firstOf(this.reader, { set }, OPERATION_KEYS);
    const fields = { operation, attributes: own.length === 0 ? null : Object.fromEntries(own) };
    this.fields.set(set, fields);
    return fields;
  }

  private nameAt(text: number): string {
    const name = this.names.get(text) ?? this.reader.text(text);
    this.names.set(text, name);
    return name;
  }

  private stretch({ base, file, held }: FileWaits, i: number): Held {
    const from = Math.round(held.from[i]!);
    const root = held.root[i]!;
    const set = held.set?.[i] ?? 0;
    const request = root === 0n ? NO_REQUEST : this.requestOf(root);
    const fields = this.fields.get(set) ?? this.fieldsOf(set);
    return {
      thread: this.reader.threadName(held.row[i]!),
      threadId: this.reader.threadId(held.row[i]!),
      file: this.reader.fileName(file),
      span: held.span[i]! || null,
      localRoot: root || null,
      operation: fields.operation ?? request.endpoint,
      attributes: fields.attributes ?? request.attributes,
      startUnixNano: base + BigInt(from),
      durationNano: BigInt(Math.round(held.to[i]!) - from),
      certain: held.certain[i] === 1,
    };
  }
}
