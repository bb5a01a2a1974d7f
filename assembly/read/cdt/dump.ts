/**
 * Runs of CDT dumps, stream by stream. The host opens files, unpacks them and passes their bytes in slices. A slice
 * ends anywhere: the host passes the bytes that were not consumed again, followed by more.
 *
 *   beginDumpRun
 *     endDictionary                                 after the streams of words
 *     beginFile(stream, index) · push … · endFile   in the order of abi/cdt-stream.ts, files by their index
 *     endTrace                                      before sql and xml
 *   endDumpRun
 *
 * Frames are read in a second pass over the trace alone (`beginFrames` … `endFrames`), as often as the selected calls
 * change: a dump may have far more frames than memory.
 */

import * as Stream from "../../abi/cdt-stream";
import * as Fault from "../../abi/formats/cdt";
import * as FramesAs from "../../abi/frames-as";
import * as ListedFrame from "../../abi/listed-frame";
import * as TallyRow from "../../abi/rows/tally-row";
import * as ValueKind from "../../abi/value-kind";
import { setReading } from "../../memory/arena";
import { beginCallTable, callCount } from "../../store/calls";
import { addRun, beginRuns, hasRuns, runAt } from "../../store/runs";
import { Holder, internResource } from "../../store/scopes";
import { internAttribute, internString } from "../../store/tables";
import { addToSet, internSet, newSet } from "../set";
import { endLinkWords } from "./call-link";
import { beginCalls, readCall, readCallsHeader } from "./calls";
import * as cursor from "./cursor";
import { long, moveTo, turnTo } from "./cursor";
import { beginFiles, finishCalls, noteTraceFile } from "./finish";
import { beginMethods } from "./methods";
import { isPlausibleTime } from "./plausible";
import { beginRecords, endWords, hasHeader, readHeader, readRecord, stopCounting } from "./records";
import { beginReferences, beginTexts, countReferences, textOf } from "./references";
import { beginRoots, endRoots, lose } from "./roots";
import { addFrames } from "./settle";
import { rows as tallied } from "./tally";
import { beginThreads } from "./threads";
import { beginTrace, beginTraceFile, blockOffset, leaveBlock, readTrace } from "./trace";
import { beginWalk, endWalk, listed, listedTags, loseFrames } from "./walk";

/** Bytes of the longest phrase; agents send up to 10,240. */
const MOST_PHRASE: u32 = 1 << 20;
const PHRASE_HEAD: u32 = 4;

let run: u32 = 0;
let firstCall: u32 = 0;
let stream: u32 = 0;
/** Bytes of the file that were consumed. */
let position: u32 = 0;
let hasHead: bool = false;
let isPhrased: bool = false;
/** Where the phrase ends, as a position in the file. */
let phraseEnd: u32 = 0;
let isWalk: bool = false;
/** The file ends with the bytes that are read. */
let isLastSlice: bool = false;
let fault: u32 = 0;

/** Begins a run; the answer is its number. */
export function beginDumpRun(): u32 {
  if (!hasRuns) {
    beginRuns();
    beginCallTable();
  }
  run = addRun();
  isWalk = false;
  firstCall = callCount;
  beginReferences(false);
  beginFiles();
  return run;
}

/** The dictionaries of the run were read. `cut`: they may have been longer. */
export function endDictionary(cut: bool): void {
  endWords(runAt(run), cut);
  endLinkWords(runAt(run));
}

/** The stream `suspend` was read: pauses are united. To be called before `calls`. */
export function endPauses(): void {
  runAt(run).pauses.unite();
}

/** The trace comes: `beginTraces` after the calls, `endTrace` after its last file. */
export function beginTraces(): void {
  beginThreads();
  beginRoots(run);
  beginTrace(run, false);
}

