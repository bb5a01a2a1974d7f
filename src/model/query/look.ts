/** Drawing options of a graph, which change no figure. */

/** What a frame's colour is by: its package, what kind of frame it is, or whose code it is. */
export const COLOURINGS = ["package", "kind", "origin"] as const;
export type Colouring = (typeof COLOURINGS)[number];

export interface Look {
  /** The root is at the bottom. */
  up: boolean;
  colouring: Colouring;
  /** Prefixes of application packages, separated by blanks or commas; "" leaves the guess to the page. */
  own: string;
  /** Names of frames are shown, and looked for, as recorded. */
  rawNames: boolean;
  /** Frames of servers and thread pools that nearly all samples begin with are one frame. */
  folded: boolean;
  /** Frames of profilers are shown as recorded, in place of one frame for each of their runs. */
  profiler: boolean;
}

export const LOOK: Look = { up: false, colouring: "package", own: "", rawNames: false, folded: true, profiler: false };

export function ownPrefixes({ own }: Look): string[] {
  return own.split(/[\s,]+/).filter((prefix) => prefix !== "");
}
