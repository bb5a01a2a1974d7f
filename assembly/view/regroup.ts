/**
 * The call tree regrouped by callers or callees, as far as a drawing shows it:
 *
 *   Callers     from the functions on top of the stacks to their callers
 *   CallersOf   from one function to its callers
 *   CalleesOf   from one function to its callees, over all of its callers
 *
 * No such tree is built: it may be many times as large as the call tree. A group is a frame of the new tree; its items
 * are the nodes of the call tree that it represents. Opening it takes the items one step further and groups them by
 * name. Groups of at least half a pixel are opened level by level, Limits.MAX_FRAMES at most.
 *
 *   going up    an item is the node whose name is next, with the weight of the stacks through it
 *   going down  an item is a node of the group, with its total; the names of its children are next
 *
 *   group | total i64 | self i64 | hidden value i64 | name | parent | items | item count | node |
 *         | hidden frames | row | 0 |                                                         56 bytes
 *   item  | weight i64 | node u32 | 0 |                                                         16 bytes
 *
 * Frames below a group that was not opened are not counted, so "hidden frames" is a lower bound; the value is exact.
 */

import * as Grouping from "../abi/grouping";
import * as Limits from "../abi/limits";
import { addTo, plus } from "../memory/sums";
import { Block } from "./block";
import { nodeCount, treeAgain, treeLocation, treeName, treeParent } from "./call-tree";
import { firstChild, growChildren, nextChild } from "./children";
import { finishAnswer, frameAnswer, hide, layOut, writePathRow, writeRow, writeWeight } from "./frame-answer";
import { functionOf, nameCount, nameIndex, treeNameOf } from "./frame-names";
import { leastShown } from "./frames";
import { selectedValue } from "./selection";
import { selfAt, totalAt, weigh } from "./weights";

const GROUP: usize = 56;
const TOTAL: usize = 0;
const SELF: usize = 8;
const HIDDEN_VALUE: usize = 16;
const NAME: usize = 24;
const PARENT: usize = 28;
const ITEMS: usize = 32;
const COUNT: usize = 36;
const NODE: usize = 40;
const HIDDEN_FRAMES: usize = 44;
const ROW: usize = 48;
const ITEM_WEIGHT: usize = 0;
const ITEM_NODE: usize = 8;
const ITEM: usize = 16;
const NOT_SHOWN: u32 = 0xffff_ffff;

const groups: Block = changetype<Block>(memory.data(16, 4));
const items: Block = changetype<Block>(memory.data(16, 4));
/** Items of the group that is being opened, taken one step further. */
const stepped: Block = changetype<Block>(memory.data(16, 4));
/** u32 per string: the group that a name has below the one being opened, if it is not older than that. */
const groupOf: Block = changetype<Block>(memory.data(16, 4));
/** Groups in the order in which they became rows. */
const shown: Block = changetype<Block>(memory.data(16, 4));

let groupCount: u32 = 0;
let itemCount: u32 = 0;
let steppedCount: u32 = 0;
let grouping: u32 = Grouping.Callers;

/**
 * Frames of the current selection, regrouped, below the frame that the `pathSize` names at `pathAt` (u32 each)
 * lead to, or below as much of that path as there is. `name` is the function of CallersOf and CalleesOf.
 */
export function regroupedFrames(how: u32, name: u32, pathAt: usize, pathSize: u32, width: f64): usize {
  weigh();
  growChildren();
  grouping = how;
  groupCount = 0;
  itemCount = 0;
  groupOf.zeroed((<usize>nameCount()) << 2);
  let focus = addGroup(how === Grouping.CallersOf || how === Grouping.CalleesOf ? name : 0, 0);
  gather(focus, name);
  let depth: u32 = 0;
  while (depth < pathSize) {
    const first = groupCount;
    open(focus, 1);
    const next = load<u32>(
      groupOf.at + ((<usize>nameIndex(treeNameOf(load<u32>(pathAt + ((<usize>depth) << 2))))) << 2),
    );
    // The path is too long. Opening consumed the items, so they are computed again for the part that leads to a group.
    if (next < first || next >= groupCount) return regroupedFrames(how, name, pathAt, depth, width);
    focus = next;
    depth++;
  }
  choose(focus, width);
  write(focus, depth);
  groups.drop();
  items.drop();
  stepped.drop();
  groupOf.drop();
  shown.drop();
  return frameAnswer();
}