/** Begins a file of a stream, with its index in references and keys. */
export function beginStreamFile(kind: u32, index: u32): void {
  stream = kind;
  position = 0;
  fault = Fault.None;
  isPhrased = false;
  phraseEnd = 0;
  hasHead = false;
  switch (kind) {
    case <u32>Stream.Calls:
      beginCalls(run);
      break;
    case <u32>Stream.Trace:
      noteTraceFile(index);
      beginTraceFile(index);
      break;
    case <u32>Stream.Sql:
    case <u32>Stream.Xml:
      beginTexts(index);
      beginRecords(runAt(run), kind);
      break;
    default:
      beginRecords(runAt(run), kind);
  }
}

/** Reads the `n` bytes at `p`, the next of the file; `final`: its last. The answer is how many were consumed. */
export function pushBytes(p: usize, n: u32, final: bool): u32 {
  if (fault !== Fault.None) return n;
  setReading(true);
  const used = stream === <u32>Stream.Trace ? pushTrace(p, n, final) : pushRecords(p, n, final);
  setReading(false);
  position += used;
  return used;
}

/** One of abi/formats/cdt.ts: what ended the reading of the current file. */
export function streamFault(): u32 {
  return fault;
}

/** Its position in the file. */
export function faultPosition(): u32 {
  return position;
}

/** Offset of the block that the fault is in. */
export function faultBlock(): u32 {
  return blockOffset();
}

/** Goes on at `offset` in the file, where a block begins; or leaves the trace file, whose rest is lost. */
export function resumeTrace(offset: u32): void {
  loseEvents(true);
  leaveBlock();
  position = offset;
  fault = Fault.None;
}

/** Goes on at `offset` in a file of sql or xml, where a reference leads; texts from there on are not counted. */
export function resumeTexts(offset: u32): void {
  stopCounting();
  position = offset;
  fault = Fault.None;
}

/** Goes on at `offset` in a file of the trace of which only the start time was read: a block begins there. */
export function skipTo(offset: u32): void {
  position = offset;
}

/** A file of the trace is missing before the next one, or the rest of one. */
export function loseEvents(inBlock: bool): void {
  if (isWalk) loseFrames();
  else lose(inBlock);
}

export function endTrace(): void {
  endRoots();
}

/** All streams were read. */
export function endDumpRun(): void {
  countReferences(runAt(run));
  finishCalls(run, firstCall);
}

/** Begins the second pass over the trace of a run, for the calls that `callMarks` marks; `how`: abi/frames-as.ts. */
export function beginFrames(which: u32, how: u32): void {
  run = which;
  isWalk = true;
  beginThreads();
  beginMethods();
  beginReferences(true);
  beginTrace(which, true);
  beginWalk(which, how);
}

/**
 * The trace was passed again. `how`: abi/frames-as.ts. False where the store has no room for separate profiles of the
 * run.
 */
export function endFrames(how: u32): bool {
  endWalk();
  if (how === <u32>FramesAs.List || how === <u32>FramesAs.Tally) return true;
  return addFrames(run, how === <u32>FramesAs.Others);
}

/** Sums by value, rows of abi/rows/tally-row.ts. */
export function tallyRows(): usize {
  return tallied.at;
}

export function tallyCount(): u32 {
  return tallied.size / <u32>TallyRow.BYTES;
}

/** The list of frames, rows of abi/listed-frame.ts. */
export function listedFrames(): usize {
  return listed.at;
}

export function listedCount(): u32 {
  return listed.size / ListedFrame.BYTES;
}

/** Tags of the listed frames, rows of abi/listed-frame.ts. */
export function listedTagRows(): usize {
  return listedTags.at;
}

export function listedTagCount(): u32 {
  return listedTags.size / ListedFrame.TAG_BYTES;
}

/** String + 1 of a reference of a tag, 0 where the file has no string. */
export function referencedText(reference: u32): u32 {
  return textOf(reference);
}

function pushTrace(p: usize, n: u32, final: bool): u32 {
  fault = readTrace(p, n, position, final);
  return <u32>(cursor.at - p);
}

