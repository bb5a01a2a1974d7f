/** Local roots or spans as points, where nothing states how long they took: from the first sample to the last one. */
import { Numbered } from "../../bytes/numbered.ts";
import type { Core } from "../../core/core.ts";
import { samplesStamp } from "../../core/instance/instance.ts";
import { type LinkValues, linkValues } from "../../core/samples/link-values.ts";
import { openSpans } from "../../core/samples/spans.ts";
import { IdMap } from "../../ids/map.ts";
import { namingOf } from "../../model/lists/explorer.ts";
import { IdIndex, indexOfIds } from "../../model/trace/id-index.ts";
import type { SpanPoints } from "../../model/trace/operations.ts";
import type { OperationSource, RegionSpan } from "../api/operations-api.ts";
import type { HeldCore } from "../held-core.ts";

/** Spans as points, with their texts. */
export interface NamedPoints extends SpanPoints {
  source: OperationSource;
  /** The same by the names of the spans, which links may have. */
  stated?: NamedPoints;
  /** Name of a key. */
  text(name: number): string;
  /** 32 hex digits. */
  trace(place: number): string;
  service(place: number): string;
  /** What to add to the time of a place for one of the recording. */
  offset(place: number): bigint;
}

export function spanAt(points: NamedPoints, place: number): RegionSpan {
  const { id, start, duration, name, source } = points;
  return {
    source: place < points.unstated ? source : "roots",
    id: id[place] ?? 0n,
    trace: points.trace(place),
    operation: points.text(name[place] ?? 0),
    service: points.service(place),
    start: start[place] ?? 0n,
    duration: Number(duration[place] ?? 0n),
  };
}

/** Where durations of some places are from: they are least ones if one of them is. `places` ascend. */
export function sourceOf({ source, unstated }: NamedPoints, places: Uint32Array): OperationSource {
  return (places.at(-1) ?? 0) < unstated ? source : "roots";
}

/** A request is named by its endpoint, else by its operation, a span by its operation, else by its endpoint. */
const NAMES = { root: ["endpoint", "operation"], span: ["operation", "endpoint"] } as const;

/** Rows of a step. */
const STEP_ROWS = 1 << 16;

/**
 * Of all samples that have such an id. `pause`: other questions are answered meanwhile.
 */
export async function sampledPoints(
  held: HeldCore,
  by: "root" | "span",
  pause?: () => Promise<unknown>,
): Promise<NamedPoints> {
  const { core } = held;
  const stamp = samplesStamp(core.instance);
  const { first, last } = (await openSpans(core)).linkTimes();
  held.about(null, {});
  const { [by]: halvesOfId, sample, link } = linkValues(core.instance);
  const ids = new BigUint64Array(halvesOfId.buffer);
  const label = labels(core, sample, NAMES[by]);
  await pause?.();
  const index = new IdIndex(ids);
  /** Place of each id by its first row. */
  const places = new Map<number, number>();
  const found: { id: bigint; first: bigint; last: bigint; name: number }[] = [];
  for (let row = 1; row < ids.length; row++) {
    if (row % STEP_ROWS === 0) await pause?.();
    const [from = 0n, to = 0n] = [first[link[row] ?? 0], last[link[row] ?? 0]];
    if (to === 0n || ids[row] === 0n) continue;
    const at = index.firstOf(halvesOfId, row);
    const known = found[places.get(at) ?? -1];
    if (known === undefined) {
      places.set(at, found.length);
      found.push({ id: ids[row] ?? 0n, first: from, last: to, name: label(row) });
      continue;
    }
    if (from < known.first) known.first = from;
    if (to > known.last) known.last = to;
    if (known.name === 0) known.name = label(row);
  }
  // Rows of other samples than there are now.
  if (samplesStamp(core.instance) !== stamp) return sampledPoints(held, by);
  return {
    source: "roots",
    count: found.length,
    unstated: 0,
    name: Uint32Array.from(found, ({ name }) => name),
    id: BigUint64Array.from(found, ({ id }) => id),
    start: BigInt64Array.from(found, (each) => each.first),
    duration: BigInt64Array.from(found, (each) => each.last - each.first),
    size: new Uint32Array(found.length).fill(1),
    text: (name) => (name === 0 ? "" : core.instance.label(name)),
    trace: () => "",
    service: () => "",
    offset: () => 0n,
  };
}

/** Requests by the endpoint that their samples state, as without a trace. Other spans keep their names. */
export function byEndpoint(held: HeldCore, points: NamedPoints): NamedPoints {
  const { instance } = held.core;
  held.about(null, {});
  const links = linkValues(instance);
  const endpoints = endpointsAt(held.core, points, links);
  // Only a recorded span has a name. A request that only samples mention takes theirs.
  const others = points.source === "ends" ? endpointsAt(held.core, points, links, NAMES.root) : endpoints;
  if (others.every((each) => each === 0)) return points;
  const texts = new Numbered<string>();
  const name = endpoints.map((endpoint, place) => {
    const own = endpoint === 0 ? points.text(points.name[place] ?? 0) : "";
    return texts.of(own || (others[place] ? instance.label(others[place]) : ""));
  });
  return { ...points, name, text: (index) => texts.list[index] ?? "", stated: points };
}

