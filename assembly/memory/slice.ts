/** A slice: a run of bytes by its address and size, | pointer u32 | size u32 |: how tables refer to bytes. */
import * as Slice from "../abi/slice";
import { equalBytes } from "./hash";

export function sliceAt(slice: usize): usize {
  return <usize>load<u32>(slice, Slice.AT);
}

export function sliceSize(slice: usize): u32 {
  return load<u32>(slice, Slice.SIZE);
}

export function sliceEnd(slice: usize): usize {
  return sliceAt(slice) + sliceSize(slice);
}

/** Whether its bytes are these. */
export function hasBytes(slice: usize, p: usize, n: u32): bool {
  return sliceSize(slice) === n && equalBytes(sliceAt(slice), p, n);
}

export function setSlice(slice: usize, at: usize, size: u32): void {
  store<u32>(slice, <u32>at, Slice.AT);
  store<u32>(slice, size, Slice.SIZE);
}
