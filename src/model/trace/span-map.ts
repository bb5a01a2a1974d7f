/** The span map: density of spans by start and, on a logarithmic scale, duration; and regions of it. */
import type { TimeRange } from "../../core/types.ts";
import type { SpanRegion } from "../query/query.ts";
import { isTold, type SpanPoints } from "./operations.ts";
import { numbersOf, since } from "./point-numbers.ts";

/** What the map shows. Shorter spans than `duration.from` are in its lowest row. */
export type MapExtent = SpanRegion;

export interface SpanDensity extends MapExtent {
  columns: number;
  rows: number;
  /** Spans by row, the shortest first, and column. */
  cells: Uint32Array;
  spans: number;
  /** Some durations are least ones. */
  least: boolean;
  /** By column those of one sample, whose duration nothing tells: they are in no cell. */
  untold: Uint32Array;
  /** Of the fullest cell. */
  most: number;
}

/** Shares of the width from the left and of the height from the bottom. */
export interface Box {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/** Shortest duration that has a separate place, in ns. */
const LEAST = 1_000;
/** Where there is no span. */
const NOTHING: MapExtent = { start: { from: 0n, to: 1n }, duration: { from: 1n, to: 10n } };

/** The starts of all places, and the durations that are told from a power of ten to a power of ten. */
export function extentOf(points: SpanPoints, places: Uint32Array): MapExtent {
  if (places.length === 0) return NOTHING;
  const { duration } = numbersOf(points);
  let [least, most] = [Number.POSITIVE_INFINITY, LEAST];
  for (const place of places) {
    const length = duration[place] ?? 0;
    if (!isTold(points, place, length)) continue;
    if (length > 0 && length < least) least = length;
    if (length > most) most = length;
  }
  const bottom = Math.floor(Math.log10(Math.max(LEAST, Math.min(least, most))));
  const top = Math.max(bottom + 1, Math.ceil(Math.log10(most + 1)));
  return { start: startsOf(points, places), duration: { from: 10n ** BigInt(bottom), to: 10n ** BigInt(top) } };
}

function startsOf(points: SpanPoints, places: Uint32Array): TimeRange {
  const { start, isExact } = numbersOf(points);
  const rough: ArrayLike<number | bigint> = isExact ? start : points.start;
  let [first, last] = [places[0] ?? 0, places[0] ?? 0];
  for (const place of places) {
    const at = rough[place] ?? 0;
    if (at < (rough[first] ?? 0)) first = place;
    if (at > (rough[last] ?? 0)) last = place;
  }
  return { from: points.start[first] ?? 0n, to: (points.start[last] ?? 0n) + 1n };
}

export function densityOf(
  points: SpanPoints,
  places: Uint32Array,
  size: { columns: number; rows: number },
): SpanDensity {
  const extent = extentOf(points, places);
  const { columns, rows } = size;
  const cells = new Uint32Array(columns * rows);
  const untold = new Uint32Array(columns);
  const width = Number(extent.start.to - extent.start.from);
  const durationShare = shareOf(extent.duration);
  const { duration } = numbersOf(points);
  const start = since(points.start, extent.start.from);
  let most = 0;
  for (const place of places) {
    const column = Math.min(columns - 1, Math.floor((start(place) / width) * columns));
    const length = duration[place] ?? 0;
    if (!isTold(points, place, length)) {
      untold[column]!++;
      continue;
    }
    const share = durationShare(length);
    const row = Math.min(rows - 1, Math.floor(share * rows));
    const cell = row * columns + column;
    cells[cell] = (cells[cell] ?? 0) + 1;
    most = Math.max(most, cells[cell] ?? 0);
  }
  const least = points.least === true || (places.at(-1) ?? 0) >= points.unstated;
  return { ...extent, ...size, least, cells, untold, spans: places.length, most };
}

/** Where a duration lies on the scale: 0 at the bottom or below it, 1 at the top. */
export function shareOf({ from, to }: TimeRange): (nanos: number) => number {
  const bottom = Math.log10(Number(from));
  const height = Math.log10(Number(to)) - bottom;
  return (nanos) => (nanos <= 0 ? 0 : Math.max(0, Math.min(1, (Math.log10(nanos) - bottom) / height)));
}

/** The powers of ten of the scale, in ns. */
export function decades({ from, to }: TimeRange): number[] {
  const found: number[] = [];
  for (let at = from; at <= to; at *= 10n) found.push(Number(at));
  return found;
}

export function boxOf({ start, duration }: MapExtent, region: SpanRegion): Box {
  const width = Number(start.to - start.from);
  const share = shareOf(duration);
  const across = (at: bigint) => Math.max(0, Math.min(1, Number(at - start.from) / width));
  return {
    left: across(region.start.from),
    right: across(region.start.to),
    bottom: share(Number(region.duration.from)),
    top: share(Number(region.duration.to)),
  };
}

/** The region of a box. At the bottom of the map it has the shortest spans, too. */
export function regionOf({ start, duration }: MapExtent, { left, right, bottom, top }: Box): SpanRegion {
  const width = Number(start.to - start.from);
  const [low, high] = [Math.log10(Number(duration.from)), Math.log10(Number(duration.to))];
  const nanos = (share: number) => BigInt(Math.round(10 ** (low + share * (high - low))));
  const ordered = (from: bigint, to: bigint) => ({ from, to: to > from ? to : from + 1n });
  return {
    start: ordered(
      start.from + BigInt(Math.floor(left * width)),
      right >= 1 ? start.to : start.from + BigInt(Math.ceil(right * width)),
    ),
    duration: ordered(bottom <= 0 ? 0n : nanos(bottom), top >= 1 ? duration.to + 1n : nanos(top)),
  };
}

/** A step of an arrow key, as a share of the map. */
const STEP = 0.04;
/** A region is at least as wide and high. */
const THIN = 0.02;
const MIDDLE: Box = { left: 0.35, right: 0.65, bottom: 0.35, top: 0.65 };

type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";
const ARROWS: Readonly<Record<Arrow, [across: number, up: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/**
 * The box after an arrow key, which moves it; `resizes`: its right and upper edges are moved. The first key makes a box
 * in the middle. Null for another key.
 */
export function steppedBox(box: Box | null, key: string, resizes: boolean): Box | null {
  if (!Object.hasOwn(ARROWS, key)) return null;
  if (box === null) return MIDDLE;
  const [across, up] = ARROWS[key as Arrow];
  const edge = (low: number, high: number, by: number) => Math.max(low + THIN, Math.min(1, high + by));
  if (resizes) {
    return {
      ...box,
      right: edge(box.left, box.right, across * STEP),
      top: edge(box.bottom, box.top, up * STEP),
    };
  }
  const moved = (low: number, high: number, by: number) => Math.max(-low, Math.min(1 - high, by));
  const [x, y] = [moved(box.left, box.right, across * STEP), moved(box.bottom, box.top, up * STEP)];
  return { left: box.left + x, right: box.right + x, bottom: box.bottom + y, top: box.top + y };
}

/** The box between two corners. */
export function boxBetween(a: { x: number; y: number }, b: { x: number; y: number }): Box {
  const cut = (share: number) => Math.max(0, Math.min(1, share));
  return {
    left: cut(Math.min(a.x, b.x)),
    right: cut(Math.max(a.x, b.x)),
    bottom: cut(Math.min(a.y, b.y)),
    top: cut(Math.max(a.y, b.y)),
  };
}
