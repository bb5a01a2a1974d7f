/**
 * A block of memory that a view keeps from request to request, or frees at the end of one. The struct is in static
 * memory (`memory.data`), so a view works before the first reset: an empty block is all zero.
 */
import { alloc, release } from "../memory/arena";

@unmanaged
export class Block {
  at: usize;
  size: usize;

  /** Room for `bytes` bytes; the content is lost when the block grows. */
  fit(bytes: usize): usize {
    if (bytes > this.size || this.at === 0) {
      const size = max<usize>(bytes, 32);
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
      const fresh = alloc(size);
      memory.copy(fresh, this.at, used);
      release(this.at, this.size);
      this.at = fresh;
      this.size = size;
    }
    return this.at;
  }

  /** Gives the memory back. */
  drop(): void {
    // Also keeps the body above the size at which the optimizer copies it to each of a hundred callers.
    if (this.at === 0) return;
    release(this.at, this.size);
    this.at = 0;
    this.size = 0;
  }
}
