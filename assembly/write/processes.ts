/**
 * Samples of several processes in one message. While it is written, the observations of each process are those of
 * separate samples, whose events feed separate profiles: copies of the rows that the readers made, with the number of
 * the process. So each process has a Resource, and each of its Profiles a time. `joinProcesses` takes the copies back:
 * after the message the store is as it was.
 *
 *   file     | process u32, from 1 on | 0 | observations: first u32 | end u32 | from u64 | to u64 |      32 bytes
 *   origins  u32 per copy of a sample: the row that it was copied from
 *   copies   u32 per sample: its latest copy, 0 if there is none
 */

import * as ProfileRow from "../abi/rows/profile-row";
import { alloc, release } from "../memory/arena";
import { Buffer } from "../memory/buffer";
import { onGiveUp } from "../memory/resets";
import { addTo } from "../memory/sums";
import { beginBlocks, blockEnd, blockStart, nextBlock } from "../store/observations";
import { forgetId, scopeOf } from "../store/periods";
import {
  addShapedEvent,
  copyProfile,
  coverProfile,
  eventAt,
  eventCount,
  MAX_EVENTS,
  MAX_PROFILES,
  profileAt,
  profileCount,
  profileOfEvent,
  Shape,
  shrinkProfiles,
} from "../store/profiles";
import * as ObservationRow from "../store/rows/observation-row";
import * as SampleRow from "../store/rows/sample-row";
import { copySample, dropCopies, observationBlock, observationCount, sampleAt, sampleCount } from "../store/samples";
import { isRun } from "../store/scopes";
import { clearSums } from "../store/seconds";
import { skippedSamples } from "../store/skipped";

const FILE_PROCESS: usize = 0;
const FILE_FIRST: usize = 8;
const FILE_END: usize = 12;
const FILE_FROM: usize = 16;
const FILE_TO: usize = 24;
const FILE_BYTES: u32 = 32;

/** No samples of the message are of several processes. */
const WHOLE: u32 = 0;

/** Rows of the store before the copies. */
let samples: u32 = WHOLE;
let profiles: u32 = 0;
let events: u32 = 0;
const origins: Buffer = changetype<Buffer>(memory.data(12, 4));
let copies: usize = 0;
let mask: usize = 0;
let maskBytes: u32 = 0;
/** Copies of the process whose observations are moved: of samples from here on; of profiles and events by row, or 0. */
let firstCopy: u32 = 0;
const profileCopies: usize = memory.data(<i32>MAX_PROFILES * 4, 4);
const eventCopies: usize = memory.data(<i32>MAX_EVENTS * 4, 4);

/**
 * Divides the samples by the files in the `n` bytes at `p`, those of a process one after the other. Returns the mask of
 * the divided samples for `selected`, a mask of the samples or 0.
 */
export function divideProcesses(p: usize, n: u32, selected: usize): usize {
  joinProcesses();
  const bytes = (<usize>sampleCount) << 2;
  copies = alloc(bytes);
  memory.fill(copies, 0, bytes);
  samples = sampleCount;
  profiles = profileCount;
  events = eventCount;
  origins.create(1 << 12);
  clearSums();
  let process: u32 = 0;
  for (const end = p + n; p < end; p += FILE_BYTES) {
    if (load<u32>(p, FILE_PROCESS) !== process) {
      process = load<u32>(p, FILE_PROCESS);
      firstCopy = sampleCount;
      memory.fill(profileCopies, 0, MAX_PROFILES * 4);
      memory.fill(eventCopies, 0, MAX_EVENTS * 4);
    }
    moveFile(p, process);
  }
  return selected === 0 ? 0 : maskOf(selected);
}

function moveFile(p: usize, process: u32): void {
  beginBlocks(load<u32>(p, FILE_FIRST), load<u32>(p, FILE_END));
  while (nextBlock()) {
    for (let q = blockStart; q < blockEnd; q += ObservationRow.BYTES) move(q, process);
  }
  if (load<u64>(p, FILE_TO) === 0) return;
  for (let i = profiles; i < profileCount; i++) {
    if (load<u32>(profileAt(i), ProfileRow.PROCESS) === process)
      coverProfile(i, load<u64>(p, FILE_FROM), load<u64>(p, FILE_TO));
  }
}

