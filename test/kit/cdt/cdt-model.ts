/** Frames and calls of a written dump as the rules of docs/cdt.md define them: a plain walk over the trees. */
import type { Writing, WrittenCall, WrittenFrame } from "./cdt-writer.ts";

export interface ModelFrame {
  depth: number;
  method: string | null;
  start: number;
  total: number;
  self: number;
  suspended: number;
}

/** ms of [from, to] in the union of the pauses. */
export function pausedWithin({ pauses = [], start }: Writing, from: number, to: number): number {
  const covered = new Set<number>();
  let end = start;
  for (const [delta, delay] of pauses) {
    end += delta;
    for (let ms = Math.max(end - delay, from); ms < Math.min(end, to); ms++) covered.add(ms);
  }
  return covered.size;
}

/** Frames of a call in the order of entering. */
export function framesOf(of: Writing, call: WrittenCall): ModelFrame[] {
  const frames: ModelFrame[] = [];
  let now = call.at;
  const walk = (frame: WrittenFrame, depth: number): { wall: number; paused: number } => {
    now += frame.before;
    const start = now;
    const row = { depth, method: frame.method, start, total: 0, self: 0, suspended: 0 };
    frames.push(row);
    const parts = frame.children.map((child) => walk(child, depth + 1));
    now += frame.after;
    const wall = Math.max(0, now - start);
    const paused = pausedWithin(of, start, now);
    row.total = wall;
    row.self = Math.max(0, wall - parts.reduce((sum, part) => sum + part.wall, 0));
    const beyond = paused - parts.reduce((sum, part) => sum + part.paused, 0);
    row.suspended = Math.min(row.self, Math.max(0, beyond));
    return { wall, paused };
  };
  const { wall } = walk(call.root, 0);
  if (call.isRecorded && call.reactive > 0) {
    const start = call.at + call.root.before + wall;
    const suspended = pausedWithin(of, start, start + call.reactive);
    frames.push({ depth: 1, method: null, start, total: call.reactive, self: call.reactive, suspended });
  }
  return frames;
}