/** With the local roots of samples that neither have a span which is known, nor are one themselves. */
export async function withRoots(
  held: HeldCore,
  points: NamedPoints,
  pause?: () => Promise<unknown>,
): Promise<NamedPoints> {
  const unknown = unknownRoots(held, points);
  if (unknown.size === 0) return points;
  const roots = await sampledPoints(held, "root", pause);
  const places = Uint32Array.from(roots.id.keys()).filter((place) => unknown.has(roots.id[place] ?? 0n));
  const own = points.count;
  const texts = new Numbered<string>();
  const longs = <Column extends BigInt64Array | BigUint64Array>(column: Column, more: Column) => {
    const both = column.constructor as new (length: number) => Column;
    const made = new both(own + places.length);
    made.set(column as never);
    for (const [i, place] of places.entries()) made[own + i] = more[place] ?? 0n;
    return made;
  };
  return {
    ...points,
    count: own + places.length,
    name: Uint32Array.from([
      ...Array.from(points.name, (key) => texts.of(points.text(key))),
      ...Array.from(places, (place) => texts.of(roots.text(roots.name[place] ?? 0))),
    ]),
    id: longs(points.id, roots.id),
    start: longs(points.start, roots.start),
    duration: longs(points.duration, roots.duration),
    size: Uint32Array.from([...points.size, ...places.map(() => 1)]),
    text: (name) => texts.list[name] ?? "",
    trace: (place) => (place < own ? points.trace(place) : ""),
    service: (place) => (place < own ? points.service(place) : ""),
    offset: (place) => (place < own ? points.offset(place) : 0n),
    stated: points.stated ?? points,
  };
}

function unknownRoots(held: HeldCore, { id }: NamedPoints): Set<bigint> {
  held.about(null, {});
  const { span, root, samples } = linkValues(held.core.instance);
  const index = indexOfIds(id);
  const roots = new BigUint64Array(root.buffer, root.byteOffset, root.length >> 1);
  const unknown = new Set<bigint>();
  for (let row = 1; row < samples.length; row++) {
    const own = roots[row] ?? 0n;
    if ((samples[row] ?? 0) === 0 || own === 0n) continue;
    if (index.firstOf(root, row) < 0 && index.firstOf(span, row) < 0) unknown.add(own);
  }
  return unknown;
}

/** The endpoint of the request at each place, of samples by their links; 0 where they state none. */
export function endpointsAt(
  core: Core,
  { id, count }: Pick<SpanPoints, "id" | "count">,
  { root, sample }: Pick<LinkValues, "root" | "sample">,
  wanted: readonly ("endpoint" | "operation")[] = ["endpoint"],
): Uint32Array {
  const label = labels(core, sample, wanted);
  const index = indexOfIds(id);
  const names = new Uint32Array(count);
  for (let row = 1; row < sample.length; row++) {
    const place = index.firstOf(root, row);
    if (place >= 0 && names[place] === 0) names[place] = label(row);
  }
  return names;
}

/** The endpoint of each id, and its values of the keys (empty texts without one), of all samples. */
export function carriedById(held: HeldCore, by: "span" | "root", keys: readonly string[] = []): IdMap<string[]> {
  held.about(null, {});
  const { core } = held;
  const { [by]: halves, sample } = linkValues(core.instance);
  const ids = new BigUint64Array(halves.buffer);
  const columns = [labels(core, sample, ["endpoint"]), ...keys.map((key) => carried(core, sample, [key]))];
  const found = new IdMap<string[]>();
  for (let row = 1; row < ids.length; row++) {
    const id = ids[row] ?? 0n;
    if (id === 0n) continue;
    const texts = found.get(id) ?? columns.map(() => "");
    found.set(id, texts);
    for (const [i, column] of columns.entries()) {
      const attribute = texts[i] === "" ? column(row) : 0;
      if (attribute !== 0) texts[i] = core.instance.label(attribute);
    }
  }
  return found;
}

/** The attribute that names the request of a sample, 0 without one. */
export function labels(
  core: Core,
  sample: Uint32Array,
  wanted: readonly ("endpoint" | "operation")[],
): (row: number) => number {
  const known = new Set(core.attributeKeys());
  const naming = namingOf((key) => known.has(key));
  return carried(
    core,
    sample,
    wanted.flatMap((name) => naming[name] ?? []),
  );
}

/** The first of the keys that a sample carries, as the row of the attribute; 0 without one. */
function carried({ instance }: Core, sample: Uint32Array, names: readonly string[]): (row: number) => number {
  const encoder = new TextEncoder();
  const keys = names.map((key) => instance.lend(encoder.encode(key), (p, n) => instance.wasm.findString(p, n) >>> 0));
  return (row) => {
    for (const key of keys) {
      const attribute = instance.wasm.carriedAttribute(sample[row] ?? 0, key);
      if (attribute !== 0) return attribute;
    }
    return 0;
  };
}