function groupAt(i: u32): usize {
  return groups.at + <usize>i * GROUP;
}

function addGroup(name: u32, parent: u32): u32 {
  const at = groups.keep(<usize>(groupCount + 1) * GROUP, <usize>groupCount * GROUP) + <usize>groupCount * GROUP;
  memory.fill(at, 0, GROUP);
  store<u32>(at, name, NAME);
  store<u32>(at, parent, PARENT);
  store<u32>(at, NOT_SHOWN, ROW);
  return groupCount++;
}

function isUp(): bool {
  return grouping === Grouping.Callers || grouping === Grouping.CallersOf;
}

function addItem(node: u32, weight: i64): void {
  const at = items.keep(<usize>(itemCount + 1) * ITEM, <usize>itemCount * ITEM) + <usize>itemCount * ITEM;
  store<i64>(at, weight, ITEM_WEIGHT);
  store<u64>(at, node, ITEM_NODE);
  itemCount++;
}

/** The items of the topmost group. For a recursive function, the outermost frame includes the others. */
function gather(group: u32, name: u32): void {
  let total: i64 = 0;
  if (grouping === Grouping.Callers) {
    for (let node: u32 = 0; node < nodeCount; node++) {
      const weight = load<i64>(selfAt + ((<usize>node) << 3));
      if (weight === 0) continue;
      total = plus(total, weight);
      addItem(node, weight);
    }
  } else {
    for (let node: u32 = 1; node < nodeCount; node++) {
      if (functionOf(nameOf(node)) !== name || load<u8>(treeAgain + node) !== 0) continue;
      const weight = load<i64>(totalAt + ((<usize>node) << 3));
      if (weight === 0) continue;
      total = plus(total, weight);
      store<u32>(groupAt(group), node, NODE);
      addItem(isUp() ? parentOf(node) : node, weight);
    }
  }
  store<i64>(groupAt(group), total, TOTAL);
  store<u32>(groupAt(group), itemCount, COUNT);
}

function parentOf(node: u32): u32 {
  return load<u32>(treeParent + ((<usize>node) << 2));
}

function nameOf(node: u32): u32 {
  return load<u32>(treeName + ((<usize>node) << 2));
}

function addStepped(node: u32, weight: i64): void {
  const used = <usize>steppedCount * ITEM;
  const at = stepped.keep(used + ITEM, used) + used;
  store<i64>(at, weight, ITEM_WEIGHT);
  store<u64>(at, node, ITEM_NODE);
  steppedCount++;
}

/** Moves the items of `group` one step further into `stepped`, and adds up the stacks that end in the group itself. */
function step(group: u32): void {
  steppedCount = 0;
  const at = groupAt(group);
  const from = items.at + <usize>load<u32>(at, ITEMS) * ITEM;
  const end = from + <usize>load<u32>(at, COUNT) * ITEM;
  let self: i64 = 0;
  for (let p = from; p < end; p += ITEM) {
    const node = load<u32>(p, ITEM_NODE);
    if (!isUp()) self += stepDown(node);
    else if (node === 0) self += load<i64>(p, ITEM_WEIGHT);
    else addStepped(node, load<i64>(p, ITEM_WEIGHT));
  }
  store<i64>(at, self, SELF);
}

/** Adds the children of `node`. */
function stepDown(node: u32): i64 {
  for (let child = load<u32>(firstChild + ((<usize>node) << 2)); child !== 0; ) {
    const weight = load<i64>(totalAt + ((<usize>child) << 3));
    if (weight !== 0) addStepped(child, weight);
    child = load<u32>(nextChild + ((<usize>child) << 2));
  }
  return load<i64>(selfAt + ((<usize>node) << 3));
}

