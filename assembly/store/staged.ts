/** Observations on their way into the store (samples.ts), and the identity of a sample, with which they begin. */
import { finish, product } from "../memory/hash";

/** Identity of a sample: the first words of its row. */
@unmanaged
export class Identity {
  event: u32;
  stack: u32;
  link: u32;
  thread: u32;
  set: u32;
}

export function hashOf(identity: Identity): u32 {
  return finish(
    product(0, ((<u64>identity.event) << 32) | identity.stack) +
      product(1, ((<u64>identity.link) << 32) | identity.thread) +
      product(2, <u64>identity.set),
  );
}

/**
 * An observation on its way in, read before its link and sample are looked up. Both tables outgrow the caches, and a
 * lookup that waits for memory costs more than decoding an event; in groups the waits overlap
 * (docs/notes/performance.md).
 */
@unmanaged
export class Staged extends Identity {
  /** Of the link, then of the sample: `settle` computes both. */
  hash: u32;
  /** Upper half of the trace id as a link has it, 0 of a local root. */
  high: u64;
  /** Local root or lower half of the trace id, and span id; 0 = no id: `settle` makes the link of them. */
  root: u64;
  span: u64;
  time: i64;
  value: i64;
  second: i64;
}

/**
 * An observation that waits until its file ends (snapshots.ts): the chunk that it is from, + 1, whether and at which
 * time its context may be inferred, whether its value counts since the start of something (held/counters.ts), and the
 * address of a block that may be freed (held/frees.ts), else 0.
 */
@unmanaged
export class Waiting extends Staged {
  chunk: u32;
  isNoted: bool;
  isCounter: bool;
  born: i64;
  address: u64;
}
