/**
 * The functions of two selections, sorted by the difference of their self shares, then of their totals.
 *
 *   row | name u32 | baseline's name u32 | self i64 | total i64 | baseline self i64 | baseline total i64 |
 *       | the squares of the four, f64 each |     72 bytes
 *
 * The baseline's name is 0 if it is the same. Functions are paired before their values are added up (pairs.ts), so the
 * self values of all rows have the sums of both sides.
 *
 * Shares are of each selection's total if normalised; otherwise values are compared unchanged. Squares are sums of
 * squared weights (`squares.ts`), 0 unless the baseline was kept with them.
 */

import * as ChangedRow from "../../abi/rows/changed-row";
import { addTo } from "../../memory/sums";
import { Block } from "../block";
import { nodeCount, rootLevels, treeAgain, treeDepth, treeName, treeStamp } from "../call-tree";
import { functionOf, nameAt, nameCount, nameIndex } from "../frame-names";
import { descending, RECORD_BYTES, RECORD_PAYLOAD, sortRecords } from "../order";
import { selectedValue, selectionStamp } from "../selection";
import { selfAt, totalAt } from "../weights";
import { baseSquareOf, baseStamp, baseValueOf, baseWhole, isSquared, weighBoth } from "./baseline";
import { dropPairs, formerName, pairedIndex, pairFunctions } from "./pairs";
import { dropSquares, selfSquares, square, totalSquares } from "./squares";

/** Sums of a function while they are added up, per name: a row of the answer without its name. */
const SUM_SELF: usize = 0;
const SUM_TOTAL: usize = 8;
const SUM_BASE_SELF: usize = 16;
const SUM_BASE_TOTAL: usize = 24;
const SUM_SELF_SQUARES: usize = 32;
const SUM_TOTAL_SQUARES: usize = 40;
const SUM_BASE_SELF_SQUARES: usize = 48;
const SUM_BASE_TOTAL_SQUARES: usize = 56;
const SUM_BYTES: usize = 64;
/** Shares are compared as whole numbers. */
const FRACTION: f64 = 1099511627776; // 2^40

const rows: Block = changetype<Block>(memory.data(16, 4));
const sums: Block = changetype<Block>(memory.data(16, 4));
const records: Block = changetype<Block>(memory.data(16, 4));

/** The question that the rows answer: they stay while pages of them are read. */
let stamp: u32 = 0;
let stampOfBase: u32 = 0;
let ofRest: bool = false;
let byShare: bool = false;
let rowCount: u32 = 0;

/** Squares of the whole selection and of the whole baseline, as the latest rows have them. */
let wholeSquares: f64 = 0;
let baseWholeSquares: f64 = 0;

/**
 * Computes the rows against the kept baseline, or against its part outside of the selection, and returns their number.
 */
