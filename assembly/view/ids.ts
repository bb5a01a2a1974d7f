/**
 * The distinct ids of the links, ascending and unsigned, with the group that each link belongs to: spans, or traces and
 * local roots. A local root and a trace of 64 bits with the same number are one group, because a filter by it finds
 * both. Many links share a trace, few a span; ranking by either is then adding up into an array.
 *
 *   ids      low u64, high u64 per group, group 0 = no id
 *   groups   u32 per link
 *
 * Sorted once for all links of the store, not once per selection.
 */

import * as RankRow from "../abi/rows/rank-row";
import * as LinkRow from "../store/rows/link-row";
import { links, traceHighOf } from "../store/tables";
import { Block } from "./block";
import { RECORD_BYTES, RECORD_PAYLOAD, sortRecords } from "./order";

const records: Block = changetype<Block>(memory.data(16, 4));

@unmanaged
export class IdIndex {
  ids: Block;
  groups: Block;
  /** Groups, group 0 included. */
  count: u32;

  /** Takes in the links that came since the last call; `traces`, or spans. */
  grow(traces: bool): void {
    const word = traces ? LinkRow.TRACE_LOW : LinkRow.SPAN;
    const n = links.count;
    if (this.ids.covered === n) return;
    const groups = this.groups.zeroed((<usize>n) << 2);
    const start = records.fit(<usize>n * RECORD_BYTES);
    let p = start;
    let highs: u64 = 0;
    for (let link: u32 = 1; link < n; link++) {
      const id = links.get64(link, word);
      const high = traces ? traceHighOf(link) : 0;
      highs |= high;
      if ((id | high) === 0) continue;
      store<u64>(p, id);
      store<u64>(p, link, RECORD_PAYLOAD);
      p += RECORD_BYTES;
    }
    const rows = <u32>((p - start) / RECORD_BYTES);
    sortRecords(start, rows);
    if (highs !== 0) {
      for (let q = start; q < p; q += RECORD_BYTES) store<u64>(q, traceHighOf(load<u32>(q, RECORD_PAYLOAD)));
      sortRecords(start, rows);
    }

    const ids = this.ids.fit(<usize>n * RankRow.ID_BYTES);
    memory.fill(ids, 0, RankRow.ID_BYTES);
    let group: u32 = 0;
    let at = ids;
    for (let q = start; q < p; q += RECORD_BYTES) {
      const link = load<u32>(q, RECORD_PAYLOAD);
      const low = links.get64(link, word);
      const high = traces ? traceHighOf(link) : 0;
      if (low !== load<u64>(at, RankRow.ID_LOW) || high !== load<u64>(at, RankRow.ID_HIGH)) {
        group++;
        at += RankRow.ID_BYTES;
        store<u64>(at, low, RankRow.ID_LOW);
        store<u64>(at, high, RankRow.ID_HIGH);
      }
      store<u32>(groups + ((<usize>link) << 2), group);
    }
    this.count = group + 1;
    this.ids.covered = n;
    records.drop();
  }
}

const spanIndex: IdIndex = changetype<IdIndex>(memory.data(16, 8));
const rootIndex: IdIndex = changetype<IdIndex>(memory.data(16, 8));
const spanIds: usize = memory.data(16, 4);
const spanGroups: usize = memory.data(16, 4);
const rootIds: usize = memory.data(16, 4);
const rootGroups: usize = memory.data(16, 4);

/** Groups of links by span id. */
export function spans(): IdIndex {
  spanIndex.ids = changetype<Block>(spanIds);
  spanIndex.groups = changetype<Block>(spanGroups);
  return spanIndex;
}

/** Groups of links by trace. */
export function roots(): IdIndex {
  rootIndex.ids = changetype<Block>(rootIds);
  rootIndex.groups = changetype<Block>(rootGroups);
  return rootIndex;
}
