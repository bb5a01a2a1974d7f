/**
 * Runs of CDT dumps: one JVM each, with its own dictionary and pauses. Labels, servers and pods are the host's.
 *
 *   words    u32 per id of the dictionary: its string + 1, 0 = no text
 *   params   rows of abi/rows/param-row.ts
 */
import * as RunRow from "../abi/rows/run-row";
import { alloc, regrow } from "../memory/arena";
import { Buffer, newBuffer } from "../memory/buffer";
import { onReset } from "../memory/resets";
import { Pauses } from "./pauses";

@unmanaged
export class Run {
  words: Buffer;
  params: Buffer;
  pauses: Pauses;
  /** Counts of abi/rows/run-row.ts. */
  row: usize;
  /** Ids from here on are damage. */
  wordLimit: u32;
  /** Scope of its profiles (scopes.ts): the attributes of its Resource. */
  scope: u32;
  /** It has profiles under this scope. */
  isSampled: bool;
  /** Time of the latest event of its trace, ms. */
  latest: i64;
}

let runs: usize = 0;
export let runCount: u32 = 0;
let capacity: u32 = 0;

/** False until the first run after a reset of the core: cores without dumps have no table of calls. */
export let hasRuns: bool = false;

onReset((): void => {
  hasRuns = false;
});

export function beginRuns(): void {
  hasRuns = true;
  capacity = 16;
  runs = alloc((<usize>capacity) << 2);
  runCount = 0;
}

export function runAt(i: u32): Run {
  return changetype<Run>(<usize>load<u32>(runs + ((<usize>i) << 2)));
}

export function addRun(): u32 {
  if (runCount === capacity) {
    const bytes = (<usize>capacity) << 2;
    runs = regrow(runs, bytes, bytes, bytes << 1);
    capacity <<= 1;
  }
  const pauses = changetype<Pauses>(alloc(offsetof<Pauses>()));
  pauses.create();
  const row = alloc(RunRow.BYTES);
  memory.fill(row, 0, RunRow.BYTES);
  const run = changetype<Run>(alloc(offsetof<Run>()));
  run.words = newBuffer(4096);
  run.params = newBuffer(1024);
  run.pauses = pauses;
  run.row = row;
  run.wordLimit = 0;
  run.scope = 0;
  run.isSampled = false;
  run.latest = 0;
  store<u32>(runs + ((<usize>runCount) << 2), <u32>changetype<usize>(run));
  return runCount++;
}

/** Pointer to the counts of run `i`. */
export function runRow(i: u32): usize {
  return runAt(i).row;
}

/** Rows of the pauses of run `i`, once the stream `suspend` was read. */
export function pauseRows(i: u32): usize {
  return runAt(i).pauses.rows;
}

export function pauseCount(i: u32): u32 {
  return runAt(i).pauses.count;
}

/** Rows of the parameters that run `i` states; RunRow.PARAMS counts them. */
export function paramRows(i: u32): usize {
  return runAt(i).params.at;
}

/** How many ids the dictionary of a run has. */
export function wordCount(run: Run): u32 {
  return run.words.size >> 2;
}

/** String of an id + 1, 0 if it has no text. */
export function wordOf(run: Run, id: u32): u32 {
  return id < wordCount(run) ? load<u32>(run.words.at + ((<usize>id) << 2)) : 0;
}

/** Adds 1 to a count of a run. */
export function countIn(run: Run, field: usize): void {
  store<u32>(run.row + field, load<u32>(run.row + field) + 1);
}

/** String + 1 of an id of run `i`, 0 if it has no text. */
export function wordText(i: u32, id: u32): u32 {
  return wordOf(runAt(i), id);
}
