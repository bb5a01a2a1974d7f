/** A frame for a run of frames: what opens it. */
import * as FrameType from "../../../assembly/abi/frame-type.ts";
import type { FramesAnswer } from "../../core/types.ts";
import type { OpenRun, TreeRow } from "../../core/view-types.ts";
import { functionOf } from "../query/shape.ts";

/** Name of a rule in the name of its frame, `Spring · 43`. */
function ruleOf(name: string): string {
  return name.replace(/ · \d+$/, "");
}

/** The run in a row of a graph from the root down; null for any other frame. */
export function runOf({ frames, path }: FramesAnswer, row: number, lines: boolean): OpenRun | null {
  if (row === 0 || frames.frameType[row] !== FrameType.Run) return null;
  const parent = frames.parent[row];
  const type = frames.frameType[parent];
  const name = frames.names[frames.name[parent]] ?? "";
  return { rule: ruleOf(frames.names[frames.name[row]] ?? ""), below: belowOf(type, name, lines, path.length) };
}

/** The run in a row of the call tree; `above` is the row of its caller. Null for any other frame. */
export function runOfRow(row: TreeRow, above: TreeRow | undefined, lines: boolean): OpenRun | null {
  if (row.frameType !== FrameType.Run) return null;
  return { rule: ruleOf(row.name), below: above === undefined ? "" : belowOf(above.frameType, above.name, lines, 1) };
}

/** The frame above a run as the core compares it: below a root frame a run is at the root of the recorded stack. */
function belowOf(type: number, name: string, lines: boolean, above: number): string {
  if (type === FrameType.Root || (above === 0 && name === "")) return "";
  return type === FrameType.Run ? ruleOf(name) : functionOf(name, lines);
}
