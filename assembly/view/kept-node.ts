/**
 * A node of the call tree across a change of names: names of symbols renumber the nodes. The node is found again by a
 * stack through it and the location of its frame, which stay. A tree in which nodes have other depths than their frames
 * has no such node.
 */
import { frameCount } from "../store/frames";
import { stacks } from "../store/tables";
import { growTree, hasDepthsOfFrames, nodeCount, stackNode, treeDepth, treeParent } from "./call-tree";

let stack: u32 = 0;
/** Locations of the stack before that of the frame, from the leaf on. */
let before: u32 = 0;

/** Keeps a node of the current tree. */
export function keepNode(node: u32): void {
  stack = 0;
  growTree();
  if (!hasDepthsOfFrames() || node === 0 || node >= nodeCount) return;
  const depth = depthOf(node);
  for (let s: u32 = 1; s < stacks.count && stack === 0; s++) if (ancestorAt(leafOf(s), depth) === node) stack = s;
  if (stack === 0) return;
  before = 0;
  let left = framesOf(stack);
  for (let p = stacks.pointer(stack); p < endOf(stack); before++) {
    p = step(p);
    if (depth > left - frames) return;
    left -= frames;
  }
  stack = 0;
}

/** The node of the kept one's location in the current tree, its outermost function; 0 if there is none. */
export function keptNode(): u32 {
  growTree();
  if (!hasDepthsOfFrames() || stack === 0 || stack >= stacks.count) return 0;
  let left = framesOf(stack);
  let p = stacks.pointer(stack);
  for (let i: u32 = 0; i <= before; i++) {
    p = step(p);
    left -= frames;
  }
  return ancestorAt(leafOf(stack), left + 1);
}

/** Frames of the location that `step` passed last. */
let frames: u32 = 0;

/** Passes a location of a stack. */
function step(at: usize): usize {
  let location: u32 = 0;
  let shift: u32 = 0;
  let b: u32 = 0;
  let p = at;
  do {
    b = load<u8>(p++);
    location |= (b & 0x7f) << shift;
    shift += 7;
  } while (b > 0x7f);
  frames = frameCount(location);
  return p;
}

/** Its leaf may be deeper than its node: a run takes the frames below. */
function framesOf(s: u32): u32 {
  let sum: u32 = 0;
  for (let p = stacks.pointer(s); p < endOf(s); sum += frames) p = step(p);
  return sum;
}

function endOf(s: u32): usize {
  return stacks.pointer(s) + stacks.size(s);
}

function leafOf(s: u32): u32 {
  return load<u32>(stackNode + ((<usize>s) << 2));
}

function depthOf(node: u32): u32 {
  return load<u32>(treeDepth + ((<usize>node) << 2));
}

/** The ancestor of a node at a depth; the node itself if it is no deeper. */
function ancestorAt(node: u32, depth: u32): u32 {
  let at = node;
  while (depthOf(at) > depth) at = load<u32>(treeParent + ((<usize>at) << 2));
  return at;
}
