/** What observations of a file waited for: its class and address, and the thread that had it before. */
import * as ContextRow from "../../../assembly/abi/rows/context-row.ts";
import * as PartRow from "../../../assembly/abi/rows/part-row.ts";
import * as ProfileRow from "../../../assembly/abi/rows/profile-row.ts";
import * as ValueKind from "../../../assembly/abi/value-kind.ts";
import { IdMap } from "../../ids/map.ts";
import type { Instance } from "../instance/instance.ts";
import { HOLDER_KEY } from "../tables/holder-key.ts";
import { recordColumns } from "./record-columns.ts";
import { Spans } from "./spans.ts";

/** Waits that ended with the object; the owner is the thread that gave it up before. Times are ns after a base. */
export interface LockWaits {
  count: number;
  thread: Uint32Array;
  /** Below 0 where it is unknown. */
  owner: Int32Array;
  start: Float64Array;
  end: Float64Array;
  /** Number of the object, below `objects`. */
  object: Uint32Array;
  objects: number;
  /** Rows of the threads in the store. */
  threadRow: Uint32Array;
  ownerRow: Uint32Array;
}

/** Parks for ReentrantLocks; nothing states their owners. */
export interface Parks extends LockWaits {
  /** Numbers of the waits, as in `HeldColumns`. */
  wait: Uint32Array;
  stack: Uint32Array;
}

/** Stretches of waits in which a thread held the object. Those of a wait are together, in the order of time. */
export interface HeldColumns {
  /** Number of the wait among `enters`; parks follow them. */
  wait: number[];
  thread: number[];
  /** Row of the thread in the store. */
  row: number[];
  from: number[];
  to: number[];
  certain: number[];
  /** What the thread worked for in the middle of the stretch, 0 where that is not known. */
  span: bigint[];
  root: bigint[];
  /** Attribute set of the contextual fields around the middle. */
  set?: Uint32Array;
}

/** What observations waited for, and who held it. */
export interface FileWaits {
  /** Ns since 1970. */
  base: bigint;
  /** Number of the recording. */
  file: number;
  waits: NotedWaits;
  /** By number in `enters` of the waits. */
  held: HeldColumns;
}

/** By waits, in the order of their observations. */
interface NotedWaits {
  observation: Uint32Array;
  /** Row of the thread that had the object before, 0 where the event does not say it. */
  owner: Uint32Array;
  /** String: name of the object's class. */
  type: Uint32Array;
  address: BigUint64Array;
  /** Row among the noted observations. */
  noted: Uint32Array;
  /** The waits that ended with the object. */
  enters: number[];
  /** The parks for ReentrantLocks. */
  parks: number[];
}

/** Columns of all noted observations. */
interface Noted {
  observation: Uint32Array;
  event: Uint32Array;
  thread: Uint32Array;
  stack: Uint32Array;
  start: Float64Array;
  end: Float64Array;
}

/** Number of a thread that the file does not have. */
export const NO_THREAD = 2 ** 32 - 1;
const MONITOR_ENTER = "jdk.JavaMonitorEnter";
const PARK = "jdk.ThreadPark";
const REENTRANT_LOCK = "java.util.concurrent.locks.ReentrantLock$";

