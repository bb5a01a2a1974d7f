/**
 * Observations of events that list what is there at the end of a chunk, like the objects still alive. Every chunk lists
 * them anew, so adding chunks up would count an object as often as it survived: of a file, only the last chunk that has
 * the event counts. Its observations wait here until the file ends.
 *
 *   waiting   the rows of `stage` (samples.ts), each with its chunk + 1 at WAITING_CHUNK; those of a chunk that another
 *             has superseded are dropped when they are half of all
 */
import { Buffer, newBuffer } from "../memory/buffer";
import { fillStaged, STAGED_BYTES, settle, stageRow } from "./samples";

let waiting: Buffer = changetype<Buffer>(0);
/** Where a waiting row has its chunk: `stage` fills these bytes only when it settles. */
const WAITING_CHUNK: usize = 48;
/** Per event row: chunk whose observations wait, + 1, and how many they are. */
const chunks: usize = memory.data(256 * 4, 4);
const counts: usize = memory.data(256 * 4, 4);
/** Rows of superseded chunks that are still there. */
let dropped: u32 = 0;

export function resetSnapshots(): void {
  waiting = newBuffer(<u32>STAGED_BYTES);
  forgetChunks();
}

function forgetChunks(): void {
  memory.fill(chunks, 0, 256 * 4);
  memory.fill(counts, 0, 256 * 4);
  dropped = 0;
}

/** Whether the row at `p` is of the last chunk that has its event. */
function isCurrent(p: usize): bool {
  return load<u32>(p, WAITING_CHUNK) === load<u32>(chunks + ((<usize>load<u32>(p)) << 2));
}

/** Forgets what waits of this event row and another chunk; returns how many observations that were. */
export function supersede(event: u32, chunk: u32): u32 {
  const known = chunks + ((<usize>event) << 2);
  const before = load<u32>(known);
  store<u32>(known, chunk + 1);
  if (before === 0 || before === chunk + 1) return 0;
  const count = counts + ((<usize>event) << 2);
  const n = load<u32>(count);
  store<u32>(count, 0);
  dropped += n;
  if (<usize>dropped * STAGED_BYTES * 2 > waiting.size) compact();
  return n;
}

function compact(): void {
  let to = waiting.at;
  const end = waiting.at + waiting.size;
  for (let p = waiting.at; p < end; p += STAGED_BYTES) {
    if (!isCurrent(p)) continue;
    if (to !== p) memory.copy(to, p, STAGED_BYTES);
    to += STAGED_BYTES;
  }
  waiting.size = <u32>(to - waiting.at);
  dropped = 0;
}

/** Takes the arguments of `stage`, for later. */
export function hold(
  event: u32,
  stack: u32,
  root: u64,
  span: u64,
  thread: u32,
  set: u32,
  time: i64,
  value: i64,
  second: i64,
): void {
  const p = waiting.need(<u32>STAGED_BYTES);
  fillStaged(p, event, stack, root, span, thread, set, time, value, second);
  store<u32>(p, load<u32>(chunks + ((<usize>event) << 2)), WAITING_CHUNK);
  const count = counts + ((<usize>event) << 2);
  store<u32>(count, load<u32>(count) + 1);
  waiting.size += <u32>STAGED_BYTES;
}

/** The file ends: what waits counts. */
export function endFile(): void {
  const end = waiting.at + waiting.size;
  for (let p = waiting.at; p < end; p += STAGED_BYTES) if (isCurrent(p)) stageRow(p);
  settle();
  dropWaiting();
}

/** Forgets what waits; returns how many observations that were. */
export function dropWaiting(): u32 {
  const n = <u32>(waiting.size / <u32>STAGED_BYTES);
  waiting.size = 0;
  forgetChunks();
  return n;
}
