/**
 * Events that a recorder writes at most so many times a second. A limit that was reached says that events are missing;
 * how many is not known. Settings may come after the events of their chunk, so events that recorders limit by default
 * are counted from the start, others from their setting on:
 *
 *   bins   u32 per BIN of time from the start of the chunk
 *
 * A window of the recorder begins anywhere, so it is a bin longer here. Events with a time outside of the chunk are in
 * no bin.
 */

import * as Incident from "../../abi/incident-kind";
import { equalBytes } from "../../memory/hash";
import { scratch } from "../../memory/scratch";
import { sliceAt, sliceSize } from "../../memory/slice";
import { diagnosingChunk } from "../../store/diagnostics";
import { noteIncident } from "../../store/incidents";
import { LIMIT_WINDOWS, limitAt, limitCount } from "./catalogue";
import { Plan, PlanKind } from "./event-plan";
import { startNanos } from "./header";
import { classAt, classCount, className, spells } from "./metadata";
import * as ClassRow from "./rows/class-row";

const BIN: i64 = 40_000_000;
/** Of all events of a chunk together; one event in eleven hours needs half of them. */
const MOST_BINS: u32 = 1 << 21;
const SECOND: i64 = 1_000_000_000;
/** Recorders do not split the time of a limit that is no larger than this. */
const SMALL: u32 = 9;
/** A window with so many of a hundred that the limit lets through is full. */
const FULL: f64 = 95;

let binsLeft: u32 = 0;

@unmanaged
class Limit {
  /** Most events in `time`; 0 = no limit is known. */
  count: u32;
  time: i64;
  /** The recorder counts in so many windows of that time. */
  windows: u32;
  bins: usize;
  size: u32;
}

/** A chunk begins. */
export function beginLimits(): void {
  binsLeft = MOST_BINS;
}

/** Has the events of class `cls` counted, by the plan made last, unless another plan counts them. */
export function planLimit(cls: u32): void {
  if (limitOf(cls) === 0) changetype<Plan>(<usize>load<u32>(classAt(cls), ClassRow.EVENT_PLAN)).limit = newLimit();
}

function newLimit(): usize {
  return scratch(offsetof<Limit>());
}

/** The counting of a class; 0 = there is none. */
function limitOf(cls: u32): usize {
  let at = <usize>load<u32>(classAt(cls), ClassRow.EVENT_PLAN);
  while (at !== 0 && changetype<Plan>(at).limit === 0) at = changetype<Plan>(at).next;
  return at === 0 ? 0 : changetype<Plan>(at).limit;
}

/** Takes the limit of class `cls` from a setting, if it is one of the catalogue's. */
export function noteLimit(cls: u32, name: usize, size: u32, value: usize, valueSize: u32): void {
  for (let i: u32 = 0; i < limitCount; i++) {
    const row = limitAt(i);
    if (sliceSize(row) !== size || !equalBytes(sliceAt(row), name, size)) continue;
    if (limitOf(cls) === 0) countFromNow(cls);
    const at = limitOf(cls);
    if (at !== 0) readLimit(changetype<Limit>(at), value, valueSize, load<u32>(row, LIMIT_WINDOWS));
  }
}

/** Has the samples of class `cls` counted from here on. */
function countFromNow(cls: u32): void {
  for (let at = <usize>load<u32>(classAt(cls), ClassRow.EVENT_PLAN); at !== 0; ) {
    const plan = changetype<Plan>(at);
    if (plan.kind === PlanKind.Sample || plan.kind === PlanKind.Gate) {
      plan.limit = newLimit();
      if (plan.kind === PlanKind.Gate) changetype<Plan>(plan.gated).limit = plan.limit;
      return;
    }
    at = plan.next;
  }
}

/** `300/s`, `10/ms`, or `20`, which is per second. Other texts are no limit: `off`, or the `10 ms` of a period. */
function readLimit(limit: Limit, p: usize, n: u32, windows: u32): void {
  let count: u64 = 0;
  let i: u32 = 0;
  while (i < n && i < 9) {
    const digit = <u32>load<u8>(p + i) - 0x30;
    if (digit > 9) break;
    count = count * 10 + digit;
    i++;
  }
  limit.count = 0;
  limit.time = SECOND;
  if (i < n) {
    if (load<u8>(p + i) !== 0x2f) return;
    limit.time = unitOf(p + i + 1, n - i - 1);
    if (limit.time === 0) return;
  }
  limit.count = <u32>count;
  limit.windows = windows;
}

/** Nanoseconds of a unit of time; 0 for other texts. */
function unitOf(p: usize, n: u32): i64 {
  if (spells(p, n, "s")) return SECOND;
  if (spells(p, n, "ms")) return 1_000_000;
  if (spells(p, n, "us")) return 1_000;
  if (spells(p, n, "ns")) return 1;
  if (spells(p, n, "m")) return 60 * SECOND;
  if (spells(p, n, "h")) return 3600 * SECOND;
  return spells(p, n, "d") ? 86_400 * SECOND : 0;
}

/** An event of the limit at `at`. */
export function countLimited(at: usize, time: i64): void {
  const limit = changetype<Limit>(at);
  const since = time - startNanos;
  if (since < 0 || since >= <i64>MOST_BINS * BIN) return;
  const bin = <u32>(since / BIN);
  if (bin >= limit.size && !growTo(limit, bin)) return;
  const p = limit.bins + ((<usize>bin) << 2);
  store<u32>(p, load<u32>(p) + 1);
}

/** False without room. */
function growTo(limit: Limit, bin: u32): bool {
  const size = max<u32>(1024, (<u32>1) << (32 - clz<u32>(bin)));
  if (size > binsLeft) return false;
  binsLeft -= size;
  const bins = scratch(size << 2);
  memory.copy(bins, limit.bins, (<usize>limit.size) << 2);
  limit.bins = bins;
  limit.size = size;
  return true;
}

/** The events of the chunk end: notes the limits that were reached. */
export function noteLimits(): void {
  for (let i: u32 = 0; i < classCount; i++) {
    const at = limitOf(i);
    if (at !== 0) noteReached(i, changetype<Limit>(at));
  }
}

function noteReached(cls: u32, limit: Limit): void {
  if (limit.count === 0 || limit.size === 0) return;
  const window = max<i64>(BIN, limit.count <= SMALL ? limit.time : limit.time / limit.windows);
  const bins = <u32>min<i64>((window + BIN - 1) / BIN + 1, limit.size);
  let sum: u32 = 0;
  let most: u32 = 0;
  for (let i: u32 = 0; i < limit.size; i++) {
    sum += load<u32>(limit.bins + ((<usize>i) << 2));
    if (i >= bins) sum -= load<u32>(limit.bins + ((<usize>(i - bins)) << 2));
    most = max<u32>(most, sum);
  }
  if (100 * <f64>most * <f64>limit.time < FULL * <f64>limit.count * <f64>window) return;
  noteIncident(Incident.Limit, diagnosingChunk(), limit.count, className(cls), limit.time, most);
}
