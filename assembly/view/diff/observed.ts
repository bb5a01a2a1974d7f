/**
 * How many observations of a recorder the values of a profile are: what every sampling error is computed from.
 *
 *   value of one   > 0   values are sums of it: 1 where they count samples, the period where they are times
 *                    0   each row of the message is one observation, whatever its value
 *                   -1   unknown: sums of observations whose number nothing tells
 *
 * A row of a profile, by its samples:
 *
 *   facts | sum of values f64 | rows u32 | sums of observations u32 | divisor of all values u64 | kinds of values u64
 *         | digits u64 |        40 bytes
 */

import * as ProfileRow from "../../abi/rows/profile-row";
import { onReset } from "../../memory/resets";
import { hasFlag, periodOf } from "../../store/periods";
import {
  eventAt,
  familyOf,
  MAX_PROFILES,
  ProfileFlag,
  profileAt,
  profileCount,
  profileOfEvent,
  Shape,
} from "../../store/profiles";
import * as SampleRow from "../../store/rows/sample-row";
import { countedOnly, observationCount, sampleCount, sampleRows } from "../../store/samples";
import { strings } from "../../store/tables";
import { Block } from "../block";
import { countedPeriod, weighingOf } from "../periods";

const SUM: usize = 0;
const ROWS: usize = 8;
const SUMS: usize = 12;
const DIVISOR: usize = 16;
const KINDS: usize = 24;
const DIGITS: usize = 32;
const BYTES: usize = 40;

const UNKNOWN: f64 = -1;
/** Weights that are all multiples of a number are no counts where chance would do that once in 2^20. */
const CHANCE: f64 = 20;
/** Binary digits of a usual weight that no program has samples for, with some stacks and with few. */
const DIGITS_OF_MANY: f64 = 13;
const DIGITS_OF_FEW: f64 = 20;
const FEW_STACKS: f64 = 5;
/** More samples than a program has. */
const MOST_SAMPLES: f64 = 134217728; // 2^27

const facts: Block = changetype<Block>(memory.data(16, 4));
/** f64 per profile row: the value of one observation. */
const values: usize = memory.data(<i32>MAX_PROFILES * 8, 8);
let covered: u64 = 0;

function resetObserved(): void {
  memory.fill(values, 0, (<usize>MAX_PROFILES) << 3);
}
onReset(resetObserved);

/** Value of one observation of a row, as `observationValue` found it for messages. */
export function valueOfOne(profile: u32): f64 {
  return load<f64>(values + ((<usize>profile) << 3)) || (hasFlag(profile, ProfileFlag.Counts) ? 1 : 0);
}

/**
 * Value of one observation of the family of `profile`; the mean where its rows differ. `unit` and `periodUnit`:
 * nanoseconds of 1 in the units of its values and its period, 0 for what is no time.
 */
export function observationValue(profile: u32, unit: f64, periodUnit: f64): f64 {
  collect();
  const first = familyOf(profile);
  const isTimed = weighingOf(first) === 1;
  let rows: u32 = 0;
  let sums: bool = false;
  let all: f64 = 0;
  let observations: f64 = 0;
  let isKnown: bool = true;
  for (let i = first; i < profileCount; i++) {
    const q = facts.at + <usize>i * BYTES;
    if (familyOf(i) !== first) continue;
    const one = oneOf(i, q, unit, periodUnit);
    store<f64>(values + ((<usize>i) << 3), one);
    const own = load<u32>(q, ROWS);
    if (own === 0) continue;
    if (one < 0) isKnown = false;
    if (one > 0) sums = true;
    const sum = Math.abs(load<f64>(q, SUM));
    all += isTimed ? sum * <f64>countedPeriod(i) : sum;
    observations += one > 0 ? sum / one : <f64>own;
    rows += own;
  }
  if (!isKnown) return UNKNOWN;
  if (rows === 0) return hasFlag(first, ProfileFlag.Counts) ? 1 : 0;
  return sums && observations > 0 && all > 0 ? all / observations : 0;
}

function oneOf(i: u32, q: usize, unit: f64, periodUnit: f64): f64 {
  const period = <f64>periodOf(i);
  const isSum = load<u32>(q, SUMS) !== 0;
  if (hasFlag(i, ProfileFlag.Counts)) return isSum && period <= 0 && !canCount(q) ? UNKNOWN : 1;
  if (period > 0 && unit > 0 && periodUnit > 0) {
    const one = (period * periodUnit) / unit;
    if (one < 1 || (one === Math.floor(one) && load<u64>(q, DIVISOR) % <u64>one === 0)) return one;
  }
  if (!isSum) return 0;
  const beside = countedBeside(i);
  if (beside > 0) return Math.abs(load<f64>(q, SUM)) / beside;
  const p = profileAt(i);
  const isAlike = unit === 0 && load<u32>(p, ProfileRow.PERIOD_UNIT) === load<u32>(p, ProfileRow.UNIT);
  return isAlike && period > 0 ? period : UNKNOWN;
}

