/** Recordings and filters for tests of readers that skip what an answer does not need. */
import { readdirSync, readFileSync } from "node:fs";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { type Needed, readOnlyNeeded } from "../../../src/core/reading/read-filter.ts";
import type { Filter } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";

const FIXTURES = new URL("../../../fixtures/", import.meta.url);
/** Names of all recordings below fixtures/. */
export const RECORDINGS = ["", "recorded/"].flatMap((folder) =>
  readdirSync(new URL(`./${folder}`, FIXTURES)).flatMap((name) => (name.endsWith(".jfr") ? [folder + name] : [])),
);
export const CORE = await WebAssembly.compile(readFileSync(new URL("../../../build/core.wasm", import.meta.url)));

export function fixture(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(new URL(name, FIXTURES)));
}

/** Reads a recording into an empty core; returns whether it may skip anything. */
export async function read(core: Core, bytes: Uint8Array, needed: Partial<Needed> | null): Promise<boolean> {
  core.reset();
  const isFiltered = needed !== null && readOnlyNeeded(core, { filter: {}, stacks: true, all: false, ...needed });
  await readInputs(core, [{ name: "a.jfr", source: bytesSource(bytes) }]);
  return isFiltered;
}

/** Name and filter; the name of a profile type is one for `--type`. */
export type Case = [name: string, type: string | undefined, filter: Filter];

/** Conditions on facts that the recording has, and some on facts that it lacks. */
export function casesOf(core: Core): Case[] {
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
  // Labels of threads are known at the end only.
  const [thread] = core.views.rank({ kind: "attribute", key: "thread.id" }, 0, 1).rows;
  if (thread !== undefined) {
    const condition = { key: "thread.id", value: thread.label };
    rows.push(["a thread", { attributes: [condition] }]);
    rows.push(["other threads", { attributes: [{ ...condition, exclude: true }] }]);
  }
  for (const [name, filter] of rows) cases.push([name, undefined, filter]);
  if (roots.length > 0) cases.push(["root and type", most.type, { localRoot: roots[0]! }]);
  return cases;
}