function pushRecords(p: usize, n: u32, final: bool): u32 {
  if (!hasHead && n < 12 && !final) return 0;
  if (position === 0 && !hasHead) isPhrased = looksPhrased(p, n);
  const end = p + n;
  isLastSlice = final;
  turnTo(p, end, final);
  while (cursor.at < end && fault === Fault.None) {
    const at = position + <u32>(cursor.at - p);
    if (isPhrased && at === phraseEnd) {
      if (!enterPhrase(at, end)) return <u32>(cursor.at - p);
      continue;
    }
    const mark = cursor.at;
    // A record never straddles phrases: within one, what is torn is damage or the end of the file.
    const within = isPhrased ? min<usize>(end, cursor.at + <usize>(phraseEnd - at)) : end;
    turnTo(mark, within, final && within === end);
    const sound = hasHead || !needsHead() ? readRecordAt(at) : readHeadOf();
    const isPhraseCut = isPhrased && within < end;
    if (sound && !cursor.torn && !cursor.bad) continue;
    moveTo(mark);
    if (!cursor.torn || cursor.bad || !sound) failWith(Fault.Implausible);
    else if (isPhraseCut || final) failWith(Fault.Truncated);
    break;
  }
  if (final && fault === Fault.None && isPhrased && position + <u32>(cursor.at - p) < phraseEnd)
    failWith(Fault.Truncated);
  return <u32>(cursor.at - p);
}

/** The first fault of the record counts. */
function failWith(code: u32): void {
  if (fault === Fault.None) fault = code;
}

function needsHead(): bool {
  return stream === <u32>Stream.Calls || hasHeader(stream);
}

function readHeadOf(): bool {
  if (stream !== <u32>Stream.Calls) {
    const sound = readHeader();
    hasHead = sound && !cursor.torn;
    return sound;
  }
  fault = readCallsHeader();
  hasHead = fault === Fault.None && !cursor.torn;
  return fault === Fault.None;
}

function readRecordAt(at: u32): bool {
  return stream === <u32>Stream.Calls ? readCall() : readRecord(at);
}

/** Reads the length of a phrase. False if it is not there, or no phrase has it. */
function enterPhrase(at: u32, end: usize): bool {
  if (end - cursor.at < PHRASE_HEAD) {
    // Fewer bytes than a length: the host passes them again, or the file ends in them.
    if (isLastSlice) failWith(Fault.Truncated);
    return false;
  }
  const length = bswap<u32>(load<u32>(cursor.at));
  if (length === 0 || length > MOST_PHRASE) {
    failWith(Fault.PhraseLength);
    return false;
  }
  moveTo(cursor.at + PHRASE_HEAD);
  phraseEnd = at + PHRASE_HEAD + length;
  return true;
}

/** Collectors keep some streams in phrases, each after its length; files of an agent have none. */
function looksPhrased(p: usize, n: u32): bool {
  if (n === 0) return false;
  switch (stream) {
    case <u32>Stream.Dictionary:
    case <u32>Stream.Params:
      return load<u8>(p) === 0;
    case <u32>Stream.PosDictionary:
      // Raw, it begins with id 0 and a name; in phrases, with the upper bytes of a length.
      return n > 1 && load<u16>(p) === 0;
    case <u32>Stream.Suspend:
      turnTo(p + PHRASE_HEAD, p + n, false);
      return n >= 12 && isPlausibleTime(long());
    default:
      return false;
  }
}

/**
 * Gives run `which`, which is one process and has one resource in every message, the attributes in the `n` bytes at
 * `p`, which end with a text.
 *
 *   (key · value)*        text := u32 size · bytes
 */
export function setRunResource(which: u32, p: usize, n: u32): void {
  const end = p + n;
  const set = newSet();
  while (p < end) {
    const keySize = load<u32>(p);
    const valueAt = p + 4 + keySize;
    const key = internString(p + 4, keySize);
    const value = internString(valueAt + 4, load<u32>(valueAt));
    addToSet(set, internAttribute(key, ValueKind.Text, value));
    p = valueAt + 4 + load<u32>(valueAt);
  }
  runAt(which).scope = internResource(0, internSet(set), Holder.Run);
  set.free();
}
