/**
 * Observations of a selection as columns, a page at a time, in the order of reading. The host gives the memory of the
 * page and a rule for each event row:
 *
 *   rule   | profile u32 | second u32 | factor i64 |                             16 bytes, by event row
 *   page   | next u32 | rows u32 | time i64 … | value i64 … | second i64 … | profile u32 … | event … | stack … |
 *          | link … | thread … | set … | number … |                each column as long as the page's most
 *
 * A value is the stored one × the factor of its event: 1, or the period where the values of a profile are times.
 */

import * as ObservationPage from "../abi/observation-page";
import { beginBlocks, blockEnd, blockFirst, blockSeconds, blockStart, nextBlock } from "../store/observations";
import * as ObservationRow from "../store/rows/observation-row";
import * as SampleRow from "../store/rows/sample-row";
import { sampleAt } from "../store/samples";

/**
 * Writes to `page` up to `most` observations numbered [first, last) with a time from `from` on and before `to`, of
 * samples whose byte in `mask` is 1. `mask` has a byte for each sample row.
 */
export function observationPage(
  mask: usize,
  rules: usize,
  first: u32,
  last: u32,
  from: u64,
  to: u64,
  page: usize,
  most: u32,
): void {
  const span = to > from ? to - from : 0;
  const columns = page + ObservationPage.PAGE_COLUMNS;
  let time = columns + <usize>most * ObservationPage.COLUMN_TIME;
  const valuesAt = <usize>most * ObservationPage.COLUMN_VALUE;
  const secondsAt = <usize>most * ObservationPage.COLUMN_SECOND;
  let word = columns + <usize>most * ObservationPage.COLUMN_PROFILE;
  const eventsAt = <usize>most * (ObservationPage.COLUMN_EVENT - ObservationPage.COLUMN_PROFILE);
  const stacksAt = <usize>most * (ObservationPage.COLUMN_STACK - ObservationPage.COLUMN_PROFILE);
  const linksAt = <usize>most * (ObservationPage.COLUMN_LINK - ObservationPage.COLUMN_PROFILE);
  const threadsAt = <usize>most * (ObservationPage.COLUMN_THREAD - ObservationPage.COLUMN_PROFILE);
  const setsAt = <usize>most * (ObservationPage.COLUMN_SET - ObservationPage.COLUMN_PROFILE);
  const numbersAt = <usize>most * (ObservationPage.COLUMN_NUMBER - ObservationPage.COLUMN_PROFILE);
  const full = word + ((<usize>most) << 2);
  let following = first;
  beginBlocks(first, last);
  while (word < full && nextBlock()) {
    const start = blockStart;
    const seconds = blockSeconds;
    const end = blockEnd;
    let p = start;
    for (; p < end && word < full; p += ObservationRow.BYTES) {
      const row = load<u32>(p, ObservationRow.SAMPLE);
      const at = load<u64>(p, ObservationRow.TIME);
      if (load<u8>(mask + row) === 0 || at - from >= span) continue;
      const sample = sampleAt(row);
      const event = load<u32>(sample, SampleRow.EVENT);
      const rule = rules + <usize>event * ObservationPage.RULE_BYTES;
      store<u64>(time, at);
      store<i64>(time + valuesAt, load<i64>(p, ObservationRow.VALUE) * load<i64>(rule, ObservationPage.RULE_FACTOR));
      const kind = load<u32>(rule, ObservationPage.RULE_SECOND);
      let second: i64 = kind === ObservationPage.SECOND_COUNTED ? 1 : 0;
      if (kind === ObservationPage.SECOND_STORED && seconds !== 0) {
        second = load<i64>(seconds + (((p - start) / ObservationRow.BYTES) << 3));
      }
      store<i64>(time + secondsAt, second);
      store<u32>(word, load<u32>(rule, ObservationPage.RULE_PROFILE));
      store<u32>(word + eventsAt, event);
      store<u32>(word + stacksAt, load<u32>(sample, SampleRow.STACK));
      store<u32>(word + linksAt, load<u32>(sample, SampleRow.LINK));
      store<u32>(word + threadsAt, load<u32>(sample, SampleRow.THREAD));
      store<u32>(word + setsAt, load<u32>(sample, SampleRow.SET));
      store<u32>(word + numbersAt, blockFirst + <u32>((p - start) / ObservationRow.BYTES));
      time += sizeof<i64>();
      word += sizeof<u32>();
    }
    following = blockFirst + <u32>((p - start) / ObservationRow.BYTES);
  }
  store<u32>(page, following, ObservationPage.PAGE_NEXT);
  store<u32>(page, most - <u32>((full - word) >> 2), ObservationPage.PAGE_ROWS);
}
