/** Pauses, gaps and losses of the timeline in places and words. */
import type { TimeRow } from "../../core/answers/time-rows.ts";
import type { TimeRange } from "../../core/types.ts";
import type { Gap, Marks } from "../../core/view-types.ts";
import { formatBytes, formatCount, formatCounted, formatNanos } from "../words/format.ts";
import { visible } from "../words/text.ts";

/** A screen hardly shows more, and what falls into one place is drawn once. */
const PLACES = 1000;
/** Gaps that are drawn, the longest: each is an element. */
const MOST_GAPS = 100;

/** The marks of one file. */
export function marksOf(marks: Marks, row: TimeRow): Marks {
  const { pauses, files } = marks;
  const from = Number(row.from - marks.start);
  const to = Number(row.to - marks.start);
  const isIn = (at: number, nanos: number) => at < to && at + nanos > from;
  const own: number[] = [];
  pauses.at.forEach((at, i) => {
    if (files[pauses.file[i]!] === row.file && isIn(at, pauses.nanos[i]!)) own.push(i);
  });
  return {
    ...marks,
    pauses: {
      at: Float64Array.from(own, (i) => pauses.at[i]!),
      nanos: Float64Array.from(own, (i) => pauses.nanos[i]!),
      text: Uint32Array.from(own, (i) => pauses.text[i]!),
      file: Uint32Array.from(own, (i) => pauses.file[i]!),
    },
    gaps: marks.gaps.filter(({ file, at, nanos }) => file === row.file && isIn(at, nanos)),
  };
}

/** What lies between two rows and is not drawn; "" where they touch or overlap. */
export function gapBetween(before: TimeRow, { from, file }: TimeRow): string {
  if (from <= before.to) return "";
  const where = file === before.file ? "in the file" : "between files";
  return `gap of ${formatNanos(from - before.to)} ${where} (not shown)`;
}

/** The least part of a place that is paused, for each shade from pale to full. */
const SHADES = [0, 0.1, 0.35];
/** Of a place, for a pause of no length. */
const LEAST_PART = 1e-9;

/**
 * Pauses as SVG paths, PLACES wide and 1 high, one for each shade: many short pauses are no solid line, and a pause is
 * seen however short it is.
 */
export function pausePaths({ start, pauses }: Marks, shown: TimeRange): string[] {
  const [from, scale] = placing(start, shown);
  const paused = new Float64Array(PLACES);
  pauses.at.forEach((at, i) => {
    const left = (at - from) * scale;
    const right = (at + pauses.nanos[i]! - from) * scale;
    const first = Math.floor(left);
    const last = Math.min(PLACES - 1, Math.max(first, Math.ceil(right) - 1));
    for (let place = Math.max(0, first); place <= last; place++)
      paused[place]! += Math.max(LEAST_PART, Math.min(right, place + 1) - Math.max(left, place));
  });
  const paths = SHADES.map(() => "");
  const shadeAt = (place: number) =>
    paused[place]! > 0 ? SHADES.findLastIndex((least) => paused[place]! >= least) : -1;
  for (let begin = 0, end = 1; begin < PLACES; begin = end++) {
    const shade = shadeAt(begin);
    while (end < PLACES && shadeAt(end) === shade) end++;
    if (shade >= 0) paths[shade] += `M${begin} 0H${end}V1H${begin}Z`;
  }
  return paths;
}

function placing(start: bigint, shown: TimeRange): [from: number, scale: number] {
  return [Number(shown.from - start), PLACES / Math.max(1, Number(shown.to - shown.from))];
}

export interface PlacedGap extends Gap {
  /** Shares of the width. */
  left: number;
  width: number;
}

/** The longest gaps, where they lie in the time shown. */
export function placedGaps({ start, gaps }: Marks, shown: TimeRange): PlacedGap[] {
  const [from, scale] = placing(start, shown);
  const longest = [...gaps].sort((a, b) => b.nanos - a.nanos).slice(0, MOST_GAPS);
  return longest.flatMap((gap) => {
    const left = Math.max(0, ((gap.at - from) * scale) / PLACES);
    const right = Math.min(1, ((gap.at + gap.nanos - from) * scale) / PLACES);
    return right <= left ? [] : [{ ...gap, left, width: right - left }];
  });
}

function gapWords({ nanos, recorded }: Pick<Gap, "nanos" | "recorded">): string {
  return `${recorded ? "no samples" : "not recorded"} for ${formatNanos(nanos)}`;
}

/** The pauses within `reach` ns of a moment, or the gap that it lies in; "" where there is neither. */
export function wordsAt({ start, pauses, texts, gaps }: Marks, moment: bigint, reach: number): string {
  const at = Number(moment - start);
  const found: number[] = [];
  for (let i = firstReaching(pauses, at - reach); i < pauses.at.length && pauses.at[i]! <= at + reach; i++)
    found.push(i);
  const [one] = found;
  if (one === undefined) {
    const gap = gaps.find((each) => each.at <= at && at < each.at + each.nanos);
    return gap === undefined ? "" : gapWords(gap);
  }
  const nanos = formatNanos(found.reduce((sum, i) => sum + pauses.nanos[i]!, 0));
  if (found.length > 1) return `${formatCounted(found.length, "GC pause")}, ${nanos} in all`;
  const cause = visible(texts[pauses.text[one]!] ?? "", 120);
  return `GC pause of ${nanos}${cause === "" ? "" : `, ${cause}`}`;
}

/** Index of the first pause that ends after `at`, as far as pauses do not overlap. */
function firstReaching({ at: starts, nanos }: Marks["pauses"], at: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! + nanos[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface LegendEntry {
  kind: "pauses" | "gaps" | "unrecorded" | "lost";
  count: number;
  text: string;
  /** Further figures; may be empty. */
  more: string;
}

/** What is marked, in words; nothing of what there is not. */
export function legend({ pauses, beyond, gaps, lost }: Marks): LegendEntry[] {
  const entries: LegendEntry[] = [];
  const count = pauses.at.length;
  if (count > 0) {
    const all = pauses.nanos.reduce((sum, each) => sum + each, 0);
    const longest = pauses.nanos.reduce((most, each) => Math.max(most, each), 0);
    const figures = count === 1 ? formatNanos(all) : `${formatNanos(all)} in all`;
    const more = [
      count > 1 && `longest ${formatNanos(longest)}`,
      beyond > 0 && `${formatCounted(beyond, "further event")} not counted`,
    ];
    const text = `${formatCounted(count, "GC pause")}, ${figures}`;
    entries.push({ kind: "pauses", count, text, more: more.filter((each) => each !== false).join(", ") });
  }
  for (const [kind, recorded] of [["gaps", true] as const, ["unrecorded", false] as const]) {
    const own = gaps.filter((gap) => gap.recorded === recorded);
    if (own.length === 0) continue;
    const words = gapWords({ recorded, nanos: own.reduce((sum, { nanos }) => sum + nanos, 0) });
    const more = own.length === 1 ? "" : `in ${formatCount(own.length)} stretches`;
    entries.push({ kind, count: own.length, text: words, more });
  }
  if (lost.times > 0) {
    const text = `${formatCounted(lost.times, "data loss", "data losses")}, ${formatBytes(lost.bytes)}`;
    entries.push({ kind: "lost", count: lost.times, text, more: "" });
  }
  return entries;
}
