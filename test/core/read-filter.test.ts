/**
 * Filters given to the readers before reading: a message of what they let through has the bytes of one that is filtered
 * after everything was read.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { Core } from "../../src/core/core.ts";
import { FORMATS, formatRow } from "../../src/core/formats.ts";
import { type Needed, readOnlyNeeded } from "../../src/core/read-filter.ts";
import type { Filter, OutputFormat } from "../../src/core/types.ts";
import { readInputs } from "../../src/input/open.ts";
import { hasSeveral } from "../kit/several-profiles.ts";

const FIXTURES = new URL("../../fixtures/", import.meta.url);
const NAMES = ["", "recorded/"].flatMap((folder) =>
  readdirSync(new URL(`./${folder}`, FIXTURES)).flatMap((name) => (name.endsWith(".jfr") ? [folder + name] : [])),
);
const module = await WebAssembly.compile(readFileSync(new URL("../../build/core.wasm", import.meta.url)));
const OUTPUTS = FORMATS.map(({ name }) => name);

async function read(core: Core, bytes: Uint8Array, needed: Partial<Needed> | null): Promise<boolean> {
  core.reset();
  const isFiltered = needed !== null && readOnlyNeeded(core, { filter: {}, stacks: true, all: false, ...needed });
  await readInputs(core, [{ name: "a.jfr", source: bytesSource(bytes) }]);
  return isFiltered;
}

/** A field of its events decides between it and another profile, and is not read of skipped ones. */
const ROUTED = "socket-write";
/** Of a chunk; damage in it leaves nothing that can be read. */
const HEADER = 68;

/** Name and filter; the name of a profile type is one for `--type`. */
type Case = [name: string, type: string | undefined, filter: Filter];

/** Conditions on facts that the recording has, and some on facts that it lacks. */
function casesOf(core: Core): Case[] {
  const profiles = core.profiles();
  const cases: Case[] = profiles.map(({ type }) => [`type ${type}`, type, {}]);
  const [most] = profiles.toSorted((a, b) => b.samplesWithRoot - a.samplesWithRoot);
  if (most === undefined) return cases;
  core.select(null, {});
  const ids = (kind: "local-root" | "span") => core.views.rank({ kind }, 0, 1000).rows.map(({ id }) => id);
  const roots = ids("local-root");
  const spans = ids("span");
  const times = core.files().flatMap(({ chunks }) => chunks);
  const start = times[0]?.startUnixNano ?? 0n;
  const rows: [string, Filter][] = [
    ["no span", { noSpan: true }],
    ["no such root", { localRoot: 12345678901234567n }],
    ["no such span", { span: 12345678901234567n }],
    ["first half of a second", { time: { from: start, to: start + 500_000_000n } }],
  ];
  for (const root of new Set([roots.at(0), roots.at(-1), roots.at(roots.length >> 1)]))
    if (root !== undefined) rows.push([`root ${root}`, { localRoot: root }]);
  for (const span of new Set([spans.at(0), spans.at(-1)]))
    if (span !== undefined) rows.push([`span ${span}`, { span }]);
  if (roots.length > 2) rows.push(["two roots", { localRoot: [roots[0]!, roots[1]!] }]);
  if (roots.length > 0) rows.push(["not a root", { not: { localRoot: roots[0]! } }]);
  for (const [key] of Object.entries(most.samplesWithAttribute).slice(0, 2)) {
    const [row] = core.views.rank({ kind: "attribute", key }, 0, 1).rows;
    if (row !== undefined) rows.push([`${key}=${row.label}`, { attributes: [{ key, value: row.label }] }]);
  }
  const [thread] = core.views.rank({ kind: "attribute", key: "thread.name" }, 0, 1).rows;
  if (thread !== undefined) {
    const condition = { key: "thread.name", value: thread.label };
    rows.push(["a thread", { attributes: [condition] }]);
    rows.push(["other threads", { attributes: [{ ...condition, exclude: true }] }]);
  }
  for (const [name, filter] of rows) cases.push([name, undefined, filter]);
  if (roots.length > 0) cases.push(["root and type", most.type, { localRoot: roots[0]! }]);
  return cases;
}

function typesOf(core: Core): string[] {
  return core.profiles().map(({ type }) => type);
}

