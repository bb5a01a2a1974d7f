/** The time of a span's row: its bar with the samples that it has, the critical path, pauses, and its figures. */
import { type CSSProperties, useMemo } from "react";
import { BREAKDOWN, type BreakdownName } from "../../../model/span-time/breakdown.ts";
import { reasonWords, samplesIn, sampleWords, silenceAt } from "../../../model/trace/span-words.ts";
import { axisOf, labelPlace, serviceHue } from "../../../model/trace/waterfall.ts";
import { formatCounted, formatNanos } from "../../../model/words/format.ts";
import type { TraceSpans, TraceStrips } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer } from "../../parts/answers/use-answer.ts";
import css from "./SpanTrack.module.css";

interface Mark {
  part: BreakdownName;
  at: number;
  length: number;
}

interface Stretch {
  from: number;
  to: number;
}

/** What is drawn of the rows of a trace beside their bars, by place. */
export interface Drawn {
  marksAt: (place: number) => readonly Mark[];
  pathAt: (place: number) => readonly Stretch[];
  pausesAt: (place: number) => readonly Stretch[];
  /** Parts that a mark has. */
  parts: readonly BreakdownName[];
  hasPauses: boolean;
}

/** Null until the answer is there. */
export function useDrawn(trace: TraceSpans): Drawn | null {
  const answered = useAnswer(trace, (asked) => viewer.ofTraces("strips", asked.trace));
  const strips = answered?.question === trace ? answered.answer : null;
  return useMemo(() => (strips === null ? null : drawnOf(strips)), [strips]);
}

function drawnOf({ place, at, length, part, path, pauses, file }: TraceStrips): Drawn {
  const partOf = (i: number) => BREAKDOWN[part[i] ?? 0] ?? "unknown";
  const marks = byKey(place, (i): Mark => ({ part: partOf(i), at: at[i] ?? 0, length: length[i] ?? 0 }));
  const paths = byKey(path.place, (i): Stretch => ({ from: path.from[i] ?? 0, to: path.to[i] ?? 0 }));
  const ofFile = byKey(pauses.file, (i): Stretch => ({ from: pauses.from[i] ?? 0, to: pauses.to[i] ?? 0 }));
  const found = new Set(Array.from(part, (_, i) => partOf(i)));
  return {
    marksAt: (row) => marks.get(row) ?? [],
    pathAt: (row) => paths.get(row) ?? [],
    pausesAt: (row) => ofFile.get(file[row] ?? -1) ?? [],
    parts: BREAKDOWN.filter((each) => found.has(each)),
    hasPauses: pauses.from.length > 0,
  };
}

function byKey<T>(keys: Uint32Array | Int32Array, of: (i: number) => T): Map<number, T[]> {
  const found = new Map<number, T[]>();
  for (const [i, key] of keys.entries()) {
    const own = found.get(key) ?? [];
    found.set(key, own);
    own.push(of(i));
  }
  return found;
}

/** The axis above the bars. */
export function TimeHead({ duration, width }: { duration: number; width: number }) {
  const { ticks } = axisOf(duration, width);
  return (
    <span className={css.axis} data-testid="trace-axis">
      <span className="visually-hidden">time</span>
      {ticks.map(({ at, text }) => (
        <span key={at} className={css.tick} style={{ left: percent(at) }}>
          {text}
        </span>
      ))}
    </span>
  );
}

export interface TrackProps {
  trace: TraceSpans;
  /** Null until the answer is there. */
  drawn: Drawn | null;
  place: number;
  /** Of the track, in CSS pixels. */
  width: number;
  /** Bars have the colours of their services: there are several. */
  isColoured: boolean;
  /** Names of the profile types. */
  labels: ReadonlyMap<string, string>;
}

export function Track({ trace, drawn, place, width, labels, isColoured }: TrackProps) {
  const { duration } = trace;
  const share = (nanos: number) => percent(duration === 0 ? 0 : nanos / duration);
  const [from, length] = [trace.from[place] ?? 0, trace.length[place] ?? 0];
  const path = drawn?.pathAt(place) ?? [];
  const service = trace.serviceOf[place] ?? 0;
  const style: CSSProperties & { "--hue"?: number } = {
    ...{ left: share(from), width: share(length) },
    ...(isColoured && { "--hue": serviceHue(service) }),
  };
  const grid: CSSProperties & Record<"--step", string> = { "--step": percent(axisOf(duration, width).step) };
  return (
    <span className={css.track} style={grid}>
      <span className={css.bar} data-testid="span-bar" style={style} />
      {pauseBands(drawn, place, duration)}
      {drawn?.marksAt(place).map(({ part, at, length: lasted }) => (
        <span
          key={`${part} ${at}`}
          className={css.mark}
          data-testid="span-mark"
          data-part={part}
          style={{ left: share(at), width: share(lasted) }}
        />
      ))}
      {path.map(({ from: at, to }) => (
        <span
          key={at}
          className={css.path}
          data-testid="span-path"
          style={{ left: share(at), width: share(to - at) }}
        />
      ))}
      <Label {...{ trace, place, width, labels }} />
      {(trace.critical[place] ?? 0) > 0 && <span className="visually-hidden">on the critical path</span>}
    </span>
  );
}

/** The pauses of the process of a span, in its row and in those of its waits. */
export function pauseBands(drawn: Drawn | null, place: number, duration: number) {
  const share = (nanos: number) => percent(duration === 0 ? 0 : nanos / duration);
  return drawn
    ?.pausesAt(place)
    .map(({ from: at, to }) => (
      <span
        key={at}
        className={css.pause}
        data-testid="span-pause"
        data-part="gc"
        style={{ left: share(at), width: share(to - at) }}
      />
    ));
}

/** CSS pixels of a character of the label, and around it. */
export const CHARACTER = 6.4;
const LABEL_PADDING = 10;

/** Duration, and samples or why there are none; where the bar leaves it room. */
function Label({ trace, place, width, labels }: Omit<TrackProps, "drawn" | "isColoured">) {
  const { duration } = trace;
  const [from, length] = [trace.from[place] ?? 0, trace.length[place] ?? 0];
  const counted = trace.profiles.map(({ type, shares, samples, inferred }) => ({
    shares,
    label: labels.get(type) ?? type,
    samples: samples[place] ?? 0,
    inferred: inferred[place] ?? 0,
  }));
  const count = samplesIn(counted);
  const silence = silenceAt(trace, place);
  const time = formatNanos(length);
  const samples = trace.isAlone ? "" : formatCounted(count, "sample");
  const about = silence === null ? samples : reasonWords(silence);
  const fits = (letters: number) =>
    labelPlace({ from, to: from + length }, duration, width, CHARACTER * letters + LABEL_PADDING);
  const all = fits(time.length + about.length + 3);
  const side = all ?? fits(time.length) ?? "inside";
  const share = (nanos: number) => percent(duration === 0 ? 0 : nanos / duration);
  const at = {
    after: { left: share(from + length) },
    before: { right: share(duration - from) },
    inside: { left: share(from), right: share(duration - from - length) },
  }[side];
  return (
    <span className={css.label} data-side={side} style={at} title={trace.isAlone ? undefined : sampleWords(counted)}>
      <span className={css.time}>{time}</span>{" "}
      {all === null ? <span className="visually-hidden">{about}</span> : about !== "" && `· ${about}`}
    </span>
  );
}

function percent(share: number): string {
  return `${100 * share}%`;
}
