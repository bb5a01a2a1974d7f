/** Encoding of frames for the page: names shortened, columns transferred. */
import type { FramesAnswer } from "../core/types.ts";
import { CROSSING_CAP, cut } from "../model/words/text.ts";

/** The answer with names no longer than may cross. */
export function withShortNames(answer: FramesAnswer): FramesAnswer {
  const { frames, path } = answer;
  frames.names = frames.names.map((name) => cut(name, CROSSING_CAP));
  for (const frame of path) frame.name = cut(frame.name, CROSSING_CAP);
  return answer;
}

export function frameBuffers({ frames }: FramesAnswer): Transferable[] {
  const columns = [
    frames.node,
    frames.parent,
    frames.name,
    frames.frameType,
    frames.total,
    frames.self,
    frames.hiddenFrames,
    frames.hiddenValue,
    frames.nameIds,
  ];
  // Columns may be views of one buffer, which is transferred once.
  return [...new Set(columns.map((column) => column.buffer as ArrayBuffer))];
}
