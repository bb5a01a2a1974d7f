/**
 * Nested messages of protobuf, such as the rows of both dictionaries (OTLP's and pprof's). The length is known when the
 * content is written, so room is left in front and filled in afterwards. One message is open on a run at a time.
 */
import { Run } from "./output";
import { putHeader } from "./wire";

/** Room for any message of one length byte. */
const SMALL: u64 = 136;
/** Room for one of more bytes: 65 lines and 256 attributes, the maximum that readers keep. */
const LARGE: u64 = 4096;
/** Tag and length of a large one. */
const LARGE_HEADER: usize = 4;

/** Begins a message of at most 127 bytes; returns where its content goes. */
export function openSmall(run: Run, tag: u8): usize {
  const p = run.need(SMALL);
  store<u8>(p, tag);
  return p + 2;
}

/** Ends what `openSmall` began; the content ends at `end`. */
export function closeSmall(run: Run, end: usize): void {
  store<u8>(run.at, <u8>(end - run.at - 2), 1);
  run.at = end;
}

/** Begins a message that may be longer; returns where its content goes. */
export function openLarge(run: Run): usize {
  return run.need(LARGE) + LARGE_HEADER;
}

/** Ends what `openLarge` began: puts tag and length in front. */
export function closeLarge(run: Run, tag: u8, end: usize): void {
  const start = run.at + LARGE_HEADER;
  const n = <u32>(end - start);
  const p = putHeader(run.at, tag, n);
  memory.copy(p, start, n);
  run.at = p + n;
}
