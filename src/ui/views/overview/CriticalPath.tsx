import { useMemo } from "react";
import type { CriticalFrames } from "../../../model/why/critical-frames.ts";
import { criticalWords } from "../../../model/why/critical-words.ts";
import { formatNanos, formatPercent } from "../../../model/words/format.ts";
import { hexId } from "../../../model/words/ids.ts";
import { visible } from "../../../model/words/text.ts";
import type { TraceSpans } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer } from "../../parts/answers/use-answer.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { MiddleText } from "../../parts/grid/FrameName.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import { useTrace } from "../trace/use-trace.ts";
import view from "./OverviewView.module.css";
import css from "./Rows.module.css";

const SHOWN = 6;

/** The spans that the trace of a request waited for, the longest first. One opens the trace at itself. */
export function CriticalPath({ query, act }: Pick<ViewProps, "query" | "act">) {
  const { id } = query.trace;
  const trace = useTrace(id === "all" ? "" : id, query.filter);
  const path = useMemo(() => (trace ? longestOf(trace) : []), [trace]);
  const asked = trace && path.length > 1 ? trace : null;
  const frames = useAnswer(asked, (of) => viewer.criticalFrames(of.trace), true);
  const told = useMemo(() => tellingWords((frames?.question === asked && frames?.answer) || []), [frames, asked]);
  // One span is what the bar above shows.
  if (!trace || path.length < 2) return null;
  const { duration, texts, nameOf, resourceOf, critical } = trace;
  const open = (place: number) => {
    act({ kind: "trace", trace: { search: hexId(trace.id[place] ?? 0n) } });
    act({ kind: "view", view: "trace" });
  };
  return (
    <section className={view.section} data-testid="critical-path">
      <h2 className={view.title}>Critical path</h2>
      <p className={view.quiet}>the spans that the trace of {formatNanos(duration)} waited for</p>
      <ol>
        {path.slice(0, SHOWN).map((place) => {
          const nanos = critical[place] ?? 0;
          const names = [nameOf, resourceOf].map((texts_) => visible(texts[texts_[place] ?? 0] ?? "", 120));
          return (
            <li key={place}>
              <Button
                className={`${css.row} ${css.span}`}
                testId="critical-span"
                data-id={String(trace.id[place])}
                onClick={() => open(place)}
              >
                <span className={view.bar} style={{ width: `${(100 * nanos) / Math.max(1, duration)}%` }} />
                <span className={css.name}>
                  <MiddleText text={[...new Set(names)].join(" ").trim() || "(no name)"} />
                </span>
                <span>{formatNanos(nanos)}</span>
                <span>{formatPercent(nanos, duration)}</span>
                {told.has(place) && (
                  <span className={css.did} data-testid="critical-did">
                    {told.get(place)}
                  </span>
                )}
              </Button>
            </li>
          );
        })}
      </ol>
      {path.length > SHOWN && <p className={view.quiet}>{path.length - SHOWN} more in the trace</p>}
    </section>
  );
}

/** What the longest stretch of each place did of which something is known. */
function tellingWords(frames: readonly CriticalFrames[]): ReadonlyMap<number, string> {
  const found = new Map<number, { words: string; nanos: bigint }>();
  for (const each of frames) {
    const words = criticalWords(each);
    const nanos = each.to - each.from;
    if (words !== "" && nanos > (found.get(each.place)?.nanos ?? -1n)) found.set(each.place, { words, nanos });
  }
  return new Map([...found].map(([place, { words }]) => [place, words]));
}

/** Places of the spans on the path. */
function longestOf({ critical }: TraceSpans): number[] {
  const of = (place: number) => critical[place] ?? 0;
  return [...critical.keys()].filter((place) => of(place) > 0).sort((a, b) => of(b) - of(a));
}
