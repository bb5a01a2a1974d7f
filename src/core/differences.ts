/** Answers of the core about a selection and the baseline beside it. */
import {
  CHANGED_BASE_NAME,
  CHANGED_BASE_SELF,
  CHANGED_BASE_SELF_SQUARES,
  CHANGED_BASE_TOTAL,
  CHANGED_BASE_TOTAL_SQUARES,
  CHANGED_BYTES,
  CHANGED_NAME,
  CHANGED_SELF,
  CHANGED_SELF_SQUARES,
  CHANGED_TOTAL,
  CHANGED_TOTAL_SQUARES,
} from "../../assembly/abi/changed-row.ts";
import {
  DIFF_BASE_NAME,
  DIFF_BASE_SELF,
  DIFF_BASE_TOTAL,
  DIFF_BYTES,
  DIFF_SELF,
  DIFF_TOTAL,
} from "../../assembly/abi/diff-row.ts";
import type { Access } from "./access.ts";
import type { FramesAnswer } from "./types.ts";
import type { Changed, ChangedRow, DiffAnswer } from "./view-types.ts";

const F64 = Float64Array.BYTES_PER_ELEMENT;
/** Numbers of a row of `diffRows`. */
const DIFF_WIDTH = DIFF_BYTES / F64;

/** The answer of `diffFrames`, whose frames were read. */
export function readDiff(core: Access, frames: FramesAnswer): DiffAnswer {
  const weights = core.memory.f64s(core.wasm.diffRows(), DIFF_WIDTH * frames.frames.node.length);
  const column = (offset: number) => {
    const values = new Float64Array(weights.length / DIFF_WIDTH);
    for (let i = 0; i < values.length; i++) values[i] = weights[i * DIFF_WIDTH + offset / F64];
    return values;
  };
  const columns = {
    total: column(DIFF_TOTAL),
    self: column(DIFF_SELF),
    baseTotal: column(DIFF_BASE_TOTAL),
    baseSelf: column(DIFF_BASE_SELF),
  };
  const baseNames = new Map<number, string>();
  for (const [row, name] of column(DIFF_BASE_NAME).entries()) if (name !== 0) baseNames.set(row, core.frameName(name));
  return { frames, ...columns, baseNames };
}

/** Some of the `count` rows of `changedFunctions`. */
export function readChanged(core: Access, count: number, offset: number, limit: number): Changed {
  const { wasm, memory } = core;
  const at = wasm.changedRows();
  const rows: ChangedRow[] = [];
  for (let i = Math.max(0, offset); i < Math.min(count, offset + limit); i++) {
    const p = at + i * CHANGED_BYTES;
    const baseName = memory.u32(p + CHANGED_BASE_NAME);
    rows.push({
      name: core.frameName(memory.u32(p + CHANGED_NAME)),
      ...(baseName !== 0 && { baseName: core.frameName(baseName) }),
      self: memory.i64(p + CHANGED_SELF),
      total: memory.i64(p + CHANGED_TOTAL),
      baseSelf: memory.i64(p + CHANGED_BASE_SELF),
      baseTotal: memory.i64(p + CHANGED_BASE_TOTAL),
      squares: {
        self: memory.f64(p + CHANGED_SELF_SQUARES),
        total: memory.f64(p + CHANGED_TOTAL_SQUARES),
        baseSelf: memory.f64(p + CHANGED_BASE_SELF_SQUARES),
        baseTotal: memory.f64(p + CHANGED_BASE_TOTAL_SQUARES),
      },
    });
  }
  return { count, rows, squares: wasm.changedSquares(false), baseSquares: wasm.changedSquares(true) };
}
