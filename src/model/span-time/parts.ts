/**
 * The time of a span in parts that add up to it. Each nanosecond is in the first part that covers it, in the order
 * below; CPU samples have no extent, so as much of the rest as they amount to is `cpu`, and `other` is left.
 */

/** In the order in which they take the time. */
export const COVERING = ["lock", "wait", "park", "sleep", "socket", "file", "gc"] as const;
export type CoveringPart = (typeof COVERING)[number];
export type SpanPart = CoveringPart | "cpu" | "other";

export interface Stretch {
  part: CoveringPart;
  /** Ns after the start of the time, as are ends. */
  from: number;
  to: number;
}

/** Parts of the time [0, `length`] in ns; those of 0 ns are left out. */
export function partsOf(
  length: number,
  stretches: readonly Stretch[],
  cpu: number,
): { part: SpanPart; nano: number }[] {
  return splitTime(length, stretches, cpu, []).parts;
}

/** Parts of the time [0, `length`], with the ns of `other` in which child spans ran. */
export function splitTime(
  length: number,
  stretches: readonly Stretch[],
  cpu: number,
  children: readonly [from: number, to: number][],
): { parts: { part: SpanPart; nano: number }[]; children: number } {
  let covered: [from: number, to: number][] = [];
  const parts: { part: SpanPart; nano: number }[] = [];
  let rest = length;
  for (const part of COVERING) {
    const own = stretches.filter((stretch) => stretch.part === part);
    const clipped = own.map(({ from, to }): [number, number] => [Math.max(0, from), Math.min(length, to)]);
    const merged = union([...covered, ...clipped]);
    const left = length - lengthOf(merged);
    parts.push({ part, nano: rest - left });
    rest = left;
    covered = merged;
  }
  const onCpu = Math.min(rest, cpu);
  parts.push({ part: "cpu", nano: onCpu }, { part: "other", nano: rest - onCpu });
  const clipped = children.map(([from, to]): [number, number] => [Math.max(0, from), Math.min(length, to)]);
  const below = rest - (length - lengthOf(union([...covered, ...clipped])));
  return { parts: parts.filter(({ nano }) => nano > 0), children: Math.min(below, rest - onCpu) };
}

export function lengthOf(stretches: readonly [from: number, to: number][]): number {
  return stretches.reduce((sum, [from, to]) => sum + to - from, 0);
}

/** Stretches that do not touch, ascending. */
export function union(stretches: readonly [from: number, to: number][]): [number, number][] {
  const sorted = stretches.filter(([from, to]) => to > from).sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