/** Makes the groups below `group`. Those of at least `cut` get their items; the others are hidden. */
function open(group: u32, cut: i64): void {
  step(group);
  const first = groupCount;
  const from = stepped.at;
  const end = from + <usize>steppedCount * ITEM;
  for (let p = from; p < end; p += ITEM) {
    const node = load<u32>(p, ITEM_NODE);
    const slot = groupOf.at + ((<usize>nameIndex(nameOf(node))) << 2);
    if (load<u32>(slot) < first) {
      const added = addGroup(nameOf(node), group);
      store<u32>(slot, added);
      store<u32>(groupAt(added), node, NODE);
    }
    const at = groupAt(load<u32>(slot));
    addTo(at + TOTAL, load<i64>(p, ITEM_WEIGHT));
    store<u32>(at, load<u32>(at, COUNT) + 1, COUNT);
  }
  // Going up no item is added, so the groups share the room of their parent.
  let next = isUp() ? load<u32>(groupAt(group), ITEMS) : itemCount;
  for (let i = first; i < groupCount; i++) {
    const at = groupAt(i);
    if (load<i64>(at, TOTAL) < cut) {
      store<u32>(at, NOT_SHOWN, ITEMS);
      hideIn(group, load<i64>(at, TOTAL));
      continue;
    }
    store<u32>(at, next, ITEMS);
    next += load<u32>(at, COUNT);
    store<u32>(at, 0, COUNT);
  }
  if (!isUp()) {
    items.keep(<usize>next * ITEM, <usize>itemCount * ITEM);
    itemCount = next;
  }
  for (let p = from; p < end; p += ITEM) {
    const node = load<u32>(p, ITEM_NODE);
    const at = groupAt(load<u32>(groupOf.at + ((<usize>nameIndex(nameOf(node))) << 2)));
    if (load<u32>(at, ITEMS) === NOT_SHOWN) continue;
    const n = load<u32>(at, COUNT);
    const to = items.at + <usize>(load<u32>(at, ITEMS) + n) * ITEM;
    store<u32>(at, n + 1, COUNT);
    store<i64>(to, load<i64>(p, ITEM_WEIGHT), ITEM_WEIGHT);
    store<u64>(to, isUp() ? parentOf(node) : node, ITEM_NODE);
  }
}

function hideIn(group: u32, value: i64): void {
  const at = groupAt(group);
  addTo(at + HIDDEN_VALUE, value);
  store<u32>(at, load<u32>(at, HIDDEN_FRAMES) + 1, HIDDEN_FRAMES);
}

let shownCount: u32 = 0;

/** Opens the groups below `focus` that are wide enough. */
function choose(focus: u32, width: f64): void {
  const cut = leastShown(load<i64>(groupAt(focus), TOTAL), width);
  shownCount = 0;
  show(focus);
  for (let row: u32 = 0; row < shownCount; row++) {
    const group = load<u32>(shown.at + ((<usize>row) << 2));
    const first = groupCount;
    open(group, cut);
    for (let i = first; i < groupCount; i++) {
      if (load<u32>(groupAt(i), ITEMS) === NOT_SHOWN) continue;
      if (shownCount < <u32>Limits.MAX_FRAMES) show(i);
      else hideIn(group, load<i64>(groupAt(i), TOTAL));
    }
  }
}

function show(group: u32): void {
  const used = (<usize>shownCount) << 2;
  store<u32>(shown.keep(used + 4, used) + used, group);
  store<u32>(groupAt(group), shownCount, ROW);
  shownCount++;
}

function write(focus: u32, depth: u32): void {
  layOut(shownCount, depth);
  for (let row: u32 = 0; row < shownCount; row++) {
    const at = groupAt(load<u32>(shown.at + ((<usize>row) << 2)));
    const parent: u32 = row === 0 ? 0 : load<u32>(groupAt(load<u32>(at, PARENT)), ROW);
    const location = load<u32>(treeLocation + ((<usize>load<u32>(at, NODE)) << 2));
    writeRow(row, row, parent, load<u32>(at, NAME), location);
    writeWeight(row, load<i64>(at, TOTAL), load<i64>(at, SELF));
    hide(row, load<u32>(at, HIDDEN_FRAMES), load<i64>(at, HIDDEN_VALUE));
  }
  let group = focus;
  for (let i = depth; i > 0; i--) {
    group = load<u32>(groupAt(group), PARENT);
    writePathRow(i - 1, i - 1, load<u32>(groupAt(group), NAME), load<i64>(groupAt(group), TOTAL));
  }
  finishAnswer(selectedValue());
}
