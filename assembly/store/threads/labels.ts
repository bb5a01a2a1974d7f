/**
 * Labels of threads. A thread is its id, and its name a label: rows of the table are pairs of a name and an id as
 * recorded. Labels are made when files have ended; until then a label is the name.
 *
 *   time    u64 by row: the last chunk or message that has this name
 *   label   attribute u32 by row
 *
 *   worker                   the name
 *   worker #27               with the id, of a name that 2 to MOST threads have; those of a larger pool share it
 *   unnamed threads          all of these, such as virtual threads
 */

import * as ValueKind from "../../abi/value-kind";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { THREAD_NAME_KEY } from "../keys";
import * as AttributeRow from "../rows/attribute-row";
import * as ThreadRow from "../rows/thread-row";
import { attributes, internAttribute, internString, internText, strings, threads } from "../tables";

const UNNAMED = "unnamed threads";
/** Threads with one name that have a label each. */
const MOST: u32 = 100;

export const times: Buffer = ownBuffer(64);
const labels: Buffer = ownBuffer(64);
/** u32 by attribute: a row, or the number of rows. */
const byAttribute: Buffer = ownBuffer(64);

/** The name of thread `row` was in use at `time`. */
export function noteThreadTime(row: u32, time: u64): void {
  while (times.size <= row << 3) times.u64(0);
  const p = times.at + ((<usize>row) << 3);
  if (time > load<u64>(p)) store<u64>(p, time);
}

export function threadTime(row: u32): u64 {
  return row << 3 < times.size ? load<u64>(times.at + ((<usize>row) << 3)) : 0;
}

/** The attribute that labels the thread. */
export function threadLabel(row: u32): u32 {
  return row << 2 < labels.size ? load<u32>(labels.at + ((<usize>row) << 2)) : threads.get(row, ThreadRow.NAME);
}

export function clearByAttribute(): usize {
  byAttribute.size = 0;
  const bytes = attributes.count << 2;
  memory.fill(byAttribute.need(bytes), 0, bytes);
  return byAttribute.at;
}

export function nameOf(row: u32): u32 {
  const name = threads.get(row, ThreadRow.NAME);
  return name === 0 ? 0 : <u32>attributes.get64(name, AttributeRow.VALUE);
}

/** Labels the threads. True if two rows of one kind have one id, which are of one thread if they are of one process. */
export function labelThreads(): bool {
  labels.size = 0;
  // Threads by name; bits of kinds by id.
  const named = clearByAttribute();
  let renamed: u32 = 0;
  for (let row: u32 = 1; row < threads.count; row++) {
    const p = named + ((<usize>threads.get(row, ThreadRow.NAME)) << 2);
    store<u32>(p, load<u32>(p) + 1);
    const q = named + ((<usize>threads.get(row, ThreadRow.ID)) << 2);
    const kind = threads.get(row, ThreadRow.KIND);
    renamed |= load<u32>(q) & kind;
    store<u32>(q, load<u32>(q) | kind);
  }
  for (let row: u32 = 0; row < threads.count; row++) {
    const name = threads.get(row, ThreadRow.NAME);
    const count = load<u32>(named + ((<usize>name) << 2));
    const isNumber = attributes.get(threads.get(row, ThreadRow.ID), AttributeRow.TYPE) === <u32>ValueKind.Int;
    let label = name;
    if (isNumber && (name === 0 || count - 2 < MOST - 1)) {
      const string = name === 0 ? internText(UNNAMED) : withId(row);
      label = internAttribute(internText(THREAD_NAME_KEY), ValueKind.Text, string);
    }
    labels.u32(label);
  }
  return renamed !== 0;
}

/** The name and the id, as a string: written after the labels. */
function withId(row: u32): u32 {
  const name = nameOf(row);
  const size = strings.size(name);
  // Room for 20 digits, the last one first, and the name before them.
  const end = labels.need(size + 22) + size + 22;
  let p = end;
  let value = attributes.get64(threads.get(row, ThreadRow.ID), AttributeRow.VALUE);
  do {
    store<u8>(--p, 0x30 + <u8>(value % 10));
    value /= 10;
  } while (value !== 0);
  p -= 2;
  store<u16>(p, 0x2320);
  p -= size;
  memory.copy(p, strings.pointer(name), size);
  return internString(p, <u32>(end - p));
}
