/** Colours of a drawing, and the legend that highlights some of them. */
import { useMemo, useState } from "react";
import { DIMMED, type Tone } from "../../model/flame/colour.ts";
import { classOf, type FrameClass } from "../../model/flame/frame-classes.ts";
import { FRAME_TYPES, TYPE_COUNT } from "../../model/flame/frame-types.ts";
import { isInRow, type LegendRow, legendOf } from "../../model/flame/legend.ts";
import type { Look } from "../../model/query/look.ts";
import type { Drawing } from "./use-frames.ts";

export interface Colours {
  classes: (row: number) => FrameClass;
  toneOf: (row: number) => Tone;
  rows: LegendRow[];
  /** Self value of the whole drawing. */
  whole: number;
  /** Key of the legend's row whose frames are highlighted. */
  highlighted: string | null;
  highlight: (key: string | null) => void;
}

/** `inverted`: the tops of the stacks are the frames right below the root. */
export function useColours(drawing: Drawing | null, look: Look, inverted: boolean): Colours | null {
  const [key, highlight] = useState<string | null>(null);
  const frames = drawing?.answer.frames;
  const coloured = useMemo(() => {
    if (frames === undefined) return null;
    const colour = classOf(look);
    const { names, name, frameType } = frames;
    // By name and type: a drawing asks for every box, and has few names.
    const known: FrameClass[] = new Array(names.length * TYPE_COUNT);
    const classes = (row: number) => {
      const at = name[row] * TYPE_COUNT + frameType[row];
      known[at] ??= colour(names[name[row]] ?? "", FRAME_TYPES[frameType[row]] ?? "");
      return known[at];
    };
    return { classes, rows: legendOf(frames, look, inverted, colour), whole: frames.total[0] };
  }, [frames, look, inverted]);
  return useMemo(() => {
    if (coloured === null) return null;
    const { classes, rows } = coloured;
    // A row that the drawing no longer has highlights nothing.
    const highlighted = rows.some((row) => row.key === key) ? key : null;
    const toneOf = (row: number) => {
      const of = classes(row);
      return highlighted === null || isInRow(highlighted, of) ? of.tone : DIMMED;
    };
    return { ...coloured, toneOf, highlighted, highlight };
  }, [coloured, key]);
}
