/** Layout of the boxes of a flame graph, for drawings without d3. */
import type { FlameNode, FlameTree } from "./flame.ts";

export interface FlameBox {
  node: FlameNode;
  /** Left edge and width as shares of the whole. */
  x: number;
  width: number;
  /** 0 for the root. */
  depth: number;
}

/** All boxes, parents before children; without recursion, for stacks are deep. */
export function boxesOf({ root }: FlameTree): FlameBox[] {
  const whole = root.value;
  if (whole <= 0) return [];
  const boxes: FlameBox[] = [{ node: root, x: 0, width: 1, depth: 0 }];
  for (let at = 0; at < boxes.length; at++) {
    const { node, x, depth } = boxes[at];
    let left = x;
    for (const child of node.children) {
      const width = child.value / whole;
      boxes.push({ node: child, x: left, width, depth: depth + 1 });
      left += width;
    }
  }
  return boxes;
}
