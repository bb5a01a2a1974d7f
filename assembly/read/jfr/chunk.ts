/**
 * Reader of one chunk. It fills the store in slices, so that the host can do other work between them:
 *
 *   openChunk   header → metadata → plans → chain of checkpoints
 *   step        constant pools, then events, about `budget` bytes a time
 *   closeChunk  event counts into `report`; everything else of the chunk is forgotten
 *
 * A damaged chunk is read as far as possible: missing data is a diagnostic, never a trap.
 */

import * as Diagnostic from "../../abi/formats/jfr";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { onReset } from "../../memory/resets";
import { endScratch } from "../../memory/scratch";
import { diagnose } from "../../store/diagnostics";
import { coverTime } from "../../store/profiles";
import { settleRoots } from "../../store/roots";
import { settle } from "../../store/samples";
import { filtered, wantsAll, wantsStacks } from "../wanted";
import { beginCalls } from "./calls";
import {
  beginIndexing,
  delayIndexing,
  endPools,
  followChain,
  forgetCheckpoints,
  indexSome,
  noteCheckpoint,
  sortScanned,
} from "./constant-pools";
import { forgetConstants } from "./constants";
import { overrun, position, readInt, readLong, seek, setCompressed } from "./cursor";
import { planEndpoints } from "./endpoints";
import { beginEvents, eventBytesLeft, readEvents } from "./events";
import { planFacts } from "./facts";
import { isNumber } from "./field-slots";
import {
  chunkEnd,
  chunkStart,
  durationNanos,
  flags,
  HEADER_BYTES,
  metadataOffset,
  offsetOf,
  openHeader,
  poolOffset,
  startNanos,
} from "./header";
import { planLibraries } from "./libraries";
import { beginLimits, noteLimits } from "./limits";
import { planIncidents, planMeasurements } from "./measurements";
import { addCutMetadata, Base, classAt, classCount, forgetMetadata, readMetadata, spells } from "./metadata";
import { notePackages, planPackages } from "./packages";
import { beginPeriods, forgetPeriods } from "./periods";
import { beginPlans, fuel, refuel, spend } from "./plan";
import * as ClassRow from "./rows/class-row";
import * as FieldRow from "./rows/field-row";
import { beginSampleEvents } from "./sample-event";
import { planEvents } from "./sample-plan";
import { planScopes } from "./scope-reader";
import { planSettings } from "./settings";
import { beginSearch } from "./sought";
import { forgetStackTraces } from "./stack-trace";
import { beginStructs, fieldNamed, fieldOf, NO_FIELD } from "./struct";

enum Stage {
  Closed,
  Pools,
  Events,
  Finished,
}

let stage: Stage = Stage.Closed;

/**
 * Event types of the chunk closed last that had events:
 *
 *   | count u32 | size u32 | name … | has a stack trace u32 | fields | fields |
 *   fields := n u32 | (size u32 | name …)^n
 *
 * The first fields are the event's numbers, which a profile can be made of, the others the contextual ones.
 */
const report: Buffer = ownBuffer(1 << 12);

export function reportPointer(): usize {
  return report.at;
}

export function reportSize(): u32 {
  return report.size;
}

onReset((): void => {
  // A chunk may have been open: its classes are gone.
  forgetStackTraces();
  forgetConstants();
  forgetCheckpoints();
  forgetPeriods();
  stage = Stage.Closed;
});

/** Opens the chunk of `length` ≥ 68 bytes at `p`; false where its events cannot be read. */
export function openChunk(p: usize, length: u32): bool {
  openHeader(p, length);
  stage = Stage.Finished;
  report.size = 0;
  if (!findMetadata()) return false;
  coverTime(<u64>startNanos, <u64>startNanos + (durationNanos > 0 ? <u64>durationNanos : 0));
  beginPlans(<u32>(chunkEnd - chunkStart));
  beginStructs();
  beginPeriods();
  beginSampleEvents();
  beginCalls();
  beginLimits();
  beginSearch();
  planEvents();
  planSettings();
  planFacts();
  planEndpoints();
  if (wantsAll) planIncidents();
  planMeasurements();
  planLibraries();
  if (wantsStacks) planPackages();
  planScopes();
  if (fuel < 0) diagnose(Diagnostic.TooComplex, metadataOffset, classCount);
  refuel(<u32>(chunkEnd - chunkStart));
  findPools();
  beginIndexing();
  if (filtered) {
    delayIndexing();
    stage = Stage.Events;
    beginEvents();
  } else {
    stage = Stage.Pools;
  }
  return true;
}

/** Goes on for about `budget` bytes. True while there is more. */
export function stepChunk(budget: u32): bool {
  if (stage === Stage.Pools) {
    if (indexSome(budget)) return true;
    stage = Stage.Events;
    beginEvents();
    return true;
  }
  if (stage !== Stage.Events) return false;
  const more = readEvents(budget);
  settle();
  settleRoots();
  if (more) return true;
  stage = Stage.Finished;
  noteLimits();
  refuel(<u32>(chunkEnd - chunkStart));
  if (wantsStacks) notePackages();
  refuel(<u32>(chunkEnd - chunkStart));
  makeReport();
  return false;
}

/** Bytes of the open chunk that its events still take. */
export function chunkBytesLeft(): u32 {
  if (stage === Stage.Pools) return <u32>(chunkEnd - chunkStart);
  return stage === Stage.Events ? eventBytesLeft() : 0;
}

/** The next chunk is read by another instance, which makes its report. */
export function dropReport(): void {
  report.size = 0;
}

/** Makes the report of a chunk of which not all can be read. */
export function reportSoFar(): void {
  if (stage === Stage.Events) makeReport();
}

