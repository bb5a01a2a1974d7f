import { createHash } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { fileInput, loadCore, openRecording } from "../../test/kit/open-recording.ts";
import { bytesSource } from "../bytes/byte-source.ts";
import { Core } from "../core/core.ts";
import { readInputs } from "../input/open.ts";
import { ENDPOINT_KEYS } from "../model/lists/request-keys.ts";
import { markSources } from "../requests/open-files.ts";
import type { SelectOptions } from "./options.ts";
import type { Recording } from "./recording.ts";
import type { Selection } from "./selection.ts";

const SAMPLE = "public/sample.jfr";

/** Selections that differ in profile, filter, names, measure and shape. */
const SELECTIONS: [profile: string, options: SelectOptions][] = [
  ["cpu", {}],
  ["wall", { frame: "run" }],
  ["cpu", { attributes: { tenant: ["eu", "us"] }, names: "recorded" }],
  ["alloc-samples", { measure: 1 }],
  ["cpu", { shape: { recursion: "all", lines: true } }],
  ["cpu", { shape: { merged: ["java"] }, noSpan: true }],
];

/** Every request, with an answer that can be compared. */
const REQUESTS: Record<string, (selection: Selection, other: Selection) => unknown> = {
  total: ({ total }) => total,
  top: (selection) => selection.top({ limit: 5, by: "total" }),
  flame: (selection) => selection.flame({ width: 300 }),
  callers: (selection) => selection.callers(),
  sandwich: (selection) => {
    const [{ name } = { name: "" }] = selection.top({ limit: 1 }).rows;
    return [selection.callers(name), selection.callees(name)];
  },
  children: (selection) => selection.children(),
  search: (selection) => selection.search("run|park"),
  rank: (selection) => selection.rank("local-root", { limit: 3, sort: "duration", wholeExtents: true }),
  values: (selection) => selection.rank({ attribute: "thread.name" }, { limit: Number.POSITIVE_INFINITY }),
  why: (selection) => selection.why(),
  threads: (selection) => selection.threads(),
  timeline: (selection) => selection.timeline({ bins: 7 }),
  heat: (selection) => selection.heat({ columns: 5 }),
  changed: (selection, other) => selection.changed(other, { limit: 5 }),
  diff: (selection, other) => selection.diff(other, { width: 200 }),
  columns: (selection) => [...selection.columns({ pageRows: 100 })].map(({ rows, value }) => [rows, value]),
  samples: (selection) => selection.samples().next().value,
  stacks: (selection) => [...selection.stacks()].slice(0, 3),
  links: (selection) => [...selection.links()].slice(0, 3),
  attributes: (selection) => [...selection.attributes()].slice(0, 3),
  write: (selection) => hashOf(selection.write("otlp").bytes),
  collapsed: (selection) => hashOf(selection.write("collapsed").bytes),
  writeTo: (selection) => {
    const sizes: number[] = [];
    return [selection.writeTo("pprof", (part) => sizes.push(part.length), { timestamps: true }), sizes];
  },
};

// Comparing bytes one by one would take most of the time.
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const select = (recording: Recording, i: number) => recording.select(...SELECTIONS[i]!);
const partner = (i: number) => SELECTIONS.findIndex(([profile], k) => k !== i && profile === SELECTIONS[i]![0]);