function message(core: Core, format: OutputFormat, type: string | undefined, filter: Filter): string {
  const id = type === undefined ? null : core.profiles().find((profile) => profile.type === type)?.id;
  expect(id, type).not.toBe(undefined);
  if (formatRow(format).single && hasSeveral(core, id ?? null, filter)) return "several profiles";
  const { bytes, ...totals } = core.write(id ?? null, filter, { format });
  return `${JSON.stringify(totals)} ${Buffer.from(bytes).toString("latin1")}`;
}

describe.each(NAMES)("%s", (name) => {
  const bytes = new Uint8Array(readFileSync(new URL(name, FIXTURES)));

  it("has the same messages, whether samples are excluded while reading or after it", async () => {
    const whole = await Core.instantiate(module, [], 1n);
    const part = await Core.instantiate(module, [], 2n);
    await read(whole, bytes, null);
    let exact = 0;
    const cases = casesOf(whole);
    for (const [what, type, filter] of cases) {
      const isFiltered = await read(part, bytes, { ...(type === undefined ? {} : { types: [type] }), filter });
      expect(isFiltered, what).toBe(true);
      const id = type === undefined ? null : whole.profiles().find((profile) => profile.type === type)!.id;
      const { samples } = whole.select(id, filter);
      // Attributes of roots may come later, and a type may be that of several profiles.
      if (part.samples() === samples) exact++;
      const names = typesOf(part);
      if (type === undefined)
        expect(typesOf(whole).filter((each) => !names.includes(each) && each !== ROUTED)).toEqual([]);
      else expect(names, what).toContain(type);
      for (const format of OUTPUTS) {
        const a = message(part, format, type, filter);
        const b = message(whole, format, type, filter);
        // Not toBe: the difference of two messages takes minutes to print.
        expect(a === b, `${what}, ${format}: ${a.length} and ${b.length}`).toBe(true);
      }
    }
    expect(exact).toBeGreaterThan(cases.length / 2);
  });
});

describe.each(NAMES)("%s, its observations only counted", (name) => {
  const bytes = new Uint8Array(readFileSync(new URL(name, FIXTURES)));

  it("has the same profiles, totals, lists and frames", async () => {
    const whole = await Core.instantiate(module, [], 1n);
    const part = await Core.instantiate(module, [], 2n);
    await read(whole, bytes, null);
    await read(part, bytes, { single: false, all: true });
    expect(part.instance.wasm.observationCount.value).toBeLessThan(whole.instance.wasm.observationCount.value);
    expect(part.samples()).toBe(whole.samples());
    expect(part.files()).toEqual(whole.files());
    expect(part.profiles()).toEqual(whole.profiles());
    for (const { id, measures } of whole.profiles()) {
      for (const i of measures.keys()) {
        expect(part.select(id, {}, i)).toEqual(whole.select(id, {}, i));
        expect(part.views.top("self", 0, 50)).toEqual(whole.views.top("self", 0, 50));
      }
    }
  });
});

it("has the same messages of damaged recordings", async () => {
  const bytes = new Uint8Array(readFileSync(new URL("shop-chunks.jfr", FIXTURES)));
  const whole = await Core.instantiate(module, [], 1n);
  const part = await Core.instantiate(module, [], 2n);
  const random = randomBelow(19);
  for (let i = 0; i < 24; i++) {
    const damaged = bytes.slice();
    for (let k = random(20); k >= 0; k--) damaged[HEADER + random(damaged.length - HEADER)] = random(256);
    await read(whole, damaged, null);
    whole.select(null, {});
    const root = whole.views.rank({ kind: "local-root" }, 0, 100).rows[random(3)]?.id ?? 1n;
    const from = whole.files()[0]?.chunks[0]?.startUnixNano ?? 0n;
    for (const filter of [{ localRoot: root }, { noSpan: true }, { time: { from, to: from + 1_000_000_000n } }]) {
      await read(part, damaged, { filter });
      const isSame = message(part, "otlp", undefined, filter) === message(whole, "otlp", undefined, filter);
      expect(isSame, `recording ${i}, ${Object.keys(filter)}`).toBe(true);
    }
  }
});

/** Random numbers, the same in each run. */
function randomBelow(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % end;
  };
}
