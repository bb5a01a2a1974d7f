/** A call of a dump as the columns of a chart: one lane with its frames, and the pauses of its JVM. */
import * as FrameType from "../../../assembly/abi/frame-type.ts";
import type { ChartColumns } from "./columns.ts";

/** Frames of a call in the order of entering; times in ms, `from` since `start`. */
export interface CallFrameColumns {
  /** Since 1970. */
  start: number;
  depth: Uint32Array;
  from: Float64Array;
  total: Float64Array;
  self: Float64Array;
  /** Suspended part of self. */
  suspended: Float64Array;
  /** Index in `methods`. */
  method: Uint32Array;
  methods: readonly { name: string }[];
}

/** Beginnings and ends of pauses in ms since 1970, in the order of time. */
export interface CallPauses {
  from: Float64Array;
  to: Float64Array;
}

/** Ns of a millisecond, the step of a dump's clock. */
const MS = 1_000_000;
/** Name of time that a call reports beyond its tree. It is no method. */
const REACTIVE = "[reactive]";

/** `duration` in ms is the call's, which its frames need not fill. */
export function callColumns(frames: CallFrameColumns, duration: number, pauses: CallPauses): ChartColumns {
  const { depth, from, total, self, suspended, method, methods } = frames;
  const count = depth.length;
  // A clock that was set back: the earliest frame is at 0.
  let first = 0;
  let last = duration;
  for (let i = 0; i < count; i++) {
    first = Math.min(first, from[i]);
    last = Math.max(last, from[i] + total[i]);
  }
  const nanos = (ms: Float64Array, zero = 0) => ms.map((at) => (at - zero) * MS);
  const types = methods.map(({ name }) => (name === REACTIVE ? FrameType.None : FrameType.Jvm));
  const zero = frames.start + first;
  return {
    origin: BigInt(zero) * BigInt(MS),
    span: (last - first) * MS,
    step: MS,
    lanes: [{ title: "", stopped: true }],
    lane: new Uint16Array(count),
    depth,
    start: nanos(from, first),
    duration: nanos(total),
    self: nanos(self),
    suspended: nanos(suspended),
    name: method,
    names: methods.map(({ name }) => name),
    frameType: Uint8Array.from(method, (row) => types[row]),
    id: Uint32Array.from(method, (_, row) => row),
    rule: null,
    pauses: { from: nanos(pauses.from, zero), to: nanos(pauses.to, zero) },
  };
}
