/** Answer blocks of the core as records; their layouts stand at the head of the file of assembly/view that makes them. */
import type { Access } from "./access.ts";
import type { FramesAnswer } from "./types.ts";

/** The block of assembly/view/frame-answer.ts at `p`. */
export function readFrames(core: Access, p: number): FramesAnswer {
  const { memory } = core;
  const rows = memory.u32(p);
  const pointer = (offset: number) => memory.u32(p + offset);
  const names: string[] = [];
  const indices = new Map<number, number>();
  const name = memory.u32s(pointer(40), rows).map((index) => {
    let local = indices.get(index);
    if (local === undefined) {
      local = names.length;
      indices.set(index, local);
      names.push(core.frameName(index));
    }
    return local;
  });
  const path = Array.from({ length: memory.u32(p + 4) }, (_, i) => {
    const row = pointer(64) + 16 * i;
    return { node: memory.u32(row), name: core.frameName(memory.u32(row + 4)), total: memory.f64(row + 8) };
  });
  return {
    frames: {
      node: memory.u32s(pointer(32), rows),
      parent: memory.u32s(pointer(36), rows),
      name,
      frameType: memory.u8s(pointer(44), rows),
      total: memory.f64s(pointer(48), rows),
      self: memory.f64s(pointer(52), rows),
      hiddenFrames: memory.u32s(pointer(56), rows),
      hiddenValue: memory.f64s(pointer(60), rows),
      names,
      nameIds: Uint32Array.from(indices.keys()),
    },
    path,
    selectionTotal: memory.f64(p + 16),
    framesInFocus: memory.u32(p + 8),
    hiddenValue: memory.f64(p + 24),
    hiddenFrames: memory.u32(p + 12),
  };
}
