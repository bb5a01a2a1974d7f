/** What threads did in the wall samples of a frame of the call tree. */
import { type SampleReader, samplesOf } from "../core/samples/sample-reader.ts";
import { filterKey } from "../model/query/query.ts";
import { drawn } from "../model/query/shape.ts";
import { BREAKDOWN } from "../model/span-time/breakdown.ts";
import { Pauses } from "../model/span-time/pauses.ts";
import { SampleStates } from "../model/span-time/sample-states.ts";
import { kindsOf } from "../model/span-time/strips.ts";
import type { FrameStates, Query } from "./api/api.ts";
import type { OpenRecording } from "./open-recording.ts";
import { factsOfSamples } from "./traces/sample-facts.ts";

/** Values by stack × PARTS + part: of the last selection, for the pointer goes over many of its frames. */
const known = new WeakMap<SampleReader, { key: string; values: ReadonlyMap<number, number> }>();
const PARTS = 32;

/** The parts of the frame's value, the largest first; null where the recording states none, and with root frames. */
export function frameStates(recording: OpenRecording, query: Query, node: number): FrameStates | null {
  const reader = samplesOf(recording.held);
  const values = valuesIn(recording, reader, query);
  if (values.size === 0) return null;
  recording.look(drawn(query));
  const tree = reader.tree();
  if (tree === null) return null;
  const { leaf, parent } = tree;
  const sums = new Float64Array(PARTS);
  for (const [key, value] of values) {
    // Parents are before their children.
    let at = leaf[Math.floor(key / PARTS)] ?? 0;
    while (at > node) at = parent[at] ?? 0;
    if (at === node) sums[key % PARTS]! += value;
  }
  const parts = BREAKDOWN.map((part, i) => ({ part, value: sums[i] ?? 0 })).filter(({ value }) => value > 0);
  return parts.sort((a, b) => b.value - a.value);
}

function valuesIn(recording: OpenRecording, reader: SampleReader, { profile, filter }: Query) {
  const key = `${profile} ${filterKey(filter)}`;
  const before = known.get(reader);
  if (before?.key === key) return before.values;
  const values = new Map<number, number>();
  const { profiles, marks } = factsOfSamples(recording.core);
  const asked = profiles.filter(({ id, meaning }) => id === profile && meaning.kind === "wall");
  const kind = kindsOf(reader, asked, new SampleStates(reader, new Pauses(marks))).get(profile);
  if (kind !== undefined)
    reader.each(profile, recording.samplesOf(filter), (sample) => {
      const [part] = kind(sample);
      // Wall samples alone do not tell whether a thread that could run had a processor.
      const place = sample.stack * PARTS + BREAKDOWN.indexOf(part === "runnable" ? "running" : part);
      values.set(place, (values.get(place) ?? 0) + Number(sample.value));
    });
  known.set(reader, { key, values });
  return values;
}
