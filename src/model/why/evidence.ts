/** The number of samples that a figure is based on. */
import type { ProfileSummary, SelectionTotals } from "../../core/types.ts";

/** Collapsed stacks and pprof have one row for many samples, whose number is its value. */
export function evidence({ unit }: ProfileSummary, { samples, value }: SelectionTotals): number {
  return unit === "samples" || unit === "count" ? Math.max(samples, Number(value)) : samples;
}

/** `cpu` of `cpu:jdk.ExecutionSample`. */
export function baseType({ type }: ProfileSummary): string {
  return type.split(":", 1)[0] ?? type;
}
