/**
 * Predicates of a selection, as bits. A predicate has one bit and any number of alternatives; each alternative sets the
 * bit in the small tables that a sample leads to, and a sample has the bit when any of them does:
 *
 *   sample | event | stack | link | thread | set |
 *             bits    bits    bits    bits    bits      u32 per row of the table; absent while it is not needed
 *
 *   wanted     bits of all predicates
 *   required   those of them that a sample must have; the others exclude samples that have them
 *
 * An attribute may be carried by the set, by the thread, by the event or by the attributes of the link's root.
 */

import { ascendingHas, matchIds } from "../store/id-names";
import { eventCount, MAX_EVENTS } from "../store/profiles";
import { linkSets } from "../store/roots";
import * as LinkRow from "../store/rows/link-row";
import * as SampleRow from "../store/rows/sample-row";
import * as ThreadRow from "../store/rows/thread-row";
import { attributes, links, sets, stacks, threads, traceHighOf } from "../store/tables";
import { threadLabel } from "../store/threads/labels";
import { Block } from "./block";
import { growTree, nodeCount, stackNode, Tree, treeName, treeParent, turnTo } from "./call-tree";
import { eventColumn, eventIn, wordColumn } from "./columns";
import { markNames, nameIndex } from "./frame-names";
import { EVENT_KEY_NONE, eventKey, eventText, findString, matchAttributes, NO_STRING, wantValue } from "./lookup";

/** Predicates that one scan can distinguish. */
export const BITS: u32 = 32;

const setBits: Block = changetype<Block>(memory.data(16, 4));
const threadBits: Block = changetype<Block>(memory.data(16, 4));
const linkBits: Block = changetype<Block>(memory.data(16, 4));
const stackBits: Block = changetype<Block>(memory.data(16, 4));
const attributeOk: Block = changetype<Block>(memory.data(16, 4));
const nameOk: Block = changetype<Block>(memory.data(16, 4));
const nodeOk: Block = changetype<Block>(memory.data(16, 4));
/** MAX_EVENTS entries. */
const eventBits: usize = memory.data(<i32>MAX_EVENTS * 4, 4);

export let predicateCount: u32 = 0;
let wanted: u32 = 0;
let required: u32 = 0;
/** The bit of the current predicate. */
let bit: u32 = 0;

/** Starts again, with no predicate. */
export function clearPredicates(): void {
  setBits.drop();
  threadBits.drop();
  linkBits.drop();
  stackBits.drop();
  memory.fill(eventBits, 0, MAX_EVENTS * 4);
  predicateCount = 0;
  wanted = 0;
  required = 0;
}

/** The following alternatives belong to a separate predicate. */
export function beginPredicate(exclude: bool): void {
  bit = (<u32>1) << predicateCount;
  predicateCount++;
  wanted |= bit;
  if (!exclude) required |= bit;
}

/**
 * Clears the bytes at `mask` of the samples [1, rows) that lack a required bit, have an excluding bit, or whose event
 * has a 0 at `eventOk`. There is no branch per sample, because a processor could not predict it.
 */
export function clearOthers(mask: usize, rows: u32, eventOk: usize): void {
  const events = eventColumn();
  if (wanted === 0) {
    for (let row: u32 = 1; row < rows; row++) {
      const q = mask + row;
      store<u8>(q, load<u8>(q) & load<u8>(eventOk + <usize>eventIn(events, row)));
    }
    return;
  }
  const stacks = stackBits.at !== 0 ? wordColumn(SampleRow.STACK) : 0;
  const links = linkBits.at !== 0 ? wordColumn(SampleRow.LINK) : 0;
  const threads = threadBits.at !== 0 ? wordColumn(SampleRow.THREAD) : 0;
  const sets = setBits.at !== 0 ? wordColumn(SampleRow.SET) : 0;
  for (let row: u32 = 1; row < rows; row++) {
    const i = (<usize>row) << 2;
    const event = <usize>eventIn(events, row);
    let bits = load<u32>(eventBits + (event << 2));
    if (stacks !== 0) bits |= load<u32>(stackBits.at + ((<usize>load<u32>(stacks + i)) << 2));
    if (links !== 0) bits |= load<u32>(linkBits.at + ((<usize>load<u32>(links + i)) << 2));
    if (threads !== 0) bits |= load<u32>(threadBits.at + ((<usize>load<u32>(threads + i)) << 2));
    if (sets !== 0) bits |= load<u32>(setBits.at + ((<usize>load<u32>(sets + i)) << 2));
    const q = mask + row;
    const holds: u32 = (bits & wanted) === required ? 1 : 0;
    store<u8>(q, load<u8>(q) & load<u8>(eventOk + event) & holds);
  }
}

