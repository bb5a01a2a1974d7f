/**
 * Second pass over a trace: adds up the frames of the marked calls of a run, as a tree of all their paths or by the
 * values of their parameters (tally.ts), or lists the frames of a call in the order of entering. The first pass
 * (roots.ts) has decided which roots are sound.
 *
 *   wall of a frame = max(0, exit − enter); self = max(0, wall − Σ wall of its children)
 *   suspended part of self = min(self, max(0, pauses within the frame − Σ pauses within its children))
 *
 *   node    | parent u32 | method u32 | children u32 | 0 | frames u64 | self i64 ms | suspended i64 ms | child × 3 |
 *   child   | method u32 | node u32 |      the first three; others are found by hash
 *   group   | thread u32 | link u32 | node u32 | 0 |       threads and links are never merged: a group has its own tree
 *   listed  rows of abi/listed-frame.ts
 *   tag     | frame u32 | word u32 | stream u32, 0 = none | text + 1, or reference u32 |      of listed frames
 */

import * as CallTree from "../../abi/call-tree";
import * as FramesAs from "../../abi/frames-as";
import * as ListedFrame from "../../abi/listed-frame";
import * as CallRow from "../../abi/rows/call-row";
import * as RunRow from "../../abi/rows/run-row";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { KeyTable, ownKeyTable } from "../../memory/key-table";
import { callAt, lastCallOf } from "../../store/calls";
import { Run, runAt } from "../../store/runs";
import { REACTIVE } from "./methods";
import * as NodeRow from "./node-row";
import { knownReference, referenceTo } from "./references";
import * as tally from "./tally";
import {
  clearFrames,
  depthOf,
  Frame,
  isAtLeast,
  isEmpty,
  popFrame,
  pushFrame,
  Thread,
  threadAt,
  threadCount,
  topFrame,
} from "./threads";

const MOST_CHILDREN: u32 = 3;
const CHILD_METHOD: usize = 0;
const CHILD_NODE: usize = 4;
const CHILD_BYTES: usize = 8;

export const GROUP_THREAD: usize = 0;
export const GROUP_LINK: usize = 4;
const GROUP_NODE: usize = 8;
export const GROUP_BYTES: usize = 16;

/** Parent of the topmost node of a group, whose method is the number of the group. */
export const NO_PARENT: u32 = 0xffff_ffff;

let run: Run = changetype<Run>(0);
let runIndex: u32 = 0;
/** u8 per call of the run: 1 = it counts. */
const marks: Buffer = ownBuffer(64);
let isTree: bool = false;
let isList: bool = false;
let isTally: bool = false;

/** Row 0 is unused. */
export const nodes: Buffer = ownBuffer(1 << 12);
export const groups: Buffer = ownBuffer(1 << 8);
/** Further children of a node, by | parent u32 | method u32 |. */
const children: KeyTable = ownKeyTable(64);
const groupOf: KeyTable = ownKeyTable(64);

export const listed: Buffer = ownBuffer(64);
export const listedTags: Buffer = ownBuffer(64);

/** Room for a byte per call of a run, from its first on: 1 = the next walk counts it. All are 0. */
export function callMarks(which: u32): usize {
  const row = runAt(which).row;
  const n = load<u32>(row, RunRow.LAST_CALL) - load<u32>(row, RunRow.FIRST_CALL);
  marks.size = 0;
  memory.fill(marks.need(n), 0, n);
  return marks.at;
}

/** The calls of the walk are those of `callMarks`. */
export function beginWalk(which: u32, how: u32): void {
  run = runAt(which);
  runIndex = which;
  isTree = how === <u32>FramesAs.Samples || how === <u32>FramesAs.Others;
  isList = how === <u32>FramesAs.List;
  isTally = how === <u32>FramesAs.Tally;
  if (isTally) tally.beginTally();
  nodes.size = 0;
  for (let i: usize = 0; i < NodeRow.BYTES; i += 8) nodes.u64(0);
  groups.size = 0;
  children.free();
  children.create(1 << 10);
  groupOf.free();
  groupOf.create(64);
  listed.size = 0;
  listedTags.size = 0;
  coverMarked();
}

function nodeAt(i: u32): usize {
  return nodes.at + <usize>i * NodeRow.BYTES;
}

