/** The current box, kept from drawing to drawing as long as its node is drawn. */
import { useCallback, useState } from "react";
import type { FramesAnswer } from "../../core/types.ts";
import { rowOfNode } from "../../model/flame/flame.ts";

interface Held {
  answer: FramesAnswer;
  tree: string | null;
  box: number;
}

/** `tree` names the tree whose nodes the answer has: in another one, or without one, no frame is found again. */
export function useCurrentBox(answer: FramesAnswer, tree: string | null): [box: number, hold: (box: number) => void] {
  const [held, setHeld] = useState<Held>({ answer, tree, box: 0 });
  const hold = useCallback((box: number) => setHeld({ answer, tree, box }), [answer, tree]);
  if (held.answer === answer) return [held.box, hold];
  // A marker is no node: its hidden frames have been opened, or are gone.
  const node = held.answer.frames.node[held.box];
  if (node === undefined || tree === null || held.tree !== tree) return [0, hold];
  return [rowOfNode(answer.frames, node), hold];
}
