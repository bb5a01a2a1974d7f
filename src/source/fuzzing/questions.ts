/** Every question that the page asks of a core, and what must agree among the answers. */
import type { Core } from "../../core/core.ts";
import type { ChunkSummary } from "../../core/types.ts";

export function textOf(value: unknown): string {
  return JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}n` : v));
}

function frames(core: Core, profile: number): unknown {
  const { frames, framesInFocus, foldedFrames } = core.frames({ focus: 0, width: 1000, budget: 200 });
  const { node, parent, total, self, names } = frames;
  if (!parent.every((p, i) => p < i || i === 0)) throw new Error(`profile ${profile}: a frame before its parent`);
  if (![...total, ...self].every(Number.isFinite)) throw new Error(`profile ${profile}: a width that is no number`);
  const { path } = core.frames({ focus: node.at(-1) ?? 0, width: 300, budget: 20 });
  return [framesInFocus, foldedFrames, [...node], [...total], names, path];
}

/** The answers as text, the same for the same content. */
export function answersOf(core: Core): string {
  const said: unknown[] = [core.files(), core.profiles(), core.samples(), core.diagnostics(), core.settings()];
  said.push(core.eventKinds());
  const keys = core.attributeKeys();
  for (const { id, samples, value, measures } of core.profiles()) {
    const all = core.select(id, {});
    if (all.samples !== samples || all.value !== value) {
      throw new Error(`profile ${id}: ${samples} samples of ${value}, selected ${all.samples} of ${all.value}`);
    }
    for (const kind of ["span", "local-root"] as const) said.push(core.rank({ kind }, 0, 5));
    for (const key of keys) said.push(core.rank({ kind: "attribute", key }, 0, 3));
    const { total, frames: rows } = core.top(5);
    if (total !== value) throw new Error(`profile ${id}: top has ${total}, the profile ${value}`);
    said.push(rows, frames(core, id));
    for (const [i, measure] of measures.entries()) {
      if (core.select(id, {}, i).value !== measure.value) throw new Error(`profile ${id}: ${measure.name} differs`);
    }
  }
  return textOf(said);
}

/** What tells whether a chunk was read as a whole. */
export function chunkText({ bytes, startUnixNano, events }: ChunkSummary): string {
  return textOf([bytes, startUnixNano, Object.entries(events).sort()]);
}

/** Observations of each event, over all profiles but lists of live objects: a later chunk's list replaces an earlier one. */
export function observedEvents(core: Core): Record<string, number> {
  const observed: Record<string, number> = {};
  for (const { id, events } of core.profiles()) {
    if (core.kindOf(id)?.snapshot === true) continue;
    for (const [event, n] of Object.entries(events)) observed[event] = (observed[event] ?? 0) + n;
  }
  return observed;
}