/** The column of a table with `rows` rows, all zero when it is new. */
function column(block: Block, rows: u32): usize {
  return block.at !== 0 ? block.at : block.zeroed((<usize>rows) << 2);
}

function addBit(at: usize, i: u32): void {
  const p = at + ((<usize>i) << 2);
  store<u32>(p, load<u32>(p) | bit);
}

/** Samples of this span. No sample has a span 0. */
export function selectSpan(span: u64): void {
  markLinks(LinkRow.SPAN, span);
}

const only: usize = memory.data(8, 8);

/** Samples that have one of these ids beside that of their link, as an attribute (read/own-ids.ts). */
function markOthers(at: usize, count: u32, high: u64): void {
  const ok = attributeOk.fit(attributes.count);
  if (matchIds(ok, at, count, high)) markSets(ok);
  attributeOk.drop();
}

/**
 * Samples whose trace id ends in this local root span id. No sample has a local root 0. With a high half, only those of
 * that very trace; without, also those of a trace of 128 bits that ends so, because it is how the low half alone is
 * passed on.
 */
export function selectRoot(root: u64, high: u64): void {
  store<u64>(only, root);
  markOthers(only, 1, high);
  if (high === 0) {
    markLinks(LinkRow.TRACE_LOW, root);
    return;
  }
  const bits = column(linkBits, links.count);
  for (let i: u32 = 0; i < links.count; i++) {
    if (traceHighOf(i) === high && links.get64(i, LinkRow.TRACE_LOW) === root) addBit(bits, i);
  }
}

const LOW_PARTS = 1 << 16;
/** 1 for the lowest 16 bits of wanted ids: nearly every other id is told by them, without a search. */
const lowParts: usize = memory.data(LOW_PARTS);

/** Samples whose span (`roots`: whose local root) is one of `count` ids: u64 that ascend, none of them 0. */
export function selectIds(roots: bool, at: usize, count: u32): void {
  const bits = column(linkBits, links.count);
  memory.fill(lowParts, 0, LOW_PARTS);
  for (let i: u32 = 0; i < count; i++) store<u8>(lowParts + load<u16>(at + ((<usize>i) << 3)), 1);
  if (roots) markOthers(at, count, 0);
  let p = links.rows + ((<usize>(roots ? LinkRow.TRACE_LOW : LinkRow.SPAN)) << 2);
  const bytes = (<usize>links.words) << 2;
  for (let i: u32 = 0; i < links.count; i++) {
    if (load<u8>(lowParts + load<u16>(p)) !== 0 && ascendingHas(at, count, load<u64>(p))) addBit(bits, i);
    p += bytes;
  }
}

/** Samples without a span: their link has no span id, and no local root or trace id either. */
export function selectNoSpan(): void {
  const bits = column(linkBits, links.count);
  for (let i: u32 = 0; i < links.count; i++) {
    const ids = links.get64(i, LinkRow.SPAN) | links.get64(i, LinkRow.TRACE_LOW) | traceHighOf(i);
    if (ids === 0) addBit(bits, i);
  }
}

