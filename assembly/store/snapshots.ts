/**
 * Observations of events that list what is there at the end of a chunk, like the objects still alive. Every chunk lists
 * them anew, so adding chunks up would count an object as often as it survived: of a file, only the last chunk that has
 * the event counts. Its observations wait here until the file ends.
 *
 *   waiting   the rows of `stage` (samples.ts), those of one event row in one chunk each
 */
import { Buffer, newBuffer } from "../memory/buffer";
import { fillStaged, STAGED_BYTES, settle, stageRow } from "./samples";

let waiting: Buffer = changetype<Buffer>(0);
/** Per event row: chunk whose observations wait, + 1. */
const chunks: usize = memory.data(256 * 4, 4);

export function resetSnapshots(): void {
  waiting = newBuffer(<u32>STAGED_BYTES);
  memory.fill(chunks, 0, 256 * 4);
}

/** Forgets what waits of this event row and another chunk; returns how many observations that were. */
export function supersede(event: u32, chunk: u32): u32 {
  const known = chunks + ((<usize>event) << 2);
  const before = load<u32>(known);
  store<u32>(known, chunk + 1);
  if (before === 0 || before === chunk + 1) return 0;
  let to = waiting.at;
  let n: u32 = 0;
  const end = waiting.at + waiting.size;
  for (let p = waiting.at; p < end; p += STAGED_BYTES) {
    if (load<u32>(p) === event) {
      n++;
      continue;
    }
    if (to !== p) memory.copy(to, p, STAGED_BYTES);
    to += STAGED_BYTES;
  }
  waiting.size = <u32>(to - waiting.at);
  return n;
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
  waiting.size += <u32>STAGED_BYTES;
}

/** The file ends: what waits counts. */
export function endFile(): void {
  const end = waiting.at + waiting.size;
  for (let p = waiting.at; p < end; p += STAGED_BYTES) stageRow(p);
  settle();
  waiting.size = 0;
  memory.fill(chunks, 0, 256 * 4);
}
