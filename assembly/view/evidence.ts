/**
 * First and last time of the observations of each link, for the clock between a trace and a recording. Observations
 * with inferred context do not count.
 *
 *   | span u64 | root u64 | ~first u64 | last u64 |     32 bytes per link (abi/rows/evidence-row.ts)
 */

import * as EvidenceRow from "../abi/rows/evidence-row";
import { Inferred, inferredOf } from "../store/inferred";
import { beginBlocks, blockEnd, blockStart, nextBlock } from "../store/observations";
import * as LinkRow from "../store/rows/link-row";
import * as ObservationRow from "../store/rows/observation-row";
import * as SampleRow from "../store/rows/sample-row";
import { sampleAt } from "../store/samples";
import { links, localRootOf } from "../store/tables";
import { Block } from "./block";

const times: Block = changetype<Block>(memory.data(16, 4));

/** Rows of `linkTimes`, the unused row 0 included. */
export function linkRows(): u32 {
  return links.count;
}

/** Gives the rows back, which are 32 bytes of each link. */
export function endLinkTimes(): void {
  times.drop();
}

/**
 * Pointer to a row per link: the times of observations numbered [first, last) whose event has a 1 in `counts`, u8 per
 * row of events. Valid until the next call that may allocate.
 */
export function linkTimes(first: u32, last: u32, counts: usize): usize {
  const at = times.zeroed(<usize>links.count * EvidenceRow.BYTES);
  for (let link: u32 = 1; link < links.count; link++) {
    const row = at + <usize>link * EvidenceRow.BYTES;
    store<u64>(row, links.get64(link, LinkRow.SPAN), EvidenceRow.SPAN);
    store<u64>(row, localRootOf(link), EvidenceRow.ROOT);
  }
  beginBlocks(first, last);
  while (nextBlock()) {
    let p = blockStart;
    for (const end = blockEnd; p < end; p += ObservationRow.BYTES) {
      const time = load<u64>(p, ObservationRow.TIME);
      const sample = sampleAt(load<u32>(p, ObservationRow.SAMPLE));
      const link = load<u32>(sample, SampleRow.LINK);
      if (time === 0 || link === 0 || load<u8>(counts + load<u32>(sample, SampleRow.EVENT)) === 0) continue;
      if ((inferredOf(load<u32>(sample, SampleRow.SET)) & Inferred.Link) !== 0) continue;
      const q = at + <usize>link * EvidenceRow.BYTES;
      store<u64>(q, max<u64>(load<u64>(q, EvidenceRow.NOT_FIRST), ~time), EvidenceRow.NOT_FIRST);
      store<u64>(q, max<u64>(load<u64>(q, EvidenceRow.LAST), time), EvidenceRow.LAST);
    }
  }
  return at;
}
