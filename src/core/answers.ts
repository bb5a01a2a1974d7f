/** Decoding of the core's answers into records; their layouts are in assembly/abi. */
import {
  FRAMES_HIDDEN,
  FRAMES_HIDDEN_COUNTS,
  FRAMES_HIDDEN_VALUE,
  FRAMES_HIDDEN_VALUES,
  FRAMES_IN_FOCUS,
  FRAMES_NAMES,
  FRAMES_NODES,
  FRAMES_PARENTS,
  FRAMES_PATH,
  FRAMES_PATH_ROWS,
  FRAMES_ROWS,
  FRAMES_SELECTION_TOTAL,
  FRAMES_SELFS,
  FRAMES_TOTALS,
  FRAMES_TYPES,
  PATH_BYTES,
  PATH_NAME,
  PATH_NODE,
  PATH_TOTAL,
} from "../../assembly/abi/frames-answer.ts";
import type { Access } from "./access.ts";
import type { FramesAnswer } from "./types.ts";

/** The answer at `p` to a question for frames. */
export function readFrames(core: Access, p: number): FramesAnswer {
  const { memory } = core;
  const rows = memory.u32(p + FRAMES_ROWS);
  const pointer = (offset: number) => memory.u32(p + offset);
  const names: string[] = [];
  const indices = new Map<number, number>();
  const name = memory.u32s(pointer(FRAMES_NAMES), rows).map((index) => {
    let local = indices.get(index);
    if (local === undefined) {
      local = names.length;
      indices.set(index, local);
      names.push(core.frameName(index));
    }
    return local;
  });
  const hasInlined = core.wasm.hasInlined();
  const path = Array.from({ length: memory.u32(p + FRAMES_PATH_ROWS) }, (_, i) => {
    const row = pointer(FRAMES_PATH) + PATH_BYTES * i;
    return {
      node: memory.u32(row + PATH_NODE),
      name: core.frameName(memory.u32(row + PATH_NAME)),
      total: memory.f64(row + PATH_TOTAL),
    };
  });
  return {
    frames: {
      node: memory.u32s(pointer(FRAMES_NODES), rows),
      parent: memory.u32s(pointer(FRAMES_PARENTS), rows),
      name,
      frameType: memory.u8s(pointer(FRAMES_TYPES), rows),
      total: memory.f64s(pointer(FRAMES_TOTALS), rows),
      self: memory.f64s(pointer(FRAMES_SELFS), rows),
      hiddenFrames: memory.u32s(pointer(FRAMES_HIDDEN_COUNTS), rows),
      hiddenValue: memory.f64s(pointer(FRAMES_HIDDEN_VALUES), rows),
      ...(hasInlined && { inlined: Uint8Array.from(indices.keys(), (id) => core.wasm.inlinedOf(id)) }),
      names,
      nameIds: Uint32Array.from(indices.keys()),
    },
    path,
    selectionTotal: memory.f64(p + FRAMES_SELECTION_TOTAL),
    framesInFocus: memory.u32(p + FRAMES_IN_FOCUS),
    hiddenValue: memory.f64(p + FRAMES_HIDDEN_VALUE),
    hiddenFrames: memory.u32(p + FRAMES_HIDDEN),
  };
}
