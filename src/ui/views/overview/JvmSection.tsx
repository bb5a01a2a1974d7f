import { useMemo, useRef } from "react";
import type { TimeRow } from "../../../core/answers/time-rows.ts";
import { ticks } from "../../../model/timeline/axis.ts";
import { momentAt } from "../../../model/timeline/lanes.ts";
import { legend, marksOf, wordsAt } from "../../../model/timeline/marks.ts";
import { formatOffset } from "../../../model/words/moments.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer } from "../../parts/answers/use-answer.ts";
import { useWidth } from "../../parts/drawing/use-width.ts";
import crosshair from "../../parts/timeline/Crosshair.module.css";
import { JvmStrips } from "../../parts/timeline/JvmStrips.tsx";
import { TimelineMarks } from "../../parts/timeline/TimelineMarks.tsx";
import { useDescribe, usePointing } from "../../parts/timeline/use-pointing.ts";
import { scopeOf } from "../../parts/timeline/use-time-view.ts";
import css from "./JvmSection.module.css";
import view from "./OverviewView.module.css";

/** Room of a tick with its label, and how near to a pause the pointer tells of it. CSS pixels. */
const TICK_PX = 76;
const REACH_PX = 3;
const MS = 3;

/** The longest file with measurements; null if no file has any. */
export function measuredRow(rows: readonly TimeRow[]): TimeRow | null {
  const length = ({ from, to }: TimeRow) => Number(to - from);
  return rows.filter(({ measured }) => measured).sort((a, b) => length(b) - length(a))[0] ?? null;
}

/** Pauses of the collector, and what the JVM measured: the strips of the timeline's JVM panel over the whole file. */
export function JvmSection({ row }: { row: TimeRow }) {
  const section = useRef<HTMLElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const width = useWidth(plot);
  const pointing = usePointing(section, (share) => formatOffset(momentAt(row, share) - row.from, MS));
  const time = useMemo(() => ({ row, shown: row, settled: { ...row, ...scopeOf(row) } }), [row]);
  const all = useAnswer(row, () => viewer.marks(), true)?.answer ?? null;
  const marks = useMemo(() => (all === null ? null : marksOf(all, row)), [all, row]);
  const reach = (REACH_PX * Number(row.to - row.from)) / Math.max(1, width);
  useDescribe(pointing, "pauses", (share) =>
    marks === null ? [] : [wordsAt(marks, momentAt(row, share), reach)].filter((line) => line !== ""),
  );
  const pauses = marks === null ? undefined : legend(marks).find(({ kind }) => kind === "pauses");
  return (
    <section ref={section} className={`${view.section} ${crosshair.plots}`} data-testid="overview-jvm">
      <h2 className={view.title}>JVM</h2>
      <p className={view.quiet}>{pauses?.text ?? "no GC pauses"}</p>
      <div className={css.strips}>
        <span className={css.name}>GC pauses</span>
        <div ref={plot} className={css.pauses} data-plot="pauses">
          {marks !== null && <TimelineMarks marks={marks} shown={row} />}
        </div>
        <JvmStrips view={time} pointing={pointing} width={width} />
        <div className={css.axis} aria-hidden="true">
          {ticks(row, row.from, Math.max(2, Math.floor(width / TICK_PX))).map(({ at, offset }) => (
            <span key={offset} style={{ left: `${100 * at}%` }} hidden={at > 0.9}>
              {offset}
            </span>
          ))}
        </div>
      </div>
    </section>
  );
}
