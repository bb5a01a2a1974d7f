/** Every question that the page asks of a core, and what must agree among the answers. */
import * as StoreTable from "../../assembly/abi/store-table.ts";
import type { Core } from "../../src/core/core.ts";
import { allColumns, observationColumns } from "../../src/core/samples/store-columns.ts";
import type { ChunkSummary } from "../../src/core/types.ts";

export function textOf(value: unknown): string {
  return JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}n` : v));
}

const ROOTS = [
  { by: "thread-pool", keys: ["thread.name"], pooled: true, none: "(no thread)" },
  { by: "operation", keys: ["operation", "tenant"], pooled: false, none: "(no operation)" },
];
const RUNS = [{ name: "a", pattern: "a" }];

function frames(core: Core, profile: number): unknown {
  const { frames, framesInFocus, hiddenFrames } = core.views.frames({ focus: 0, width: 1000 });
  const { node, parent, total, self, names } = frames;
  if (!parent.every((p, i) => p < i || i === 0)) throw new Error(`profile ${profile}: a frame before its parent`);
  if (![...total, ...self].every(Number.isFinite)) throw new Error(`profile ${profile}: a width that is no number`);
  const { path } = core.views.frames({ focus: node.at(-1) ?? 0, width: 300 });
  return [framesInFocus, hiddenFrames, [...node], [...total], names, path];
}

/** The views of the selection; regrouped trees have the value of the selection. */
function views(core: Core, profile: number, value: bigint): unknown {
  const room = { width: 500 };
  const { rows } = core.views.top("total", 0, 3);
  const name = rows[0]?.name ?? "";
  const named = core.views.top("name", 0, 3, { reversed: true, find: "a" });
  if (named.count > core.views.top("total", 0, 0).count)
    throw new Error(`profile ${profile}: more found than there are`);
  const file = core.views.fileOf(named.count);
  const callers = core.views.regroup({ grouping: { kind: "callers" }, path: [], ...room });
  core.views.shape({ from: "", merged: ["^a", "b"], recursion: "all", lines: true });
  const shaped = core.views.frames({ focus: 0, ...room }).frames;
  if (shaped.total[0] !== callers.frames.total[0])
    throw new Error(`profile ${profile}: shaped, it weighs something else`);
  const rooted = { from: "", merged: ["b"], recursion: "all", lines: true, roots: ROOTS, runs: RUNS } as const;
  core.views.shape(rooted);
  const below = core.views.frames({ focus: 0, ...room }).frames;
  if (below.total[0] !== callers.frames.total[0])
    throw new Error(`profile ${profile}: rooted, it weighs something else`);
  core.views.shape({ from: name, merged: ["a"], recursion: "direct", lines: false });
  const begun = core.views.top("total", 0, 3).rows;
  core.views.shape({ from: "", merged: [], recursion: "kept", lines: false });
  if (BigInt(Math.round(callers.frames.total[0] ?? 0)) !== value && value < 2n ** 53n && value > -(2n ** 53n)) {
    throw new Error(`profile ${profile}: callers weigh ${callers.frames.total[0]}, the selection ${value}`);
  }
  const sandwich = (["callers-of", "callees-of"] as const).map((kind) => {
    return core.views.regroup({ grouping: { kind, name }, path: [], ...room }).frames.total[0];
  });
  core.views.keepBaseline(true);
  const diff = core.views.diff({ focus: 0, ...room, rest: true, normalised: true });
  const { rows: changedRows, squares } = core.views.changed(true, true, 0, 20);
  const bounds = core.views.timeBounds();
  const { strips } = core.views.timeline(profile, 20, [0, 1], bounds);
  const { columns, seconds, cells } = core.views.heat(profile, 30, bounds);
  const { time: _, ...paused } = core.views.pauseCover(core.views.marks());
  const inTime = [columns, seconds, cells.samples.reduce((sum, n) => sum + n, 0), paused];
  const children = core.views.children(0).length;
  const found = core.views.search("a").value;
  const threads = core.views.threads(profile).rows.map((row) => row.name);
  const half = bounds === null ? null : { from: bounds.from, to: bounds.from + (bounds.to - bounds.from) / 2n };
  const early = half === null ? null : core.select(profile, { time: half, frames: [{ pattern: "a", exclude: true }] });
  return [
    sandwich,
    named,
    file,
    [...shaped.total],
    shaped.names,
    below.names,
    begun,
    [...diff.baseTotal],
    [changedRows.length, squares],
    strips[0],
    inTime,
    children,
    found,
    threads,
    early,
  ];
}

/** The answers as text, the same for the same content. */
/** The columns of all observations: as many as the profiles have, and within the tables that they refer to. */
function columns(core: Core, samples: number): unknown {
  core.select(null, {});
  const { instance } = core;
  const page = observationColumns(instance, null, 0, 5000);
  if (page.rows !== Math.min(samples, 5000)) throw new Error(`${page.rows} rows of ${samples} samples`);
  const tables = [StoreTable.Stacks, StoreTable.Links, StoreTable.Threads, StoreTable.Sets] as const;
  const sizes = tables.map((table) => allColumns(instance, table)[0]!.length);
  const numbers = [page.stack, page.link, page.thread, page.set];
  if (numbers.some((column, i) => column.some((row) => row >= sizes[i]!))) throw new Error("a row beyond its table");
  return [page.rows, ...sizes];
}

export function answersOf(core: Core): string {
  const said: unknown[] = [core.files(), core.profiles(), core.samples(), core.diagnostics(), core.settings()];
  const rows = core.views.timeRows();
  said.push(rows, core.views.seriesSummary());
  for (const row of rows) said.push(core.views.series(row, row, 20), core.views.threads(0, row).rows.length);
  said.push(core.eventTypes(), core.views.marks().gaps, core.views.marks().pauses.nanos);
  const keys = core.attributeKeys();
  for (const { id, samples, value, measures } of core.profiles()) {
    const all = core.select(id, {});
    if (all.samples !== samples || all.value !== value) {
      throw new Error(`profile ${id}: ${samples} samples of ${value}, selected ${all.samples} of ${all.value}`);
    }
    for (const kind of ["span", "local-root"] as const) {
      said.push(core.views.rank({ kind }, 0, 5));
      said.push(core.views.rank({ kind }, 0, 5, { sort: "duration", find: { ids: [[1n, 1n << 63n]] }, about: keys }));
    }
    for (const key of keys) {
      said.push(core.views.rank({ kind: "attribute", key }, 0, 3));
      said.push(
        core.views.rank({ kind: "attribute", key }, 0, 3, { sort: "name", reversed: true, find: { pattern: "a" } }),
      );
    }
    said.push(core.views.top("self", 0, 5).rows, frames(core, id), views(core, id, value));
    const lone = core.select(id, { noSpan: true });
    if (core.views.rank({ kind: "span" }, 0, 1).count > 0) throw new Error(`profile ${id}: a span without a span`);
    said.push(lone);
    for (const [i, measure] of measures.entries()) {
      if (core.select(id, {}, i).value !== measure.value) throw new Error(`profile ${id}: ${measure.name} differs`);
    }
  }
  said.push(columns(core, core.samples()));
  return textOf(said);
}

/** What tells whether a chunk was read as a whole. */
export function chunkText({ bytes, startUnixNano, events }: ChunkSummary): string {
  return textOf([bytes, startUnixNano, Object.entries(events).sort()]);
}

/**
 * Observations of each event, over all profiles but lists of live objects: a later chunk's list replaces an earlier
 * one.
 */
export function observedEvents(core: Core): Record<string, number> {
  const observed: Record<string, number> = {};
  for (const { id, events } of core.profiles()) {
    if (core.catalogueRow(id)?.snapshot === true) continue;
    for (const [event, n] of Object.entries(events)) observed[event] = (observed[event] ?? 0) + n;
  }
  return observed;
}
