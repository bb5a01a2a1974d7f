/** A wait as a row of the waterfall: what it was for and who held it, and its time. */
import type { CSSProperties } from "react";
import { PART_WORDS } from "../../../model/span-time/words.ts";
import { axisOf, labelPlace } from "../../../model/trace/waterfall.ts";
import { heldFilter } from "../../../model/waits/held.ts";
import { mainHolder, startInTrace, WAIT_PARTS, waitWords } from "../../../model/waits/wait-rows.ts";
import type { Wait } from "../../../model/waits/waits.ts";
import { formatNanos } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import { PartKey } from "../../parts/drawing/TimeBar.tsx";
import type { GridRow } from "../../parts/grid/VirtualGrid.tsx";
import track from "./SpanTrack.module.css";
import { CHARACTER, pauseBands, type TrackProps } from "./SpanTrack.tsx";
import { INDENT_PX } from "./span-columns.tsx";
import css from "./TraceView.module.css";

/** Selects what the holder did meanwhile; of a wait without a known one, what the thread itself did. */
export function openedBy(wait: Wait) {
  return heldFilter(mainHolder(wait) ?? wait);
}

type Rows = Pick<TrackProps, "trace" | "drawn" | "width">;

export function waitRow({ trace, drawn, width }: Rows, place: number, wait: Wait): GridRow {
  const part = WAIT_PARTS[wait.kind] ?? "unknown";
  const depth = (trace.depth[place] ?? 0) + 1;
  const { duration } = trace;
  const from = startInTrace(trace, wait);
  const length = Number(wait.durationNano);
  const share = (nanos: number) => `${duration === 0 ? 0 : (100 * nanos) / duration}%`;
  const words = waitWords(wait);
  const holder = mainHolder(wait);
  const does = holder === null ? "its thread" : "its holder";
  const label = [formatNanos(length), holder?.operation ?? holder?.thread ?? ""]
    .filter((text) => text !== "")
    .join(" · ");
  const side = labelPlace({ from, to: from + length }, duration, width, CHARACTER * label.length);
  // Letters are not read on the colour of a part.
  const isBefore = side !== "after";
  const at: CSSProperties = isBefore
    ? { left: 0, right: share(duration - from), textAlign: "right" }
    : { left: share(from + length), right: 0 };
  const grid: CSSProperties & Record<"--step", string> = { "--step": `${100 * axisOf(duration, width).step}%` };
  return {
    id: `wait ${wait.startUnixNano} ${wait.threadId ?? wait.thread}`,
    title: `${PART_WORDS[part].name} ${words}\nOpens what ${does} did meanwhile`,
    "aria-level": depth + 1,
    cells: [
      <span
        key="name"
        className={css.name}
        data-testid="wait-row"
        style={{ paddingLeft: `min(40%, ${INDENT_PX * depth + INDENT_PX}px)`, cursor: "pointer" }}
      >
        <PartKey part={part} />
        {PART_WORDS[part].name}
        <span className={css.service}>{words}</span>
      </span>,
      <span key="bar" className={track.track} style={grid}>
        {pauseBands(drawn, place, duration)}
        <span
          className={track.mark}
          data-testid="wait-bar"
          data-part={part}
          style={{ top: 6, height: 12, left: share(from), width: share(length) }}
        />
        <span className={track.label} style={at}>
          {visible(label, 80)}
        </span>
      </span>,
    ],
  };
}
