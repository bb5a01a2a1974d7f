/** Colours of a drawing, and the legend that highlights some of them. */
import { useMemo, useState } from "react";
import { DIMMED, toneNumber, UNKNOWN } from "../../../model/flame/colour.ts";
import { classAt, classOf, type FrameClass } from "../../../model/flame/frame-classes.ts";
import { TYPE_COUNT } from "../../../model/flame/frame-types.ts";
import { isInRow, type LegendFrames, type LegendRow, legendOf } from "../../../model/flame/legend.ts";
import type { Look } from "../../../model/query/look.ts";
import type { Drawing } from "../../parts/answers/use-frames.ts";

export interface Colours {
  classes: (row: number) => FrameClass;
  /** Colour of each row, by its number in TONES. */
  tones: Uint8Array;
  /** One function as long as the legend does not change. */
  legend: () => LegendRow[];
  frames: LegendFrames;
  /** Self value of the whole drawing. */
  whole: number;
  /** Key of the legend's row whose frames are highlighted. */
  highlighted: string | null;
  highlight: (key: string | null) => void;
}

/** `inverted`: the tops of the stacks are the frames right below the root. */
export function useColours(drawing: Drawing | null, look: Look, inverted: boolean): Colours | null {
  const fold = drawing?.fold;
  const of = useFrameColours((fold?.before ?? drawing?.answer)?.frames, look, inverted);
  return useMemo(() => {
    if (of === null || fold === undefined) return of;
    const tones = Uint8Array.from(fold.rows, (row) => of.tones[row]);
    // The folded frames are of several families.
    if (of.highlighted === null) for (const row of fold.chains.keys()) tones[row] = toneNumber(UNKNOWN);
    return { ...of, classes: (row) => of.classes(fold.rows[row]), tones };
  }, [of, fold]);
}

/** Colours of any frames. `whole`: the total of all, if it is not that of the first one. */
export function useFrameColours(
  frames: LegendFrames | undefined,
  look: Look,
  inverted: boolean,
  whole = frames?.total[0] ?? 0,
): Colours | null {
  const [key, highlight] = useState<string | null>(null);
  const coloured = useMemo(() => {
    if (frames === undefined) return null;
    const colour = classOf(look);
    const classes = (row: number) => classAt(frames, row, colour);
    return { frames, classes, legend: () => legendOf(frames, look, inverted, colour), whole };
  }, [frames, look, inverted, whole]);
  return useMemo(() => {
    if (coloured === null) return null;
    const { frames, classes, legend } = coloured;
    // A row that the drawing no longer has highlights nothing.
    const highlighted = key !== null && legend().some((row) => row.key === key) ? key : null;
    const toneOf = (of: FrameClass) => (highlighted === null || isInRow(highlighted, of) ? of.tone : DIMMED);
    return { ...coloured, tones: tonesOf(frames, (row) => toneNumber(toneOf(classes(row)))), highlighted, highlight };
  }, [coloured, key]);
}

const UNKNOWN_YET = 255;

/** Tones by row; asks once for each name and type, which are few. */
function tonesOf({ name, names, frameType }: LegendFrames, toneOf: (row: number) => number): Uint8Array {
  const known = new Uint8Array(names.length * TYPE_COUNT).fill(UNKNOWN_YET);
  const tones = new Uint8Array(name.length);
  for (let row = 0; row < tones.length; row++) {
    const at = name[row] * TYPE_COUNT + frameType[row];
    if (known[at] === UNKNOWN_YET) known[at] = toneOf(row);
    tones[row] = known[at];
  }
  return tones;
}
