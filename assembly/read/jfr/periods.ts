/**
 * The sampling periods of the open chunk, by profile of the catalogue: those that the chunk states anywhere, else those
 * of an earlier chunk of the file, because some recorders write their settings into the first chunk only.
 *
 *   inChunk   i64 per profile: stated by the chunk, the first statement counts; 0 = no period read so far
 *   inFile    i64 per profile: stated last in the file; 0 = no period
 */
import { apart, Deferred, defer } from "../../store/apart";
import { statePeriod } from "../../store/periods";
import { MAX_PROFILES } from "../../store/profiles";

/** MAX_PROFILES entries. */
const inChunk: usize = memory.data(<i32>MAX_PROFILES * 8, 8);
const inFile: usize = memory.data(<i32>MAX_PROFILES * 8, 8);

/** The chunk states event=wall, async-profiler's wall mode: the interval of its event is that of the wall clock. */
export let inWallMode: bool = false;

export function setWallMode(on: bool): void {
  inWallMode = on;
}

/** A file ends: its settings hold no longer. */
export function forgetPeriods(): void {
  memory.fill(inFile, 0, MAX_PROFILES * 8);
  beginPeriods();
}

/** A chunk begins. */
export function beginPeriods(): void {
  memory.fill(inChunk, 0, MAX_PROFILES * 8);
  inWallMode = false;
}

/** The chunk states a period for this profile. */
export function notePeriod(profile: u32, period: i64): void {
  const p = inChunk + ((<usize>profile) << 3);
  if (period <= 0 || load<i64>(p) !== 0) return;
  store<i64>(p, period);
  if (apart) defer(Deferred.Statement, profile, 0, period);
  store<i64>(inFile + ((<usize>profile) << 3), period);
  statePeriod(profile, period);
}

/** Whether the part of the chunk that was read so far states a period for this profile. */
export function isStated(profile: u32): bool {
  return load<i64>(inChunk + ((<usize>profile) << 3)) !== 0;
}

/** The period of this profile's observations in the chunk, 0 where it is unknown. */
export function chunkPeriod(profile: u32): i64 {
  return load<i64>(inFile + ((<usize>profile) << 3));
}
