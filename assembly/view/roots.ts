/**
 * Root frames: the call tree with one or two frames above each stack that are attributes of the sample, such as its
 * endpoint and thread.
 *
 *   stack   a b c            samples   stack, GET /cart: 3 · stack, (no endpoint): 1
 *
 *   0 root                   Made of the current tree, from all samples of the store: a baseline and the selection have
 *   ├ 1 GET /cart            the same nodes, and a link that names a node names the same one in every session.
 *   │ └ 3 a ─ 4 b ─ 5 c      The cost is linear in the samples and in the nodes made. The samples are sorted by group,
 *   └ 2 (no endpoint)        that is, by root frames, so one column over the nodes of the current tree shows which of
 *     └ 6 a ─ 7 b ─ 8 c      them the group has already: those that map to a node not before the group's first.
 *
 * The host names the groups: it reads the labels of a key's values and replaces them with names.
 */

import * as RankRow from "../abi/rows/rank-row";
import * as SampleRow from "../store/rows/sample-row";
import { sampleCount } from "../store/samples";
import { attributes } from "../store/tables";
import { groupByAttribute, groupOf, hasKey, resetAttributeGroups } from "./attribute-groups";
import { Block } from "./block";
import * as tree from "./call-tree";
import { wordColumn } from "./columns";
import { eventKey, eventText, findString } from "./lookup";

/** u32 per sample: the name of its root frame, of the outer and of the inner level. */
const outer: Block = changetype<Block>(memory.data(16, 4));
const inner: Block = changetype<Block>(memory.data(16, 4));
/** u32 per group of a key: its label, then its name. */
const names: Block = changetype<Block>(memory.data(16, 4));
/** While the tree is made: group of each sample, where each group ends among the sorted samples, and these samples. */
const groups: Block = changetype<Block>(memory.data(16, 4));
const ends: Block = changetype<Block>(memory.data(16, 4));
const sorted: Block = changetype<Block>(memory.data(16, 4));
/** Node of each node of the former tree; nodes of a stack that its group does not have yet, leaf first. */
const ledTo: Block = changetype<Block>(memory.data(16, 4));
const missing: Block = changetype<Block>(memory.data(16, 4));

let levels: u32 = 0;
/** Name of the samples of the last level that have no value. */
let nameOfNone: u32 = 0;

function endLevels(): void {
  outer.drop();
  inner.drop();
  names.drop();
  groups.drop();
  ends.drop();
  sorted.drop();
  ledTo.drop();
  missing.drop();
  resetAttributeGroups();
  levels = 0;
}

/** Begins a level, at most two: all samples have the root frame `none` until `rootSamples` assigns another. */
export function rootLevel(none: u32): void {
  if (outer.at === 0) levels = 0;
  const column = levels === 0 ? outer : inner;
  levels++;
  nameOfNone = none;
  const at = column.fit((<usize>sampleCount) << 2);
  for (let row: u32 = 0; row < sampleCount; row++) store<u32>(at + ((<usize>row) << 2), none);
}

/** Groups the samples by a key; the number of groups. */
export function rootKey(keyAt: usize, keySize: u32): u32 {
  const key = findString(keyAt, keySize);
  const derived = eventKey(keyAt, keySize);
  const count = groupByAttribute(key, derived);
  const at = names.zeroed((<usize>count) << 2);
  for (let a: u32 = 1; a < attributes.count; a++) if (hasKey(a, key)) store<u32>(at + ((<usize>a) << 2), a);
  for (let group = attributes.count; group < count; group++) {
    const text = eventText(derived, group - attributes.count);
    if (text !== 0) store<u32>(at + ((<usize>group) << 2), RankRow.LABEL_TEXT | text);
  }
  return count;
}

/** Labels by group as of rank rows, 0 for no label; the host replaces them with names. */
export function rootNames(): usize {
  return names.at;
}

