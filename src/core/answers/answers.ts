/** Decoding of the core's answers into records; their layouts are in assembly/abi. */

import * as FramesAnswerAbi from "../../../assembly/abi/frames-answer.ts";
import * as By from "../../../assembly/abi/grouping.ts";
import * as ChangedRowAbi from "../../../assembly/abi/rows/changed-row.ts";
import * as DiffRow from "../../../assembly/abi/rows/diff-row.ts";
import * as TopRow from "../../../assembly/abi/rows/top-row.ts";
import { Numbered } from "../../bytes/numbered.ts";
import type { Access } from "../instance/access.ts";
import { within64 } from "../instance/families.ts";
import type { FramesAnswer } from "../types.ts";
import type { Changed, ChangedRow, DiffAnswer, Grouping } from "../view-types.ts";

export const GROUPINGS: Record<Grouping["kind"], number> = {
  callers: By.Callers,
  "callers-of": By.CallersOf,
  "callees-of": By.CalleesOf,
};

/** The answer at `p` to a question for frames. */
export function readFrames(core: Access, p: number): FramesAnswer {
  const { memory } = core;
  const rows = memory.u32(p + FramesAnswerAbi.ROWS);
  const pointer = (offset: number) => memory.u32(p + offset);
  const ids = new Numbered<number>();
  const name = memory.u32s(pointer(FramesAnswerAbi.NAMES), rows).map((id) => ids.of(id));
  const hasInlined = core.wasm.hasInlined();
  const path = Array.from({ length: memory.u32(p + FramesAnswerAbi.PATH_ROWS) }, (_, i) => {
    const row = pointer(FramesAnswerAbi.PATH) + FramesAnswerAbi.PATH_BYTES * i;
    return {
      node: memory.u32(row + FramesAnswerAbi.PATH_NODE),
      name: core.frameName(memory.u32(row + FramesAnswerAbi.PATH_NAME)),
      total: memory.f64(row + FramesAnswerAbi.PATH_TOTAL),
    };
  });
  return {
    frames: {
      node: memory.u32s(pointer(FramesAnswerAbi.NODES), rows),
      parent: memory.u32s(pointer(FramesAnswerAbi.PARENTS), rows),
      name,
      frameType: memory.u8s(pointer(FramesAnswerAbi.TYPES), rows),
      total: memory.f64s(pointer(FramesAnswerAbi.TOTALS), rows),
      self: memory.f64s(pointer(FramesAnswerAbi.SELFS), rows),
      hiddenFrames: memory.u32s(pointer(FramesAnswerAbi.HIDDEN_COUNTS), rows),
      hiddenValue: memory.f64s(pointer(FramesAnswerAbi.HIDDEN_VALUES), rows),
      ...(hasInlined && { inlined: Uint8Array.from(ids.list, (id) => core.wasm.inlinedOf(id)) }),
      names: ids.list.map((id) => core.frameName(id)),
      nameIds: Uint32Array.from(ids.list),
    },
    path,
    selectionTotal: memory.f64(p + FramesAnswerAbi.SELECTION_TOTAL),
    framesInFocus: memory.u32(p + FramesAnswerAbi.IN_FOCUS),
    hiddenValue: memory.f64(p + FramesAnswerAbi.HIDDEN_VALUE),
    hiddenFrames: memory.u32(p + FramesAnswerAbi.HIDDEN),
  };
}

/** The self time of all functions: that of the selection without its samples that have no stack. */
export function selfSum({ wasm, memory }: Access): bigint {
  const end = wasm.topFunctions(false) * TopRow.BYTES;
  const at = wasm.topRows();
  let sum = 0n;
  for (let p = at; p < at + end; p += TopRow.BYTES) sum += memory.i64(p + TopRow.SELF);
  return within64(sum);
}

/** Answers of the core about a selection and the baseline beside it. */
const F64 = Float64Array.BYTES_PER_ELEMENT;
/** Numbers of a row of `diffRows`. */
const DIFF_WIDTH = DiffRow.BYTES / F64;

/** The answer of `diffFrames`, whose frames were read. */
export function readDiff(core: Access, frames: FramesAnswer): DiffAnswer {
  const weights = core.memory.f64s(core.wasm.diffRows(), DIFF_WIDTH * frames.frames.node.length);
  const column = (offset: number) => {
    const values = new Float64Array(weights.length / DIFF_WIDTH);
    for (let i = 0; i < values.length; i++) values[i] = weights[i * DIFF_WIDTH + offset / F64];
    return values;
  };
  const columns = {
    total: column(DiffRow.TOTAL),
    self: column(DiffRow.SELF),
    baseTotal: column(DiffRow.BASE_TOTAL),
    baseSelf: column(DiffRow.BASE_SELF),
  };
  const baseNames = new Map<number, string>();
  for (const [row, name] of column(DiffRow.BASE_NAME).entries())
    if (name !== 0) baseNames.set(row, core.frameName(name));
  return { frames, ...columns, baseNames };
}

/** Numbers of rows in another order. */
type Order = (rows: Uint32Array, nameOf: (row: number) => number) => Uint32Array;

/** Some of the `count` rows of `changedFunctions`. */
export function readChanged(core: Access, count: number, offset: number, limit: number, order: Order): Changed {
  const { wasm, memory } = core;
  const at = wasm.changedRows();
  const nameOf = (row: number) => memory.u32(at + row * ChangedRowAbi.BYTES + ChangedRowAbi.NAME);
  const ordered = order(
    Uint32Array.from({ length: count }, (_, row) => row),
    nameOf,
  );
  const rows: ChangedRow[] = [];
  for (let i = Math.max(0, offset); i < Math.min(count, offset + limit); i++) {
    const p = at + (ordered[i] ?? i) * ChangedRowAbi.BYTES;
    const baseName = memory.u32(p + ChangedRowAbi.BASE_NAME);
    rows.push({
      name: core.frameName(memory.u32(p + ChangedRowAbi.NAME)),
      ...(baseName !== 0 && { baseName: core.frameName(baseName) }),
      self: memory.i64(p + ChangedRowAbi.SELF),
      total: memory.i64(p + ChangedRowAbi.TOTAL),
      baseSelf: memory.i64(p + ChangedRowAbi.BASE_SELF),
      baseTotal: memory.i64(p + ChangedRowAbi.BASE_TOTAL),
      squares: {
        self: memory.f64(p + ChangedRowAbi.SELF_SQUARES),
        total: memory.f64(p + ChangedRowAbi.TOTAL_SQUARES),
        baseSelf: memory.f64(p + ChangedRowAbi.BASE_SELF_SQUARES),
        baseTotal: memory.f64(p + ChangedRowAbi.BASE_TOTAL_SQUARES),
      },
    });
  }
  return { count, rows, squares: wasm.changedSquares(false), baseSquares: wasm.changedSquares(true) };
}
