/**
 * Marks in the samples: those of calls of dumps are added after them, and taken back before those of other calls are
 * added. Strings, stacks and profiles stay: most of them are needed again.
 *
 *   mark | samples u32 | observations u32 | recorded from u64 | to u64 | profiles u32 | 0 |      32 bytes
 */
import * as ProfileRow from "../abi/rows/profile-row";
import { copiesEnd, dropCopied } from "./held/copies";
import { profileAt, profileCount, recordingEnd, recordingStart, setRecordedTime } from "./profiles";
import { observationCount, sampleCount, shrinkSamples } from "./samples";

const ROWS: usize = 0;
const OBSERVATIONS: usize = 4;
const FROM: usize = 8;
const TO: usize = 16;
const PROFILES: usize = 24;
const MARK_BYTES: usize = 32;
/** Before the selected calls, and before those that they are compared with. */
const MARKS: u32 = 2;

const marks: usize = memory.data(32 * 2, 8);

/** Sets mark `i` at the samples that there are now. */
export function markSamples(i: u32): void {
  if (i >= MARKS) return;
  const p = marks + <usize>i * MARK_BYTES;
  store<u32>(p, sampleCount, ROWS);
  store<u32>(p, observationCount, OBSERVATIONS);
  store<u64>(p, recordingStart, FROM);
  store<u64>(p, recordingEnd, TO);
  store<u32>(p, profileCount, PROFILES);
}

/** Takes back all samples after mark `i`. Results computed from the samples are void. */
export function shrinkToMark(i: u32): void {
  const p = marks + <usize>i * MARK_BYTES;
  if (i >= MARKS || load<u32>(p, ROWS) === 0 || load<u32>(p, ROWS) > sampleCount) return;
  shrinkSamples(load<u32>(p, ROWS), load<u32>(p, OBSERVATIONS));
  if (copiesEnd > sampleCount) dropCopied();
  setRecordedTime(load<u64>(p, FROM), load<u64>(p, TO));
  for (let row = load<u32>(p, PROFILES); row < profileCount; row++) {
    store<u64>(profileAt(row), 0, ProfileRow.FROM);
    store<u64>(profileAt(row), 0, ProfileRow.TO);
  }
}
