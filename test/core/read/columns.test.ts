/**
 * Columns, tables and iterated samples of the library against the OTLP message of the same selection, which protobufjs
 * decodes: the same observations, whatever the filter, the file and the size of the pages.
 */
import { readdirSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Recording } from "../../../src/library/recording.ts";
import type { Sample } from "../../../src/library/sample-types.ts";
import type { Selection } from "../../../src/library/selection.ts";
import { hexId } from "../../../src/model/words/ids.ts";
import { fileInput, openRecording } from "../../kit/open-recording.ts";
import { PPROF } from "../../kit/otlp/messages.ts";
import { protobufOf } from "../../kit/otlp/otlp-encode.ts";
import { resolve } from "../../kit/otlp/resolve.ts";
import { sound } from "../../kit/otlp/sound-message.ts";

const NO_ID = "0".repeat(32);
/** Kept in other fields of a sample. */
const ELSEWHERE = new Set(["span.id", "local_root_span.id", "trace.id", "jfr.event", "profile.type"]);

interface Value {
  stringValue?: string;
  intValue?: string;
  boolValue?: boolean;
  doubleValue?: number;
}
type Attribute = [key: string, value: Value, unit: string];
type Frame = [name: string, line: unknown, file: string];

/** An observation in words that both sides have. */
interface Line {
  type: string;
  value: string;
  time: string;
  trace: string;
  span: string;
  attributes: string[];
  frames: Frame[];
}

/** Frames known by their address have their label as name in the store, and in the message perhaps no line at all. */
const named = (frames: Frame[]) => frames.filter(([name]) => !/\+0x[0-9a-f]+$/.test(name));

const attributeText = (key: string, value: unknown) => `${key}=${value}`;

/** Observations of a message; `known` are the keys of attributes that samples have, the others are the resource's. */
function written(bytes: Uint8Array, known: ReadonlySet<string>, isTimed: (type: string) => boolean): Line[] {
  return resolve(bytes).map((text) => {
    const [[[type], , period], said, traceId, spanId, stack, value, time] = JSON.parse(text);
    const all = (said as string[]).map((each): Attribute => JSON.parse(each));
    // A Link has two ids: a lone one is an attribute.
    const lone = (...keys: string[]) => all.find(([key]) => keys.includes(key))?.[1].stringValue ?? "";
    const attributes = all.filter(([key]) => known.has(key) && !ELSEWHERE.has(key));
    const frames = (stack as [unknown, unknown, [[string, string, string], number][]][]).flatMap(([, , lines]) =>
      lines.map(([[name, , file], line]): Frame => [name ?? "", Number(line ?? 0), file ?? ""]),
    );
    return {
      type,
      value: (BigInt(value ?? 0) * (isTimed(type) ? BigInt(period) : 1n)).toString(),
      time: time ?? "0",
      trace: (traceId || lone("local_root_span.id", "trace.id")).padStart(NO_ID.length, "0"),
      span: spanId || lone("span.id"),
      attributes: attributes.map(([key, each]) => attributeText(key, Object.values(each)[0])).sort(),
      frames: named(frames),
    };
  });
}

/** The same of an iterated sample. */
function iterated(sample: Sample, otlpTypes: ReadonlyMap<string, string>): Line {
  const { link, thread } = sample;
  const said = [
    ...Object.entries(sample.attributes),
    ...(thread === null ? [] : [["thread.name", thread.name] as const, ["thread.id", thread.id] as const]),
  ].filter(([, value]) => value !== "");
  return {
    type: otlpTypes.get(sample.profile)!,
    value: sample.value.toString(),
    time: sample.time.toString(),
    trace: ((link?.localRoot ?? 0n) || (link?.trace ?? 0n)).toString(16).padStart(NO_ID.length, "0"),
    span: link === null || link.span === 0n ? "" : hexId(link.span),
    attributes: said.map(([key, value]) => attributeText(key, value)).sort(),
    frames: named(sample.stack.frames.map((frame): Frame => [frame.function, frame.line, frame.file])),
  };
}

/** The first difference only: a list of all would have megabytes. */
function difference(found: string[], expected: string[]): unknown {
  const at = Math.max(found.length, expected.length);
  for (let i = 0; i < at; i++) if (found[i] !== expected[i]) return { found: found[i], expected: expected[i] };
  return null;
}

const lines = (all: Line[]) => all.map((line) => JSON.stringify(line)).sort();

/** Samples as the tables and columns have them, without the library's objects. */
function fromColumns(recording: Recording, selection: Selection, pageRows: number): string[] {
  const stacks = recording.tables.stacks();
  const frames = recording.tables.frames();
  const links = recording.tables.links();
  const found: string[] = [];
  for (const page of selection.columns({ pageRows })) {
    expect(page.rows).toBeLessThanOrEqual(pageRows);
    for (let i = 0; i < page.rows; i++) {
      const [from, to] = [stacks.offsets[page.stack[i]!]!, stacks.offsets[page.stack[i]! + 1]!];
      const names = Array.from(stacks.items.subarray(from, to), (frame) => frames.name[frame]);
      const { type } = recording.profiles.find(({ id }) => id === page.profile[i])!;
      found.push([type, page.time[i], page.value[i], links.span[page.link[i]!], names.join(";")].join(" "));
    }
  }
  return found;
}

function fromSamples(selection: Selection): string[] {
  return Array.from(selection.samples(), ({ profile, time, value, link, stack }) =>
    [profile, time, value, link?.span ?? 0n, stack.frames.map((frame) => frame.function).join(";")].join(" "),
  );
}

