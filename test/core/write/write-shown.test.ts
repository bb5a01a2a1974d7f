/** Formats of viewers (collapsed stacks, speedscope, Firefox Profiler), each checked by an independent reader. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compileWriter, type Plan, WriterCore } from "../../kit/core/write-core.ts";
import { readCollapsed, readFirefox, readSpeedscope, sum, type Track } from "../../kit/shown-formats.ts";

let module: WebAssembly.Module;
let core: WriterCore;
const T0 = 1_700_000_000_000_000_000n;
const HOSTILE = 'a;b\n"c"\\\u0000\u001f\u007f\ud83d\ude00\ud800 </script>';
/** As the store has it: without the lone surrogate. */
const STORED = HOSTILE.replace("\ud800", "\ufffd");

beforeAll(async () => {
  module = await compileWriter();
}, 60_000);

beforeEach(() => {
  core = new WriterCore(module);
});

const location = (name: string, line = 1) => core.x.internLocation(core.fn(name), line, 0, 0n, 1);
const stack = (...leafFirst: string[]) => core.stack(leafFirst.map((name) => location(name)));
const event = (type = "cpu", unit = "samples") => core.event("test.Event", core.profile(type, unit));
const collapsed = (mask = 0, plan: Plan = {}) => readCollapsed(core.shown("collapsed", mask, plan));
const speedscope = (mask = 0) => readSpeedscope(core.shown("speedscope", mask));
const firefox = (mask = 0) => readFirefox(core.shown("firefox", mask));

describe("collapsed stacks", () => {
  it("are a line for each list of names, root first", () => {
    const e = event();
    core.x.observe(e, stack("leaf", "root"), 0, 0, 0, T0, 3n);
    core.x.observe(e, core.stack([location("leaf", 77), location("root")]), 0, core.thread("t", 1n), 0, T0, 4n);
    core.x.observe(e, stack("root"), 0, 0, 0, T0, 5n);
    core.x.observe(e, stack("nothing"), 0, 0, 0, T0, 0n);
    core.x.observe(e, 0, 0, 0, 0, T0, 6n);
    expect(core.shown("collapsed")).toBe("(no stack) 6\nroot;leaf 7\nroot 5\n");
    expect([core.x.writtenSamples.value, core.x.writtenObservations.value]).toEqual([3, 5]);
  });

  it("have neither separators nor line ends in a name", () => {
    core.x.observe(event(), core.stack([location(HOSTILE), location("")]), 0, 0, 0, T0, 1n);
    expect(collapsed().stacks).toEqual([["(no name)", 'a:b "c"\\   \ud83d\ude00\ufffd </script>']]);
  });

  it("tell a sample without a stack from a frame of which nothing is known", () => {
    const e = event();
    core.x.observe(e, 0, 0, 0, 0, T0, 6n);
    core.x.observe(e, core.stack([0]), 0, 0, 0, T0, 7n);
    expect(core.shown("collapsed")).toBe("(no stack) 6\n(no name) 7\n");
  });

  it("are of one output: of several they say how many there are", () => {
    for (const type of ["cpu", "wall"]) core.x.observe(event(type), stack("a"), 0, 0, 0, T0, 2n);
    expect([core.shown("collapsed"), core.x.writtenProfiles.value]).toEqual(["", 2]);
    expect(collapsed(core.mask((row) => row === 2)).weights).toEqual([2]);
    const [output] = core.outputs().map((o) => ({ ...o, scale: 10n }));
    expect(
      collapsed(
        core.mask((row) => row === 1),
        { outputs: [output!] },
      ).weights,
    ).toEqual([20]);
  });

  it("keep 64 bits, and what is below 0", () => {
    const e = event();
    core.x.observe(e, stack("a"), 0, 0, 0, T0, (1n << 63n) - 1n);
    core.x.observe(e, stack("b"), 0, 0, 0, T0, -5n);
    expect(core.shown("collapsed")).toBe("a 9223372036854775807\nb -5\n");
  });
});

describe("speedscope", () => {
  it("has weights above 0 that add up, whatever the values are", () => {
    const most = (1n << 63n) - 1n;
    const e = event();
    for (const [i, value] of [most, -5n, most, most].entries()) {
      core.x.observe(e, stack(i < 2 ? "a" : "b"), 0, 0, 0, T0 + BigInt(i), value);
    }
    expect(speedscope().map(({ weights }) => weights)).toEqual([[Number(most)]]);
  });
});

