/** The option `only` of `open`: samples that cannot match are not read, and all else is as without it. */
import { createHash } from "node:crypto";
import * as Comlink from "comlink";
import { describe, expect, it } from "vitest";
import { fixture, RECORDINGS } from "../../test/kit/core/read-filters.ts";
import { fileInput, loadCore, openRecording } from "../../test/kit/open-recording.ts";
import type { OnlyOptions, SelectOptions } from "./options.ts";
import type { Recording } from "./recording.ts";
import type { Selection } from "./selection.ts";
import { openInWorker } from "./worker.ts";
import { WorkerHost } from "./worker-host.ts";

/** Conditions on facts of a recording. */
function conditionsOf(recording: Recording): OnlyOptions[] {
  const [first, second] = recording.profiles;
  if (first === undefined) return [];
  const rich = recording.profiles.toSorted((a, b) => b.samplesWithRoot - a.samplesWithRoot)[0]!;
  const [root] = recording.select(rich.id).rank("local-root", { limit: 1 }).rows;
  const [thread] = recording.select(rich.id).rank({ attribute: "thread.name" }, { limit: 1 }).rows;
  const { from, to } = recording.time ?? { from: 0n, to: 1n };
  return [
    { profiles: first.type },
    { profiles: [first, second ?? first].map(({ type }) => type), noSpan: true },
    { time: { from, to: from + (to - from) / 3n } },
    ...(root === undefined ? [] : [{ localRoot: root.id }, { not: { localRoot: root.id } }]),
    ...(thread === undefined ? [] : [{ attributes: { "thread.name": thread.label } }]),
  ];
}

/** What is the same of a recording of which only a part was read. Times of pauses count from the first sample read. */
function factsOf(recording: Recording): unknown {
  const { inputs, settings, eventTypes } = recording;
  const files = recording.files.map(({ samples: _, ...file }) => file);
  const { start, pauses } = recording.marks();
  const times = Array.from(pauses.at, (at) => start + BigInt(at));
  return { inputs, files, settings, eventTypes, times, nanos: pauses.nanos, series: recording.series() };
}

/** A message of a selection, whose rows are numbered by their first use. */
function hashed(selection: Selection): unknown {
  const { bytes, ...totals } = selection.write("otlp");
  return { ...totals, hash: createHash("sha256").update(bytes).digest("hex"), total: selection.total() };
}

function observations(recording: Recording): number {
  return recording.profiles.reduce((sum, { samples }) => sum + samples, 0);
}

describe.each(RECORDINGS)("%s", (name) => {
  it("has the same matching samples, and the same facts of the whole", async () => {
    using whole = await openRecording({ name: "a.jfr", data: fixture(name) });
    let fewer = 0;
    for (const only of conditionsOf(whole)) {
      using part = await openRecording({ name: "a.jfr", data: fixture(name) }, { only });
      const { profiles, ...conditions }: OnlyOptions & SelectOptions = only;
      const types = profiles === undefined ? whole.profiles.map(({ type }) => type) : [profiles].flat();
      for (const type of types) {
        const known = part.profiles.some((profile) => profile.type === type);
        const wanted = whole.select(type, conditions);
        const what = `${type} ${Object.keys(only)}`;
        if (!known) expect(wanted.total().samples, what).toBe(0);
        else expect(hashed(part.select(type, conditions)), what).toEqual(hashed(wanted));
      }
      expect(factsOf(part)).toEqual(factsOf(whole));
      if (observations(part) < observations(whole)) fewer++;
    }
    expect(fewer).toBeGreaterThan(2);
  });
});

it("is an option of openInWorker, too", async () => {
  const { port1, port2 } = new MessageChannel();
  Comlink.expose(new WorkerHost(), port1 as unknown as Comlink.Endpoint);
  const input = fileInput("public/sample.jfr");
  const only = { profiles: "wall" };
  const remote = await openInWorker(input, { worker: port2 as unknown as Worker, wasm: await loadCore(), only });
  using recording = await openRecording(input, { only });
  using whole = await openRecording(input);
  expect(remote.profiles).toEqual(recording.profiles);
  expect(observations(recording)).toBeLessThan(observations(whole));
  port1.close();
});
