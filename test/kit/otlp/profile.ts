/** A profile summary for tests of the page. */
import { meaningOf } from "../../../src/core/tables/meanings.ts";
import type { Measured } from "../../../src/model/words/measure.ts";

export function profileSummary(part: Partial<Measured> & { type: string }): Measured {
  const { samples = 10, unit = "samples", periodType = "", periodUnit = "", period = 0n } = part;
  const otlpType = part.otlpType ?? part.type;
  const value = part.value ?? BigInt(samples);
  return {
    id: 0,
    otlpType,
    unit,
    meaning: meaningOf({ type: otlpType, unit, periodType, periodUnit, period }, unit === "samples" ? 1 : 0),
    periodType,
    periodUnit,
    period,
    events: {},
    samples,
    value,
    stacks: 1,
    threads: 1,
    samplesWithSpan: 0,
    samplesWithRoot: 0,
    samplesWithAttribute: {},
    measures: [{ name: unit, type: otlpType, unit, value }],
    settings: [],
    measure: 0,
    ...part,
  };
}