function addNode(parent: u32, method: u32): u32 {
  const row = nodes.size / <u32>NodeRow.BYTES;
  const p = nodes.need(<u32>NodeRow.BYTES);
  memory.fill(p, 0, NodeRow.BYTES);
  store<u32>(p, parent, NodeRow.PARENT);
  store<u32>(p, method, NodeRow.METHOD);
  nodes.size += <u32>NodeRow.BYTES;
  return row;
}

/** The child of a node for a method. */
export function childOf(parent: u32, method: u32): u32 {
  const p = nodeAt(parent);
  const count = load<u32>(p, NodeRow.CHILD_COUNT);
  const end = p + NodeRow.CHILDREN + <usize>min<u32>(count, MOST_CHILDREN) * CHILD_BYTES;
  for (let pair = p + NodeRow.CHILDREN; pair < end; pair += CHILD_BYTES) {
    if (load<u32>(pair, CHILD_METHOD) === method) return load<u32>(pair, CHILD_NODE);
  }
  if (count > MOST_CHILDREN) {
    const known = children.find(((<u64>parent) << 32) | <u64>method);
    if (known !== 0) return known;
  }
  return addChild(parent, method, count);
}

function addChild(parent: u32, method: u32, count: u32): u32 {
  const child = addNode(parent, method);
  const p = nodeAt(parent);
  if (count < MOST_CHILDREN) {
    const pair = p + NodeRow.CHILDREN + <usize>count * CHILD_BYTES;
    store<u32>(pair, method, CHILD_METHOD);
    store<u32>(pair, child, CHILD_NODE);
  } else {
    children.add(((<u64>parent) << 32) | <u64>method, child);
  }
  store<u32>(p, count + 1, NodeRow.CHILD_COUNT);
  return child;
}

/** The topmost node of the group that a call belongs to. */
function groupNode(call: usize): u32 {
  const thread = load<u32>(call, CallRow.THREAD);
  const link = load<u32>(call, CallRow.LINK);
  // Thread 0 and link 0 are a key as well: row 0 of the table means that it is absent, and groups are counted from 1.
  const key = ((<u64>thread) << 32) | <u64>link;
  const known = groupOf.find(key);
  if (known !== 0) return load<u32>(groups.at + <usize>(known - 1) * GROUP_BYTES, GROUP_NODE);
  const group = groups.size / <u32>GROUP_BYTES;
  const node = addNode(NO_PARENT, group);
  groups.u32(thread);
  groups.u32(link);
  groups.u32(node);
  groups.u32(0);
  groupOf.add(key, group + 1);
  return node;
}

export function addTo(node: u32, frames: u32, self: i64, suspended: i64): void {
  const p = nodeAt(node);
  store<u64>(p, load<u64>(p, NodeRow.FRAMES) + <u64>frames, NodeRow.FRAMES);
  store<i64>(p, load<i64>(p, NodeRow.SELF) + self, NodeRow.SELF);
  store<i64>(p, load<i64>(p, NodeRow.SUSPENDED) + suspended, NodeRow.SUSPENDED);
}

/** First start and last end of the marked calls, ms; the end is 0 if there are none. */
export let firstStart: i64 = 0;
export let lastEnd: i64 = 0;

/** The first trace file that the marked calls need; none is above u32.MAX_VALUE. */
export let firstFile: u32 = 0;
/** Offset in it of the first block that has some. */
export let firstOffset: u32 = 0;
/** Marked calls whose trees are not over yet. Trees of active calls end with the data. */
let treesLeft: u32 = 0;

/** Whether the rest of the trace is of no use. */
export function isWalkOver(): bool {
  return treesLeft === 0;
}

function coverMarked(): void {
  firstStart = i64.MAX_VALUE;
  lastEnd = 0;
  firstFile = u32.MAX_VALUE;
  firstOffset = u32.MAX_VALUE;
  treesLeft = 0;
  for (let call = load<u32>(run.row, RunRow.FIRST_CALL); call < load<u32>(run.row, RunRow.LAST_CALL); call++) {
    if (!isMarked(call)) continue;
    const tree = load<u32>(callAt(call), CallRow.TREE);
    if (tree === <u32>CallTree.Whole || tree === <u32>CallTree.Active) {
      const file = load<u32>(callAt(call), CallRow.FILE);
      if (file < firstFile) firstOffset = u32.MAX_VALUE;
      firstFile = min<u32>(firstFile, file);
      if (file === firstFile) firstOffset = min<u32>(firstOffset, load<u32>(callAt(call), CallRow.OFFSET));
      treesLeft++;
    }
    const start = load<i64>(callAt(call), CallRow.START);
    firstStart = min<i64>(firstStart, start);
    lastEnd = max<i64>(lastEnd, start + load<i64>(callAt(call), CallRow.DURATION));
  }
}

