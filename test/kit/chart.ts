/** Charts for tests: small ones drawn as text, and random trees. */
import fc from "fast-check";
import type { ChartColumns } from "../../src/model/chart/columns.ts";

export interface Drawn {
  name: string;
  depth: number;
  start: number;
  end: number;
  lane?: number;
  suspended?: number;
}

/** Columns of boxes in the order of entering. Self time is what the boxes below leave. */
export function columnsOf(boxes: readonly Drawn[], span: number, titles: readonly string[] = [""]): ChartColumns {
  const names = [...new Set(boxes.map(({ name }) => name))];
  const self = boxes.map(({ start, end, depth, lane = 0 }, i) => {
    let below = 0;
    for (let at = i + 1; at < boxes.length; at++) {
      const other = boxes[at]!;
      if ((other.lane ?? 0) !== lane || other.depth <= depth) break;
      if (other.depth === depth + 1) below += other.end - other.start;
    }
    return Math.max(0, end - start - below);
  });
  return {
    origin: 0n,
    span,
    step: 1e6,
    lanes: titles.map((title) => ({ title, stopped: true })),
    lane: Uint16Array.from(boxes, ({ lane = 0 }) => lane),
    depth: Uint32Array.from(boxes, ({ depth }) => depth),
    start: Float64Array.from(boxes, ({ start }) => start),
    duration: Float64Array.from(boxes, ({ start, end }) => end - start),
    self: Float64Array.from(self),
    suspended: Float64Array.from(boxes, ({ suspended = 0 }) => suspended),
    name: Uint32Array.from(boxes, ({ name }) => names.indexOf(name)),
    names,
    frameType: new Uint8Array(boxes.length).fill(1),
    id: Uint32Array.from(boxes, (_, i) => i),
    rule: null,
    pauses: { from: new Float64Array(0), to: new Float64Array(0) },
  };
}

/**
 * Boxes from lines of characters, one for each row; a letter is a time step of the box of that name, a point is no box.
 * A box is entered before those below it.
 *
 *   aaaaaaaa
 *   bbb.cc..
 */
export function drawnChart(text: string, step = 1): ChartColumns {
  const rows = text
    .trim()
    .split("\n")
    .map((row) => row.trim());
  const boxes = rows.flatMap((row, depth) =>
    [...row.matchAll(/([^.])\1*/g)].map(({ 0: run, index }) => ({
      name: run[0]!,
      depth,
      start: index * step,
      end: (index + run.length) * step,
    })),
  );
  boxes.sort((a, b) => a.start - b.start || a.depth - b.depth);
  return columnsOf(boxes, Math.max(...rows.map(({ length }) => length)) * step);
}

/** Trees whose clocks sometimes stand still and are sometimes set back. */
export const anyChart: fc.Arbitrary<ChartColumns> = fc
  .array(
    fc.record({
      lane: fc.nat({ max: 1 }),
      deeper: fc.integer({ min: -3, max: 1 }),
      gap: fc.oneof(fc.constant(0), fc.integer({ min: -5, max: 40 })),
      length: fc.oneof(fc.constant(0), fc.nat({ max: 3 }), fc.nat({ max: 400 })),
    }),
    { minLength: 1, maxLength: 120 },
  )
  .map((steps) => {
    const boxes: Drawn[] = [];
    for (const lane of [0, 1]) {
      let depth = -1;
      let now = 0;
      for (const step of steps) {
        if (step.lane !== lane) continue;
        depth = Math.max(0, depth + step.deeper);
        now = Math.max(0, now + step.gap);
        boxes.push({ name: `f${step.length % 7}`, depth, start: now, end: now + step.length, lane });
      }
    }
    return columnsOf(boxes, Math.max(1, ...boxes.map(({ end }) => end)), ["one", "two"]);
  });