export function changedFunctions(rest: bool, normalised: bool): u32 {
  weighBoth();
  const now = selectionStamp + treeStamp;
  if (stamp === now && stampOfBase === baseStamp && ofRest === rest && byShare === normalised) return rowCount;
  stamp = 0;
  if (isSquared) square();
  const isPaired = pairFunctions(rest);
  const names = nameCount();
  // Functions of the baseline that the selection has other code of follow all names.
  const most: u32 = isPaired ? names << 1 : names;
  const at = sums.zeroed(<usize>most * SUM_BYTES);
  const levels = rootLevels;
  for (let node: u32 = 1; node < nodeCount; node++) {
    if (levels !== 0 && load<u32>(treeDepth + ((<usize>node) << 2)) <= levels) continue;
    const total = load<i64>(totalAt + ((<usize>node) << 3));
    const base = baseValueOf(node, true, rest);
    if (total === 0 && base === 0) continue;
    const index = nameIndex(functionOf(load<u32>(treeName + ((<usize>node) << 2))));
    const q = at + <usize>index * SUM_BYTES;
    const baseQ = isPaired ? at + <usize>pairedIndex(index) * SUM_BYTES : q;
    addTo(q + SUM_SELF, load<i64>(selfAt + ((<usize>node) << 3)));
    addTo(baseQ + SUM_BASE_SELF, baseValueOf(node, false, rest));
    const isAgain = load<u8>(treeAgain + node) !== 0;
    if (isSquared) addSquares(q, baseQ, node, isAgain, rest);
    if (isAgain) continue;
    addTo(q + SUM_TOTAL, total);
    addTo(baseQ + SUM_BASE_TOTAL, base);
  }
  wholeSquares = isSquared ? load<f64>(totalSquares) : 0;
  baseWholeSquares = isSquared ? baseSquareOf(0, true, rest) : 0;
  dropSquares();
  const whole = selectedValue();
  const base = baseWhole(rest);
  const scale = normalised && whole > 0 ? FRACTION / <f64>whole : 1;
  const baseScale = normalised && base > 0 ? FRACTION / <f64>base : 1;
  const count = order(at, most, scale, baseScale);
  let out = rows.fit(<usize>count * ChangedRow.BYTES);
  const end = records.at + <usize>count * RECORD_BYTES;
  for (let r = records.at; r < end; r += RECORD_BYTES) {
    const index = load<u32>(r, RECORD_PAYLOAD);
    store<u32>(out, nameAt(index < names ? index : index - names), ChangedRow.NAME);
    store<u32>(out, isPaired ? formerName(index) : 0, ChangedRow.BASE_NAME);
    memory.copy(out + ChangedRow.SELF, at + <usize>index * SUM_BYTES, SUM_BYTES);
    out += ChangedRow.BYTES;
  }
  sums.drop();
  records.drop();
  if (isPaired) dropPairs();
  stamp = now;
  stampOfBase = baseStamp;
  ofRest = rest;
  byShare = normalised;
  rowCount = count;
  return count;
}

/** `isAgain`: the function is on the path to the node already. */
function addSquares(q: usize, baseQ: usize, node: u32, isAgain: bool, rest: bool): void {
  const i = (<usize>node) << 3;
  store<f64>(q, load<f64>(q, SUM_SELF_SQUARES) + load<f64>(selfSquares + i), SUM_SELF_SQUARES);
  store<f64>(baseQ, load<f64>(baseQ, SUM_BASE_SELF_SQUARES) + baseSquareOf(node, false, rest), SUM_BASE_SELF_SQUARES);
  if (isAgain) return;
  store<f64>(q, load<f64>(q, SUM_TOTAL_SQUARES) + load<f64>(totalSquares + i), SUM_TOTAL_SQUARES);
  store<f64>(baseQ, load<f64>(baseQ, SUM_BASE_TOTAL_SQUARES) + baseSquareOf(node, true, rest), SUM_BASE_TOTAL_SQUARES);
}

/** Sum of the squared weights of the selection, or of the baseline, that the latest rows are parts of. */
export function changedSquares(ofBaseline: bool): f64 {
  return ofBaseline ? baseWholeSquares : wholeSquares;
}

export function changedRows(): usize {
  return rows.at;
}

/** Puts the names that weigh something in either into `records`, in order. */
function order(at: usize, most: u32, scale: f64, baseScale: f64): u32 {
  let count: u32 = 0;
  let p = records.fit(<usize>most * RECORD_BYTES);
  for (let index: u32 = 0; index < most; index++) {
    const q = at + <usize>index * SUM_BYTES;
    const total = load<i64>(q, SUM_TOTAL) | load<i64>(q, SUM_BASE_TOTAL);
    if ((total | load<i64>(q, SUM_SELF) | load<i64>(q, SUM_BASE_SELF)) === 0) continue;
    store<u64>(p, key(q + SUM_TOTAL, scale, baseScale));
    store<u64>(p, index, RECORD_PAYLOAD);
    p += RECORD_BYTES;
    count++;
  }
  sortRecords(records.at, count);
  for (let r = records.at; r < p; r += RECORD_BYTES) {
    store<u64>(r, key(at + <usize>load<u32>(r, RECORD_PAYLOAD) * SUM_BYTES + SUM_SELF, scale, baseScale));
  }
  sortRecords(records.at, count);
  return count;
}

/**
 * Larger differences come first. `sum` points to a value of the selection; the baseline's is SUM_BASE_SELF further on.
 */
function key(sum: usize, scale: f64, baseScale: f64): u64 {
  return descending(<i64>Math.abs(<f64>load<i64>(sum) * scale - <f64>load<i64>(sum, SUM_BASE_SELF) * baseScale));
}
