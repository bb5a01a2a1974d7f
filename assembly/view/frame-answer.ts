/**
 * The answer to a question for frames that fit a drawing. What is left out is counted at the row it hangs from.
 *
 *   answer | rows | path rows | frames in focus | folded frames |                        u32 each
 *          | selection total | folded value |                                            f64 each
 *          | node | parent | name | frame type | total | self | folded frames | folded value | path | 0 |   pointers, u32
 *
 *   columns over rows   node, parent (a row), name (frame-names.ts), folded frames: u32 · frame type: u8
 *                       total, self, folded value: f64
 *   path row            | node u32 | name u32 | total f64 |     root first, up to the parent of the focus
 *
 * Parents stand before children; row 0 is the focus and its own parent. For every row
 * total = self + totals of its rows + folded value.
 */
import { LOCATION_FRAME_TYPE, locations } from "../store/tables";
import { Block } from "./block";

const ROWS: usize = 0;
const PATH_ROWS: usize = 4;
const FRAMES_IN_FOCUS: usize = 8;
const FOLDED_FRAMES: usize = 12;
const SELECTION_TOTAL: usize = 16;
const FOLDED_VALUE: usize = 24;
const AT_NODE: usize = 32;
const AT_PARENT: usize = 36;
const AT_NAME: usize = 40;
const AT_FRAME_TYPE: usize = 44;
const AT_TOTAL: usize = 48;
const AT_SELF: usize = 52;
const AT_FOLDED_FRAMES: usize = 56;
const AT_FOLDED_VALUE: usize = 60;
const AT_PATH: usize = 64;
const HEADER: usize = 72;

const answer: Block = changetype<Block>(memory.data(8, 8));

export function resetFrameAnswer(): void {
  answer.drop();
}

/** The answer laid out last. */
export function frameAnswer(): usize {
  return answer.at;
}

/** Makes an answer of so many rows, nothing folded. Columns of 8 bytes come first, so that all are aligned. */
export function layOut(rows: u32, pathRows: u32): void {
  const wide = (<usize>rows) << 3;
  const narrow = (<usize>rows) << 2;
  const at = answer.zeroed(HEADER + wide * 3 + ((<usize>pathRows) << 4) + narrow * 4 + rows);
  let p = at + HEADER;
  store<u32>(at, rows, ROWS);
  store<u32>(at, pathRows, PATH_ROWS);
  store<u32>(at, <u32>p, AT_TOTAL);
  p += wide;
  store<u32>(at, <u32>p, AT_SELF);
  p += wide;
  store<u32>(at, <u32>p, AT_FOLDED_VALUE);
  p += wide;
  store<u32>(at, <u32>p, AT_PATH);
  p += (<usize>pathRows) << 4;
  store<u32>(at, <u32>p, AT_NODE);
  p += narrow;
  store<u32>(at, <u32>p, AT_PARENT);
  p += narrow;
  store<u32>(at, <u32>p, AT_NAME);
  p += narrow;
  store<u32>(at, <u32>p, AT_FOLDED_FRAMES);
  p += narrow;
  store<u32>(at, <u32>p, AT_FRAME_TYPE);
}

/** Writes what row `row` is: a node under a row, with the name and the frame type of its location. */
export function writeRow(row: u32, node: u32, parentRow: u32, name: u32, location: u32): void {
  const at = answer.at;
  const narrow = (<usize>row) << 2;
  store<u32>(<usize>load<u32>(at, AT_NODE) + narrow, node);
  store<u32>(<usize>load<u32>(at, AT_PARENT) + narrow, parentRow);
  store<u32>(<usize>load<u32>(at, AT_NAME) + narrow, name);
  const type = locations.get(location, LOCATION_FRAME_TYPE);
  store<u8>(<usize>load<u32>(at, AT_FRAME_TYPE) + row, type <= 3 ? type : 0);
}

/** Rows of the answer laid out last. */
export function rowsOfAnswer(): u32 {
  return load<u32>(answer.at, ROWS);
}

export function nodeOfRow(row: u32): u32 {
  return load<u32>(<usize>load<u32>(answer.at, AT_NODE) + ((<usize>row) << 2));
}

/** Writes what row `row` weighs. */
export function writeWeight(row: u32, total: i64, self: i64): void {
  const wide = (<usize>row) << 3;
  store<f64>(<usize>load<u32>(answer.at, AT_TOTAL) + wide, <f64>total);
  store<f64>(<usize>load<u32>(answer.at, AT_SELF) + wide, <f64>self);
}

/** Counts `frames` hidden frames at row `row`, and `value` of what its own hidden children weigh. */
export function fold(row: u32, frames: u32, value: i64): void {
  const count = <usize>load<u32>(answer.at, AT_FOLDED_FRAMES) + ((<usize>row) << 2);
  store<u32>(count, load<u32>(count) + frames);
  // Summed up as i64 in place; `finishAnswer` turns it into f64.
  const sum = <usize>load<u32>(answer.at, AT_FOLDED_VALUE) + ((<usize>row) << 3);
  store<i64>(sum, load<i64>(sum) + value);
}

export function writePathRow(i: u32, node: u32, name: u32, total: i64): void {
  const p = <usize>load<u32>(answer.at, AT_PATH) + ((<usize>i) << 4);
  store<u32>(p, node);
  store<u32>(p, name, 4);
  store<f64>(p, <f64>total, 8);
}

/** Sums up over the rows; `selectionTotal` is that of everything, whatever the focus. */
export function finishAnswer(selectionTotal: i64): void {
  const at = answer.at;
  const rows = load<u32>(at, ROWS);
  const counts = <usize>load<u32>(at, AT_FOLDED_FRAMES);
  const values = <usize>load<u32>(at, AT_FOLDED_VALUE);
  let hidden: u32 = 0;
  let folded: i64 = 0;
  for (let row: u32 = 0; row < rows; row++) {
    hidden += load<u32>(counts + ((<usize>row) << 2));
    const p = values + ((<usize>row) << 3);
    const value = load<i64>(p);
    folded += value;
    store<f64>(p, <f64>value);
  }
  store<u32>(at, rows + hidden, FRAMES_IN_FOCUS);
  store<u32>(at, hidden, FOLDED_FRAMES);
  store<f64>(at, <f64>selectionTotal, SELECTION_TOTAL);
  store<f64>(at, <f64>folded, FOLDED_VALUE);
}
