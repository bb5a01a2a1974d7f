/**
 * Attribute of the parts of divided waits: who held what was waited for (assembly/store/held/divided.ts). No file has
 * it, and a selection has such parts only where its filter or its root frames ask for holders.
 */
import type { RootLevel } from "../shape.ts";
import type { Filter } from "../types.ts";

export const HOLDER_KEY = "spanflame.holder";

/** Whether root frames, or a filter by them, are holders. */
export function asksHolders({ rootFrames = [] }: Filter, roots: readonly RootLevel[] = []): boolean {
  return [...rootFrames, ...roots].some(({ keys }) => keys.includes(HOLDER_KEY));
}
