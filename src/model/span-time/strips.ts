/**
 * What each span of a trace did over time, as marks for its bar: samples on a processor, wall samples by their state,
 * waits with their durations; and pauses of the collector. Marks of a span and a state that are nearer to each other
 * than a screen can show are one mark, so that their number is limited by that of the spans, not of the samples.
 */
import type { SampleReader } from "../../core/samples/sample-reader.ts";
import { distinctOfKind } from "../../core/tables/meanings.ts";
import type { ProfileSummary } from "../../core/types.ts";
import type { Marks } from "../../core/view-types.ts";
import { IdMap } from "../../ids/map.ts";
import { blockingPart, eventPart, lasts } from "./accounts.ts";
import { BREAKDOWN } from "./breakdown.ts";
import { Pauses } from "./pauses.ts";
import { SampleStates } from "./sample-states.ts";
import { STATE_KEY, type WallPart, wallPartOf } from "./states.ts";

/** Marks that fit beside each other over the whole trace. */
const STEPS = 1000;

/** Columns by mark, in the order of places and times. Times are ns after the start of the trace, on its clock. */
export interface Strips {
  /** Place of the span. */
  place: Uint32Array;
  at: Float64Array;
  /** Ns that an event lasted; 0 for a sample. */
  length: Float64Array;
  /** Index in BREAKDOWN. */
  part: Uint8Array;
  /** Samples and events that the mark is of. */
  count: Float64Array;
}

interface StripSpan {
  id: bigint;
  place: number;
  zero: bigint;
}

export interface StripsRequest {
  /** `zero`: the start of the trace on the clock of the samples of the span. Of spans of an id the first counts. */
  spans: readonly StripSpan[];
  /** Ns of the whole trace. */
  duration: number;
  profiles: readonly ProfileSummary[];
  marks: Pick<Marks, "start" | "pauses">;
}

interface Mark {
  place: number;
  at: number;
  to: number;
  part: number;
  count: number;
}

/** */
export function stripsOf(reader: SampleReader, { spans, duration, profiles, marks }: StripsRequest): Strips {
  const step = Math.max(1, duration / STEPS);
  const found = new Map<number, Mark>();
  const kinds = kindsOf(reader, profiles, new SampleStates(reader, new Pauses(marks)));
  const byId = new IdMap<StripSpan>();
  for (const span of spans) if (!byId.has(span.id)) byId.set(span.id, span);
  if (byId.size > 0 && kinds.size > 0) {
    const filter = { span: [...byId].map(([id]) => id) };
    reader.eachOf(new Set(kinds.keys()), filter, (profile, sample) => {
      const span = byId.get(sample.span);
      const [part, length = 0, count = 1] = kinds.get(profile)?.(sample) ?? [];
      if (span === undefined || part === undefined) return;
      add(span.place, BREAKDOWN.indexOf(part), Number(sample.time - span.zero), length, count);
    });
  }
  return columnsOf([...found.values()].sort((a, b) => a.place - b.place || a.at - b.at || a.part - b.part));

  function add(place: number, part: number, time: number, length: number, count: number): void {
    const at = Math.min(duration, Math.max(0, time));
    const to = Math.min(duration, Math.max(at, time + length));
    const key = (place * BREAKDOWN.length + part) * (STEPS + 1) + Math.floor(at / step);
    const known = found.get(key);
    if (known === undefined) return void found.set(key, { place, at, to, part, count });
    known.at = Math.min(known.at, at);
    if (to > at) known.to = Math.max(known.to, to);
    known.count += count;
  }
}

type Kind = (
  sample: Parameters<Parameters<SampleReader["each"]>[2]>[0],
) => [part: WallPart | "cpu", length: number, count: number];

/** What a sample of each profile means, of those that have a state of the thread. Samples have no length. */
export function kindsOf(
  reader: SampleReader,
  profiles: readonly ProfileSummary[],
  states: SampleStates,
): Map<number, Kind> {
  const kinds = new Map<number, Kind>();
  const [cpus, walls] = [distinctOfKind(profiles, "cpu"), distinctOfKind(profiles, "wall")];
  for (const profile of profiles) {
    const blocking = blockingPart(profile);
    if (cpus.includes(profile)) kinds.set(profile.id, ({ observations }) => ["cpu", 0, observations]);
    else if (walls.includes(profile)) {
      kinds.set(profile.id, (sample) => {
        const recorded = reader.attribute(sample.set, STATE_KEY);
        return [wallPartOf(states.of(sample), recorded), 0, sample.observations];
      });
    } else if (blocking !== undefined) {
      kinds.set(profile.id, ({ event, nanos, stack }) => {
        const part = states.isIdle(stack) ? "idle" : (eventPart(event, blocking) as WallPart);
        return [part, lasts(event) ? Number(nanos) : 0, 1];
      });
    }
  }
  return kinds;
}

function columnsOf(marks: readonly Mark[]): Strips {
  return {
    place: Uint32Array.from(marks, ({ place }) => place),
    at: Float64Array.from(marks, ({ at }) => at),
    length: Float64Array.from(marks, ({ at, to }) => to - at),
    part: Uint8Array.from(marks, ({ part }) => part),
    count: Float64Array.from(marks, ({ count }) => count),
  };
}

/** Pauses of the collector within a trace: ns after its start, and the recording that they are of. */
export interface PauseBands {
  from: Float64Array;
  to: Float64Array;
  file: Int32Array;
}

/** `zeros`: the start of the trace on the clock of each recording; null for one without a span of the trace. */
export function pauseBands(
  { start, pauses }: Pick<Marks, "start" | "pauses">,
  zeros: readonly (bigint | null)[],
  duration: number,
): PauseBands {
  const step = duration / STEPS;
  const bands: { from: number; to: number; file: number }[] = [];
  const last = new Map<number, { from: number; to: number }>();
  for (const [i, at] of pauses.at.entries()) {
    const file = pauses.file[i] ?? 0;
    const zero = zeros[file] ?? null;
    if (zero === null) continue;
    const first = Number(start - zero) + at;
    const band = { from: Math.max(0, first), to: Math.min(duration, first + (pauses.nanos[i] ?? 0)), file };
    if (band.to < band.from) continue;
    // Pauses are in the order of time.
    const before = last.get(file);
    if (before !== undefined && band.from <= before.to + step) before.to = Math.max(before.to, band.to);
    else {
      bands.push(band);
      last.set(file, band);
    }
  }
  return {
    from: Float64Array.from(bands, ({ from }) => from),
    to: Float64Array.from(bands, ({ to }) => to),
    file: Int32Array.from(bands, ({ file }) => file),
  };
}
