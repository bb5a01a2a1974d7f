/**
 * Roots of a trace: what is entered at depth 0 of a thread. A root whose key a record of the stream `calls` has is the
 * tree of that call; any other becomes a call without a record.
 *
 * After damage or a missing file, no thread has open frames, and each may begin in the middle of a root: what it then
 * has at depth 0 is a root only with the tag call.info, which an agent writes at the end of each, or with a record.
 */

import * as CallTree from "../../abi/call-tree";
import * as ListedFrame from "../../abi/listed-frame";
import * as CallRow from "../../abi/rows/call-row";
import * as RunRow from "../../abi/rows/run-row";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { addCall, callAt, callCount, callOfMethod, dropCalls, lastCallOf } from "../../store/calls";
import { countIn, Run, runAt, wordCount, wordOf } from "../../store/runs";
import { internText } from "../../store/tables";
import { referenceTo } from "./references";
import {
  clearFrames,
  depthOf,
  firstFrame,
  isAtLeast,
  isEmpty,
  popFrame,
  pushFrame,
  Thread,
  threadAt,
  threadCount,
  topFrame,
} from "./threads";

const THREAD_TAG: string = "java.thread";
const CALL_INFO: u32 = 0;

const LINKED_CALL: usize = 0;
const LINKED_AGREES: usize = 4;
const LINKED_BYTES: u32 = 8;

let run: Run = changetype<Run>(0);
let runIndex: u32 = 0;
/** Id of java.thread in the dictionary. */
let threadWord: u32 = 0;
/** Events are missing before the ones that come. */
let lost: bool = false;
/** Calls when the block began, and linked ones since then: | call u32 | 1 if its record agrees u32 |. */
let callsBefore: u32 = 0;
const linked: Buffer = ownBuffer(64);

export function beginRoots(which: u32): void {
  run = runAt(which);
  runIndex = which;
  lost = false;
  run.latest = 0;
  linked.size = 0;
  callsBefore = callCount;
  const name = internText(THREAD_TAG) + 1;
  threadWord = 0;
  for (let id = wordCount(run); id > 0; id--) if (wordOf(run, id - 1) === name) threadWord = id - 1;
}

export function isLost(): bool {
  return lost;
}

export function beginBlock(): void {
  callsBefore = callCount;
  linked.size = 0;
}

function reach(now: i64): void {
  if (now > run.latest) run.latest = now;
}

export function enter(thread: Thread, method: u32, now: i64, file: u32, offset: u32, ordinal: u32): void {
  reach(now);
  if (isEmpty(thread)) {
    thread.file = file;
    thread.offset = offset;
    thread.ordinal = ordinal;
    thread.method = method;
    thread.enters = 0;
    thread.name = 0;
    thread.info = false;
  }
  pushFrame(thread, now);
  if (isAtLeast(thread, ListedFrame.MOST_DEPTH + 1)) countIn(run, RunRow.DEEP);
  thread.enters++;
}

export function exit(thread: Thread, now: i64): void {
  reach(now);
  if (isEmpty(thread)) {
    countIn(run, RunRow.UNDERFLOWS);
    return;
  }
  const entered = topFrame(thread).enter;
  if (now < entered) countIn(run, RunRow.BACKWARDS);
  popFrame(thread);
  if (isEmpty(thread)) close(thread, entered, now);
}

/** Whether the value of a tag is a text that the roots need. */
export function wantsText(thread: Thread, word: u32): bool {
  return word === threadWord && threadWord !== 0 && depthOf(thread) === 1 && thread.name === 0;
}

export function tag(thread: Thread, _word: u32, now: i64, text: u32): void {
  reach(now);
  thread.name = text + 1;
}

/** Any other tag with a text. */
export function plainTag(thread: Thread, word: u32, now: i64, isEmpty: bool): void {
  reach(now);
  if (word !== CALL_INFO || !isEmpty) return;
  const depth = depthOf(thread);
  if (depth === 1) thread.info = true;
  // The end of a root whose beginning is missing; its exit follows.
  if (depth === 0) thread.lost = false;
}

export function bigTag(thread: Thread, now: i64, stream: u32, file: u32, offset: u32): void {
  reach(now);
  if (!isEmpty(thread)) referenceTo(stream, file, offset);
}

function lastCall(thread: Thread): u32 {
  return lastCallOf(runIndex, thread.file, thread.offset, thread.ordinal);
}

