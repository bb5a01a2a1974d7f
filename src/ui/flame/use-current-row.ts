/** The frame in hand, kept from drawing to drawing as long as its node is drawn. */
import { useCallback, useState } from "react";
import type { FramesAnswer } from "../../core/types.ts";
import { rowOfNode } from "../../model/flame.ts";

interface Held {
  answer: FramesAnswer;
  row: number;
}

/** `stable`: nodes of two answers with the same number are the same frame. */
export function useCurrentRow(answer: FramesAnswer, stable: boolean): [row: number, hold: (row: number) => void] {
  const [held, setHeld] = useState<Held>({ answer, row: 0 });
  const hold = useCallback((row: number) => setHeld({ answer, row }), [answer]);
  if (held.answer === answer) return [held.row, hold];
  return [stable ? rowOfNode(answer.frames, held.answer.frames.node[held.row]) : 0, hold];
}
