/** The frame of the graph's current box, as keys and menu act on it. */
import { type FlameTree, stackText } from "../../model/flame/flame.ts";
import { type FunctionAction, functionAction } from "../../model/flame/frame-actions.ts";
import type { QueryAction } from "../../model/query/query.ts";
import { functionOf } from "../../model/query/shape.ts";
import type { Drawing } from "./use-frames.ts";

interface CurrentFrame {
  row: number;
  isMarker: boolean;
  /** Of its function; "" where it is a marker or the name is not known. */
  name: string;
  /** From the root to the frame, as text. */
  stack: () => string;
  perform: (action: FunctionAction) => void;
}

export function currentFrame(
  { answer, shape, past = 0 }: Drawing,
  { boxes }: FlameTree,
  box: number,
  act: (action: QueryAction) => void,
): CurrentFrame {
  const { frames, path } = answer;
  const { row, marker } = boxes[box] ?? { row: 0, marker: false };
  const name = marker ? "" : functionOf(frames.names[frames.name[row]] ?? "", shape?.lines === true);
  // Where some of the focus' children are left out, the path ends with the focus, which is row 0 as well.
  const above = past === 0 ? path : path.slice(0, -1);
  return {
    row,
    isMarker: marker,
    name,
    stack: () =>
      stackText(
        frames,
        row,
        above.map((frame) => frame.name),
      ),
    perform: (action) => {
      const change = functionAction(action, name);
      if (change !== null) act(change);
    },
  };
}
