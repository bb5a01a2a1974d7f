/**
 * The kernel checks timers of CPU time at its tick: with CONFIG_HZ=250 a profiler takes no sample of a thread more
 * often than every 4 ms, whatever interval it asked for and states. The samples tell: the distances of those of a
 * thread heap at a tick, and hardly any is as short as the interval. Samples then count with the tick.
 */
import * as ProfileRow from "../../../assembly/abi/rows/profile-row.ts";
import * as ShortGaps from "../../../assembly/abi/short-gaps.ts";
import type { Instance } from "./instance.ts";
import { samplesStamp } from "./instance.ts";
import { readSettings } from "./profile-facts.ts";

/** Ticks of CONFIG_HZ 1000, 300, 250 and 100. */
const TICKS = [1e6, 1e9 / 300, 4e6, 1e7];
/** Of fewer distances nothing is concluded. */
const FEWEST = 100;
const FEWEST_AT_TICK = 10;

/** The tick of the kernel if it is longer than the stated interval, in ns; 0 if nothing tells so. */
export function tickOf(gaps: Uint32Array, stated: number): number {
  const all = gaps.reduce((sum, n) => sum + n, 0);
  const within = (from: number, to: number) =>
    gaps
      .subarray(Math.round(from / ShortGaps.GAP_NANOS), Math.round(to / ShortGaps.GAP_NANOS))
      .reduce((sum, n) => sum + n, 0);
  const isTick = (tick: number) => {
    const at = within(0.98 * tick, 1.02 * tick);
    // Ten times as wide, so the heap is at least nine times as dense as its surroundings.
    const around = within(0.8 * tick, 1.2 * tick) - at;
    const asStated = within(0, Math.min(1.25 * stated, 0.9 * tick));
    const shorter = within(0, 0.9 * tick);
    const isHeap = at >= Math.max(FEWEST_AT_TICK, 0.05 * all) && at >= around;
    return isHeap && shorter <= at && asStated <= 0.03 * all;
  };
  if (all < FEWEST) return 0;
  return Math.round(TICKS.find((tick) => tick > 1.05 * stated && isTick(tick)) ?? 0);
}

const known = new WeakMap<Instance, string>();

/** Has samples count with the tick of the kernel where it is longer than their period. */
export function countTicks(instance: Instance): void {
  const { wasm, memory } = instance;
  const stamp = samplesStamp(instance);
  if (known.get(instance) === stamp) return;
  known.set(instance, stamp);
  for (let id = 0; id < wasm.profileCount.value; id++) {
    const stated = Number(memory.i64(wasm.profileAt(id) + ProfileRow.PERIOD));
    const isAsked = stated > 0 && stated < Math.max(...TICKS) && isOfTimer(instance, id);
    const tick = isAsked ? tickOf(memory.u32s(wasm.shortGaps(id), ShortGaps.GAP_BINS), stated) : 0;
    wasm.countWith(id, BigInt(tick));
  }
}

/** Whether a profile row has all samples of a timer of CPU time. The JDK's own sampler has none. */
function isOfTimer(instance: Instance, id: number): boolean {
  const { wasm, memory } = instance;
  const row = wasm.profileAt(id);
  const text = (field: number) => instance.string(memory.u32(row + field));
  if (text(ProfileRow.PERIOD_TYPE) !== "cpu" || text(ProfileRow.PERIOD_UNIT) !== "nanoseconds") return false;
  if (!wasm.hasSamples(id) || wasm.skippedInFamily(memory.u32(row + ProfileRow.FAMILY)) > 0) return false;
  const slept = new Set(readSettings(instance).flatMap(({ event, name }) => (name === "period" ? [event] : [])));
  return !Array.from({ length: wasm.eventCount.value }, (_, i) => wasm.eventAt(i)).some(
    (event) =>
      memory.u32(event + ProfileRow.EVENT_PROFILE) === id &&
      slept.has(instance.string(memory.u32(event + ProfileRow.EVENT_NAME))),
  );
}
