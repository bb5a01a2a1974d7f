/**
 * The answer to a request for the frames of a drawing. Hidden frames are counted at the row that they are below.
 *
 *   answer | rows | path rows | frames in focus | hidden frames |                      u32 each
 *          | selection total | hidden value |                                            f64 each
 *          | node | parent | name | frame type | total | self | hidden frames | hidden value | path | 0 | pointers
 *
 *   columns over rows   node, parent (a row), name (frame-names.ts), hidden frames: u32 · frame type: u8
 *                       total, self, hidden value: f64
 *   path row            | node u32 | name u32 | total f64 |     root first, up to the parent of the focus
 *
 * Parents are before children; row 0 is the focus and its own parent. For every row
 * total = self + totals of its rows + hidden value.
 */

import * as FrameType from "../abi/frame-type";
import * as FramesAnswer from "../abi/frames-answer";
import { addTo } from "../memory/sums";
import * as LocationRow from "../store/rows/location-row";
import { locations } from "../store/tables";
import { Block } from "./block";
import { ROOT, RUN } from "./call-tree";
import { countedName } from "./frame-names";

const answer: Block = changetype<Block>(memory.data(16, 4));

/** The answer laid out last. */
export function frameAnswer(): usize {
  return answer.at;
}

/**
 * Allocates an answer of so many rows, without hidden frames. Columns of 8 bytes are first, so that all are aligned.
 */
export function layOut(rows: u32, pathRows: u32): void {
  const wide = (<usize>rows) << 3;
  const narrow = (<usize>rows) << 2;
  const at = answer.zeroed(
    <usize>FramesAnswer.BYTES + wide * 3 + <usize>pathRows * FramesAnswer.PATH_BYTES + narrow * 4 + rows,
  );
  let p = at + FramesAnswer.BYTES;
  store<u32>(at, rows, FramesAnswer.ROWS);
  store<u32>(at, pathRows, FramesAnswer.PATH_ROWS);
  store<u32>(at, <u32>p, FramesAnswer.TOTALS);
  p += wide;
  store<u32>(at, <u32>p, FramesAnswer.SELFS);
  p += wide;
  store<u32>(at, <u32>p, FramesAnswer.HIDDEN_VALUES);
  p += wide;
  store<u32>(at, <u32>p, FramesAnswer.PATH);
  p += <usize>pathRows * FramesAnswer.PATH_BYTES;
  store<u32>(at, <u32>p, FramesAnswer.NODES);
  p += narrow;
  store<u32>(at, <u32>p, FramesAnswer.PARENTS);
  p += narrow;
  store<u32>(at, <u32>p, FramesAnswer.NAMES);
  p += narrow;
  store<u32>(at, <u32>p, FramesAnswer.HIDDEN_COUNTS);
  p += narrow;
  store<u32>(at, <u32>p, FramesAnswer.TYPES);
}

/** Writes row `row`: a node under a row, with the name and the frame type of its location. */
export function writeRow(row: u32, node: u32, parentRow: u32, name: u32, location: u32): void {
  const at = answer.at;
  const narrow = (<usize>row) << 2;
  store<u32>(<usize>load<u32>(at, FramesAnswer.NODES) + narrow, node);
  store<u32>(<usize>load<u32>(at, FramesAnswer.PARENTS) + narrow, parentRow);
  store<u32>(<usize>load<u32>(at, FramesAnswer.NAMES) + narrow, nameAtLocation(name, location));
  store<u8>(<usize>load<u32>(at, FramesAnswer.TYPES) + row, frameTypeOf(location));
}

/** The name of a node as it is shown: that of a run with its length. */
export function nameAtLocation(name: u32, location: u32): u32 {
  return location > RUN && location !== ROOT ? countedName(name, location - RUN) : name;
}

/** The frame type of a node's location. */
export function frameTypeOf(location: u32): u32 {
  if (location === ROOT) return FrameType.Root;
  if (location >= RUN) return FrameType.Run;
  return locations.get(location, LocationRow.FRAME_TYPE);
}