/** Samples that another type of the same pprof file counts: `samples`, or `cpu-samples` of `cpu-time`; 0 without. */
function countedBeside(i: u32): f64 {
  const group = load<u32>(profileAt(i), ProfileRow.GROUP);
  if (group === 0) return 0;
  const type = load<u32>(profileAt(i), ProfileRow.TYPE);
  for (let other: u32 = 0; other < profileCount; other++) {
    if (load<u32>(profileAt(other), ProfileRow.GROUP) !== group || !hasFlag(other, ProfileFlag.Counts)) continue;
    if (beginsAlike(load<u32>(profileAt(other), ProfileRow.TYPE), type))
      return Math.max(0, load<f64>(facts.at + <usize>other * BYTES, SUM));
  }
  return 0;
}

/** Whether the text `counted` is one word, or its first word is that of `type`. */
function beginsAlike(counted: u32, type: u32): bool {
  const p = strings.pointer(counted);
  const q = strings.pointer(type);
  let same: bool = true;
  for (let i: u32 = 0; i < strings.size(counted); i++) {
    const c = load<u8>(p + i);
    if (c === 0x2d || c === 0x5f) return same;
    same = same && i < strings.size(type) && load<u8>(q + i) === c;
  }
  return true;
}

/**
 * Whether weights without a unit can be numbers of samples. Others fold periods of perf events (all are multiples of
 * one number), or times and bytes (far more than a program has samples).
 */
function canCount(q: usize): bool {
  const rows = <f64>load<u32>(q, ROWS);
  if (rows === 0) return true;
  const divisor = <f64>load<u64>(q, DIVISOR);
  if (divisor > 1 && <f64>popcnt<u64>(load<u64>(q, KINDS)) * Math.log2(divisor) >= CHANCE) return false;
  const digits = <f64>load<u64>(q, DIGITS) / rows;
  return digits < (rows < FEW_STACKS ? DIGITS_OF_FEW : DIGITS_OF_MANY) && load<f64>(q, SUM) < MOST_SAMPLES;
}

/** Makes the facts of all rows, in one pass over the samples. */
function collect(): void {
  const stamp = <u64>observationCount + countedOnly + ((<u64>sampleCount) << 32);
  if (facts.covered !== 0 && covered === stamp) return;
  covered = stamp;
  facts.zeroed(<usize>MAX_PROFILES * BYTES);
  facts.covered = 1;
  let p = sampleRows;
  for (let row: u32 = 1; row < sampleCount; row++) {
    p += SampleRow.BYTES;
    if (load<u32>(p, SampleRow.COUNT) === 0) continue;
    const event = load<u32>(p, SampleRow.EVENT);
    const q = facts.at + <usize>profileOfEvent(event) * BYTES;
    const value = load<i64>(p, SampleRow.SUM);
    store<f64>(q, load<f64>(q, SUM) + <f64>value, SUM);
    store<u32>(q, load<u32>(q, ROWS) + 1, ROWS);
    if (load<u32>(eventAt(event), ProfileRow.EVENT_SHAPE) === <u32>Shape.Values)
      store<u32>(q, load<u32>(q, SUMS) + 1, SUMS);
    if (value === 0) continue;
    // Files with equal stacks are added up: the weight in one of them counts, or all weights of two would be even.
    const count = <u64>load<u32>(p, SampleRow.COUNT);
    let size = <u64>(value < 0 ? -value : value);
    if (size % count === 0) size /= count;
    store<u64>(q, commonDivisor(size, load<u64>(q, DIVISOR)), DIVISOR);
    // One of 64 bits, by multiplicative hashing.
    store<u64>(q, load<u64>(q, KINDS) | ((<u64>1) << ((size * 0x9e37_79b9_7f4a_7c15) >> 58)), KINDS);
    store<u64>(q, load<u64>(q, DIGITS) + 63 - clz<u64>(size), DIGITS);
  }
}

function commonDivisor(a: u64, b: u64): u64 {
  while (b > 1) {
    const rest = a % b;
    a = b;
    b = rest;
  }
  return b === 0 ? a : 1;
}