const RECORDINGS = [
  ...readdirSync("fixtures/recorded").flatMap((name) => (name.endsWith(".jfr") ? [`fixtures/recorded/${name}`] : [])),
  "fixtures/shop-chunks.jfr",
];
const INPUTS = [
  ...RECORDINGS.map((name) => [name, [fileInput(name)]] as const),
  ["two files", [fileInput("fixtures/shop.jfr"), fileInput("fixtures/shop-chunks.jfr")]] as const,
  ["an OTLP message", [{ name: "message.pb", data: protobufOf(sound()) }]] as const,
  ["a pprof profile", [{ name: "profile.pprof", data: PPROF }]] as const,
];

function facts(recording: Recording) {
  const keys = new Set([...recording.attributeKeys, "thread.name", "thread.id"]);
  for (const { resource } of recording.files) for (const key of Object.keys(resource)) keys.delete(key);
  const timed = new Set(
    recording.profiles
      .filter(({ periods, unit }) => periods !== undefined && unit === "nanoseconds")
      .map(({ otlpType }) => otlpType),
  );
  const types = new Map(recording.profiles.map(({ type, otlpType }) => [type, otlpType]));
  return { keys, types, isTimed: (type: string) => timed.has(type) };
}

describe("observations of", () => {
  it.each(INPUTS)("%s are those of its OTLP message", async (_, input) => {
    using recording = await openRecording(input);
    const { keys, types, isTimed } = facts(recording);
    for (const { type } of recording.profiles) {
      const selection = recording.select(type);
      const expected = lines(written(selection.write("otlp").bytes, keys, isTimed));
      const found = lines(Array.from(selection.samples(), (sample) => iterated(sample, types)));
      expect([type, difference(found, expected)]).toEqual([type, null]);
    }
  });
});

describe("columns", () => {
  it.each(INPUTS)("of %s add up to its profiles, and are its iterated samples", async (_, input) => {
    using recording = await openRecording(input);
    const all = recording.select(null);
    const sums = new Map<number, [samples: number, value: bigint, second: bigint]>();
    for (const { rows, profile, value, second } of all.columns({ pageRows: 1000 })) {
      for (let i = 0; i < rows; i++) {
        const [samples, sum, seconds] = sums.get(profile[i]!) ?? [0, 0n, 0n];
        sums.set(profile[i]!, [samples + 1, sum + value[i]!, seconds + second[i]!]);
      }
    }
    expect([...sums].sort(([a], [b]) => a - b)).toEqual(
      recording.profiles.map(({ id, samples, measures: [first, second] }) => [
        id,
        [samples, first!.value, second?.value ?? 0n],
      ]),
    );
    expect(difference(fromColumns(recording, all, 777), fromSamples(all))).toBeNull();
  });

  it("of a second measure are its values", async () => {
    using recording = await openRecording(fileInput("public/sample.jfr"));
    const selection = recording.select("alloc-samples", { measure: 1 });
    const pages = [...selection.columns({ pageRows: 10 })];
    const sum = pages.flatMap(({ value }) => [...value]).reduce((a, b) => a + b, 0n);
    expect(sum).toBe(selection.total().value);
    expect(pages.every(({ value, second }) => value.every((each, i) => each === second[i]))).toBe(true);
  });

  it("are those of the filter, for any filter and any size of pages", async () => {
    using recording = await openRecording([fileInput("fixtures/shop.jfr"), fileInput("public/sample.jfr")]);
    const { keys, types, isTimed } = facts(recording);
    const { from, to } = recording.time!;
    const roots = recording
      .select("cpu")
      .rank("local-root", { limit: 5 })
      .rows.map(({ id }) => id);
    const moment = fc.bigInt({ min: from, max: to });
    const options = fc.record(
      {
        localRoot: fc.subarray(roots, { minLength: 1 }),
        frame: fc.constantFrom("h2", "run", { pattern: "java", exclude: true }),
        time: fc.tuple(moment, moment).map(([a, b]) => (a < b ? { from: a, to: b } : { from: b, to: a })),
        file: fc.constantFrom("fixtures/shop.jfr", "public/sample.jfr"),
        noSpan: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const profile = fc.constantFrom(null, ...recording.profiles.map(({ type }) => type));
    fc.assert(
      fc.property(profile, options, fc.integer({ min: 1, max: 3000 }), (type, given, pageRows) => {
        const selection = recording.select(type, given);
        const expected = lines(written(selection.write("otlp").bytes, keys, isTimed));
        const samples = [...selection.samples({ pageRows })];
        expect(difference(lines(samples.map((sample) => iterated(sample, types))), expected)).toBeNull();
        const shares = [...selection.stacks({ pageRows })];
        expect(shares.reduce((sum, { samples: n }) => sum + n, 0)).toBe(selection.total().samples);
        expect(shares.reduce((sum, { weight }) => sum + weight, 0n)).toBe(selection.total().value);
      }),
      { numRuns: 60 },
    );
  });
});

describe("shares", () => {
  it("of links and attributes are those of the rankings", async () => {
    using recording = await openRecording(fileInput("public/sample.jfr"));
    const selection = recording.select("wall");
    const spans = new Map<bigint, bigint>();
    for (const { span, weight } of selection.links())
      if (span !== 0n) spans.set(span, (spans.get(span) ?? 0n) + weight);
    const { rows } = selection.rank("span", { limit: Number.POSITIVE_INFINITY });
    expect([...spans].sort()).toEqual(rows.map(({ id, value }): [bigint, bigint] => [id, value]).sort());
    for (const { key, value, samples, weight } of selection.attributes()) {
      const row = selection
        .rank({ attribute: key }, { limit: Number.POSITIVE_INFINITY })
        .rows.find(({ label }) => label === String(value));
      expect([key, value, row?.samples, row?.value]).toEqual([key, value, samples, weight]);
    }
  });
});