describe("requests", () => {
  const asked = fc.record({
    selection: fc.nat(SELECTIONS.length - 1),
    request: fc.constantFrom(...Object.keys(REQUESTS)),
  });

  it("answer for their own selection, whatever was asked, written or refused before", async () => {
    using recording = await openRecording(fileInput(SAMPLE));
    const selections = SELECTIONS.map((_, i) => select(recording, i));
    const answer = (i: number, name: string) => REQUESTS[name]!(selections[i]!, selections[Math.max(0, partner(i))]!);
    const alone = new Map<string, unknown>();
    for (const [i] of SELECTIONS.entries()) {
      for (const [name, request] of Object.entries(REQUESTS)) {
        using fresh = await openRecording(fileInput(SAMPLE));
        const [own, other] = [select(fresh, i), select(fresh, Math.max(0, partner(i)))];
        alone.set(`${i} ${name}`, request(own, other));
      }
    }
    fc.assert(
      fc.property(fc.array(asked, { minLength: 2, maxLength: 8 }), (sequence) => {
        for (const { selection, request } of sequence) {
          expect(() => recording.select("cpu", { frame: "(" })).toThrow(/not a supported regular expression/);
          expect(answer(selection, request)).toEqual(alone.get(`${selection} ${request}`));
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe("a selection", () => {
  let core: Core;
  let recording: Recording;
  beforeAll(async () => {
    core = await Core.instantiate(await loadCore());
    await readInputs(core, [{ name: SAMPLE, source: bytesSource(fileInput(SAMPLE).data) }]);
    await markSources(core);
    recording = await openRecording(fileInput(SAMPLE));
  });

  it("has the answers of the core", () => {
    const { id } = recording.profiles.find(({ type }) => type === "cpu")!;
    const root = recording.select("cpu").rank("local-root").rows[0]!.id;
    const selection = recording.select("cpu", { localRoot: root, frame: { pattern: "bookshop", exclude: true } });
    const filter = { localRoot: root, frames: [{ pattern: "bookshop", exclude: true }] };
    expect(selection.total()).toEqual(core.select(id, filter));
    expect(selection.top({ limit: 3 })).toEqual(core.views.top("self", 0, 3));
    expect(selection.flame()).toEqual(core.views.frames({ focus: 0, width: 1200 }));
    expect(hashOf(selection.write("otlp").bytes)).toBe(hashOf(core.write(id, filter, { format: "otlp" }).bytes));
    expect(hashOf(recording.write("otlp-json", { pretty: true }).bytes)).toBe(
      hashOf(core.write(null, {}, { format: "otlp-json", pretty: true }).bytes),
    );
    const [first] = recording.inputs;
    expect(first).toEqual({ name: SAMPLE, read: "wholly" });
    expect(recording.profiles).toEqual(core.profiles());
    expect(recording.marks()).toEqual(core.views.marks());
  });

  it("has every condition of the command line, several values of each, and its opposite", () => {
    const samples = (options: SelectOptions) => recording.select("wall", options).total().samples;
    const all = samples({});
    const { rows } = recording.select("wall").rank("thread");
    const roots = recording
      .select("wall")
      .rank("local-root")
      .rows.map(({ id }) => id);
    const key = ENDPOINT_KEYS.find((each) => recording.attributeKeys.includes(each))!;
    const endpoints = recording.select("wall").rank({ attribute: key }).rows;
    const none = "(no endpoint)";
    const [first, second] = endpoints.map(({ label }) => label) as [string, string];
    expect(samples({ thread: rows[0]!.label })).toBe(rows[0]!.samples);
    expect(samples({ thread: [rows[0]!.label, rows[1]!.label] })).toBe(rows[0]!.samples + rows[1]!.samples);
    expect(samples({ traceId: roots[0]!, localRoot: roots[1]! })).toBe(samples({ localRoot: roots.slice(0, 2) }));
    expect(samples({ endpoint: first })).toBe(endpoints[0]!.samples);
    expect(samples({ endpoint: [first, second] })).toBe(samples({ endpoint: first }) + samples({ endpoint: second }));
    const conditions: NonNullable<SelectOptions["not"]>[] = [
      { thread: rows[0]!.label },
      { traceId: roots[0]! },
      { endpoint: first },
      { endpoint: none },
      { frame: "java" },
      { attributes: { [key]: first } },
      { attributes: [{ key, value: first, exclude: true }] },
    ];
    for (const not of conditions) {
      expect([not, samples({ not }) + samples({ ...not })]).toEqual([not, all]);
      expect(samples({ ...not })).toBeGreaterThan(0);
    }
    expect(samples({ not: { endpoint: [first, second] } })).toBe(all - samples({ endpoint: [first, second] }));
    expect(samples({ not: { endpoint: first, thread: rows[0]!.label }, thread: rows[1]!.label })).toBeLessThan(all);
  });

  it("takes a profile by type or id, and a measure by name or index", () => {
    const profile = recording.profiles.find(({ type }) => type === "alloc-samples")!;
    expect(recording.select(profile.id).total()).toEqual(recording.select("alloc-samples").total());
    const second = profile.measures[1]!;
    const byName = recording.select("alloc-samples", { measure: second.name });
    expect(byName.total()).toEqual(recording.select("alloc-samples", { measure: 1 }).total());
    expect(byName.measure).toEqual(second);
    expect(byName.total().value).toBe(second.value);
  });

  it("of all profiles counts observations and adds up no values", () => {
    const all = recording.select(null);
    expect(all.total()).toEqual({
      samples: recording.profiles.reduce((sum, { samples }) => sum + samples, 0),
      value: 0n,
    });
    expect(all.write("otlp").observations).toBe(all.total().samples);
  });

  it("is compared by its own names and in its own shape, whatever those of the baseline are", () => {
    const from = recording.select("cpu").top({ by: "total", limit: 9 }).rows[8]!.name;
    for (const own of [{ names: "recorded" }, { shape: { from } }, { shape: { lines: true } }] as SelectOptions[]) {
      const selection = recording.select("cpu", own);
      const same = selection.changed(recording.select("cpu", { ...own, frame: "e" }));
      expect(selection.changed(recording.select("cpu", { frame: "e" }))).toEqual(same);
      expect(same.rows.some(({ baseTotal }) => baseTotal > 0n)).toBe(true);
    }
  });

  it("shows frames without limit of width, and rows without limit of number", () => {
    const selection = recording.select("cpu");
    const { frames, hiddenFrames, framesInFocus } = selection.flame({ width: Number.POSITIVE_INFINITY });
    expect([hiddenFrames, frames.node.length]).toEqual([0, framesInFocus]);
    expect(selection.top().rows).toHaveLength(100);
    const { count, rows } = selection.top({ limit: Number.POSITIVE_INFINITY });
    expect(rows).toHaveLength(count);
  });

  it("writes one message in parts, and several messages below a size", async () => {
    const selection = recording.select(null);
    const whole = selection.write("otlp");
    const parts: Uint8Array[] = [];
    for await (const part of selection.writeAsync("otlp")) parts.push(part);
    expect(Buffer.concat(parts).equals(whole.bytes)).toBe(true);
    const messages = [];
    const indexOf = (name: string | null) => recording.profiles.findIndex(({ type }) => type === name);
    for await (const message of selection.messages("otlp", { limit: 100_000 })) messages.push(message);
    const types = messages.map(({ type }) => type);
    expect([...new Set(types)]).toEqual(recording.profiles.map(({ type }) => type));
    // A profile above the limit is in several messages, by time.
    expect(types).toEqual([...types].sort((a, b) => indexOf(a) - indexOf(b)));
    expect(types.length).toBeGreaterThan(recording.profiles.length);
    expect(messages.reduce((sum, { observations }) => sum + observations, 0)).toBe(whole.observations);
  });
});
