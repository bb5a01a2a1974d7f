/** Words for the figures of a comparison. */
import { formatBytes, formatCount, formatCounted, formatNanos, formatPercent, formatPoints } from "../words/format.ts";
import { type Change, type ComparedSide, type Comparison, isChanged, type Per } from "./comparison.ts";
import type { Judged } from "./conditions.ts";

const PER_WORD: Record<Per, string> = {
  second: " per second",
  request: " per request",
  share: ", shares of the total",
};
const PER_SIGN: Record<Per, string> = { second: "/s", request: "/request", share: "" };

/** `cpu per second`, `wall samples per request`. */
export function subjectWords({ type, unit, per }: Pick<Comparison, "type" | "unit" | "per">): string {
  return `${type}${unit === "samples" && per !== "share" ? " samples" : ""}${PER_WORD[per]}`;
}

type Figured = Pick<Comparison, "unit" | "per">;
type Compared = Figured & Pick<Comparison, "errorKnown">;

/** `12.3 ms/s`, `1.2 MiB/request`, `34.1 %`. */
export function figureWords(value: number, { unit, per }: Figured): string {
  return per === "share" ? formatPercent(value, 1) : `${valueWords(value, unit)}${PER_SIGN[per]}`;
}

function valueWords(value: number, unit: string): string {
  if (unit === "nanoseconds") return formatNanos(value);
  if (unit === "bytes") return formatBytes(value);
  return Math.abs(value) < 100 ? String(Number(value.toPrecision(3))) : formatCount(value);
}

/** `+12.3 % ± 4.1 %`, `+1.2 pp ± 0.4 pp` for shares, `new`, `unchanged`. */
export function changeWords(change: Change, { unit, per, errorKnown }: Compared): string {
  const { value, base, error, relative, relativeError } = change;
  const difference = value - base;
  const within = (words: string) => (errorKnown ? ` ± ${words}` : ", error not known");
  if (difference === 0) return "unchanged";
  if (per === "share") return `${formatPoints(difference)}${within(`${(error * 100).toFixed(1)} pp`)}`;
  if (relative === null || relativeError === null) {
    return errorKnown ? `new (± ${valueWords(error, unit)}${PER_SIGN[per]})` : "new";
  }
  // From three times as much on, percents are hard to read.
  if (relative > 2) return `${(1 + relative).toPrecision(3)}×${within(`${Number(relativeError.toPrecision(2))}×`)}`;
  return `${formatPoints(relative, "%")}${within(formatPercent(relativeError, 1))}`;
}

/** `, not significant` after the words of such a change. */
export function sureWords({ isSure, value, base }: Change): string {
  return isSure || value === base ? "" : ", not significant";
}

/** `60.2 s, 1,204 samples, 87 requests`. */
export function sideWords({ seconds, samples, requests }: ComparedSide): string {
  const time = seconds === null ? [] : [formatNanos(seconds * 1e9)];
  const asked = requests === null ? [] : [formatCounted(requests, "request")];
  return [...time, formatCounted(samples, "sample"), ...asked].join(", ");
}

/** One sentence about the whole comparison. */
export function verdictWords(comparison: Comparison, judged: readonly Judged[]): string {
  const count = (result: Judged["result"]) => judged.filter((each) => each.result === result).length;
  const noun = formatCounted(judged.length, "condition");
  const failed = count("failed");
  if (failed > 0) return `Failed: ${failed} of ${noun}.`;
  if (judged.length > 0) {
    const unsure = count("unsure");
    const doubt = comparison.errorKnown ? "exceeded only within the sampling error" : "exceeded, error not known";
    const more = unsure === 0 ? "" : ` ${unsure} ${doubt}.`;
    const unknown = count("unknown");
    return `Passed: ${noun}.${more}${unknown === 0 ? "" : ` ${unknown} not known: the recorder left out events.`}`;
  }
  if (!comparison.errorKnown) return "Error not known: no change is significant.";
  const changed = changedCount(comparison);
  const rows = formatCounted(comparison.rows.length, comparison.by);
  return changed === 0
    ? `No ${comparison.by} changed significantly.`
    : `${formatCount(changed)} of ${rows} changed significantly.`;
}

export function changedCount({ rows }: Comparison): number {
  return rows.filter(isChanged).length;
}

/** Rows to show: those with significant changes. */
export function shownRows({ rows }: Comparison, limit: number): Comparison["rows"] {
  return rows.filter(isChanged).slice(0, limit);
}

const RESULT_WORDS: Record<Judged["result"], string> = {
  passed: "passed",
  unsure: "passed: within the sampling error",
  failed: "failed",
  unknown: "not known: the recorder left out events",
};

export function resultWords({ result }: Judged, { errorKnown }: Pick<Comparison, "errorKnown">): string {
  return result === "unsure" && !errorKnown ? "passed: error not known" : RESULT_WORDS[result];
}

/** Figures of a condition in their unit. */
export function judgedFigure(value: number, { isShare }: Judged, { unit, per }: Figured): string {
  return figureWords(value, { unit, per: isShare ? "share" : per });
}