function makeReport(): void {
  for (let i: u32 = 0; i < classCount; i++) {
    const c = classAt(i);
    const count = load<u32>(c, ClassRow.EVENTS);
    if (count === 0 || load<u64>(c, ClassRow.ID) < 2 || !isCharged(load<u32>(c, ClassRow.NAME_SIZE))) continue;
    report.u32(count);
    report.u32(load<u32>(c, ClassRow.NAME_SIZE));
    report.bytes(<usize>load<u32>(c, ClassRow.NAME), load<u32>(c, ClassRow.NAME_SIZE));
    report.u32(fieldNamed(i, "stackTrace") !== NO_FIELD ? 1 : 0);
    reportFields(i, false);
    reportFields(i, true);
  }
}

/**
 * Bytes of the longest name in a report. JavaScript's tables compare texts above 16 KiB one by one: their hash is their
 * length.
 */
const LONGEST_NAME: u32 = 4096;

/** Charges for a name of the report: any number of classes and fields may have one long name. False: it is left out. */
function isCharged(size: u32): bool {
  if (size <= LONGEST_NAME && spend(size)) return true;
  diagnose(Diagnostic.TooComplex, offsetOf(chunkEnd), size);
  return false;
}

function reportFields(cls: u32, contextual: bool): void {
  const count = report.size;
  report.u32(0);
  let n: u32 = 0;
  for (let i: u32 = 0; i < load<u32>(classAt(cls), ClassRow.FIELDS); i++) {
    const f = fieldOf(cls, i);
    const size = load<u32>(f, FieldRow.NAME_SIZE);
    const name = <usize>load<u32>(f, FieldRow.NAME);
    if (contextual ? load<u32>(f, FieldRow.CONTEXTUAL) === 0 : !isAmount(f) || spells(name, size, "startTime"))
      continue;
    if (!isCharged(size)) continue;
    report.u32(size);
    report.bytes(name, size);
    n++;
  }
  store<u32>(report.at + count, n);
}

function isAmount(f: usize): bool {
  return isNumber(f) && load<u32>(classAt(load<u32>(f, FieldRow.CLASS)), ClassRow.BASE) !== Base.Boolean;
}

/** Frees everything of the open chunk except its rows in the store. */
export function closeChunk(): void {
  if (stage === Stage.Closed) return;
  endPools();
  forgetStackTraces();
  forgetConstants();
  forgetCheckpoints();
  endScratch();
  stage = Stage.Closed;
}

/** Bytes that no whole metadata event has. */
const LEAST_METADATA: usize = 16;

/** Reads the newest metadata; where the header is wrong about it, the last one that a scan finds. */
function findMetadata(): bool {
  setCompressed((flags & 1) !== 0);
  // Without whole metadata nothing else drops the classes of the chunk before, whose plans are gone.
  forgetMetadata();
  const there = metadataOffset >= <i64>HEADER_BYTES && metadataOffset < <i64>offsetOf(chunkEnd);
  const p = chunkStart + <usize>metadataOffset;
  if (there && tryMetadata(p)) return true;
  // A header that calls its integers fixed-width may be wrong: the JDK's own reader never looks at the bit.
  setCompressed(true);
  if ((flags & 1) === 0 && there && tryMetadata(p)) return true;
  const scanned = scan(0);
  if (scanned === 0 && cutMetadata === 0) {
    diagnose(there ? Diagnostic.MetadataDamaged : Diagnostic.NoMetadata, 24, metadataOffset);
    return false;
  }
  if (scanned !== 0 && (scanned === p || !tryMetadata(scanned))) {
    diagnose(Diagnostic.MetadataDamaged, offsetOf(scanned), metadataOffset);
    return false;
  }
  if (cutMetadata !== 0 || !there || p + LEAST_METADATA > chunkEnd) addCutMetadata(cutMetadata, chunkEnd);
  if (scanned !== 0) diagnose(Diagnostic.MetadataMoved, offsetOf(scanned), metadataOffset);
  return true;
}

function tryMetadata(p: usize): bool {
  if (readMetadata(p, chunkEnd)) {
    if ((flags & 1) === 0) diagnose(Diagnostic.FixedWidth, 66, flags);
    return true;
  }
  endScratch();
  return false;
}

/** Follows the checkpoints from the header's offset; where they do not hold together, takes those that a scan finds. */
function findPools(): void {
  if (followChain(poolOffset)) return;
  const there = poolOffset >= <i64>HEADER_BYTES && poolOffset < <i64>offsetOf(chunkEnd);
  forgetCheckpoints();
  const last = scan(1);
  if (last === 0 && poolOffset === 0) return;
  diagnose(there ? Diagnostic.ChainBroken : Diagnostic.PoolsMoved, 16, poolOffset);
  sortScanned();
}

/** A metadata event that ends the scan, because the chunk ends in it; 0 without one. */
let cutMetadata: usize = 0;

/**
 * Walks the events by their sizes up to the first that cannot be. Type 0: the last metadata event, or 0.
 * Type 1: notes every checkpoint, and returns the last one, or 0.
 */
function scan(wanted: u64): usize {
  let last: usize = 0;
  cutMetadata = 0;
  let p = chunkStart + HEADER_BYTES;
  while (p < chunkEnd) {
    seek(p, chunkEnd);
    const size = readInt();
    const type = readLong();
    const isCut = !overrun && size > <u32>(chunkEnd - p);
    if (isCut && type === 0) cutMetadata = p;
    // Its constants before the cut can be read.
    if (isCut && type === 1 && wanted === 1) noteCheckpoint(p);
    if (overrun || isCut || p + size < position()) break;
    if (type === wanted) {
      last = p;
      if (wanted === 1) noteCheckpoint(p);
    }
    p += size;
  }
  return last;
}
