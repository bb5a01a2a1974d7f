import { Fragment, type ReactNode } from "react";
import type { Chip } from "../../../model/query/chips.ts";
import type { QueryAction } from "../../../model/query/query.ts";
import type { BreakdownName, BreakdownPart } from "../../../model/span-time/breakdown.ts";
import { around, type LongestPause, type LongestStretch } from "../../../model/span-time/longest-pause.ts";
import type { PartSamples } from "../../../model/span-time/opens.ts";
import { intervalWords, PART_WORDS } from "../../../model/span-time/words.ts";
import { formatCount, formatCounted, formatNanos, formatPercent } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import { PartKey, TimeBar } from "../../parts/drawing/TimeBar.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import css from "./SpanTimeSection.module.css";

/** Opens the samples that pass these filters in a profile. */
export type OpenSamples = (type: string, chips: readonly Chip[]) => void;

/** Opens the chart of a request at its longest pause. */
export type OpenPause = (pause: LongestPause) => void;

interface Props {
  time: {
    breakdown: readonly BreakdownPart[];
    opens: readonly PartSamples[];
    duration: number;
    pause: LongestPause | null;
  };
  /** Names of the profile types. */
  labels: ReadonlyMap<string, string>;
  /** Null where no filter selects the samples. */
  onOpen: OpenSamples | null;
  onPause: OpenPause;
  /** The part of a row in other spans. */
  others: (row: BreakdownPart) => ReactNode;
}

/** Words for a part that opens nothing. Pauses open the chart. */
const NO_SAMPLES: Partial<Record<BreakdownName, string>> = {
  cpu: "no CPU sample hit it",
  "off-thread": "no thread to sample",
  children: "their samples are those of the child spans",
  unsampled: "no sample to open",
};

/** A bar of parts that add up to a time, and a row for each: its samples, its share, its interval. */
export function TimeParts(props: Props) {
  return (
    <>
      <TimeBar breakdown={props.time.breakdown} />
      <PartList {...props} />
    </>
  );
}

/** The rows alone, where the bar is elsewhere. */
export function PartList({ time, labels, onOpen, onPause, others }: Props) {
  const { breakdown, opens, duration, pause } = time;
  return (
    <ul className={css.parts}>
      {breakdown.map((row) => (
        <Part
          key={row.part}
          row={row}
          of={duration}
          opens={onOpen === null ? [] : opens.filter(({ part }) => part === row.part)}
          labels={labels}
          onOpen={(opened) => onOpen?.(opened.type, chipsOf(opened))}
          pause={row.part === "gc" && pause !== null && <PauseButton pause={pause} onPause={onPause} />}
        >
          {others(row)}
        </Part>
      ))}
    </ul>
  );
}

function chipsOf({ attributes, frames }: PartSamples): Chip[] {
  return [
    ...attributes.map((attribute): Chip => ({ kind: "attribute", ...attribute })),
    ...frames.map((frame): Chip => ({ kind: "frame", ...frame })),
  ];
}

/** The chart of the request that a pause or a wait stopped, zoomed to it; of `shown` if it has no samples. */
export function openPause({ id, by, type, time }: LongestStretch, shown: string): QueryAction {
  const chip: Chip = { kind: by === "root" ? "local-root" : "span", id };
  return { kind: "open", chips: [chip], type: type ?? shown, view: "chart", zoom: around(time) };
}

/** A pause stops all threads, so no stack explains it: the chart shows what ran around it. */
function PauseButton({ pause, onPause }: { pause: LongestPause; onPause: OpenPause }) {
  const { pauses, time } = pause;
  const longest = pauses === 1 ? "1 pause" : `the longest of ${formatCount(pauses)} pauses`;
  return (
    <Button
      className={css.opens}
      testId="span-part-gc"
      aria-label={`GC: chart of ${longest}, ${formatNanos(time.to - time.from)}`}
      tip={`Flame chart of ${longest}`}
      onClick={() => onPause(pause)}
    >
      Chart
    </Button>
  );
}

interface PartProps {
  row: BreakdownPart;
  of: number;
  /** The samples behind the part. */
  opens: readonly PartSamples[];
  labels: ReadonlyMap<string, string>;
  onOpen: (opened: PartSamples) => void;
  pause: ReactNode;
  children: ReactNode;
}

function Part({ row, of, opens, labels, onOpen, pause, children }: PartProps) {
  const { part, nano } = row;
  const { name, about } = PART_WORDS[part];
  return (
    <li title={about}>
      <PartKey part={part} />
      <span className={css.name}>{name}</span>
      {opens.map((opened, i) => {
        const profile = visible(labels.get(opened.type) ?? opened.type, 40);
        const { samples, inPauses } = opened;
        const paused = part !== "gc" && inPauses > 0 ? `${formatCount(inPauses)} in GC pauses` : "";
        return (
          <Fragment key={JSON.stringify([opened.type, opened.attributes, opened.frames])}>
            <Button
              className={css.opens}
              testId={i === 0 && pause === false ? `span-part-${part}` : `span-part-${part}-${i}`}
              data-samples={samples}
              aria-label={`${name}: ${profile}, ${formatCounted(samples, "sample")}`}
              onClick={() => onOpen(opened)}
            >
              {profile} {formatCount(samples)}
            </Button>
            {paused !== "" && <span className={css.without}>{paused}</span>}
          </Fragment>
        );
      })}
      {pause}
      {opens.length === 0 && NO_SAMPLES[part] !== undefined && (
        <span className={css.without} data-testid={`span-without-${part}`}>
          {NO_SAMPLES[part]}
        </span>
      )}
      <span className={css.figures}>
        {formatNanos(Number(nano))}, {formatPercent(Number(nano), of)}
      </span>
      <span className={css.interval} data-testid={`span-interval-${part}`}>
        {intervalWords(row)}
      </span>
      {children}
    </li>
  );
}
