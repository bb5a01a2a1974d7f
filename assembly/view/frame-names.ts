/**
 * Names of frames. Most are strings of the store. A function with a line, `run:12`, is a name that the views make: it
 * is a row here, and its text is spelled when somebody asks for it. Looking at a recording so leaves the store as it
 * was.
 *
 *   name   a string index, or MADE | row
 *   row    | function name | line |
 *
 * A column beside all names has the strings first, then the rows (`nameIndex`). It is good for one question: reading
 * adds strings.
 */
import { RowTable } from "../memory/row-table";
import { strings } from "../store/tables";
import { Block } from "./block";

/** Set in a name that is a row of this table. */
const MADE: u32 = 0x8000_0000;
const FUNCTION: u32 = 0;
const LINE: u32 = 1;
/** A longer name is never read to its end, so it stays without its line. */
const MOST_BYTES: u32 = 4096;

const made: RowTable = changetype<RowTable>(memory.data(64, 8));
/** Text of a made name: at most MOST_BYTES, a colon and ten digits. */
const spelled: usize = memory.data(4096 + 16);

export function resetFrameNames(): void {
  made.drop();
}

/** The name of a function at a line. */
export function nameWithLine(fn: u32, line: u32): u32 {
  const size = nameSize(fn);
  if (line === 0 || size === 0 || size > MOST_BYTES) return fn;
  if (made.count === 0) made.create(2, 256);
  made.put(FUNCTION, fn);
  made.put(LINE, line);
  return MADE | made.intern();
}

/** The name without its line, 0 for a name that nobody knows. */
export function functionOf(name: u32): u32 {
  if (name < MADE) return name;
  const row = name & ~MADE;
  return row < made.count ? made.get(row, FUNCTION) : 0;
}

/** Entries of a column beside all names. */
export function nameCount(): u32 {
  return strings.count + made.count;
}

/** Place of a name in such a column. */
export function nameIndex(name: u32): u32 {
  return name < MADE ? name : strings.count + (name & ~MADE);
}

/** The name at a place of such a column. */
export function nameAt(index: u32): u32 {
  return index < strings.count ? index : MADE | (index - strings.count);
}

/**
 * A column of bytes beside all names, 1 for each of the `n` names at `namesAt`, u32 each. A name that nobody knows is
 * skipped.
 */
export function markNames(flags: Block, namesAt: usize, n: u32): usize {
  const count = nameCount();
  const at = flags.zeroed(count);
  for (let i: u32 = 0; i < n; i++) {
    const index = nameIndex(load<u32>(namesAt + ((<usize>i) << 2)));
    if (index < count) store<u8>(at + index, 1);
  }
  return at;
}

/** Where the text of a name is; good until the next name is asked for. */
export function namePointer(name: u32): usize {
  if (name < MADE) return name < strings.count ? strings.pointer(name) : 0;
  const size = nameSize(name);
  if (size === 0) return 0;
  const fn = functionOf(name);
  memory.copy(spelled, strings.pointer(fn), strings.size(fn));
  let line = made.get(name & ~MADE, LINE);
  let end = spelled + size;
  for (; line !== 0; line /= 10) {
    end--;
    store<u8>(end, 0x30 + (line % 10));
  }
  store<u8>(end - 1, 0x3a);
  return spelled;
}

export function nameSize(name: u32): u32 {
  if (name < MADE) return name < strings.count ? strings.size(name) : 0;
  const row = name & ~MADE;
  if (row >= made.count) return 0;
  let digits: u32 = 1;
  for (let line = made.get(row, LINE); line !== 0; line /= 10) digits++;
  return strings.size(made.get(row, FUNCTION)) + digits;
}
