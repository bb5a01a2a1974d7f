/**
 * Prefix tree over all stacks of the store, root first, frames merged by the name of their function.
 *
 *   stacks (leaf first)     nodes                 columns, one entry per node, parents before children
 *     1  c b a              0 root                parent u32   · node 0 is its own parent
 *     2  d b a              └ 1 a                 name u32     · see frame-names.ts, 0 if there is no function
 *                             └ 2 b               location u32 · the first one seen, for the frame type
 *                               ├ 3 c ◄ stack 1   depth u32    · 0 for the root
 *                               └ 4 d ◄ stack 2   again u8     · 1 when an ancestor is of the same function
 *                                                 first u32    · the first child, 0 if there is none
 *
 * A location with inlined lines is as many frames, the last line (the caller of the others) nearest to the root. A
 * location without a line has its label for a name.
 *
 * Built at the first request and extended when stacks were added; nodes keep their numbers until frames change.
 *
 * Most nodes have one child: only the further ones have slots, so that the table is small.
 *
 *   slot: | parent u32, name u32 | node u32 | 0 |    16 bytes, node 0 = empty, at most half full
 *
 * There are up to five trees of these columns; the variables below are those of the current one, which views read.
 *
 *   Plain    all stacks, by function
 *   Lined    all stacks, by function and line: names like `run:12` (frame-names.ts)
 *   Shaped   made of one of these by shape.ts
 *   Rooted   made of one of these three by roots.ts: samples of one stack may end at several nodes
 *   Paired   made of any of these by diff.ts, for the time of one request
 */

import { alloc, release } from "../memory/arena";
import { hashWord } from "../memory/hash";
import { onGiveUp } from "../memory/resets";
import { frameCount, frameGeneration, frameName, frameOf } from "../store/frames";
import * as LineRow from "../store/rows/line-row";
import { sampleCount } from "../store/samples";
import { locations, stacks } from "../store/tables";
import { Block, MOVING } from "./block";
import { PAD } from "./columns";
import { functionOf, nameCount, nameFunctions, nameIndex, nameWithLine, shownName } from "./frame-names";

const SLOT_KEY: usize = 0;
const SLOT_NODE: usize = 8;
const SLOT_BYTES: usize = 16;

/** A frame of the stack that is added, and a step of the path to the one before. */
const FRAME_NAME: usize = 0;
const FRAME_LOCATION: usize = 4;
const STEP_NAME: usize = 0;
const STEP_NODE: usize = 4;

export enum Tree {
  Plain,
  Lined,
  Shaped,
  Rooted,
  Paired,
}

const TREES: usize = 5;
/** Location of a root frame; of a frame for a run, RUN and the length, if it has one. Real locations are below. */
export const ROOT: u32 = 0xffff_ffff;
export const RUN: u32 = 0x8000_0000;

/** The blocks of the current tree, then | covered | nodes | capacity | mask | slots used |; the others are aside. */
const KEPT: usize = 152;
const COVERED: usize = 128;
const NODES: usize = 132;
const CAPACITY: usize = 136;
const MASK: usize = 140;
const USED: usize = 144;
const inHand: usize = MOVING;
const aside: usize = memory.data(5 * 152, 8);

const parents: Block = changetype<Block>(inHand);
const names: Block = changetype<Block>(inHand + 16);
const places: Block = changetype<Block>(inHand + 32);
const depths: Block = changetype<Block>(inHand + 48);
const agains: Block = changetype<Block>(inHand + 64);
const leaves: Block = changetype<Block>(inHand + 80);
const slots: Block = changetype<Block>(inHand + 96);
const firsts: Block = changetype<Block>(inHand + 112);
/**
 * While building: name of each location, stack that a function was last seen in, the frames | name u32 | location u32 |
 * of the current stack, the path of the last stack.
 */
const nameOf: Block = changetype<Block>(memory.data(16, 4));
const seenIn: Block = changetype<Block>(memory.data(16, 4));
const frames: Block = changetype<Block>(memory.data(16, 4));
const path: Block = changetype<Block>(memory.data(16, 4));

