/**
 * The critical path in frames: what each stretch of it did in the process of its span. The longest wait tells a stretch
 * that it covers by half, with its holder; else the samples of the span in the stretch do, by the function of the
 * application that most of them are in. These are wall samples where the stretch has some, else CPU samples.
 */
import type { SampleReader } from "../../core/samples/sample-reader.ts";
import { isOfKind } from "../../core/tables/kinds.ts";
import type { ProfileSummary } from "../../core/types.ts";
import type { Marks } from "../../core/view-types.ts";
import { IdMap } from "../../ids/map.ts";
import { BREAKDOWN, type BreakdownName } from "../span-time/breakdown.ts";
import { Pauses } from "../span-time/pauses.ts";
import { SampleStates } from "../span-time/sample-states.ts";
import { kindsOf } from "../span-time/strips.ts";
import type { CriticalStretch } from "../trace/times.ts";
import type { Wait } from "../waits/waits.ts";
import { codeOf } from "./application.ts";

/** The samples of a stretch that are in one function. */
export interface HotStack {
  part: BreakdownName;
  /** The function of the application nearest to the leaf, else the leaf. */
  function: string;
  samples: number;
  /** The most frequent stack of these samples, outermost first. */
  stack: string[];
}

/** What a stretch of the critical path did. */
export interface CriticalFrames extends CriticalStretch {
  /** Wall samples of the span in it, else CPU samples. */
  samples: number;
  /** Null without samples. */
  hottest: HotStack | null;
  /** The longest wait in it, and how much of the stretch it covers, in ns; null where no event tells one. */
  wait: { of: Wait; nanos: number } | null;
}

/** A span of the path: its id, and what to add to a time of the trace for one of its recording. */
interface PathSpan {
  id: bigint;
  offset: bigint;
}

interface Asked {
  path: readonly CriticalStretch[];
  /** Null for a place whose samples belong to another one. */
  spanAt: (place: number) => PathSpan | null;
  waitsOf: (span: bigint[]) => readonly Wait[];
  profiles: readonly ProfileSummary[];
  marks: Pick<Marks, "start" | "pauses">;
}

/** A stretch on the clock of the recording. */
interface Open {
  from: bigint;
  to: bigint;
  found: CriticalFrames;
  /** Samples by part, then by stack: of wall samples, and of CPU samples. */
  wall: Map<string, number>;
  cpu: Map<string, number>;
}

export function criticalFrames(reader: SampleReader, asked: Asked): CriticalFrames[] {
  const byId = new IdMap<Open[]>();
  const ids: bigint[] = [];
  const all = asked.path.map((stretch) => {
    const found: CriticalFrames = { ...stretch, samples: 0, hottest: null, wait: null };
    const span = asked.spanAt(stretch.place);
    if (span === null) return found;
    const { id, offset } = span;
    const open = { from: stretch.from + offset, to: stretch.to + offset, found, wall: new Map(), cpu: new Map() };
    const known = byId.get(id);
    if (known === undefined) {
      byId.set(id, [open]);
      ids.push(id);
    } else known.push(open);
    return found;
  });
  if (ids.length === 0) return all;
  countSamples(reader, asked, ids, (span) => byId.get(span) ?? []);
  for (const [, opens] of byId) for (const open of opens) settle(reader, open);
  for (const wait of asked.waitsOf(ids)) {
    for (const { from, to, found } of byId.get(BigInt.asUintN(64, wait.span ?? 0n)) ?? []) {
      const nanos = overlap(from, to, wait);
      if (nanos > (found.wait?.nanos ?? 0)) found.wait = { of: wait, nanos };
    }
  }
  return all;
}

function overlap(from: bigint, to: bigint, { startUnixNano, durationNano }: Wait): number {
  const end = startUnixNano + durationNano;
  return Number((end < to ? end : to) - (startUnixNano > from ? startUnixNano : from));
}

function countSamples(
  reader: SampleReader,
  { profiles, marks }: Asked,
  ids: readonly bigint[],
  opensOf: (span: bigint) => readonly Open[],
): void {
  const isWall = isOfKind("wall");
  const timed = profiles.filter(isOfKind("wall", "cpu"));
  const walls = new Set(timed.filter(isWall).map(({ id }) => id));
  const kinds = kindsOf(reader, timed, new SampleStates(reader, new Pauses(marks)));
  if (kinds.size === 0) return;
  reader.eachOf(new Set(kinds.keys()), { span: [...ids] }, (profile, sample) => {
    const { time } = sample;
    const open = opensOf(BigInt.asUintN(64, sample.span)).find(({ from, to }) => from <= time && time < to);
    if (open === undefined) return;
    const [part, , count = 1] = kinds.get(profile)?.(sample) ?? [];
    if (part === undefined) return;
    const counts = walls.has(profile) ? open.wall : open.cpu;
    const key = `${BREAKDOWN.indexOf(part)} ${sample.stack}`;
    counts.set(key, (counts.get(key) ?? 0) + count);
  });
}

/** Names the stacks of a stretch. */
function settle(reader: SampleReader, { wall, cpu, found }: Open): void {
  const { application } = codeOf();
  const functions = new Map<string, HotStack & { most: number }>();
  for (const [key, count] of wall.size > 0 ? wall : cpu) {
    const [part = 0, stack = 0] = key.split(" ").map(Number);
    const names = reader.namesOf(stack);
    const name = names.find((each) => application(each)) ?? names[0] ?? "";
    const same = `${part} ${name}`;
    const known = functions.get(same);
    const own = { part: BREAKDOWN[part]!, function: name, samples: (known?.samples ?? 0) + count };
    const isMost = known === undefined || count > known.most;
    functions.set(same, {
      ...own,
      ...(isMost ? { stack: names.toReversed(), most: count } : { stack: known.stack, most: known.most }),
    });
    found.samples += count;
  }
  const [hottest] = [...functions.values()].sort((a, b) => b.samples - a.samples);
  if (hottest === undefined) return;
  const { most: _, ...hot } = hottest;
  found.hottest = hot;
}
