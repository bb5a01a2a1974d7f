/**
 * Attributes of local roots (datadog.Endpoint): they apply to every sample with that root, whenever it was read.
 * Samples reach them through their link, so nothing is kept per sample.
 *
 *   root → attribute set         the last statement counts
 */
import { alloc, release } from "../memory/arena";
import { Buffer, ownBuffer } from "../memory/buffer";
import { KeyTable, ownKeyTable } from "../memory/key-table";
import { onGiveUp, onReset } from "../memory/resets";
import { links, localRootOf } from "./tables";

export const roots: KeyTable = ownKeyTable(64);
/** u32 per root: its set. Entry 0 is unused. */
export const rootSets: Buffer = ownBuffer(256);
let column: usize = 0;
let columnBytes: usize = 0;
/** Links that the column covers. */
let covered: u32 = 0;

/** Statements on their way in, | root u64 | set u32 | 0 |: the waits for the slots of a group overlap (samples.ts). */
const STAGED: u32 = 64;
const STAGED_SET: usize = 8;
const STAGED_BYTES: usize = 16;
const staged: usize = memory.data(64 * 16, 8);
let stagedCount: u32 = 0;
/** Where touched slots go, so that the loads are not optimised away. */
let sink: u32 = 0;

onReset((): void => {
  rootSets.u32(0);
  column = 0;
  columnBytes = 0;
  covered = 0;
  stagedCount = 0;
});

/** `noteRoot` that counts from the next `settleRoots` on. */
export function stageRoot(root: u64, set: u32): void {
  const p = staged + <usize>stagedCount * STAGED_BYTES;
  store<u64>(p, root);
  store<u32>(p, set, STAGED_SET);
  sink = max<u32>(sink, roots.touch(root));
  if (++stagedCount === STAGED) settleRoots();
}

/** Adds the staged statements. Where memory runs out, the rest of them is left out. */
export function settleRoots(): void {
  const end = staged + <usize>stagedCount * STAGED_BYTES;
  stagedCount = 0;
  for (let p = staged; p < end; p += STAGED_BYTES) noteRoot(load<u64>(p), load<u32>(p, STAGED_SET));
}

export function noteRoot(root: u64, set: u32): void {
  if (root === 0 || set === 0) return;
  const known = roots.find(root);
  if (known === 0) {
    // In this order: an entry without a root is never read, a root without an entry would be.
    const entry = rootSets.size >> 2;
    rootSets.u32(set);
    roots.add(root, entry);
  } else {
    const p = rootSets.at + ((<usize>known) << 2);
    if (load<u32>(p) === set) return;
    store<u32>(p, set);
  }
  covered = 0;
}

/** Forgets all roots. */
export function clearRoots(): void {
  stagedCount = 0;
  roots.clear();
  rootSets.size = 0;
  rootSets.u32(0);
  covered = 0;
}

/** Gives the memory of `linkSets` back. */
function dropColumn(): void {
  release(column, columnBytes);
  column = 0;
  columnBytes = 0;
  covered = 0;
}
onGiveUp(dropColumn);

/**
 * u32 per link: the attribute set of its root, 0 if the root has no attributes. 0 while no root has any. Valid until
 * more is read.
 */
export function linkSets(): usize {
  if (rootSets.size <= 4) return 0;
  const n = links.count;
  if (covered === n) return column;
  const bytes = (<usize>n) << 2;
  if (bytes > columnBytes) {
    dropColumn();
    const size = bytes + (bytes >> 1);
    column = alloc(size);
    columnBytes = size;
  }
  let last: u64 = 0;
  let set: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const root = localRootOf(i);
    // Links of one root come in runs.
    if (root !== last) {
      set = load<u32>(rootSets.at + ((<usize>(root === 0 ? 0 : roots.find(root))) << 2));
      last = root;
    }
    store<u32>(column + ((<usize>i) << 2), set);
  }
  covered = n;
  return column;
}
