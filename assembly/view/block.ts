/**
 * A block of memory that a view keeps from request to request, or frees at the end of one. The struct is in static
 * memory (`memory.data`), so a view works before the first reset: an empty block is all zero.
 *
 *   | memory u32 | its size u32 | the block that entered before this one u32, or END | covered u32 |
 *
 * A block that asks for memory for the first time enters the list of all blocks, so no reset has to name it.
 */
import { alloc, release } from "../memory/arena";
import { onGiveUp } from "../memory/resets";

const END: usize = 1;
let newest: usize = END;

/**
 * The blocks of the current call tree. Their content moves to other places and back (call-tree.ts), so they are not in
 * the list.
 */
export const MOVING: usize = memory.data(152, 8);

@unmanaged
export class Block {
  at: usize;
  size: usize;
  before: usize;
  /** What the content covers, in numbers of its owner; 0 for nothing. To be set when the content is there. */
  covered: u32;

  /** Room for `bytes` bytes; the content is lost when the block grows. */
  fit(bytes: usize): usize {
    if (bytes > this.size || this.at === 0) {
      const size = max<usize>(bytes, 32);
      this.enlist();
      // First, so that the new block may be made of the old one; empty meanwhile, for `alloc` may trap.
      this.drop();
      this.at = alloc(size);
      this.size = size;
    }
    return this.at;
  }

  /** Room for `bytes` bytes, all zero. */
  zeroed(bytes: usize): usize {
    memory.fill(this.fit(bytes), 0, bytes);
    return this.at;
  }

  /** Room for `bytes` bytes of which the first `used` stay. Doubles, so that growing row by row is cheap. */
  keep(bytes: usize, used: usize): usize {
    if (bytes > this.size || this.at === 0) {
      const size = max<usize>(max<usize>(bytes, this.size << 1), 32);
      this.enlist();
      const fresh = alloc(size);
      memory.copy(fresh, this.at, used);
      release(this.at, this.size);
      this.at = fresh;
      this.size = size;
    }
    return this.at;
  }

  private enlist(): void {
    const block = changetype<usize>(this);
    if (this.before !== 0 || block - MOVING < 128) return;
    this.before = newest;
    newest = block;
  }

  /** Gives the memory back. */
  drop(): void {
    // Also keeps the body above the size at which the optimizer copies it to each of a hundred callers.
    if (this.at === 0) return;
    release(this.at, this.size);
    this.at = 0;
    this.size = 0;
    this.covered = 0;
  }
}

/** Gives the memory of all blocks back that are in the list. */
function dropBlocks(): void {
  for (let at = newest; at !== END; at = changetype<Block>(at).before) changetype<Block>(at).drop();
}
onGiveUp(dropBlocks);
