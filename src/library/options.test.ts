import { beforeAll, describe, expect, it } from "vitest";
import { fileInput, loadCore, openRecording } from "../../test/kit/open-recording.ts";
import { SpanflameError } from "../core/instance/error.ts";
import { openWith } from "./open.ts";
import type { Recording } from "./recording.ts";
import type { Selection } from "./selection.ts";
import { validate } from "./validate.ts";

/** The arguments of JavaScript callers, which no compiler checks. */
// biome-ignore lint/suspicious/noExplicitAny: wrong arguments are the subject
type Anything = any;

const errorOf = async (call: () => unknown): Promise<string> => {
  try {
    await call();
  } catch (error) {
    if (error instanceof SpanflameError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "no error";
};

let recording: Recording;
let cpu: Selection;
beforeAll(async () => {
  recording = await openRecording(fileInput("public/sample.jfr"));
  cpu = recording.select("cpu");
});

const select = (options: Anything, profile: Anything = "cpu") => recording.select(profile, options);
const open = (inputs: Anything, options?: Anything) => openWith(loadCore, inputs, options);

const CASES: [expected: string | RegExp, call: () => unknown][] = [
  [
    /^option\.unknown: select has no option "localroot"; its options are span, localRoot, /,
    () => select({ localroot: 12n }),
  ],
  ["option.value: the options of select is an object, not an array", () => select([])],
  ["option.id: select: localRoot is a bigint; `parseId` reads ids from texts, not 12", () => select({ localRoot: 12 })],
  [/^option\.id: select: span\[1\] is a bigint/, () => select({ span: [1n, "2"] })],
  ["option.id: select: span is an id from 1 to 2^64 - 1, not 18446744073709551616n", () => select({ span: 1n << 64n })],
  ["option.id: select: not: span is an id from 1 to 2^64 - 1, not 0n", () => select({ not: { span: 0n } })],
  ["option.value: select: noSpan is a boolean, not 1", () => select({ noSpan: 1 })],
  ["option.value: select: attributes.tenant is a string, not 1", () => select({ attributes: { tenant: 1 } })],
  ["option.value: select: attributes[0]: value is missing", () => select({ attributes: [{ key: "tenant" }] })],
  [/^option\.unknown: select: frame has no option "patern"/, () => select({ frame: { patern: "run" } })],
  [/^filter\.pattern: /, () => select({ frame: "(" })],
  [
    /^option\.unknown: select: not has no option "noSpan"; its options are span, localRoot, traceId, /,
    () => select({ not: { noSpan: true } }),
  ],
  ["option.value: select: thread[1] is a string, not 7", () => select({ thread: ["main", 7] })],
  [
    /^attribute\.unknown: select: no sample has the attribute "thread"; they have .*tenant/,
    () => select({ attributes: { thread: "main" } }),
  ],
  [/^attribute\.unknown: rank: no sample has the attribute "thread"; /, () => cpu.rank({ attribute: "thread" })],
  ["option.value: select: time: to is missing", () => select({ time: { from: 1n } })],
  [
    "option.value: select: time: from is a bigint of nanoseconds since 1970, not 1",
    () => select({ time: { from: 1, to: 2n } }),
  ],
  ['option.value: select: names is one of "recorded", "normalised", not "raw"', () => select({ names: "raw" })],
  ["option.value: select: measure is one of samples (0), the measures of cpu, not 7", () => select({ measure: 7 })],
  [/^profile\.missing: a measure needs one profile/, () => select({ measure: 0 }, null)],
  [/^option\.unknown: select: shape has no option "recurse"/, () => select({ shape: { recurse: true } })],
  [/^profile\.unknown: there is no profile "cup": the recording has .*cpu \(\d+\)/, () => select({}, "cup")],
  [/^profile\.unknown: there is no profile 99: /, () => select({}, 99)],
  [/^profile\.unknown: there is no profile -1: /, () => select({}, -1)],
  [/^profile\.unknown: there is no profile undefined: /, () => (recording as Anything).select()],
  ["profile.missing: top needs one profile, but the selection is of all", () => recording.select(null).top()],
  ["option.value: top: limit is a whole number of at least 0, not -1", () => cpu.top({ limit: -1 })],
  ["option.value: html: now is a valid Date, not 1", () => cpu.html({ now: 1 as Anything })],
  ["option.value: svg: dark is a boolean, not 1", () => cpu.svg({ dark: 1 as Anything })],
  ["profile.missing: svg needs one profile, but the selection is of all", () => select({}, null).svg()],
  ['option.value: top: by is one of "self", "total", "name", not "own"', () => cpu.top({ by: "own" as Anything })],
  [/^filter\.pattern: /, () => cpu.top({ find: "[" })],
  ["option.value: flame: width is a number of pixels above 0, not NaN", () => cpu.flame({ width: Number.NaN })],
  ["option.value: callees: name is a string, not undefined", () => (cpu as Anything).callees()],
  [
    'option.value: rank: by is "local-root", "span", "thread" or { attribute: KEY }, not "endpoint"',
    () => cpu.rank("endpoint" as Anything),
  ],
  [/^option\.value: rank: sort is one of "weight", /, () => cpu.rank("span", { sort: "size" as Anything })],
  [
    "option.value: rank: find is an object with ids, text or pattern, not an object",
    () => cpu.rank("span", { find: {} as Anything }),
  ],
  ["option.value: timeline: bins is a whole number of at least 1, not 0", () => cpu.timeline({ bins: 0 })],
  ["option.value: diff: the baseline is a selection, not an object", () => cpu.diff({} as Anything)],
  [/^profile\.missing: changed /, () => cpu.changed(recording.select(null))],
  ["option.value: columns: pageRows is a whole number of at least 1, not 0", () => cpu.columns({ pageRows: 0 })],
  [/^format\.unknown: the format is one of otlp, otlp-json, .*, not "xml"$/, () => cpu.write("xml" as Anything)],
  [/^format\.unknown: /, () => (cpu as Anything).write()],
  [
    'option.unknown: otlp has no option "timestamps"; its options are preset, resource',
    () => cpu.write("otlp", { timestamps: true }),
  ],
  [/^option\.unknown: write has no option "format"; /, () => cpu.write("otlp", { format: "otlp" } as Anything)],
  [
    'option.value: write: preset is one of "default", "otel", "aggregated", "pyroscope", not "jaeger"',
    () => cpu.write("otlp", { preset: "jaeger" as Anything }),
  ],
  [
    /^option\.value: write: resource\.key is a string, a bigint, /,
    () => cpu.write("otlp", { resource: { key: null as Anything } }),
  ],
  [
    /^write\.resource: the value of "key" is not an AnyValue/,
    () => cpu.write("otlp", { resource: { key: Uint8Array.of(255) } }),
  ],
  [/^write\.profiles: /, () => recording.write("collapsed")],
  ["option.value: writeTo: sink is a function, not undefined", () => (cpu as Anything).writeTo("otlp")],
  [/^option\.unknown: messages has no option "size"/, () => cpu.messages("otlp", { size: 1 } as Anything)],
  [/^input\.unknown: input 1: an input is a Uint8Array, .*, not an object$/, () => open([{ source: "x" }])],
  [/^input\.unknown: input 2: .*, not "a\.jfr"$/, () => open([new Uint8Array(0), "a.jfr"])],
  [/^input\.unknown: a: .*, not undefined$/, () => open({ name: "a", data: undefined })],
  [/^input\.unknown: input 1: .*, not undefined$/, () => open(undefined)],
  [/^input\.unknown: /, () => open(new SharedArrayBuffer(8))],
  [/^option\.unknown: open has no option "onprogress"/, () => open([], { onprogress: () => {} })],
  ["option.value: open: events[0]: event is missing", () => open([], { events: [{}] })],
  [
    /^option\.unknown: open: only has no option "names"; its options are span, localRoot, /,
    () => open([], { only: { names: "recorded" } }),
  ],
  [
    "option.id: open: only: localRoot is a bigint; `parseId` reads ids from texts, not 12",
    () => open([], { only: { localRoot: 12 } }),
  ],
  ["option.value: open: only: profiles[1] is a string, not 3", () => open([], { only: { profiles: ["cpu", 3] } })],
  ["option.value: open: signal is an AbortSignal, not true", () => open([], { signal: true })],
  [
    /^core\.load: the core's WebAssembly cannot be loaded: offline$/,
    () => openWith(() => Promise.reject(new Error("offline")), []),
  ],
  [
    'option.value: validate: for is an array, not "parca"',
    () => validate(new Uint8Array(0), { for: "parca" as Anything }),
  ],
  [/^input\.unknown: /, () => validate("x" as Anything)],
];

describe("a wrong call", () => {
  it.each(CASES)("is refused: %s", async (expected, call) => {
    const error = await errorOf(call);
    if (typeof expected === "string") expect(error).toBe(expected);
    else expect(error).toMatch(expected);
  });

  it("leaves other selections as they are", () => {
    const before = cpu.top();
    expect(() => select({ frame: "(" })).toThrow(SpanflameError);
    expect(cpu.top()).toEqual(before);
  });
});

describe("a closed recording", () => {
  it("answers nothing, and forgets its core", async () => {
    const closed = await openRecording(fileInput("public/sample.jfr"));
    const selection = closed.select("cpu");
    const pages = selection.columns({ pageRows: 10 });
    pages.next();
    {
      using ended = closed;
      expect(ended.isClosed).toBe(false);
    }
    expect(closed.isClosed).toBe(true);
    closed.close();
    const calls = [
      () => closed.select("cpu"),
      () => closed.write("otlp"),
      () => closed.marks(),
      () => closed.tables.stacks(),
      () => closed.bytesHeld,
      () => selection.top(),
      () => selection.write("otlp"),
      () => selection.samples().next(),
      () => pages.next(),
      () => selection.writeAsync("otlp").next(),
    ];
    for (const call of calls) expect(await errorOf(call)).toBe("recording.closed: the recording is closed");
    expect(closed.profiles.length).toBeGreaterThan(0);
  });

  it("may be one of `await using`", async () => {
    let closed: Recording;
    {
      await using recording = await openRecording([]);
      closed = recording;
    }
    expect(closed.isClosed).toBe(true);
  });
});
