/**
 * The sampling periods of the open chunk, by profile of the catalogue: those that the chunk states anywhere, else those
 * of an earlier chunk of the file, because some recorders write their settings into the first chunk only.
 *
 *   inChunk   i64 per profile: stated by the chunk, the first statement counts; 0 = no period read so far
 *   inFile    i64 per profile: stated last in the file; 0 = no period
 *
 * So is async-profiler's setting `event`, which says what jdk.ExecutionSample is. A chunk without any settings belongs
 * to the recording of the chunk before.
 */
import { apart, Deferred, defer } from "../../store/apart";
import { statePeriod } from "../../store/periods";
import { MAX_PROFILES } from "../../store/profiles";
import { strings } from "../../store/tables";
import { spells } from "./metadata";

/** MAX_PROFILES entries. */
const inChunk: usize = memory.data(<i32>MAX_PROFILES * 8, 8);
/** After them the string of the mode that a chunk of the file stated last, 0 = none. */
const inFile: usize = memory.data(<i32>MAX_PROFILES * 8 + 8, 8);
const MODE_IN_FILE: usize = <usize>MAX_PROFILES * 8;
/** Bytes of `periodsInFile`. */
export const PERIODS_BYTES: u32 = MAX_PROFILES * 8 + 8;

/** What later chunks of the file use of those before, for a chunk that is not read because another file has it. */
export function periodsInFile(): usize {
  return inFile;
}

export enum Mode {
  /** Samples of time on a CPU. Recordings of the JDK state no mode. */
  Cpu,
  /** The interval of the event is that of the wall clock. */
  Wall,
  /** Samples of another event: a counter of the processor, a tracepoint, a method. */
  Other,
}

/** Engines that sample the time on a CPU. */
const CPU: StaticArray<string> = ["cpu", "itimer", "ctimer", "cpu-clock", "task-clock"];

export let mode: Mode = Mode.Cpu;
/** The string of the mode, 0 = none. */
export let modeText: u32 = 0;
/** The part of the chunk that was read so far has a setting of an event. */
export let hasSettings: bool = false;

/** The chunk states its mode; 0: it states something else. */
export function noteMode(text: u32): void {
  if (hasSettings && (text === 0 || text === modeText)) return;
  hasSettings = true;
  if (apart) defer(Deferred.Mode, 0, 0, text);
  // Another recording begins: it has none of the periods of the one before.
  if (text !== 0 && text !== load<u32>(inFile, MODE_IN_FILE)) {
    store<u32>(inFile, text, MODE_IN_FILE);
    memory.copy(inFile, inChunk, MAX_PROFILES * 8);
  }
  setMode(text);
}

/** The chunk states a version of async-profiler whose CPU samples have the state STATE_DEFAULT: 2.10 and newer. */
export let hasDefaultState: bool = false;
const FIRST_MINOR: u32 = 10;

/** The chunk states the version of async-profiler, `2.9`. */
export function noteVersion(p: usize, n: u32): void {
  let minor: u32 = 0;
  for (let i: u32 = 2; i < n && load<u8>(p + i) - 48 < 10; i++) minor = minor * 10 + load<u8>(p + i) - 48;
  const major: u32 = n > 2 && load<u8>(p + 1) === 0x2e ? load<u8>(p) - 48 : 0;
  hasDefaultState = major > 2 || (major === 2 && minor >= FIRST_MINOR);
}

function setMode(text: u32): void {
  modeText = text;
  const p = strings.pointer(text);
  // A suffix limits the event to the kernel or to user code: `cpu:u`.
  let n: u32 = 0;
  while (n < strings.size(text) && load<u8>(p + n) !== 0x3a) n++;
  mode = spells(p, n, "wall") ? Mode.Wall : Mode.Other;
  if (n === 0) mode = Mode.Cpu;
  for (let i = 0; i < CPU.length; i++) if (spells(p, n, CPU[i])) mode = Mode.Cpu;
}

/** A file ends: its settings hold no longer. */
export function forgetPeriods(): void {
  memory.fill(inFile, 0, PERIODS_BYTES);
  beginPeriods();
}

/** A chunk begins. */
export function beginPeriods(): void {
  memory.fill(inChunk, 0, MAX_PROFILES * 8);
  hasSettings = false;
  hasDefaultState = false;
  setMode(load<u32>(inFile, MODE_IN_FILE));
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