function markLinks(word: u32, id: u64): void {
  const bits = column(linkBits, links.count);
  if (id === 0) return;
  let p = links.rows + ((<usize>word) << 2);
  const bytes = (<usize>links.words) << 2;
  for (let i: u32 = 0; i < links.count; i++) {
    if (load<u64>(p) === id) addBit(bits, i);
    p += bytes;
  }
}

/** Samples that carry this attribute with a value that reads as this text. */
export function selectAttribute(keyAt: usize, keySize: u32, valueAt: usize, valueSize: u32): void {
  const text = wantValue(valueAt, valueSize);
  markCarriers(keyAt, keySize, true);
  const derived = eventKey(keyAt, keySize);
  if (derived === EVENT_KEY_NONE || text === NO_STRING) return;
  for (let e: u32 = 0; e < eventCount; e++) {
    if (eventText(derived, e) === text) addBit(eventBits, e);
  }
}

/** Samples that carry this attribute, whatever its value; keys that every event has are never requested. */
export function selectKey(keyAt: usize, keySize: u32): void {
  markCarriers(keyAt, keySize, false);
}

function markCarriers(keyAt: usize, keySize: u32, byValue: bool): void {
  const ok = attributeOk.fit(attributes.count);
  matchAttributes(ok, findString(keyAt, keySize), byValue);
  markSets(ok);
  markThreads(ok);
  attributeOk.drop();
}

/** Sets that hold one of the marked attributes, and the links whose root has such a set. */
function markSets(ok: usize): void {
  const bits = column(setBits, sets.count);
  for (let s: u32 = 1; s < sets.count; s++) {
    let p = sets.pointer(s);
    const end = p + (sets.size(s) & ~3);
    for (; p < end; p += 4) {
      const a = load<u32>(p);
      if (a < attributes.count && load<u8>(ok + a) !== 0) {
        addBit(bits, s);
        break;
      }
    }
  }
  const rootSets = linkSets();
  if (rootSets === 0) return;
  const byLink = column(linkBits, links.count);
  for (let i: u32 = 1; i < links.count; i++) {
    const set = load<u32>(rootSets + ((<usize>i) << 2));
    if (set !== 0 && (load<u32>(bits + ((<usize>set) << 2)) & bit) !== 0) addBit(byLink, i);
  }
}

/** Threads by label, name or id. */
function markThreads(ok: usize): void {
  const bits = column(threadBits, threads.count);
  for (let t: u32 = 1; t < threads.count; t++) {
    const name = threads.get(t, ThreadRow.NAME);
    if ((load<u8>(ok + threadLabel(t)) | load<u8>(ok + name) | load<u8>(ok + threads.get(t, ThreadRow.ID))) !== 0)
      addBit(bits, t);
  }
}

/** Samples with a frame whose function is called by one of the `n` names at `namesAt`, u32 each. */
export function selectFrames(namesAt: usize, n: u32): void {
  // Of the whole stack, whatever the current tree is.
  const shown = turnTo(Tree.Plain);
  growTree();
  const ok = markNames(nameOk, namesAt, n);
  // A node holds when it or one above it is called so; node 0, the root, is called nothing.
  const nodes = nodeOk.fit(nodeCount + 1);
  store<u8>(nodes, 0);
  for (let node: u32 = 1; node < nodeCount; node++) {
    const own = load<u8>(ok + nameIndex(load<u32>(treeName + ((<usize>node) << 2))));
    store<u8>(nodes + node, own | load<u8>(nodes + load<u32>(treeParent + ((<usize>node) << 2))));
  }
  const bits = column(stackBits, stacks.count);
  for (let s: u32 = 1; s < stacks.count; s++) {
    if (load<u8>(nodes + load<u32>(stackNode + ((<usize>s) << 2))) !== 0) addBit(bits, s);
  }
  nameOk.drop();
  nodeOk.drop();
  turnTo(shown);
}
