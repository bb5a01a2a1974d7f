/**
 * Frames of the current selection whose function has one of a set of names, and runs that have such a frame inside.
 *
 *   row | node u32 | 0 | total i64 |     16 bytes, heaviest first, equals in the order of the tree
 *
 * `searchValue` is the weight of all stacks through any of them: a match below another match adds nothing.
 */

import * as SearchRow from "../abi/rows/search-row";
import { plus } from "../memory/sums";
import { Block } from "./block";
import { nodeCount, treeName, treeParent } from "./call-tree";
import { functionOf, markNames, nameIndex } from "./frame-names";
import { descending, RECORD_BYTES, RECORD_PAYLOAD, sortRecords } from "./order";
import { insideRuns } from "./shape";
import { totalAt, weigh } from "./weights";

const named: Block = changetype<Block>(memory.data(16, 4));
/** One byte per node: 1 where it or one above it matches. */
const through: Block = changetype<Block>(memory.data(16, 4));
const rows: Block = changetype<Block>(memory.data(16, 4));

let value: i64 = 0;

/** Looks for the `n` names at `namesAt`, u32 each; the number of frames found that weigh something. */
export function searchFrames(namesAt: usize, n: u32): u32 {
  weigh();
  const ok = markNames(named, namesAt, n);
  const inside = insideRuns(ok);
  const seen = through.fit(nodeCount + 1);
  store<u8>(seen, 0);
  value = 0;
  let found: u32 = 0;
  for (let node: u32 = 1; node < nodeCount; node++) {
    const above = load<u8>(seen + load<u32>(treeParent + ((<usize>node) << 2)));
    const isInside: u8 = inside === 0 ? 0 : load<u8>(inside + node);
    const own = load<u8>(ok + nameIndex(functionOf(load<u32>(treeName + ((<usize>node) << 2))))) | isInside;
    store<u8>(seen + node, own | above);
    if (own === 0) continue;
    const total = load<i64>(totalAt + ((<usize>node) << 3));
    if (total === 0) continue;
    if (above === 0) value = plus(value, total);
    const p = rows.keep(<usize>(found + 1) * RECORD_BYTES, <usize>found * RECORD_BYTES) + <usize>found * RECORD_BYTES;
    store<u64>(p, descending(total));
    store<u64>(p, node, RECORD_PAYLOAD);
    found++;
  }
  sortRecords(rows.at, found);
  for (let i: u32 = 0; i < found; i++) {
    // The records become rows of the answer in place.
    const p = rows.at + <usize>i * SearchRow.BYTES;
    const node = load<u32>(p, RECORD_PAYLOAD);
    store<u64>(p, node, SearchRow.NODE);
    store<i64>(p, load<i64>(totalAt + ((<usize>node) << 3)), SearchRow.TOTAL);
  }
  named.drop();
  through.drop();
  return found;
}

/** Rows of the last search. */
export function searchRows(): usize {
  return rows.at;
}

/** Weight of the stacks through the frames of the last search. */
export function searchValue(): i64 {
  return value;
}
