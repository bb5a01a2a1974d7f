/**
 * Traced calls of one chunk: the time of a call without the traced calls inside it, so that nested calls do not count
 * twice. A thread writes a call when it returns, so the calls inside come before it. The last call of a thread leads to
 * the earlier ones that no call is around yet:
 *
 *   row   | previous u32 (row + 1, 0 = none) | 0 | start i64 | end i64 |     24 bytes
 *   last  thread -> row + 1
 */
import { Buffer, ownBuffer } from "../../memory/buffer";
import { KeyTable, ownKeyTable } from "../../memory/key-table";

const START: usize = 8;
const END: usize = 16;
const BYTES: u32 = 24;
/** Start and duration are rounded to ns one by one. */
const ROUNDING: i64 = 2;

const rows: Buffer = ownBuffer(BYTES << 4);
const last: KeyTable = ownKeyTable(16);

/** A chunk begins. */
export function beginCalls(): void {
  if (rows.size === 0) return;
  rows.size = 0;
  last.clear();
}

/** The time of a call of this thread outside of the traced calls inside it. */
export function ownTime(thread: u32, start: i64, duration: i64): i64 {
  const end = start + duration;
  let own = duration;
  let inner = last.find(<u64>thread);
  while (inner !== 0) {
    const p = rows.at + (<usize>inner - 1) * BYTES;
    const from = load<i64>(p, START);
    const to = load<i64>(p, END);
    if (from < start || to > end + ROUNDING) break;
    own -= to - from;
    inner = load<u32>(p);
  }
  const row = rows.need(BYTES);
  store<u64>(row, inner);
  store<i64>(row, start, START);
  store<i64>(row, end, END);
  rows.size += BYTES;
  last.put(<u64>thread, rows.size / BYTES);
  return max<i64>(own, 0);
}
