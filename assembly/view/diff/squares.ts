/**
 * Sums of squared weights of the call tree's nodes in the current selection, for sampling errors: samples are
 * independent, so the variance of a sum of them is about the sum of their squares. An observation without a time may be
 * the sum of many samples: n samples of the value v have the sum n × v and the squares n × v². `self` has the
 * observations whose stack ends at the node, `total` adds everything below. f64 each, per node.
 *
 * One pass over the observations, made on request: a sample row has only the sum of its observations.
 */

import * as ProfileRow from "../../abi/rows/profile-row";
import { Measure } from "../../store/measure";
import { beginBlocks, blockEnd, blockSeconds, blockStart, nextBlock } from "../../store/observations";
import { eventAt, eventCount, MAX_EVENTS, profileOfEvent, Shape } from "../../store/profiles";
import * as ObservationRow from "../../store/rows/observation-row";
import * as SampleRow from "../../store/rows/sample-row";
import { Block } from "../block";
import { nodeCount, rootLevels, stackNode, treeParent } from "../call-tree";
import { eventColumn, eventIn, wordColumn } from "../columns";
import { factorOf, timed } from "../periods";
import { maskAt, maskRows, selectedMeasure } from "../selection";
import { weigh } from "../weights";
import { windowed, windowFirst, windowFrom, windowLast, windowTo } from "../window";
import { valueOfOne } from "./observed";

const selves: Block = changetype<Block>(memory.data(16, 4));
const totals: Block = changetype<Block>(memory.data(16, 4));

/** f64 per event row: the value of one sample where observations are sums of them, else 0. */
const sampleValues: usize = memory.data(<i32>MAX_EVENTS * 8, 8);

export let selfSquares: usize = 0;
export let totalSquares: usize = 0;

export function dropSquares(): void {
  selves.drop();
  totals.drop();
  selfSquares = 0;
  totalSquares = 0;
}

/** Makes `selfSquares` and `totalSquares`, to be dropped by the caller. */
export function square(): void {
  weigh();
  const bytes = (<usize>nodeCount) << 3;
  selfSquares = selves.zeroed(bytes);
  totalSquares = totals.fit(bytes);
  const stacks = wordColumn(SampleRow.STACK);
  const events = eventColumn();
  for (let e: u32 = 0; e < eventCount; e++) {
    const summed = selectedMeasure === Measure.Value && load<u32>(eventAt(e), ProfileRow.EVENT_SHAPE) === Shape.Values;
    store<f64>(sampleValues + ((<usize>e) << 3), summed ? Math.max(0, valueOfOne(profileOfEvent(e))) : 0);
  }
  beginBlocks(windowed ? windowFirst : 0, windowed ? windowLast : u32.MAX_VALUE);
  while (nextBlock()) addBlock(stacks, events);

  memory.copy(totalSquares, selfSquares, bytes);
  for (let node = nodeCount - 1; node > 0; node--) {
    const q = totalSquares + ((<usize>load<u32>(treeParent + ((<usize>node) << 2))) << 3);
    store<f64>(q, load<f64>(q) + load<f64>(totalSquares + ((<usize>node) << 3)));
  }
}

/** The sum over the whole selection. */
export function selectedSquares(): f64 {
  square();
  const sum = load<f64>(totalSquares);
  dropSquares();
  return sum;
}

/** Adds the block that the cursor is at. */
function addBlock(stacks: usize, events: usize): void {
  const isRooted = rootLevels !== 0;
  const seconds = blockSeconds;
  const end = blockEnd;
  let i: u32 = 0;
  for (let p = blockStart; p < end; i++, p += ObservationRow.BYTES) {
    const row = load<u32>(p, ObservationRow.SAMPLE);
    if (row >= maskRows || load<u8>(maskAt + row) === 0) continue;
    const time = load<u64>(p, ObservationRow.TIME);
    if (windowed && (time < windowFrom || time >= windowTo)) continue;
    let value: f64 = 1;
    if (selectedMeasure === Measure.Value) value = <f64>load<i64>(p, ObservationRow.VALUE);
    else if (selectedMeasure === Measure.Second) {
      value = seconds === 0 ? 0 : <f64>load<i64>(seconds + ((<usize>i) << 3));
    }
    const event = eventIn(events, row);
    const factor: f64 = timed ? <f64>factorOf(event) : 1;
    value *= factor;
    const sample = load<f64>(sampleValues + ((<usize>event) << 3)) * factor;
    const at = isRooted ? row : load<u32>(stacks + ((<usize>row) << 2));
    const q = selfSquares + ((<usize>load<u32>(stackNode + ((<usize>at) << 2))) << 3);
    store<f64>(q, load<f64>(q) + (sample === 0 ? value * value : Math.abs(value) * sample));
  }
}