/** Nodes; 0 before the tree was first grown. */
export let nodeCount: u32 = 0;
export let treeParent: usize = 0;
export let treeName: usize = 0;
export let treeLocation: usize = 0;
export let treeDepth: usize = 0;
export let treeAgain: usize = 0;
/** Leaf node of each stack; of each sample, where there are root frames. */
export let stackNode: usize = 0;
/** Frames of each stack that are root frames. */
export let rootLevels: u32 = 0;

/** Changes when the views switch to another tree: results computed from the tree before are invalid. */
export let treeStamp: u32 = 0;
/** Whether names are with lines where there are any. */
let lined: bool = false;

let shown: Tree = Tree.Plain;
let capacity: u32 = 0;
let mask: u32 = 0;
let used: u32 = 0;
/** Stacks already in the tree. */
let covered: u32 = 0;
/** The frames that the trees are made of (store/frames.ts). */
let generation: u32 = 0;

onGiveUp((): void => {
  dropTrees(Tree.Plain);
  lined = false;
  rootLevels = 0;
});

/** Drops all trees and makes `tree`, which is empty then, the current one. */
function dropTrees(tree: Tree): void {
  // The shown tree's place aside holds a copy of before it was taken up.
  memory.fill(aside + <usize>shown * KEPT, 0, KEPT);
  dropTree(inHand);
  for (let other: usize = 0; other < TREES; other++) dropTree(aside + other * KEPT);
  takeUp(tree);
  generation = frameGeneration;
  treeStamp++;
}

function dropTree(tree: usize): void {
  for (let block = tree; block < tree + COVERED; block += offsetof<Block>()) changetype<Block>(block).drop();
  memory.fill(tree, 0, KEPT);
}

/** Makes this tree the current one; returns the tree that was current before. */
export function turnTo(tree: Tree): Tree {
  const before = shown;
  if (tree === before) return before;
  store<u32>(inHand, covered, COVERED);
  store<u32>(inHand, nodeCount, NODES);
  store<u32>(inHand, capacity, CAPACITY);
  store<u32>(inHand, mask, MASK);
  store<u32>(inHand, used, USED);
  memory.copy(aside + <usize>before * KEPT, inHand, KEPT);
  memory.copy(inHand, aside + <usize>tree * KEPT, KEPT);
  takeUp(tree);
  return before;
}

function takeUp(tree: Tree): void {
  shown = tree;
  covered = load<u32>(inHand, COVERED);
  nodeCount = load<u32>(inHand, NODES);
  capacity = load<u32>(inHand, CAPACITY);
  mask = load<u32>(inHand, MASK);
  used = load<u32>(inHand, USED);
  treeParent = parents.at;
  treeName = names.at;
  treeLocation = places.at;
  treeDepth = depths.at;
  treeAgain = agains.at;
  stackNode = leaves.at;
}

/** Of the shaped tree. */
let keepsDepths: bool = false;

/** Whether the depth of each node of the current tree is that of its frame in a stack. */
export function hasDepthsOfFrames(): bool {
  return shown < Tree.Shaped || (shown === Tree.Shaped && keepsDepths);
}

/** Has the views read the tree of all stacks, with or without lines. */
export function showAll(lines: bool): void {
  lined = lines;
  treeStamp++;
  turnTo(lines ? Tree.Lined : Tree.Plain);
  rootLevels = 0;
  dropTree(aside + <usize>Tree.Rooted * KEPT);
  growTree();
}

/** Makes the shaped tree the current one, empty except for its root; the caller assigns stacks to its nodes. */
export function beginShaped(hasDepths: bool): void {
  turnTo(Tree.Shaped);
  keepsDepths = hasDepths;
  nodeCount = 0;
  addRoot();
  covered = stacks.count;
  stackNode = leaves.fit((<usize>covered) << 2);
}

/** Makes the rooted tree the current one, empty but for its root. The caller sets its leaves, those of samples. */
export function beginRooted(levels: u32): void {
  turnTo(Tree.Rooted);
  rootLevels = levels;
  treeStamp++;
  nodeCount = 0;
  addRoot();
  covered = sampleCount;
  stackNode = leaves.zeroed((<usize>(covered + PAD)) << 2);
}

