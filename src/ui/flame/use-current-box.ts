/** The box in hand, kept from drawing to drawing as long as its node is drawn. */
import { useCallback, useState } from "react";
import type { FramesAnswer } from "../../core/types.ts";
import { rowOfNode } from "../../model/flame.ts";

interface Held {
  answer: FramesAnswer;
  box: number;
}

/** `stable`: nodes of two answers with the same number are the same frame. */
export function useCurrentBox(answer: FramesAnswer, stable: boolean): [box: number, hold: (box: number) => void] {
  const [held, setHeld] = useState<Held>({ answer, box: 0 });
  const hold = useCallback((box: number) => setHeld({ answer, box }), [answer]);
  if (held.answer === answer) return [held.box, hold];
  // A marker is no node: what it stood for has been opened, or is gone.
  const node = held.answer.frames.node[held.box];
  return [stable && node !== undefined ? rowOfNode(answer.frames, node) : 0, hold];
}