describe.each([
  ["speedscope", () => speedscope()],
  ["firefox", () => firefox()],
])("%s", (format, read: () => Track[]) => {
  it("has each thread in the order of time", () => {
    const e = event("wall", "nanoseconds");
    const [one, two] = [core.thread("one", 1n), core.thread("two", 2n)];
    const [a, b] = [stack("a", "root"), stack("b", "root")];
    core.x.observe(e, a, 0, one, 0, T0 + 5n, 1_000_000n);
    core.x.observe(e, b, 0, two, 0, T0 + 1n, 2_000_000n);
    core.x.observe(e, b, 0, one, 0, T0 + 3n, 4_000_000n);
    core.x.observe(e, a, 0, one, 0, T0 + 1n, 8_000_000n);
    core.x.coverTime(T0, T0 + 10n);
    const tracks = read();
    expect(tracks.map((t) => t.name)).toEqual(["wall: one", "wall: two"]);
    expect(tracks[0]?.stacks.map((s) => s.join(" "))).toEqual(["root a", "root b", "root a"]);
    const milliseconds = format === "firefox";
    expect(tracks[0]?.weights).toEqual([8, 4, 1].map((v) => (milliseconds ? v : v * 1e6)));
    expect(tracks[0]?.unit).toBe(milliseconds ? "tracing-ms" : "nanoseconds");
    if (milliseconds) expect(tracks[0]?.times).toEqual([1e-6, 3e-6, 5e-6]);
  });

  it("has outputs one after the other, their units as far as the format has them", () => {
    const units = ["samples", "bytes", "nanoseconds", "furlongs"];
    for (const unit of units) core.x.observe(event(unit, unit), stack("a"), 0, 0, 0, T0, 1n);
    expect(read().map((t) => t.unit)).toEqual(
      format === "firefox" ? ["samples", "bytes", "tracing-ms", "samples"] : ["none", "bytes", "nanoseconds", "none"],
    );
  });

  it("keeps names whole, whatever is in them", () => {
    const e = event();
    core.x.observe(e, core.stack([location(HOSTILE), location("")]), 0, core.thread(HOSTILE, 1n), 0, T0, 1n);
    core.x.observe(e, 0, 0, core.thread(HOSTILE, 1n), 0, T0 + 1n, 1n);
    const [track] = read();
    expect(track?.stacks).toEqual([["(no name)", STORED], ["(no stack)"]]);
    expect(track?.name).toBe(`cpu: ${STORED}`);
  });

  it("is one file whether pretty or not, and without samples too", () => {
    expect(read()).toEqual([]);
    core.x.observe(event(), stack("a", "b"), 0, 0, 0, T0, 1n);
    const pretty = core.shown(format as "firefox", 0, {}, true);
    expect(pretty.split("\n").length).toBeGreaterThan(20);
    expect(JSON.parse(pretty)).toEqual(JSON.parse(core.shown(format as "firefox")));
  });

  it("has the sum of second values, of the selection only", () => {
    const profile = core.profile("alloc", "bytes", "", "", "objects", "count");
    const e = core.event("test.Alloc", profile, true);
    core.x.observeBoth(e, stack("a"), T0, 5n, 2n);
    core.x.observeBoth(e, stack("a"), T0 + 1n, 7n, 3n);
    core.x.observeBoth(e, stack("b"), T0, 300n, 40n);
    const text = core.shown(
      format as "firefox",
      core.mask((row) => row === 1),
      { outputs: core.outputs(true) },
    );
    const [track] = format === "firefox" ? readFirefox(text) : readSpeedscope(text);
    expect([sum(track?.weights ?? []), text.includes('"b"')]).toEqual([5, false]);
  });

  it("does not grow the core when written again", () => {
    for (let i = 0; i < 50; i++) core.x.observe(event(), stack(`f${i}`), 0, core.thread(`t${i}`, 1n), 0, T0, 1n);
    const text = format as "firefox";
    core.shown(text);
    core.shown(text);
    const held = [core.x.arenaBytes(), core.x.ownRows()];
    const written = core.shown(text);
    for (let i = 0; i < 10; i++) expect(core.shown(text)).toBe(written);
    expect([core.x.arenaBytes(), core.x.ownRows()]).toEqual(held);
  });
});

it("speedscope joins neighbours with one stack, and looks at the heaviest thread first", () => {
  const e = event();
  const [one, two] = [core.thread("one", 1n), core.thread("two", 2n)];
  const [a, b] = [stack("a"), stack("b")];
  for (const [i, s] of [a, a, b, a].entries()) core.x.observe(e, s, 0, one, 0, T0 + BigInt(i), 1n);
  core.x.observe(e, a, 0, two, 0, T0, 9n);
  core.x.observe(e, a, 0, two, 0, T0, 0n);
  core.x.observe(e, b, 0, two, 0, T0, -7n);
  expect(speedscope().map(({ weights }) => weights)).toEqual([[2, 1, 1], [9]]);
  expect(JSON.parse(core.shown("speedscope")).activeProfileIndex).toBe(1);
});

it("firefox has a frame for each line, and categories by the kind of frame", () => {
  const frames = [
    core.x.internLocation(core.fn("f", "", "F.java", 7), 9, 0, 0n, 1),
    core.x.internLocation(core.fn("f", "", "F.java", 7), 10, 0, 0n, 1),
    core.x.internLocation(core.fn("g"), 0, 0, 0n, 2),
  ];
  core.x.observe(event(), core.stack(frames), 0, 0, 0, T0, 1n);
  const { shared, threads } = JSON.parse(core.shown("firefox"));
  const [{ frameTable, funcTable }] = threads;
  expect(frameTable).toMatchObject({ line: [null, 10, 9], category: [2, 1, 1], func: [0, 1, 1] });
  expect(funcTable).toMatchObject({ lineNumber: [null, 7], source: [null, 0] });
  expect(shared.stringArray[shared.sources.filename[0]]).toBe("F.java");
});
