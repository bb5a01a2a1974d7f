/**
 * What async-profiler writes into names: the thread as `[name tid=7]`, the type of a frame as a mark at the end of its
 * name. Its OTLP has the names of its engines as types, with other units:
 *
 *   itimer/count, period 10000000 itimer/ns             cpu/samples, period 10000000 cpu/nanoseconds
 *   object_sampler/bytes, period object_sampler/bytes   alloc-samples/bytes, period alloc-samples/bytes
 *   lock_tracer/ns, period lock_tracer/ns               lock-contention/nanoseconds: its period is a threshold
 *   perf_events/count, period 50 perf_events/total      unchanged: another event than time on a processor
 */
import * as FrameType from "../abi/frame-type";
import * as ValueKind from "../abi/value-kind";
import { isText } from "../memory/ascii";
import { decimal, digitsEnd, isTooLarge } from "../memory/digits";
import { THREAD_ID_KEY, THREAD_NAME_KEY } from "../store/keys";
import { internAttribute, internText, internThread, strings } from "../store/tables";
import { internUtf8, repaired } from "./text";

/** All profiles of the current message are of async-profiler: names have its marks. */
export let marked: bool = false;

export function setMarked(isMarked: bool): void {
  marked = isMarked;
}

/** Bytes of `_[k]`. */
export const MARK: usize = 4;

/** The type that the mark at the end of the name [p, to) states: `_[`, a letter or digit, `]`. */
export function markedType(p: usize, to: usize): u32 {
  if (to - p <= MARK || (load<u32>(to - MARK) & 0xff00_ffff) !== 0x5d00_5b5f) return FrameType.None;
  const c = load<u8>(to - 2);
  if (c === 0x6a || c === 0x69 || c === 0x30 || c === 0x31) return FrameType.Jvm;
  return c === 0x6b ? FrameType.Kernel : FrameType.None;
}

/** Parts that compilers add to the names of native functions. */
const NATIVE_PARTS: StaticArray<string> = ["cold", "part", "isra", "constprop", "llvm", "lto_priv", "so"];

/** The type of a name without a mark: Java methods have a class and a point before them, native functions have not. */
export function unmarkedType(p: usize, to: usize): u32 {
  let part = to;
  while (part > p && load<u8>(part - 1) !== 0x2e) part--;
  if (part === p || part === to || load<u8>(part) - 0x30 <= 9) return FrameType.Native;
  for (let i = 0; i < NATIVE_PARTS.length; i++)
    if (isText(part, <u32>(to - part), NATIVE_PARTS[i])) return FrameType.Native;
  // `::` of C++; the brackets of [vdso] and of library names.
  for (let q = p; q + 1 < to; q++) if (load<u16>(q) === 0x3a3a || load<u8>(q) === 0x5b) return FrameType.Native;
  return FrameType.Jvm;
}

/** The name of the thread read last was repaired. */
export let isNameRepaired: bool = false;

/** The thread of `[name tid=7]` or `[tid=7]`, 0 for other texts. */
export function bracketedThread(p: usize, to: usize): u32 {
  isNameRepaired = false;
  if (to - p < 7 || load<u8>(p) !== 0x5b || load<u8>(to - 1) !== 0x5d) return 0;
  let mark = to;
  while (mark > p + 4 && load<u8>(mark - 1) !== 0x3d) mark--;
  // `tid=`, after the bracket or a blank.
  if (load<u32>(mark - 4) !== 0x3d64_6974) return 0;
  const id = decimal(mark, to - 1, i64.MAX_VALUE);
  if (mark === to - 1 || digitsEnd !== to - 1 || isTooLarge) return 0;
  let name: u32 = 0;
  if (mark > p + 5) {
    if (load<u8>(mark - 5) !== 0x20) return 0;
    const text = internUtf8(p + 1, <u32>(mark - 5 - (p + 1)));
    isNameRepaired = repaired;
    name = internAttribute(internText(THREAD_NAME_KEY), ValueKind.Text, text);
  }
  return internThread(name, internAttribute(internText(THREAD_ID_KEY), ValueKind.Int, id));
}

/** Per engine: its name, the type of its counts, the type of its sums. Those on both are counts of samples in time. */
// biome-ignore format: a table
const ENGINES: StaticArray<string> = [
  "perf_events", "cpu", "cpu",
  "itimer", "cpu", "cpu",
  "ctimer", "cpu", "cpu",
  "wall", "wall", "wall",
  "object_sampler", "alloc-sample-count", "alloc-samples",
  "alloc_tracer", "alloc-sample-count", "alloc-samples",
  "j9_object_sampler", "alloc-sample-count", "alloc-samples",
  "malloc_tracer", "malloc-calls", "malloc",
  "lock_tracer", "lock-contention-count", "lock-contention",
  "native_lock_tracer", "native-lock-count", "native-lock",
];
const COLUMNS = 3;

/** The words for the profile of an engine. A period of type 0 is a threshold. */
export let engineType: u32 = 0;
export let engineUnit: u32 = 0;
export let enginePeriodType: u32 = 0;
export let enginePeriodUnit: u32 = 0;

function isString(id: u32, text: string): bool {
  return isText(strings.pointer(id), strings.size(id), text);
}

/** Row of the engine whose period has this type and unit, -1 for other producers: the unit is in its short form. */
function engineOf(type: u32, unit: u32): i32 {
  if (!isString(unit, "ns") && !isString(unit, "bytes") && !isString(unit, "total")) return -1;
  for (let i = 0; i < ENGINES.length; i += COLUMNS) if (isString(type, ENGINES[i])) return i;
  return -1;
}

export function isEngine(periodType: u32, periodUnit: u32): bool {
  return engineOf(periodType, periodUnit) >= 0;
}

/** Sets the words for a profile of these; false where it is of no engine, or of an event that has no such words. */
export function readEngine(type: u32, unit: u32, periodType: u32, periodUnit: u32): bool {
  const row = type === periodType ? engineOf(type, periodUnit) : -1;
  if (row < 0 || isString(periodUnit, "total")) return false;
  const isCount = isString(unit, "count");
  if (!isCount && unit !== periodUnit) return false;
  const isTime = isString(periodUnit, "ns");
  const unitOfSum = internText(isTime ? "nanoseconds" : "bytes");
  const sum = ENGINES[row + 2];
  const isSampled = ENGINES[row + 1] === sum;
  engineType = internText(isCount ? ENGINES[row + 1] : sum);
  engineUnit = isCount ? internText(isSampled ? "samples" : "count") : unitOfSum;
  const hasPeriod = isSampled || !isTime;
  enginePeriodType = hasPeriod ? internText(sum) : 0;
  enginePeriodUnit = hasPeriod ? unitOfSum : 0;
  return true;
}