/** A root ends. */
function close(thread: Thread, entered: i64, now: i64): void {
  const last = lastCall(thread);
  if (thread.lost && !thread.info && last === 0) {
    countIn(run, RunRow.FRAGMENTS);
    return;
  }
  thread.lost = false;
  keep(thread, last, entered, now, CallTree.Whole);
}

/** Makes a root the tree of its call; the call is new if it has no record of this method. */
function keep(thread: Thread, last: u32, entered: i64, now: i64, tree: u32): void {
  let call = callOfMethod(last, thread.method);
  const wall = max<i64>(0, now - entered);
  countIn(run, RunRow.ROOTS);
  if (call === 0 || load<u32>(callAt(call), CallRow.FORMAT) === CallRow.UNRECORDED) {
    call = addCall(runIndex, thread.file, thread.offset, thread.ordinal);
    const p = callAt(call);
    store<u32>(p, CallRow.UNRECORDED, CallRow.FORMAT);
    store<u32>(p, thread.method, CallRow.METHOD);
    store<u32>(p, thread.enters, CallRow.ENTERS);
    store<i64>(p, entered, CallRow.START);
    store<i64>(p, wall, CallRow.DURATION);
    countIn(run, RunRow.UNRECORDED);
  } else {
    const p = callAt(call);
    const agrees = load<u32>(p, CallRow.ENTERS) === thread.enters && load<i64>(p, CallRow.START) === entered;
    linked.u32(call);
    linked.u32(agrees ? 1 : 0);
    countIn(run, RunRow.LINKED);
  }
  const p = callAt(call);
  store<u32>(p, tree, CallRow.TREE);
  store<i64>(p, wall, CallRow.TREE_WALL);
  store<i64>(p, thread.id, CallRow.THREAD_ID);
  if (load<u32>(p, CallRow.THREAD) === 0 && thread.name !== 0) store<u32>(p, thread.name - 1, CallRow.THREAD);
}

/**
 * Damage in the current block, or a missing file before the next: no open root is whole. Of the roots that ended in the
 * block, those stay whose record says the same.
 */
export function lose(inBlock: bool): void {
  if (inBlock) {
    discount(RunRow.ROOTS, callCount - callsBefore);
    discount(RunRow.UNRECORDED, callCount - callsBefore);
    dropCalls(callsBefore);
    for (let o: u32 = 0; o < linked.size; o += LINKED_BYTES) {
      if (load<u32>(linked.at + o, LINKED_AGREES) === 0) unlink(load<u32>(linked.at + o, LINKED_CALL));
    }
    linked.size = 0;
  }
  lost = true;
  for (let i: u32 = 0; i < threadCount; i++) {
    const thread = threadAt(i);
    if (!isEmpty(thread)) damage(thread);
    clearFrames(thread);
    thread.lost = true;
    thread.info = false;
  }
}

function discount(field: usize, n: u32): void {
  store<u32>(run.row + field, load<u32>(run.row + field) - n);
}

function unlink(call: u32): void {
  const p = callAt(call);
  store<u32>(p, CallTree.None, CallRow.TREE);
  store<u32>(p, 1, CallRow.DAMAGED);
  store<i64>(p, 0, CallRow.TREE_WALL);
  store<i64>(p, -1, CallRow.THREAD_ID);
  // Records of format 0 have no thread, and the others keep the one they state.
  if (load<u32>(p, CallRow.FORMAT) === 0) store<u32>(p, 0, CallRow.THREAD);
  discount(RunRow.LINKED, 1);
  discount(RunRow.ROOTS, 1);
}

/** Notes that the open root of a thread is cut, in all records of its key. */
function damage(thread: Thread): void {
  for (let call = lastCall(thread); call !== 0; call = load<u32>(callAt(call), CallRow.BEFORE)) {
    store<u32>(callAt(call), 1, CallRow.DAMAGED);
  }
}

/** The trace ends: open roots are active, or cut where a record says that they have an end. */
export function endRoots(): void {
  store<u32>(run.row, threadCount, RunRow.THREADS);
  for (let i: u32 = 0; i < threadCount; i++) {
    const thread = threadAt(i);
    if (isEmpty(thread)) continue;
    const first = firstFrame(thread).enter;
    if (lastCall(thread) !== 0) damage(thread);
    else if (thread.lost) countIn(run, RunRow.FRAGMENTS);
    else keep(thread, 0, first, max<i64>(run.latest, first), CallTree.Active);
  }
}
