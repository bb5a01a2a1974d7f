/**
 * Threads of a trace while it is read: the frames that are open, across blocks and across files.
 *
 *   frame | enter i64 ms | paused before it i64 ms | wall of its children i64 | paused part of these i64 |
 *         | node u32 | listed u32 |      48 bytes; reading calls needs the enter only, walk.ts all
 *
 *   frames of a thread | unused | frame | frame | … | free … |
 *                      ^ bottom           ^ top            ^ end       no frame is open: top = bottom
 */
import { alloc, regrow, release } from "../../memory/arena";
import { Buffer, newBuffer } from "../../memory/buffer";
import { KeyTable, ownKeyTable } from "../../memory/key-table";
import { onReset } from "../../memory/resets";

@unmanaged
export class Frame {
  enter: i64;
  before: i64;
  childWall: i64;
  childPaused: i64;
  node: u32;
  /** Row of the list of frames + 1, 0 = not listed. */
  listed: u32;
}

@unmanaged
export class Thread {
  id: i64;
  bottom: usize;
  top: usize;
  end: usize;
  /** Key of the open root: file, offset of the block, ordinal of the event. */
  file: u32;
  offset: u32;
  ordinal: u32;
  method: u32;
  /** Frames entered so far. */
  enters: u32;
  /** Value of the tag java.thread of the root, + 1; 0 = none yet. */
  name: u32;
  /** The call that is walked, 0 = none. */
  call: u32;
  /** The tag call.info was read in the root: an agent writes it last. */
  info: bool;
  /** Events before the first frame may be missing. */
  lost: bool;
  /** For tally.ts: number of the thread, serial number of its open root, frames of it that are on the path. */
  index: u32;
  serial: u32;
  matched: u32;
  /** Values of its open frames, and times that were added inside its root. */
  tags: Buffer;
  added: Buffer;
}

/** Frames that a thread has room for at first. */
const FIRST_FRAMES: usize = 16;

const byId: KeyTable = ownKeyTable(64);
let rows: usize = 0;
export let threadCount: u32 = 0;
let capacity: u32 = 0;

onReset((): void => {
  capacity = 64;
  rows = alloc((<usize>capacity) << 2);
  threadCount = 0;
});

/** Forgets the threads of the run before. */
export function beginThreads(): void {
  for (let i: u32 = 0; i < threadCount; i++) {
    const thread = threadAt(i);
    release(thread.bottom, thread.end - thread.bottom);
    drop(thread.tags);
    drop(thread.added);
    release(changetype<usize>(thread), offsetof<Thread>());
  }
  byId.free();
  byId.create(64);
  threadCount = 0;
}

function drop(buffer: Buffer): void {
  buffer.free();
  release(changetype<usize>(buffer), offsetof<Buffer>());
}

export function threadAt(i: u32): Thread {
  return changetype<Thread>(<usize>load<u32>(rows + ((<usize>i) << 2)));
}

/** The thread of this id; a new one is `lost` if events before it are missing. */
export function threadOf(id: i64, lost: bool): Thread {
  const known = byId.find(<u64>id);
  if (known !== 0) return threadAt(known - 1);
  if (threadCount === capacity) {
    const bytes = (<usize>capacity) << 2;
    rows = regrow(rows, bytes, bytes, bytes << 1);
    capacity <<= 1;
  }
  const frames = alloc(FIRST_FRAMES * offsetof<Frame>());
  const tags = newBuffer(64);
  const added = newBuffer(64);
  const thread = changetype<Thread>(alloc(offsetof<Thread>()));
  memory.fill(changetype<usize>(thread), 0, offsetof<Thread>());
  thread.id = id;
  thread.bottom = frames;
  thread.top = frames;
  thread.end = frames + FIRST_FRAMES * offsetof<Frame>();
  thread.lost = lost;
  thread.index = threadCount;
  thread.tags = tags;
  thread.added = added;
  store<u32>(rows + ((<usize>threadCount) << 2), <u32>changetype<usize>(thread));
  byId.add(<u64>id, ++threadCount);
  return thread;
}

export function isEmpty(thread: Thread): bool {
  return thread.top === thread.bottom;
}

export function depthOf(thread: Thread): u32 {
  return <u32>((thread.top - thread.bottom) / offsetof<Frame>());
}

/** Whether the innermost frame has at least `n` frames, itself included. */
export function isAtLeast(thread: Thread, n: u32): bool {
  return thread.top - thread.bottom >= <usize>n * offsetof<Frame>();
}

/** The innermost open frame. The pointer is good until the next frame is pushed. */
export function topFrame(thread: Thread): Frame {
  return changetype<Frame>(thread.top);
}

/** The outermost open frame. */
export function firstFrame(thread: Thread): Frame {
  return changetype<Frame>(thread.bottom + offsetof<Frame>());
}

/** A frame on top of the others; only its enter is set. */
export function pushFrame(thread: Thread, enter: i64): Frame {
  if (thread.top + 2 * offsetof<Frame>() > thread.end) grow(thread);
  const frame = changetype<Frame>(thread.top + offsetof<Frame>());
  thread.top = changetype<usize>(frame);
  frame.enter = enter;
  return frame;
}

function grow(thread: Thread): void {
  const size = thread.end - thread.bottom;
  const used = thread.top + offsetof<Frame>() - thread.bottom;
  const bottom = regrow(thread.bottom, size, used, size << 1);
  thread.bottom = bottom;
  thread.top = bottom + used - offsetof<Frame>();
  thread.end = bottom + (size << 1);
}

export function clearFrames(thread: Thread): void {
  thread.top = thread.bottom;
}

export function popFrame(thread: Thread): void {
  thread.top -= offsetof<Frame>();
}
