/** The legend of a drawing: its colours, and the value of each. */
import type { FrameColumns } from "../../core/types.ts";
import type { Look } from "../query/look.ts";
import type { Tone } from "./colour.ts";
import { classOf } from "./frame-classes.ts";
import { FRAME_TYPES } from "./frame-types.ts";

export interface LegendRow {
  label: string;
  /** Null for what has no box of its own. */
  tone: Tone | null;
  /** Self value of the frames of this colour. */
  value: number;
}

/** Rows that are named; the lighter ones are one more. */
const MOST_ROWS = 12;

/**
 * By self value, heaviest first. With `inverted` the tops of the stacks are the frames right below the root, and what
 * they weigh is theirs. Hidden frames have no colour.
 */
export function legendOf(frames: FrameColumns, look: Look, inverted: boolean): LegendRow[] {
  const colour = classOf(look);
  const byLabel = new Map<string, LegendRow>();
  let hidden = 0;
  frames.name.forEach((name, row) => {
    const ofTop = row > 0 && frames.parent[row] === 0 ? frames.total[row] : 0;
    if (!inverted || row === 0) hidden += frames.hiddenValue[row];
    const text = frames.names[name];
    const value = inverted ? ofTop : frames.self[row];
    if (text === "") return;
    const { label, tone } = colour(text, FRAME_TYPES[frames.frameType[row]] ?? "");
    const known = byLabel.get(label) ?? { label, tone, value: 0 };
    known.value += value;
    byLabel.set(label, known);
  });
  const rows = [...byLabel.values()].sort((a, b) => b.value - a.value || (a.label < b.label ? -1 : 1));
  const rest = rows.slice(MOST_ROWS);
  const more = { label: `${rest.length} more`, tone: null, value: rest.reduce((sum, { value }) => sum + value, 0) };
  return [
    ...rows.slice(0, MOST_ROWS),
    ...(rest.length > 0 ? [more] : []),
    ...(hidden > 0 ? [{ label: "hidden", tone: null, value: hidden }] : []),
  ];
}