/** Moves the observation at `q` to the sample of its process; it stays where there is no room for the profile. */
function move(q: usize, process: u32): void {
  const row = load<u32>(q, ObservationRow.SAMPLE);
  const slot = copies + ((<usize>row) << 2);
  let to = load<u32>(slot);
  if (to < firstCopy) {
    const event = eventFor(load<u32>(sampleAt(row), SampleRow.EVENT), process);
    if (event === 0) return;
    origins.u32(row);
    to = copySample(row, event);
    store<u32>(slot, to);
  }
  add(row, -1, -load<i64>(q, ObservationRow.VALUE));
  add(to, 1, load<i64>(q, ObservationRow.VALUE));
  store<u32>(q, to, ObservationRow.SAMPLE);
  const time = load<u64>(q, ObservationRow.TIME);
  if (time !== 0) coverProfile(profileOfEvent(load<u32>(sampleAt(to), SampleRow.EVENT)), time, time + 1);
}

function add(row: u32, observations: i32, value: i64): void {
  const p = sampleAt(row);
  store<u32>(p, load<u32>(p, SampleRow.COUNT) + observations, SampleRow.COUNT);
  addTo(p + SampleRow.SUM, value);
}

/** The event row of the process for row `event`. 0 where there is no room, or where a run of a dump is the process. */
function eventFor(event: u32, process: u32): u32 {
  const slot = eventCopies + ((<usize>event) << 2);
  const known = load<u32>(slot);
  if (known !== 0) return known;
  if (eventCount === MAX_EVENTS) return 0;
  const profile = profileFor(profileOfEvent(event), process);
  if (profile === 0) return 0;
  const p = eventAt(event);
  const shape = <Shape>load<u32>(p, ProfileRow.EVENT_SHAPE);
  const copy = addShapedEvent(
    load<u32>(p, ProfileRow.EVENT_NAME),
    profile,
    shape,
    load<u32>(p, ProfileRow.EVENT_PLAIN) !== 0,
  );
  store<u32>(slot, copy);
  return copy;
}

/** The profile row of the process for row `profile`. Those of a pprof file are copied together. */
function profileFor(profile: u32, process: u32): u32 {
  const known = copyOf(profile);
  if (known !== 0) return known;
  const group = groupOf(profile);
  const first = group === 0 ? profile : group - 1;
  let end = first + 1;
  while (group !== 0 && end < profiles && groupOf(end) === group) end++;
  if (end - first > MAX_PROFILES - profileCount || isRun(scopeOf(profile))) return 0;
  const firstOfGroup = profileCount + 1;
  for (let i = first; i < end; i++) {
    const copy = copyProfile(i);
    const p = profileAt(copy);
    store<u32>(p, process, ProfileRow.PROCESS);
    store<u64>(p, 0, ProfileRow.FROM);
    store<u64>(p, 0, ProfileRow.TO);
    if (group !== 0) store<u32>(p, firstOfGroup, ProfileRow.GROUP);
    if (skippedSamples(i) !== 0) forgetId(copy);
    store<u32>(profileCopies + ((<usize>i) << 2), copy);
  }
  return copyOf(profile);
}

function copyOf(profile: u32): u32 {
  return load<u32>(profileCopies + ((<usize>profile) << 2));
}

function groupOf(profile: u32): u32 {
  return load<u32>(profileAt(profile), ProfileRow.GROUP);
}

function maskOf(selected: usize): usize {
  maskBytes = sampleCount;
  mask = alloc(maskBytes);
  memory.copy(mask, selected, samples);
  for (let row = samples; row < sampleCount; row++) store<u8>(mask + row, load<u8>(selected + originOf(row)));
  return mask;
}

function originOf(copy: u32): u32 {
  return load<u32>(origins.at + ((<usize>(copy - samples)) << 2));
}

/** Takes all copies back. Does nothing if there are none. Allocates nothing. */
export function joinProcesses(): void {
  if (samples === WHOLE) return;
  for (let b: u32 = 0; b * ObservationRow.BLOCK_ROWS < observationCount; b++) {
    const block = observationBlock(b);
    // A message that was the last use of the samples has given blocks up.
    if (block === 0) continue;
    const end =
      block +
      <usize>min<u32>(ObservationRow.BLOCK_ROWS, observationCount - b * ObservationRow.BLOCK_ROWS) *
        ObservationRow.BYTES;
    for (let q = block; q < end; q += ObservationRow.BYTES) {
      const row = load<u32>(q, ObservationRow.SAMPLE);
      if (row >= samples) store<u32>(q, originOf(row), ObservationRow.SAMPLE);
    }
  }
  for (let row = samples; row < sampleCount; row++)
    add(originOf(row), load<u32>(sampleAt(row), SampleRow.COUNT), load<i64>(sampleAt(row), SampleRow.SUM));
  dropCopies(samples);
  shrinkProfiles(profiles, events);
  clearSums();
  if (origins.at !== 0) origins.free();
  release(copies, (<usize>samples) << 2);
  if (mask !== 0) release(mask, maskBytes);
  mask = 0;
  samples = WHOLE;
}
onGiveUp(joinProcesses);