/** Makes the paired tree the current one, empty but for its root; returns the tree to give to `endPaired`. */
export function beginPaired(): Tree {
  const before = turnTo(Tree.Paired);
  addRoot();
  return before;
}

export function endPaired(before: Tree): void {
  turnTo(before);
  dropTree(aside + <usize>Tree.Paired * KEPT);
}

/**
 * Takes in the stacks that came since the last call; where frames became others all trees are made again. A shape is
 * one of the stacks and frames that existed at the time of the request.
 */
export function growTree(): void {
  if (generation !== frameGeneration) dropTrees(shown);
  if (covered === (shown === Tree.Rooted ? sampleCount : stacks.count)) return;
  if (shown >= Tree.Shaped) {
    showAll(lined);
    return;
  }
  if (nodeCount === 0) addRoot();
  stackNode = leaves.keep((<usize>stacks.count) << 2, (<usize>covered) << 2);

  nameFunctions();
  const name = nameOf.fit((<usize>locations.count) << 2);
  for (let i: u32 = 0; i < locations.count; i++) {
    store<u32>(name + ((<usize>i) << 2), nameOfFrame(i, 0));
  }
  // By function. From here on the stacks make no names but such with lines, and those are not in it.
  seenIn.zeroed((<usize>nameCount()) << 2);
  let pathLength: u32 = 0;
  for (let s = covered; s < stacks.count; s++) pathLength = addStack(s, pathLength);
  covered = stacks.count;
}

/** The name of frame `i` of a location: in the tree with lines, with its line. */
function nameOfFrame(location: u32, i: u32): u32 {
  const name = shownName(frameName(location, i));
  return shown === Tree.Lined ? nameWithLine(name, load<u32>(frameOf(location, i), LineRow.NUMBER)) : name;
}

function addRoot(): void {
  mask = 1023;
  used = 0;
  slots.zeroed((<usize>mask + 1) << 4);
  room(512);
  addNode(0, 0, 0, 0, 0);
}

/** Makes the columns at least `n` nodes long. */
function room(n: u32): void {
  capacity = n;
  treeParent = parents.keep((<usize>n) << 2, (<usize>nodeCount) << 2);
  treeName = names.keep((<usize>n) << 2, (<usize>nodeCount) << 2);
  treeLocation = places.keep((<usize>n) << 2, (<usize>nodeCount) << 2);
  treeDepth = depths.keep((<usize>n) << 2, (<usize>nodeCount) << 2);
  treeAgain = agains.keep(n, nodeCount);
  firsts.keep((<usize>n) << 2, (<usize>nodeCount) << 2);
}

/** A further node below `parent`; `child` finds it only if it added it. */
export function addNode(parent: u32, name: u32, location: u32, depth: u32, again: u32): u32 {
  if (nodeCount === capacity) room(capacity << 1);
  const node = nodeCount++;
  store<u32>(treeParent + ((<usize>node) << 2), parent);
  store<u32>(treeName + ((<usize>node) << 2), name);
  store<u32>(treeLocation + ((<usize>node) << 2), location);
  store<u32>(treeDepth + ((<usize>node) << 2), depth);
  store<u8>(treeAgain + node, again);
  store<u32>(firsts.at + ((<usize>node) << 2), 0);
  return node;
}

/**
 * Unpacks the locations of stack `s` into `frames`, leaf first; an invalid location becomes 0. Returns the number of
 * frames.
 */
function unpack(s: u32): u32 {
  const size = stacks.size(s);
  frames.fit((<usize>size) << 3);
  let n: u32 = 0;
  let p = stacks.pointer(s);
  const end = p + size;
  while (p < end) {
    let v: u32 = 0;
    let shift: u32 = 0;
    let b: u32 = 0x80;
    while (p < end && b >= 0x80) {
      b = load<u8>(p);
      if (shift < 32) v |= (b & 0x7f) << shift;
      shift += 7;
      p++;
    }
    if (v >= locations.count) v = 0;
    putFrame(n, load<u32>(nameOf.at + ((<usize>v) << 2)), v);
    n++;
    const lines = frameCount(v);
    if (lines > 1) n = unpackLines(v, lines, n, <u32>(end - p));
  }
  return n;
}