function isMarked(call: u32): bool {
  return load<u8>(marks.at + <usize>(call - load<u32>(run.row, RunRow.FIRST_CALL))) !== 0;
}

/** The marked call that this root is the tree of, 0 if there is none. */
function markedCall(file: u32, offset: u32, ordinal: u32): u32 {
  let call = lastCallOf(runIndex, file, offset, ordinal);
  while (call !== 0) {
    const p = callAt(call);
    const tree = load<u32>(p, CallRow.TREE);
    if (tree === <u32>CallTree.Whole || tree === <u32>CallTree.Active) return isMarked(call) ? call : 0;
    call = load<u32>(p, CallRow.BEFORE);
  }
  return 0;
}

export function enter(thread: Thread, method: u32, now: i64, file: u32, offset: u32, ordinal: u32): void {
  if (isEmpty(thread)) {
    thread.call = markedCall(file, offset, ordinal);
    const frame = pushFrame(thread, now);
    frame.node = thread.call === 0 || !isTree ? 0 : childOf(groupNode(callAt(thread.call)), method);
    open(thread, frame, method, now);
    return;
  }
  if (thread.call === 0) {
    pushFrame(thread, now);
    return;
  }
  const parent = isTree ? topFrame(thread).node : 0;
  const isDeep = isAtLeast(thread, ListedFrame.MOST_DEPTH);
  const frame = pushFrame(thread, now);
  frame.node = parent === 0 || isDeep ? parent : childOf(parent, method);
  open(thread, frame, method, now);
}

function open(thread: Thread, frame: Frame, method: u32, now: i64): void {
  if (thread.call === 0) return;
  frame.before = run.pauses.before(now);
  frame.childWall = 0;
  frame.childPaused = 0;
  if (isList) frame.listed = list(thread.call, depthOf(thread) - 1, method, now);
  if (!isTally) return;
  frame.listed = tally.isCounted(thread, method) ? 1 : 0;
  // Those that are added from now on are inside of the frame.
  frame.node = tally.addedCount(thread);
}

export function exit(thread: Thread, now: i64): void {
  if (isEmpty(thread)) return;
  if (thread.call === 0) {
    popFrame(thread);
    return;
  }
  const frame = topFrame(thread);
  const wall = max<i64>(0, now - frame.enter);
  const paused = now > frame.enter ? run.pauses.before(now) - frame.before : 0;
  const self = max<i64>(0, wall - frame.childWall);
  const suspended = min<i64>(self, max<i64>(0, paused - frame.childPaused));
  if (isList) setListed(frame.listed - 1, wall, self, suspended);
  else if (isTally) tallyFrame(thread, frame, wall, self, suspended);
  else addTo(frame.node, 1, self, suspended);
  const node = frame.node;
  const ended = frame.enter + wall;
  popFrame(thread);
  if (isEmpty(thread)) {
    close(thread, node, ended);
    return;
  }
  const parent = topFrame(thread);
  parent.childWall += wall;
  parent.childPaused += paused;
}

/** The innermost frame is left. A root lasts as long as its call. */
function tallyFrame(thread: Thread, frame: Frame, wall: i64, self: i64, suspended: i64): void {
  const depth = depthOf(thread);
  const rest = depth === 1 ? restOf(thread) : 0;
  if (frame.listed !== 0) tally.countFrame(thread, frame, wall + rest, self, suspended);
  tally.leave(thread, depth);
}

/** Time of the call that its tree does not have. */
function restOf(thread: Thread): i64 {
  const p = callAt(thread.call);
  if (load<u32>(p, CallRow.TREE) !== <u32>CallTree.Whole) return 0;
  return max<i64>(0, load<i64>(p, CallRow.DURATION) - load<i64>(p, CallRow.TREE_WALL));
}

