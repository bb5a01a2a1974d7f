/** Entry of the cursor's and the texts' tests: `room` takes the bytes. Not part of the core. */
import { resetAll } from "../memory/resets";

export {
  fixed,
  left,
  overrun,
  position,
  readByte,
  readInt,
  readLong,
  seek,
  setCompressed,
  skipBytes,
  skipVarints,
  varLong,
} from "../read/jfr/cursor";
export { readText, skipText, textAt, textKey, textSize } from "../read/jfr/text";

const ROOM: usize = memory.data(1 << 16, 16);

/** 64 KiB for the host to put bytes into. */
export function room(): usize {
  return ROOM;
}

export function reset(): void {
  resetAll();
}
