/** Boxes of a flame chart in words: the tooltip, the line below the chart, the screen reader. */
import * as FrameType from "../../../assembly/abi/frame-type.ts";
import type { InferredBy, ProfileSummary } from "../../core/types.ts";
import { FRAME_TYPES, frameTypeWord } from "../flame/frame-types.ts";
import { RULES } from "../trace/coverage.ts";
import { formatCounted, formatNanos, formatPercent } from "../words/format.ts";
import { digitsFor, formatClock, formatOffset } from "../words/moments.ts";
import { visible } from "../words/text.ts";
import type { ChartColumns } from "./columns.ts";
import { parentOf, suspensionOf } from "./steps.ts";
import { firstAbove } from "./visible.ts";

/** Characters of a name that are shown; no box is wider. */
const NAME_CAP = 200;

export interface BoxWords {
  name: string;
  /** Each a fact, in reading order. */
  parts: string[];
}

export function boxName({ names, name }: ChartColumns, box: number): string {
  const text = names[name[box]] ?? "";
  return text === "" ? "(no name)" : visible(text, NAME_CAP);
}

/** Whether a box is of several frames. */
export function isRun({ frameType }: ChartColumns, box: number): boolean {
  return frameType[box] === FrameType.Run;
}

/** The name of the rule that inferred the context of a box; null where it is recorded. */
export function inferredBy({ rule }: ChartColumns, box: number): keyof InferredBy | null {
  return RULES[(rule?.[box] ?? 0) - 1] ?? null;
}

/** `com.acme.Shop.pay`, `Java`, `from +0:00.120`, `total 30 ms (25.0 %)`, `self 10 ms`, `suspended 4 ms`. */
export function boxWords(columns: ChartColumns, box: number): BoxWords {
  const { name, parts } = timeWords(columns, box);
  const suspended = suspensionOf(columns, box);
  return { name, parts: suspended === 0 ? parts : [...parts, `suspended ${formatNanos(suspended)}`] };
}

/** Words of a box without its suspension, which would take the time of all boxes below. */
export function timeWords(columns: ChartColumns, box: number): BoxWords {
  const { start, duration, self, span, step, frameType } = columns;
  const rule = inferredBy(columns, box);
  const kind = frameTypeWord(FRAME_TYPES[frameType[box]] ?? "");
  return {
    name: boxName(columns, box),
    parts: [
      kind,
      `from ${formatOffset(start[box], digitsFor(step))}`,
      // A sample without a length is a moment.
      ...(duration[box] === 0
        ? []
        : [
            `total ${formatNanos(duration[box])} (${formatPercent(duration[box], span)})`,
            `self ${formatNanos(self[box])}`,
          ]),
      rule === null ? "" : `context inferred (${rule})`,
    ].filter((part) => part !== ""),
  };
}

/** Callers that a tooltip has room for. */
const CALLERS = 8;

/** Beside the pointer: the thread of a box, and its callers, the nearest first. */
export function aroundBox(columns: ChartColumns, box: number): string[] {
  const { title = "" } = columns.lanes[columns.lane[box]] ?? {};
  const callers: string[] = [];
  for (let at = parentOf(columns, box); at !== null; at = parentOf(columns, at)) callers.push(boxName(columns, at));
  const shown = callers.slice(0, CALLERS);
  return [
    ...(title === "" ? [] : [`in ${visible(title, NAME_CAP)}`]),
    ...(shown.length === 0 ? [] : ["called by", ...shown]),
    ...(callers.length > CALLERS ? [`… ${callers.length - CALLERS} more`] : []),
  ];
}

/** `12 frames narrower than half a pixel`, `the first is com.acme.Shop.pay`; nearer than `isClosest` is no zoom. */
export function markWords(columns: ChartColumns, box: number, count: number, isClosest: boolean): BoxWords {
  const what = columns.lanes[columns.lane[box]]?.beside === "states" ? "state" : "frame";
  return {
    name: `${formatCounted(count, what)} narrower than half a pixel`,
    parts: [`the first is ${boxName(columns, box)}`, isClosest ? "click to select it" : "click to zoom in"],
  };
}

/** Ns of the pause at a moment; null if there is none. */
export function pauseAt({ pauses }: ChartColumns, moment: number): number | null {
  const at = firstAbove(pauses.from, moment, 0, pauses.from.length) - 1;
  return at >= 0 && moment < pauses.to[at] ? pauses.to[at] - pauses.from[at] : null;
}

/** Figures of one box of a flame chart, and the meaning of the width of a sample. */
export function boxFigures(columns: ChartColumns, box: number): [label: string, value: string][] {
  const { origin, start, duration, self, step } = columns;
  const digits = digitsFor(step);
  const clock = formatClock(origin + BigInt(Math.round(start[box])), digits);
  const rows: [label: string, value: string][] = [
    ["Start", formatOffset(start[box], digits)],
    ["Clock (UTC)", clock],
    ["Total", formatNanos(duration[box])],
    ["Self", formatNanos(self[box])],
  ];
  return rows.filter(([, value]) => value !== "");
}

const NANOSECONDS = "nanoseconds";

/** What the width of a sample means. core/samples/ordered-samples.ts, which reads them, decides by the same facts. */
export function widthWords({
  unit,
  periods,
  period,
  periodUnit,
  measures,
}: Pick<ProfileSummary, "unit" | "periods" | "period" | "periodUnit" | "measures">): string {
  const measured = "Width of a sample: the time that it measured";
  if (unit === NANOSECONDS) return periods === undefined ? measured : "Width of a sample: its sampling interval";
  if (periodUnit === NANOSECONDS && period > 0n)
    return `Width of a sample: the sampling interval, ${formatNanos(Number(period))}`;
  return measures[1]?.unit === NANOSECONDS ? measured : "Samples have no duration: a line is a sample";
}
