/**
 * Counters since the start of their process, thread or method: an observation is the growth since the one before, so
 * that observations add up. The latest value of each counter is kept over the files of a process:
 *
 *   counter   | event | stack | thread | set | process | ordinal |           words of an interned row
 *   latest    | time i64 | value i64 | seen i64 | pass | ordinals |          by row; the last three of ordinal 0
 *
 * Several observations of one identity and time are of several counters that nothing else distinguishes: their order
 * in the file does.
 */
import { Buffer, ownBuffer } from "../../memory/buffer";
import { ownRowTable, RowTable } from "../../memory/row-table";
import { Identity } from "../staged";

const counters: RowTable = ownRowTable(6, 64);
const latest: Buffer = ownBuffer(1 << 8);

@unmanaged
class Counter {
  event: u32;
  stack: u32;
  thread: u32;
  set: u32;
  process: u32;
  ordinal: u32;
}

@unmanaged
class Latest {
  time: i64;
  value: i64;
  seen: i64;
  pass: u32;
  ordinals: u32;
}

function latestOf(counter: Identity, process: u32, ordinal: u32): Latest {
  const row = changetype<Counter>(counters.draft);
  row.event = counter.event;
  row.stack = counter.stack;
  row.thread = counter.thread;
  row.set = counter.set;
  row.process = process;
  row.ordinal = ordinal;
  const bytes = counters.intern() * <u32>offsetof<Latest>();
  if (bytes >= latest.size) {
    latest.size = bytes;
    latest.need(<u32>offsetof<Latest>());
    latest.size += <u32>offsetof<Latest>();
    memory.fill(latest.at + bytes, 0, offsetof<Latest>());
    changetype<Latest>(latest.at + bytes).time = i64.MIN_VALUE;
  }
  return changetype<Latest>(latest.at + bytes);
}

/**
 * Growth of a counter up to `value`; passes go on in time. The first observation has all that was counted until then,
 * and so has one below the latest: the counter was set back. An observation before the latest is of a file, or of a
 * copy, that was read late: it is in the growth already.
 */
export function growthOf(counter: Identity, process: u32, pass: u32, time: i64, value: i64): i64 {
  const first = latestOf(counter, process, 0);
  if (first.pass !== pass || first.seen !== time) first.ordinals = 0;
  first.pass = pass;
  first.seen = time;
  const own = latestOf(counter, process, first.ordinals++);
  if (time <= own.time) return 0;
  const last = own.value;
  own.time = time;
  own.value = value;
  return value >= last ? value - last : value;
}
