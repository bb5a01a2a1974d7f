/** Texts of frame types in the attribute `profile.frame.type`. */
import * as FrameType from "../abi/frame-type";
import { isText } from "../memory/ascii";

/** By FrameType. */
export const FRAME_TYPES: StaticArray<string> = [
  "",
  "jvm",
  "native",
  "kernel",
  "beam",
  "cpython",
  "cuda",
  "dotnet",
  "go",
  "luajit",
  "perl",
  "php",
  "ruby",
  "rust",
  "v8js",
];

/** The frame type with the text of `n` bytes at `p`; None for other texts. */
export function frameTypeNamed(p: usize, n: u32): u32 {
  for (let type: u32 = 1; type < <u32>FRAME_TYPES.length; type++) if (isText(p, n, FRAME_TYPES[type])) return type;
  return FrameType.None;
}

/** Whether frames of this type are in a library with symbols: machine code that no runtime made. */
export function hasSymbols(type: u32): bool {
  return (
    type === FrameType.None ||
    type === FrameType.Native ||
    type === FrameType.Cuda ||
    type === FrameType.Go ||
    type === FrameType.Rust
  );
}
