/** Frame types of the core's answers, by name and in words. */
import * as FrameType from "../../../assembly/abi/frame-type.ts";

/** As in the OTLP attribute `profile.frame.type`. */
const NAMES = {
  [FrameType.None]: "",
  [FrameType.Jvm]: "jvm",
  [FrameType.Native]: "native",
  [FrameType.Kernel]: "kernel",
} as const satisfies Record<(typeof FrameType)[keyof typeof FrameType], string>;

/** "" where the recording does not say it. */
export type FrameKind = (typeof NAMES)[keyof typeof NAMES];

/** By the number that a row has. */
export const FRAME_KINDS: Readonly<Record<number, FrameKind>> = NAMES;

const WORDS: Record<FrameKind, string> = { "": "", jvm: "Java", native: "native", kernel: "kernel" };

/** How a frame type is called on screen, "" where there is nothing to say. */
export function frameKindWord(kind: FrameKind): string {
  return WORDS[kind];
}
