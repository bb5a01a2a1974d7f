/** The legend of a drawing: the families of code and the application's package roots, with the value of each. */
import type { FrameColumns } from "../../core/types.ts";
import type { Look } from "../query/look.ts";
import { formatPercent } from "../words/format.ts";
import type { Tone } from "./colour.ts";
import {
  type ClassedFrames,
  type ClassOf,
  classOf,
  classOfName,
  FAMILIES,
  FAMILY_WORDS,
  type Family,
  FOLDED_PROFILERS,
  type FrameClass,
} from "./frame-classes.ts";
import { TYPE_COUNT } from "./frame-types.ts";
import { hueOf } from "./package-roots.ts";

export interface LegendRow {
  /** Another row has another key. */
  key: string;
  label: string;
  /** Colours of the row's frames, the heaviest first; empty for hidden frames. */
  tones: readonly Tone[];
  /** Value of the samples with such a frame, each counted once. */
  total: number;
  /** Self value of the frames of this row. */
  value: number;
  /** It is a part of the family before it. */
  isPart: boolean;
}

/** Columns of frames with a value each, of which the first may be the root of all. */
export type LegendFrames = ClassedFrames & Pick<FrameColumns, "parent" | "total" | "self" | "hiddenValue">;

const HIDDEN_LABEL = "Hidden";
/** Roots that share a hue and are named. */
const MOST_NAMED = 2;

interface Group {
  total: number;
  value: number;
  /** Value by colour. */
  tones: Map<Tone, number>;
}

interface HueGroup extends Group {
  roots: Map<string, number>;
}

/** The key of the legend row that a frame belongs to within its family, "" for a family without parts. */
function partOf({ family, root }: FrameClass): string {
  return root === "" ? "" : `${family}/${hueOf(root)}`;
}

/** Whether the frames of a class belong to a row. */
export function isInRow(key: string, of: FrameClass): boolean {
  return key === of.family || key === partOf(of);
}

/**
 * Families in their order; the application's roots below it, one row for each hue. With `inverted` the tops of the
 * stacks are the frames right below the root, and what they weigh is theirs. Hidden frames have no colour.
 */
export function legendOf(frames: LegendFrames, look: Look, inverted: boolean, colour = classOf(look)): LegendRow[] {
  const families = new Map<Family, Group>();
  const hues = new Map<string, HueGroup>();
  let labels: Readonly<Record<Family, string>> = FAMILY_WORDS;
  const hidden = gather(frames, inverted, colour, (of, value) => {
    if (of === FOLDED_PROFILERS) labels = { ...labels, profiler: `${FAMILY_WORDS.profiler}, folded` };
    const family = groupOf(families, of.family, newGroup);
    add(family, of.tone, value);
    const part = partOf(of);
    if (part === "") return [family];
    const hue = groupOf(hues, part, () => ({ ...newGroup(), roots: new Map() }));
    add(hue, of.tone, value);
    hue.roots.set(of.root, (hue.roots.get(of.root) ?? 0) + value);
    return [family, hue];
  });
  const rows = FAMILIES.flatMap((family): LegendRow[] => {
    const group = families.get(family);
    // The root of the tree alone is no code.
    if (group === undefined || (family === "other" && group.value === 0)) return [];
    const row = rowOf(family, labels[family], group, false);
    const parts = family === "application" ? partsOf(hues) : [];
    const [only] = parts;
    // The same figures twice say nothing.
    return parts.length === 1 ? [{ ...row, label: `${row.label}: ${only.label}` }] : [row, ...parts];
  });
  if (hidden > 0) rows.push({ ...rowOf("hidden", HIDDEN_LABEL, newGroup(), false), total: hidden, value: hidden });
  return rows;
}

/**
 * Calls back with the frames of each name and their value, and adds the totals of rows to the groups that it gets for
 * them: a row counts where none above it is of the same group. Returns the value of hidden frames.
 */
function gather(
  frames: LegendFrames,
  inverted: boolean,
  colour: ClassOf,
  take: (of: FrameClass, value: number) => Group[],
) {
  const { name: names, names: texts, frameType } = frames;
  let hidden = 0;
  // Frames have few names: values of one name and type are added up before the look-up.
  const values = new Float64Array(texts.length * TYPE_COUNT);
  const isThere = new Uint8Array(values.length);
  for (let row = 0; row < names.length; row++) {
    const ofTop = row > 0 && frames.parent[row] === 0 ? frames.total[row] : 0;
    if (!inverted || row === 0) hidden += frames.hiddenValue[row];
    const at = names[row] * TYPE_COUNT + frameType[row];
    values[at] += inverted ? ofTop : frames.self[row];
    isThere[at] = 1;
  }
  // A bit for each group: there are as many as families and hues.
  const groups: Group[] = [];
  const bits = new Uint32Array(values.length);
  for (let at = 0; at < isThere.length; at++) {
    const index = Math.floor(at / TYPE_COUNT);
    if (isThere[at] === 0 || texts[index] === "") continue;
    for (const group of take(classOfName(frames, index, at % TYPE_COUNT, colour), values[at])) {
      if (!groups.includes(group)) groups.push(group);
      bits[at] |= 1 << groups.indexOf(group);
    }
  }
  const above = new Uint32Array(names.length);
  for (let row = 0; row < names.length; row++) {
    const own = bits[names[row] * TYPE_COUNT + frameType[row]];
    const over = row === 0 ? 0 : above[frames.parent[row]];
    for (let fresh = own & ~over; fresh !== 0; fresh &= fresh - 1)
      groups[31 - Math.clz32(fresh & -fresh)].total += frames.total[row];
    above[row] = own | over;
  }
  return hidden;
}

function newGroup(): Group {
  return { total: 0, value: 0, tones: new Map() };
}

function groupOf<K, G>(groups: Map<K, G>, key: K, make: () => G): G {
  const known = groups.get(key) ?? make();
  groups.set(key, known);
  return known;
}

function add(group: Group, tone: Tone, value: number): void {
  group.value += value;
  group.tones.set(tone, (group.tones.get(tone) ?? 0) + value);
}

function rowOf(key: string, label: string, { total, value, tones }: Group, isPart: boolean): LegendRow {
  return { key, label, tones: heaviest(tones), total, value, isPart };
}

/**
 * `54 % (self 1.4 %)`: the share of the samples with such a frame, and the share of those that end in one. "" where
 * none has a duration.
 */
export function shareWords({ total, value }: Pick<LegendRow, "total" | "value">, whole: number): string {
  if (whole === 0) return "";
  const share = formatPercent(total, whole);
  return total === value ? share : `${share} (self ${formatPercent(value, whole)})`;
}

/** The root with the most samples first. */
function partsOf(hues: Map<string, HueGroup>): LegendRow[] {
  return [...hues]
    .sort(([a, of], [b, other]) => other.total - of.total || other.value - of.value || (a < b ? -1 : 1))
    .map(([key, group]) => {
      const roots = heaviest(group.roots);
      const more = roots.length > MOST_NAMED ? ` +${roots.length - MOST_NAMED}` : "";
      return rowOf(key, roots.slice(0, MOST_NAMED).join(", ") + more, group, true);
    });
}

/** The keys of the largest values first. */
export function heaviest<K>(values: Map<K, number>): K[] {
  return [...values].sort((a, b) => b[1] - a[1]).map(([key]) => key);
}