/** Rows of the answer laid out last. */
export function rowsOfAnswer(): u32 {
  return load<u32>(answer.at, FramesAnswer.ROWS);
}

export function nodeOfRow(row: u32): u32 {
  return load<u32>(<usize>load<u32>(answer.at, FramesAnswer.NODES) + ((<usize>row) << 2));
}

/** Replaces the nodes of the answer by those that a column has for them. */
export function renumber(nodes: usize): void {
  const at = answer.at;
  const first = <usize>load<u32>(at, FramesAnswer.NODES);
  for (let p = first; p < first + ((<usize>rowsOfAnswer()) << 2); p += 4) renumberAt(p, nodes);
  const path = <usize>load<u32>(at, FramesAnswer.PATH);
  const end = path + <usize>load<u32>(at, FramesAnswer.PATH_ROWS) * FramesAnswer.PATH_BYTES;
  for (let p = path; p < end; p += FramesAnswer.PATH_BYTES) renumberAt(p + FramesAnswer.PATH_NODE, nodes);
}

function renumberAt(p: usize, nodes: usize): void {
  store<u32>(p, load<u32>(nodes + ((<usize>load<u32>(p)) << 2)));
}

/** Writes the weight of row `row`. */
export function writeWeight(row: u32, total: i64, self: i64): void {
  const wide = (<usize>row) << 3;
  store<f64>(<usize>load<u32>(answer.at, FramesAnswer.TOTALS) + wide, <f64>total);
  store<f64>(<usize>load<u32>(answer.at, FramesAnswer.SELFS) + wide, <f64>self);
}

/** Counts `frames` hidden frames at row `row`, and `value`, the value of its hidden children. */
export function hide(row: u32, frames: u32, value: i64): void {
  const count = <usize>load<u32>(answer.at, FramesAnswer.HIDDEN_COUNTS) + ((<usize>row) << 2);
  store<u32>(count, load<u32>(count) + frames);
  // Summed up as i64 in place; `finishAnswer` turns it into f64.
  const sum = <usize>load<u32>(answer.at, FramesAnswer.HIDDEN_VALUES) + ((<usize>row) << 3);
  addTo(sum, value);
}

export function writePathRow(i: u32, node: u32, name: u32, total: i64): void {
  const p = <usize>load<u32>(answer.at, FramesAnswer.PATH) + <usize>i * FramesAnswer.PATH_BYTES;
  store<u32>(p, node, FramesAnswer.PATH_NODE);
  store<u32>(p, name, FramesAnswer.PATH_NAME);
  store<f64>(p, <f64>total, FramesAnswer.PATH_TOTAL);
}

/** Sums up over the rows; `selectionTotal` is that of the whole selection, independent of the focus. */
export function finishAnswer(selectionTotal: i64): void {
  const at = answer.at;
  const rows = load<u32>(at, FramesAnswer.ROWS);
  const counts = <usize>load<u32>(at, FramesAnswer.HIDDEN_COUNTS);
  const values = <usize>load<u32>(at, FramesAnswer.HIDDEN_VALUES);
  let hidden: u32 = 0;
  let hiddenValue: i64 = 0;
  for (let row: u32 = 0; row < rows; row++) {
    hidden += load<u32>(counts + ((<usize>row) << 2));
    const p = values + ((<usize>row) << 3);
    const value = load<i64>(p);
    hiddenValue += value;
    store<f64>(p, <f64>value);
  }
  store<u32>(at, rows + hidden, FramesAnswer.IN_FOCUS);
  store<u32>(at, hidden, FramesAnswer.HIDDEN);
  store<f64>(at, <f64>selectionTotal, FramesAnswer.SELECTION_TOTAL);
  store<f64>(at, <f64>hiddenValue, FramesAnswer.HIDDEN_VALUE);
}
