/** Figures of one box of a flame chart, and the meaning of the width of a sample. */
import type { ProfileSummary } from "../../core/types.ts";
import { formatNanos } from "../words/format.ts";
import { digitsFor, formatClock, formatOffset } from "../words/moments.ts";
import type { ChartColumns } from "./columns.ts";

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

/** What the width of a sample means. The reader of the samples decides by the same facts (core/ordered-samples.ts). */
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
