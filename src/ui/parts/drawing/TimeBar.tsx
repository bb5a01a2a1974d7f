import type { CSSProperties } from "react";
import type { BreakdownName, BreakdownPart } from "../../../model/span-time/breakdown.ts";
import css from "./TimeBar.module.css";

interface Props {
  breakdown: readonly Pick<BreakdownPart, "part" | "nano">[];
  /** Its width, as a part of the room: 0 to 1. */
  width?: number;
  /** Of other requests, under the bar of the own ones. */
  isGhost?: boolean;
}

/** A bar of the parts of a time. The same figures are in words beside it. */
export function TimeBar({ breakdown, width = 1, isGhost = false }: Props) {
  return (
    <span
      className={isGhost ? `${css.bar} ${css.ghost}` : css.bar}
      style={{ width: `${100 * Math.max(0, Math.min(1, width))}%` }}
      aria-hidden="true"
    >
      {breakdown.map(({ part, nano }) => (
        <span key={part} className={css.part} data-part={part} style={growing(Number(nano))} />
      ))}
    </span>
  );
}

/** The parts of a time of 0 have no width. */
function growing(nanos: number): CSSProperties {
  return { flexGrow: nanos };
}

/** The colour of a part beside its name. */
export function PartKey({ part }: { part: BreakdownName }) {
  return <span className={css.key} data-part={part} aria-hidden="true" />;
}