/** Gives the samples of the level that have no root frame yet the name of their group. */
export function rootSamples(): void {
  const column = (levels === 1 ? outer : inner).at;
  for (let row: u32 = 1; row < sampleCount; row++) {
    const p = column + ((<usize>row) << 2);
    if (load<u32>(p) !== nameOfNone) continue;
    const name = load<u32>(names.at + ((<usize>groupOf(row)) << 2));
    if (name !== 0) store<u32>(p, name);
  }
  names.drop();
  resetAttributeGroups();
}

/** Makes the rooted tree of the levels begun, and makes it the current one. */
export function rootTree(): void {
  const nodes = tree.nodeCount;
  const parents = tree.treeParent;
  const nodeNames = tree.treeName;
  const locations = tree.treeLocation;
  const depths = tree.treeDepth;
  const agains = tree.treeAgain;
  const leaves = tree.stackNode;
  const stacks = wordColumn(SampleRow.STACK);
  const to = ledTo.zeroed((<usize>nodes) << 2);
  const bytes = (<usize>sampleCount) << 2;
  const groupAt = groups.fit(bytes);
  const sortedAt = sorted.fit(bytes);
  tree.beginRooted(levels);
  for (let row: u32 = 1; row < sampleCount; row++) {
    const i = (<usize>row) << 2;
    let group = tree.child(0, load<u32>(outer.at + i), tree.ROOT, 1, 0);
    if (levels === 2) group = tree.child(group, load<u32>(inner.at + i), tree.ROOT, 2, 0);
    store<u32>(groupAt + i, group);
  }
  const groupCount = tree.nodeCount;
  sortSamples(groupCount);

  let group: u32 = 0;
  let start: u32 = 0;
  for (let k: u32 = 1; k < sampleCount; k++) {
    const row = load<u32>(sortedAt + ((<usize>k) << 2));
    const i = (<usize>row) << 2;
    if (load<u32>(groupAt + i) !== group) {
      group = load<u32>(groupAt + i);
      start = tree.nodeCount;
    }
    let node = load<u32>(leaves + ((<usize>load<u32>(stacks + i)) << 2));
    let n: u32 = 0;
    while (node !== 0 && load<u32>(to + ((<usize>node) << 2)) < start) {
      store<u32>(missing.keep((<usize>(n + 1)) << 2, (<usize>n) << 2) + ((<usize>n) << 2), node);
      n++;
      node = load<u32>(parents + ((<usize>node) << 2));
    }
    let at = node === 0 ? group : load<u32>(to + ((<usize>node) << 2));
    while (n > 0) {
      n--;
      node = load<u32>(missing.at + ((<usize>n) << 2));
      const j = (<usize>node) << 2;
      const depth = load<u32>(depths + j) + levels;
      at = tree.addNode(at, load<u32>(nodeNames + j), load<u32>(locations + j), depth, load<u8>(agains + node));
      store<u32>(to + j, at);
    }
    store<u32>(tree.stackNode + i, at);
  }
  endLevels();
}

/** Sorts the samples by group into `sorted`, from place 1 on; those of a group stay in their order. */
function sortSamples(groupCount: u32): void {
  const end = ends.zeroed((<usize>groupCount + 1) << 2);
  for (let row: u32 = 1; row < sampleCount; row++) {
    const p = end + ((<usize>load<u32>(groups.at + ((<usize>row) << 2)) + 1) << 2);
    store<u32>(p, load<u32>(p) + 1);
  }
  let before: u32 = 1;
  for (let group: u32 = 0; group <= groupCount; group++) {
    const p = end + ((<usize>group) << 2);
    before += load<u32>(p);
    store<u32>(p, before);
  }
  for (let row: u32 = 1; row < sampleCount; row++) {
    const p = end + ((<usize>load<u32>(groups.at + ((<usize>row) << 2))) << 2);
    store<u32>(sorted.at + ((<usize>load<u32>(p)) << 2), row);
    store<u32>(p, load<u32>(p) + 1);
  }
}
