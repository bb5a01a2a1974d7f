import type { FRAME_TYPES } from "../../core/types.ts";

/** Frame type of a row; "" where the recording does not say it. */
export type FrameKind = (typeof FRAME_TYPES)[number];

/** The order of core's FRAME_TYPES, kept here so that the page loads no core module. */
export const FRAME_KINDS: readonly FrameKind[] = ["", "jvm", "native", "kernel"];

const WORDS: Record<FrameKind, string> = { "": "", jvm: "Java", native: "native", kernel: "kernel" };

/** How a frame type is called on screen, "" where there is nothing to say. */
export function frameKindWord(kind: FrameKind): string {
  return WORDS[kind];
}
