/**
 * Filters given to the readers of messages before reading: what they let through gives the bytes of a message that is
 * filtered after everything was read. The messages are those of the fixtures, as OTLP and as pprof.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import { readOnlyNeeded } from "../../../src/core/reading/read-filter.ts";
import { FORMATS, formatRow } from "../../../src/core/tables/formats.ts";
import type { Filter, OutputFormat } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { MESSAGES } from "../../kit/formats.ts";
import { matrixOf } from "../../kit/needs.ts";
import { frame } from "../../kit/otlp/otlp-message.ts";
import { hasSeveral } from "../../kit/otlp/several-profiles.ts";

const FIXTURES = new URL("../../../fixtures/", import.meta.url);
const NAMES = ["", "recorded/"].flatMap((folder) =>
  readdirSync(new URL(`./${folder}`, FIXTURES)).flatMap((name) => (name.endsWith(".jfr") ? [folder + name] : [])),
);
const module = await WebAssembly.compile(readFileSync(new URL("../../../build/core.wasm", import.meta.url)));

/** Name and filter; the name of a profile type is one for `--type`. */
type Case = [name: string, type: string | undefined, filter: Filter];

async function read(core: Core, bytes: Uint8Array, type?: string, filter: Filter | null = null): Promise<void> {
  core.reset();
  const types = type === undefined ? {} : { types: [type] };
  if (filter !== null) readOnlyNeeded(core, { filter, stacks: true, all: false, ...types });
  await readInputs(core, [{ name: "message", source: bytesSource(bytes) }]);
}

/** Conditions on facts that the message has, and some on facts that it lacks. */
function casesOf(core: Core): Case[] {
  const cases: Case[] = core.profiles().map(({ type }) => [`type ${type}`, type, {}]);
  core.select(null, {});
  const ids = (kind: "local-root" | "span") => core.views.rank({ kind }, 0, 1000).rows.map(({ id }) => id);
  const [roots, spans] = [ids("local-root"), ids("span")];
  const { earliest, latest } = core.instance.wasm;
  const first = BigInt.asUintN(64, earliest.value);
  const middle = first + (BigInt.asUintN(64, latest.value) - first) / 2n;
  const rows: [string, Filter][] = [
    ["no span", { noSpan: true }],
    ["no such root", { localRoot: 12345678901234567n }],
    ["no such trace", { localRoot: (7n << 64n) | (roots[0] ?? 5n) }],
    ["the first half", { time: { from: first, to: middle } }],
    ["before the start", { time: { from: 1n, to: first } }],
  ];
  for (const id of new Set([roots.at(0), roots.at(-1)])) {
    if (id === undefined) continue;
    rows.push([`root ${id}`, { localRoot: id }], [`not root ${id}`, { not: { localRoot: id } }]);
  }
  for (const id of new Set([spans.at(0), spans.at(-1)])) {
    if (id !== undefined)
      rows.push([`span ${id}`, { span: id }], [`span ${id} in time`, { span: id, time: { from: first, to: middle } }]);
  }
  for (const key of ["thread.name", "trace endpoint", ...core.attributeKeys().slice(0, 3)]) {
    const [row] = core.views.rank({ kind: "attribute", key }, 0, 1).rows;
    if (row === undefined) continue;
    const condition = { key, value: row.label };
    rows.push([`${key}=${row.label}`, { attributes: [condition] }]);
    rows.push([`${key}!=${row.label}`, { attributes: [{ ...condition, exclude: true }] }]);
  }
  return [...cases, ...rows.map(([name, filter]): Case => [name, undefined, filter])];
}

function written(core: Core, format: OutputFormat, type: string | undefined, filter: Filter): string {
  const id = type === undefined ? null : core.profiles().find((profile) => profile.type === type)?.id;
  expect(id, type).not.toBe(undefined);
  if (formatRow(format).single && hasSeveral(core, id ?? null, filter)) return "several profiles";
  const { bytes, ...totals } = core.write(id ?? null, filter, { format });
  return `${JSON.stringify(totals)} ${Buffer.from(bytes).toString("latin1")}`;
}

/** Compares a message read whole and one read with each filter; returns how often all that was read is selected. */
async function compare(bytes: Uint8Array): Promise<number> {
  const [whole, part] = [await Core.instantiate(module, [], 1n), await Core.instantiate(module, [], 2n)];
  await read(whole, bytes);
  let exact = 0;
  const cases = casesOf(whole);
  for (const [what, type, filter] of cases) {
    await read(part, bytes, type, filter);
    const id = type === undefined ? null : (whole.profiles().find((profile) => profile.type === type)?.id ?? null);
    if (part.samples() === whole.select(id, filter).samples) exact++;
    for (const { name: format } of FORMATS) {
      const [a, b] = [written(part, format, type, filter), written(whole, format, type, filter)];
      expect(a === b, `${what}, ${format}: ${a.length} and ${b.length}`).toBe(true);
    }
  }
  return exact / cases.length;
}

/** The message as that of another producer, whose attributes have no meaning for the reader. */
function foreign(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString("latin1").replaceAll("spanflame", "spanblaze");
  return new Uint8Array(Buffer.from(text, "latin1"));
}

describe.each(matrixOf(NAMES))("%s", (name) => {
  it.each(MESSAGES)("as %s has the same messages", async (format) => {
    const core = await Core.instantiate(module);
    await readInputs(core, [{ name, source: bytesSource(new Uint8Array(readFileSync(new URL(name, FIXTURES)))) }]);
    const { bytes } = core.write(null, {}, { format, ...(format === "pprof" ? { timestamps: true } : {}) });
    expect(await compare(bytes)).toBeGreaterThan(format === "pprof" ? 0.3 : 0.5);
  });

  it("has the same messages as OTLP of another producer, several in a file", async () => {
    const core = await Core.instantiate(module);
    await readInputs(core, [{ name, source: bytesSource(new Uint8Array(readFileSync(new URL(name, FIXTURES)))) }]);
    const message = core.write(null, {}, { format: "otlp" }).bytes;
    const frames = new Uint8Array(Buffer.concat([frame(foreign(message)), frame(message)]));
    expect(await compare(frames)).toBeGreaterThan(0.35);
  });
});

it("has the same messages of damaged ones", async () => {
  const core = await Core.instantiate(module);
  const shop = new Uint8Array(readFileSync(new URL("shop-chunks.jfr", FIXTURES)));
  await readInputs(core, [{ name: "shop", source: bytesSource(shop) }]);
  const [whole, part] = [await Core.instantiate(module, [], 1n), await Core.instantiate(module, [], 2n)];
  const random = randomBelow(19);
  for (const format of ["otlp", "pprof"] as const) {
    const { bytes } = core.write(null, {}, { format });
    const sound = bytes;
    for (let i = 0; i < 24; i++) {
      const damaged = sound.slice();
      for (let k = random(12); k >= 0; k--) damaged[random(damaged.length)] = random(256);
      await read(whole, new Uint8Array(damaged));
      whole.select(null, {});
      const root = whole.views.rank({ kind: "local-root" }, 0, 100).rows[random(3)]?.id ?? 1n;
      for (const filter of [{ localRoot: root }, { noSpan: true }, { not: { localRoot: root } }]) {
        await read(part, new Uint8Array(damaged), undefined, filter);
        const isSame = written(part, "otlp", undefined, filter) === written(whole, "otlp", undefined, filter);
        expect(isSame, `${format} ${i}, ${Object.keys(filter)}`).toBe(true);
      }
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
