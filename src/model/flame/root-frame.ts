/** A root frame of a graph: the level it belongs to, and the filter for the samples below it. */
import * as FrameType from "../../../assembly/abi/frame-type.ts";
import type { FramesAnswer, ProfileSummary } from "../../core/types.ts";
import type { FilterChip } from "../query/filters.ts";
import { type RootLevel, THREAD } from "../query/root-by.ts";
import { depthOf } from "./flame.ts";

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
