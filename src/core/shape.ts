/** The shape of a call tree: its transforms, for all views and for the formats that show stacks. */

/**
 * Frames of a recursive function: unchanged; direct calls of itself joined into one frame; or all its frames joined
 * into the outermost one.
 */
export type Recursion = "kept" | "direct" | "all";

/** One level of root frames: every stack has a frame above it that is an attribute of its sample. */
export interface RootLevel {
  /** The level as links and options name it: `endpoint`, `thread-pool`, `attr:KEY` (src/model/query/root-by.ts). */
  by: string;
  /** The first of these keys that a sample has names its root frame. */
  keys: readonly string[];
  /** Values that differ in a number at their end are one root frame. */
  pooled: boolean;
  /** Name of the root frame of samples without any of the keys. */
  none: string;
}

/** A rule for runs: neighbouring frames whose functions the pattern finds are one frame of this name. */
export interface RunRule {
  name: string;
  pattern: string;
  /** The frames are a border: they and the frames above them are left out, so that stacks begin below the innermost. */
  border?: boolean | undefined;
  /** All frames below belong to the run. */
  whole?: boolean | undefined;
}

/** Runs that keep their frames: those of a rule, by its name, right below frames of a name; "" for the root. */
export interface OpenRun {
  rule: string;
  below: string;
}

/** Transforms of the call tree, for every view; the filter chooses the samples. */
export interface Shape {
  /** Stacks begin at the outermost frame of this function; "" for the whole stacks. */
  from: string;
  /** Patterns of functions whose frames are removed: their self value is added to the caller's. */
  merged: readonly string[];
  recursion: Recursion;
  /** Frames are split by line: `run:12`. */
  lines: boolean;
  /** Root frames above the stacks, the outermost first: at most two levels. */
  roots?: readonly RootLevel[];
  /** Runs of frames that are one frame each. Of rules that find the same function the first one counts. */
  runs?: readonly RunRule[];
  opened?: readonly OpenRun[];
}

/** Equal keys, equal trees. */
export function shapeKey({ from, merged, recursion, lines, roots = [], runs = [], opened = [] }: Shape): string {
  return JSON.stringify([from, merged, recursion, lines, roots, runs, opened]);
}

export const WHOLE_KEY = shapeKey({ from: "", merged: [], recursion: "kept", lines: false });
