/**
 * The distinct ids in one word pair of the links, ascending and unsigned, with the group that each link belongs to. Many
 * links share a local root, few a span; ranking by either is then adding up into an array.
 *
 *   ids      u64 per group, group 0 = no id
 *   groups   u32 per link
 *
 * Sorted once for all links of the store, not once per selection.
 */
import { links } from "../store/tables";
import { Block } from "./block";
import { RECORD_BYTES, sortRecords } from "./order";

const records: Block = changetype<Block>(memory.data(8, 8));

@unmanaged
export class IdIndex {
  ids: Block;
  groups: Block;
  /** Groups, group 0 included. */
  count: u32;
  covered: u32;

  /** Takes in the links that came since the last call. `word` is the first word of the id in a link. */
  grow(word: u32): void {
    const n = links.count;
    if (this.covered === n) return;
    this.covered = n;
    const groups = this.groups.zeroed((<usize>n) << 2);
    const start = records.fit(<usize>n * RECORD_BYTES);
    let p = start;
    for (let link: u32 = 1; link < n; link++) {
      const id = links.get64(link, word);
      if (id === 0) continue;
      store<u64>(p, id);
      store<u64>(p, link, 8);
      p += RECORD_BYTES;
    }
    sortRecords(start, <u32>((p - start) / RECORD_BYTES));

    const ids = this.ids.fit((<usize>n) << 3);
    store<u64>(ids, 0);
    let group: u32 = 0;
    let last: u64 = 0;
    for (let q = start; q < p; q += RECORD_BYTES) {
      const id = load<u64>(q);
      if (id !== last) {
        group++;
        store<u64>(ids + ((<usize>group) << 3), id);
        last = id;
      }
      store<u32>(groups + ((<usize>load<u32>(q, 8)) << 2), group);
    }
    this.count = group + 1;
    records.drop();
  }

  forget(): void {
    this.ids.forget();
    this.groups.forget();
    this.count = 0;
    this.covered = 0;
  }
}

const spanIndex: IdIndex = changetype<IdIndex>(memory.data(16, 8));
const rootIndex: IdIndex = changetype<IdIndex>(memory.data(16, 8));
const spanIds: usize = memory.data(8, 8);
const spanGroups: usize = memory.data(8, 8);
const rootIds: usize = memory.data(8, 8);
const rootGroups: usize = memory.data(8, 8);

export function resetIds(): void {
  records.forget();
  spans().forget();
  roots().forget();
}

/** Groups of links by span id. */
export function spans(): IdIndex {
  spanIndex.ids = changetype<Block>(spanIds);
  spanIndex.groups = changetype<Block>(spanGroups);
  return spanIndex;
}

/** Groups of links by the low half of the trace id, which is the local root span id. */
export function roots(): IdIndex {
  rootIndex.ids = changetype<Block>(rootIds);
  rootIndex.groups = changetype<Block>(rootGroups);
  return rootIndex;
}