/** The root ends: time of the call that its tree does not have is a last child. */
function close(thread: Thread, node: u32, ended: i64): void {
  treesLeft--;
  const rest = restOf(thread);
  if (rest === 0) return;
  const suspended = run.pauses.within(ended, ended + rest);
  if (isTally) tally.countLone(REACTIVE, 0, 0, rest, suspended);
  else if (!isList) addTo(childOf(node, REACTIVE), 0, rest, suspended);
  else setListed(list(thread.call, 1, REACTIVE, ended) - 1, rest, rest, suspended);
}

/** Adds a frame to the list; the answer is its row + 1. */
function list(call: u32, depth: u32, method: u32, now: i64): u32 {
  const p = listed.need(ListedFrame.BYTES);
  memory.fill(p, 0, ListedFrame.BYTES);
  store<u32>(p, call, ListedFrame.CALL);
  store<u32>(p, depth, ListedFrame.DEPTH);
  store<u32>(p, method, ListedFrame.METHOD);
  store<i64>(p, now, ListedFrame.START);
  listed.size += ListedFrame.BYTES;
  return listed.size / ListedFrame.BYTES;
}

function setListed(row: u32, total: i64, self: i64, suspended: i64): void {
  const p = listed.at + <usize>row * ListedFrame.BYTES;
  store<i64>(p, total, ListedFrame.TOTAL);
  store<i64>(p, self, ListedFrame.SELF);
  store<i64>(p, suspended, ListedFrame.SUSPENDED);
}

/** Whether frames are added up by their paths: events inside of roots then need nothing else. */
export function isPlain(): bool {
  return isTree;
}

/** Whether the text of a tag is wanted. */
export function wantsText(thread: Thread): bool {
  if (isEmpty(thread) || thread.call === 0) return false;
  return isList || (isTally && topFrame(thread).listed !== 0);
}

/** Only texts that are known already: there is no room for further values. */
export function wantsKnown(): bool {
  return isTally && tally.isFull();
}

/** A text that is not known. */
export function otherTag(thread: Thread, word: u32): void {
  tally.addOther(thread, word);
}

export function tag(thread: Thread, word: u32, text: u32): void {
  // call.info with the empty string marks the end of a root.
  if (word !== 0 || text !== 0) putTag(thread, word, 0, text + 1);
}

export function bigTag(thread: Thread, word: u32, stream: u32, file: u32, offset: u32): void {
  if (!wantsText(thread)) return;
  if (wantsKnown() && knownReference(stream, file, offset) === 0) otherTag(thread, word);
  else putTag(thread, word, stream, referenceTo(stream, file, offset));
}

function putTag(thread: Thread, word: u32, stream: u32, value: u32): void {
  if (isTally) {
    tally.addTag(thread, word, stream, value);
    return;
  }
  listedTags.u32(topFrame(thread).listed - 1);
  listedTags.u32(word);
  listedTags.u32(stream);
  listedTags.u32(value);
}

/** Damage, or a missing file before the next: what is open is cut, and no marked call. */
export function loseFrames(): void {
  for (let i: u32 = 0; i < threadCount; i++) clearFrames(threadAt(i));
}

/** The trace ends: frames of active calls end at its latest event, and calls without a tree are one frame. */
export function endWalk(): void {
  for (let i: u32 = 0; i < threadCount; i++) {
    const thread = threadAt(i);
    while (!isEmpty(thread)) exit(thread, max<i64>(run.latest, topFrame(thread).enter));
  }
  const first = load<u32>(run.row, RunRow.FIRST_CALL);
  const last = load<u32>(run.row, RunRow.LAST_CALL);
  for (let call = first; call < last; call++) {
    const p = callAt(call);
    const tree = load<u32>(p, CallRow.TREE);
    if (tree === <u32>CallTree.Whole || tree === <u32>CallTree.Active || !isMarked(call)) continue;
    const duration = load<i64>(p, CallRow.DURATION);
    const suspension = load<i64>(p, CallRow.SUSPENSION);
    const method = load<u32>(p, CallRow.METHOD);
    if (isList) setListed(list(call, 0, method, load<i64>(p, CallRow.START)) - 1, duration, duration, suspension);
    else if (isTally) tally.countLone(method, 1, duration, duration, suspension);
    else addTo(childOf(groupNode(p), method), 1, duration, suspension);
  }
}
