/** Orders of calls of dumps: by a figure, and where that is equal by start, run and key. */
import { type Call, netOf } from "./call.ts";

type Figure = (call: Call) => bigint | number | null;

/** Descending, calls without the figure last; `start` ascending. */
export const CALL_ORDERS = {
  duration: (call) => call.duration,
  net: netOf,
  suspension: (call) => call.suspension,
  cpu: (call) => call.cpu,
  wait: (call) => call.wait,
  queue: (call) => call.queue,
  memory: (call) => call.memory,
  calls: (call) => call.enters,
  transactions: (call) => call.transactions,
  start: (call) => -call.start,
} as const satisfies Record<string, Figure>;

export type CallOrder = keyof typeof CALL_ORDERS;

export function byFigure(order: CallOrder): (a: Call, b: Call) => number {
  const figure: Figure = CALL_ORDERS[order];
  return (a, b) => descending(figure(a), figure(b)) || byKey(a, b);
}

function descending(a: bigint | number | null, b: bigint | number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (a === b) return 0;
  return a > b ? -1 : 1;
}

function byKey(a: Call, b: Call): number {
  if (a.start !== b.start) return a.start < b.start ? -1 : 1;
  return (
    a.runNumber - b.runNumber || a.file - b.file || a.offset - b.offset || a.ordinal - b.ordinal || a.twin - b.twin
  );
}