function putFrame(n: u32, name: u32, location: u32): void {
  const frame = frames.at + ((<usize>n) << 3);
  store<u32>(frame, name, FRAME_NAME);
  store<u32>(frame, location, FRAME_LOCATION);
}

/** The frames of a location from its second on, as frames from number `n` on; `left` frames may still follow them. */
function unpackLines(location: u32, lines: u32, n: u32, left: u32): u32 {
  frames.keep((<usize>(n + lines + left)) << 3, (<usize>n) << 3);
  for (let i: u32 = 1; i < lines; i++) {
    putFrame(n, nameOfFrame(location, i), location);
    n++;
  }
  return n;
}

/**
 * Adds one stack. `path` holds | name u32 | node u32 | of the stack before, from the root: stacks that were met one
 * after the other mostly begin alike, and the part that is alike needs no look-up.
 */
function addStack(s: u32, pathLength: u32): u32 {
  const n = unpack(s);
  const at = path.keep((<usize>n) << 3, (<usize>pathLength) << 3);
  let parent: u32 = 0;
  let alike = true;
  for (let d: u32 = 0; d < n; d++) {
    const frame = frames.at + ((<usize>(n - 1 - d)) << 3);
    const name = load<u32>(frame, FRAME_NAME);
    const step = at + ((<usize>d) << 3);
    const seen = seenIn.at + ((<usize>nameIndex(functionOf(name))) << 2);
    alike = alike && d < pathLength && load<u32>(step, STEP_NAME) === name;
    if (!alike) {
      store<u32>(step, name, STEP_NAME);
      const location = load<u32>(frame, FRAME_LOCATION);
      store<u32>(step, child(parent, name, location, d + 1, load<u32>(seen) === s ? 1 : 0), STEP_NODE);
    }
    store<u32>(seen, s);
    parent = load<u32>(step, STEP_NODE);
  }
  store<u32>(stackNode + ((<usize>s) << 2), parent);
  return n;
}

/** The child of `parent` called `name`, added when new. */
export function child(parent: u32, name: u32, location: u32, depth: u32, again: u32): u32 {
  const first = load<u32>(firsts.at + ((<usize>parent) << 2));
  if (first === 0) {
    const only = addNode(parent, name, location, depth, again);
    store<u32>(firsts.at + ((<usize>parent) << 2), only);
    return only;
  }
  if (load<u32>(treeName + ((<usize>first) << 2)) === name) return first;
  const key = ((<u64>parent) << 32) | <u64>name;
  const slot = slotOf(key);
  const known = load<u32>(slot, SLOT_NODE);
  if (known !== 0) return known;
  const node = addNode(parent, name, location, depth, again);
  store<u64>(slot, key, SLOT_KEY);
  store<u64>(slot, node, SLOT_NODE);
  if (++used << 1 > mask) rehash();
  return node;
}

/** The slot of a key, or the empty one that it would have. */
function slotOf(key: u64): usize {
  let i = hashWord(key) & mask;
  let slot = slots.at + <usize>i * SLOT_BYTES;
  while (load<u32>(slot, SLOT_NODE) !== 0 && load<u64>(slot, SLOT_KEY) !== key) {
    i = (i + 1) & mask;
    slot = slots.at + <usize>i * SLOT_BYTES;
  }
  return slot;
}

/** Twice the slots. */
function rehash(): void {
  const former = slots.at;
  const formerSize = slots.size;
  const end = former + (<usize>mask + 1) * SLOT_BYTES;
  const size = (end - former) << 1;
  slots.at = alloc(size);
  slots.size = size;
  memory.fill(slots.at, 0, size);
  mask = (mask << 1) | 1;
  for (let p = former; p < end; p += SLOT_BYTES) {
    if (load<u32>(p, SLOT_NODE) !== 0) memory.copy(slotOf(load<u64>(p, SLOT_KEY)), p, SLOT_BYTES);
  }
  release(former, formerSize);
}