/** `around`: the only time whose holders are asked for, in the units of the rows. */
export function notedWaits(
  instance: Instance,
  { observation, event, start, end }: Noted,
  around: { from: number; to: number } | null = null,
): NotedWaits {
  const { wasm, memory } = instance;
  const count = wasm.waitCount();
  const at = wasm.waitRows();
  const places = new Uint32Array(count).map((_, i) => at + i * ContextRow.WAIT_BYTES);
  const { words: column } = recordColumns(memory, places);
  const own = column(ContextRow.WAIT_OBSERVATION);
  // Both ascend, and each of the waits is noted.
  const noted = new Uint32Array(count);
  for (let i = 0, k = 0; i < count; i++) {
    while (observation[k] !== own[i]) k++;
    noted[i] = k;
  }
  const names = new Map<number, string>();
  const type = column(ContextRow.WAIT_CLASS);
  const isLock = new Map<number, boolean>();
  const enters: number[] = [];
  const parks: number[] = [];
  for (let i = 0; i < count; i++) {
    const row = event[noted[i]!]!;
    const name = names.get(row) ?? nameOf(instance, row);
    names.set(row, name);
    if (name === MONITOR_ENTER) enters.push(i);
    if (name !== PARK) continue;
    const own = type[i]!;
    const known = isLock.get(own) ?? instance.string(own).startsWith(REENTRANT_LOCK);
    isLock.set(own, known);
    if (known) parks.push(i);
  }
  const address = BigUint64Array.from({ length: count }, (_, i) =>
    memory.u64(at + i * ContextRow.WAIT_BYTES + ContextRow.WAIT_ADDRESS),
  );
  return {
    observation: own,
    owner: column(ContextRow.WAIT_OWNER),
    type,
    address,
    noted,
    enters: around === null ? enters : near(enters),
    parks,
  };

  /** Those that touch the time, and of each object the one that ended last before it. */
  function near(all: readonly number[]): number[] {
    const last = new IdMap<number>();
    const found = all.filter((i) => {
      const [from, to] = [start[noted[i]!]!, end[noted[i]!]!];
      const isBefore = to < around!.from;
      const known = last.get(address[i]!);
      if (isBefore && (known === undefined || to >= end[noted[known]!]!)) last.set(address[i]!, i);
      return !isBefore && from <= around!.to;
    });
    return [...found, ...last.values()].sort((a, b) => a - b);
  }
}

function nameOf(instance: Instance, event: number): string {
  return instance.string(instance.memory.u32(instance.wasm.eventAt(event) + ProfileRow.EVENT_NAME));
}

/** `of`: numbers of the threads by their rows. */
export function parksOf(all: Noted, of: Uint32Array, waits: NotedWaits): Parks {
  const { noted, enters, parks } = waits;
  const wait = Uint32Array.from(parks, (_, i) => enters.length + i);
  const stack = Uint32Array.from(parks, (i) => all.stack[noted[i]!]!);
  return { ...locksOf(all, of, waits, parks), wait, stack };
}

export function locksOf(
  all: Noted,
  of: Uint32Array,
  { noted, owner, address, enters: monitors }: NotedWaits,
  enters = monitors,
): LockWaits {
  const objects = new IdMap<number>();
  const object = enters.map((i) => {
    const number = objects.get(address[i]!) ?? objects.size;
    objects.set(address[i]!, number);
    return number;
  });
  const rows = enters.map((i) => noted[i]!);
  const threadRow = Uint32Array.from(rows, (row) => all.thread[row]!);
  const ownerRow = Uint32Array.from(enters, (i) => owner[i]!);
  const numberOf = (row: number) => of[row] ?? NO_THREAD;
  return {
    count: rows.length,
    object: Uint32Array.from(object),
    objects: objects.size,
    thread: threadRow.map(numberOf),
    threadRow,
    owner: Int32Array.from(ownerRow, (row) => (numberOf(row) === NO_THREAD ? -1 : numberOf(row))),
    ownerRow,
    start: Float64Array.from(rows, (row) => all.start[row]!),
    end: Float64Array.from(rows, (row) => all.end[row]!),
  };
}

/** A part of a wait, in the order of their observations. */
export interface HeldPart {
  observation: number;
  holder: string;
  value: bigint;
}

/** Whether waits are divided, or cannot be yet: while a recording is read, observations are still added. */
export function isDivided({ wasm, isPaused }: Instance): boolean {
  return isPaused || wasm.copiesEnd.value > 0;
}

/** Divides waits into samples that only questions about holders select (assembly/store/held/divided.ts). */
export function divide(instance: Instance, parts: readonly HeldPart[]): void {
  const texts = new Spans({ instance });
  const key = texts.text(HOLDER_KEY);
  const attributes = new Map<string, number>();
  const attributeOf = (holder: string) => {
    const known = attributes.get(holder) ?? texts.attribute(key, ValueKind.Text, BigInt(texts.text(holder)));
    attributes.set(holder, known);
    return known;
  };
  const bytes = new DataView(new ArrayBuffer(parts.length * PartRow.BYTES));
  for (const [i, { observation, holder, value }] of parts.entries()) {
    const at = i * PartRow.BYTES;
    bytes.setUint32(at + PartRow.OBSERVATION, observation, true);
    bytes.setUint32(at + PartRow.ATTRIBUTE, attributeOf(holder), true);
    bytes.setBigInt64(at + PartRow.VALUE, value, true);
  }
  instance.lend(new Uint8Array(bytes.buffer), (p) => instance.wasm.divideWaits(p, parts.length));
}
