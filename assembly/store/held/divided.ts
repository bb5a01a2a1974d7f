/**
 * Waits divided by their holders: copies of all observations of profiles, one for each stretch in which one holder had
 * the lock, in samples that have the holder as an attribute. A selection has the waits or the copies, never both
 * (view/selection.ts), so every view and output of a selection can have the holders.
 *
 *   part      | observation u32 | attribute of the holder u32 | value i64 |     16 bytes, in the order of observations
 *   samples   … the waits … | copiesFrom … copiesEnd |
 *   origins   u32 per copied observation: the one that it is a part of
 *
 * The value that no part has is that of a copy without a holder.
 */
import * as PartRow from "../../abi/rows/part-row";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { sampleOf, setWith } from "../inferred";
import { familyOfEvent, MAX_PROFILES } from "../profiles";
import * as ObservationRow from "../rows/observation-row";
import * as SampleRow from "../rows/sample-row";
import { append, observationBlock, observationCount, rowOf, sampleAt, sampleCount, separateSamples } from "../samples";
import { copiesEnd, setCopies } from "./copies";

const origins: Buffer = ownBuffer(64);
/** The first copied observation. */
let first: u32 = 0;
/** A byte per first row of a family of profiles. */
const families: usize = memory.data(<i32>MAX_PROFILES);

/** Whether the observations of a profile are copied. */
export function isCopied(profile: u32): bool {
  return load<u8>(families + <usize>profile) !== 0;
}

/** Divides the observations of the profiles of the `n` parts at `p`. Nothing more may be read then. */
export function divideWaits(p: usize, n: u32): void {
  if (copiesEnd !== 0 || n === 0) return;
  const end = p + <usize>n * PartRow.BYTES;
  memory.fill(families, 0, MAX_PROFILES);
  for (let q = p; q < end; q += PartRow.BYTES) {
    const row = sampleOf(load<u32>(q, PartRow.OBSERVATION));
    store<u8>(families + <usize>familyOfEvent(load<u32>(sampleAt(row), SampleRow.EVENT)), 1);
  }
  const from = sampleCount;
  first = observationCount;
  origins.size = 0;
  separateSamples();
  for (let i: u32 = 0; i < first; i++) {
    const at =
      observationBlock(i / ObservationRow.BLOCK_ROWS) + <usize>(i % ObservationRow.BLOCK_ROWS) * ObservationRow.BYTES;
    const row = load<u32>(at, ObservationRow.SAMPLE);
    if (!isCopied(familyOfEvent(load<u32>(sampleAt(row), SampleRow.EVENT)))) continue;
    let rest = load<i64>(at, ObservationRow.VALUE);
    let parts: u32 = 0;
    for (; p < end && load<u32>(p, PartRow.OBSERVATION) <= i; p += PartRow.BYTES) {
      if (load<u32>(p, PartRow.OBSERVATION) < i) continue;
      parts++;
      rest -= load<i64>(p, PartRow.VALUE);
      add(i, row, load<u32>(p, PartRow.ATTRIBUTE), load<i64>(p, PartRow.VALUE));
    }
    if (rest > 0 || parts === 0) add(i, row, 0, rest);
  }
  separateSamples();
  setCopies(from, sampleCount, observationCount - first);
}

function add(observation: u32, row: u32, holder: u32, value: i64): void {
  const block = observationBlock(observation / ObservationRow.BLOCK_ROWS);
  const time = load<i64>(
    block + <usize>(observation % ObservationRow.BLOCK_ROWS) * ObservationRow.BYTES,
    ObservationRow.TIME,
  );
  const event = load<u32>(sampleAt(row), SampleRow.EVENT);
  const stack = load<u32>(sampleAt(row), SampleRow.STACK);
  const link = load<u32>(sampleAt(row), SampleRow.LINK);
  const thread = load<u32>(sampleAt(row), SampleRow.THREAD);
  const set = load<u32>(sampleAt(row), SampleRow.SET);
  const copy = rowOf(event, stack, link, thread, holder === 0 ? set : setWith(set, holder));
  append(copy, time, value, 0);
  origins.u32(observation);
}

/** Number of the first copied observation whose origin has this number or a later one. */
export function copyFrom(observation: u32): u32 {
  let low: u32 = 0;
  let high = origins.size >> 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(origins.at + ((<usize>middle) << 2)) < observation) low = middle + 1;
    else high = middle;
  }
  return first + low;
}
