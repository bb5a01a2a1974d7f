import type { CSSProperties } from "react";
import type { TimeRange } from "../../../core/types.ts";
import { decades, shareOf } from "../../../model/trace/span-map.ts";
import css from "./RangeRail.module.css";

interface Durations {
  p50: number;
  p95: number;
  max: number;
}

interface Props {
  of: Durations;
  /** The scale of all rows. */
  rail: TimeRange;
  /** 60 px within a line of text, without lines of the scale. */
  isSmall?: boolean;
}

const PERCENT = 100;
export const at = (share: number): CSSProperties => ({ left: `${PERCENT * share}%` });

/** From a power of ten to a power of ten around all percentiles. */
export function railOf(least: number, most: number): TimeRange {
  const low = Math.floor(Math.log10(Math.max(1, Math.min(least, most))));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(1, most))));
  return { from: 10n ** BigInt(low), to: 10n ** BigInt(high) };
}

/** The scale of some rows; rows without a duration do not widen it. */
export function railOfAll(rows: readonly Durations[]): TimeRange {
  const known = rows.flatMap(({ p50, max }) => [p50, max]).filter((nanos) => nanos > 0);
  return railOf(Math.min(...known), Math.max(1, ...known));
}

/** A bar from p50 to p95, and a line from there to the longest. The same figures are in words beside it. */
export function RangeRail({ of: { p50, p95, max }, rail, isSmall = false }: Props) {
  const share = shareOf(rail);
  const [middle, high, end] = [share(p50), share(p95), share(max)];
  const width = (from: number, to: number): CSSProperties => ({ ...at(from), width: `${PERCENT * (to - from)}%` });
  return (
    <span className={isSmall ? `${css.rail} ${css.small}` : css.rail} aria-hidden="true">
      {!isSmall && decades(rail).map((nanos) => <span key={nanos} className={css.line} style={at(share(nanos))} />)}
      <span className={css.tail} style={width(middle, end)} />
      <span className={css.band} style={width(middle, high)} />
      <span className={css.middle} style={at(middle)} />
      <span className={css.max} style={at(end)} />
    </span>
  );
}
