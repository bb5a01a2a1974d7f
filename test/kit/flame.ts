/** A text builder for tests: one line a frame, indented by depth, `name total`, so that a test shows its picture. */
import type { FrameColumns } from "../../src/core/types.ts";

export function columnsOf(picture: string): FrameColumns {
  const lines = picture.split("\n").filter((line) => line.trim() !== "");
  const margin = Math.min(...lines.map((line) => line.search(/\S/)));
  const open: number[] = [];
  const parent: number[] = [];
  const names: string[] = [];
  const totals: number[] = [];
  for (const [row, line] of lines.entries()) {
    const depth = (line.search(/\S/) - margin) / 2;
    const [, name, total] = /^(.*) (\d+)$/.exec(line.trim()) ?? [];
    parent.push(depth === 0 ? 0 : open[depth - 1]);
    open[depth] = row;
    names.push(name === "-" ? "" : (name ?? ""));
    totals.push(Number(total));
  }
  const rows = lines.length;
  return {
    node: Uint32Array.from(parent.keys()),
    parent: Uint32Array.from(parent),
    name: Uint32Array.from(parent.keys()),
    frameType: new Uint8Array(rows).fill(1),
    total: Float64Array.from(totals),
    self: new Float64Array(rows),
    hiddenFrames: new Uint32Array(rows),
    hiddenValue: new Float64Array(rows),
    names,
    nameIds: Uint32Array.from(names.keys()),
  };
}
