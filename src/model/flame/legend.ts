/** The legend of a drawing: the families of code and the application's package roots, with the value of each. */
import type { FrameColumns } from "../../core/types.ts";
import type { Look } from "../query/look.ts";
import type { Tone } from "./colour.ts";
import {
  type ClassedFrames,
  type ClassOf,
  classOf,
  classOfName,
  FAMILIES,
  FAMILY_WORDS,
  type Family,
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
  const hidden = gather(frames, inverted, colour, (of, value) => {
    add(groupOf(families, of.family, newGroup), of.tone, value);
    const part = partOf(of);
    if (part === "") return;
    const hue = groupOf(hues, part, () => ({ ...newGroup(), roots: new Map() }));
    add(hue, of.tone, value);
    hue.roots.set(of.root, (hue.roots.get(of.root) ?? 0) + value);
  });
  const rows = FAMILIES.flatMap((family): LegendRow[] => {
    const group = families.get(family);
    // The root of the tree alone is no code.
    if (group === undefined || (family === "other" && group.value === 0)) return [];
    const row = rowOf(family, FAMILY_WORDS[family], group, false);
    return family === "application" ? [row, ...partsOf(hues)] : [row];
  });
  if (hidden > 0) rows.push({ key: "hidden", label: HIDDEN_LABEL, tones: [], value: hidden, isPart: false });
  return rows;
}

/** Calls back with each frame; returns the value of hidden ones. */
function gather(
  frames: LegendFrames,
  inverted: boolean,
  colour: ClassOf,
  take: (of: FrameClass, value: number) => void,
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
  for (let at = 0; at < isThere.length; at++) {
    if (isThere[at] === 0) continue;
    const index = Math.floor(at / TYPE_COUNT);
    if (texts[index] !== "") take(classOfName(frames, index, at % TYPE_COUNT, colour), values[at]);
  }
  return hidden;
}

function newGroup(): Group {
  return { value: 0, tones: new Map() };
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

function rowOf(key: string, label: string, { value, tones }: Group, isPart: boolean): LegendRow {
  return { key, label, tones: heaviest(tones), value, isPart };
}

/** The heaviest root first; those without self value only where no root has any. */
function partsOf(hues: Map<string, HueGroup>): LegendRow[] {
  const all = [...hues];
  const some = all.filter(([, { value }]) => value > 0);
  return (some.length > 0 ? some : all)
    .sort(([a, { value }], [b, { value: other }]) => other - value || (a < b ? -1 : 1))
    .map(([key, group]) => {
      const roots = heaviest(group.roots);
      const more = roots.length > MOST_NAMED ? ` +${roots.length - MOST_NAMED}` : "";
      return rowOf(key, roots.slice(0, MOST_NAMED).join(", ") + more, group, true);
    });
}

function heaviest<K>(values: Map<K, number>): K[] {
  return [...values].sort((a, b) => b[1] - a[1]).map(([key]) => key);
}
