/** A frame for a run of frames: what opens it. */
import * as FrameType from "../../../assembly/abi/frame-type.ts";
import type { FramesAnswer, ProfileSummary } from "../../core/types.ts";
import type { OpenRun, TreeRow } from "../../core/view-types.ts";
import type { FilterChip } from "../query/filters.ts";
import { type RootLevel, THREAD } from "../query/root-by.ts";
import { functionOf } from "../query/shape.ts";
import { depthOf } from "./flame.ts";

/** Name of a rule in the name of its frame, `Spring · 43`. */
export function ruleOf(name: string): string {
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

/** A root frame of a graph: the level it belongs to, and the filter for the samples below it. */
type Profile = Pick<ProfileSummary, "samplesWithAttribute">;

/**
 * The level of a root frame, 0 for the outer one; -1 for a frame that is none. It is an ancestor of the focus, by its
 * place in the path, or in a row. With `upward` callers are below, so the outer level is the lower one.
 */
export function rootLevelOf(
  { frames, path }: FramesAnswer,
  step: number,
  row: number,
  levels: number,
  upward: boolean,
): number {
  if (step >= 0) return upward || step > levels ? -1 : step - 1;
  if (frames.frameType[row] !== FrameType.Root) return -1;
  const isInner = upward
    ? frames.frameType[frames.parent[row]] !== FrameType.Root
    : path.length + depthOf(frames, row) > 1;
  return isInner ? levels - 1 : 0;
}

/** The filter for the samples below a root frame: by its attribute if that says all, so that lists show the value. */
export function rootFrameFilter(level: RootLevel | undefined, name: string, profile: Profile): FilterChip | null {
  if (level === undefined) return null;
  const { by, keys, none, pooled } = level;
  const carried = keys.filter((key) => key === THREAD || Object.hasOwn(profile.samplesWithAttribute, key));
  const [key] = carried;
  const isValue = carried.length === 1 && !pooled && name !== none && name !== "(empty)";
  return isValue && key !== undefined ? { kind: "attribute", key, value: name } : { kind: "root-frame", by, name };
}
