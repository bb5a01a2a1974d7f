/**
 * Transforms of the call tree, made from the nodes of the whole one:
 *
 *   from         stacks begin at the outermost frame of a function; stacks without it end at the root
 *   merged       frames of these functions are removed, their self value is added to the caller's
 *   runs         neighbours of one rule are one frame, named after the rule, with the length of the longest such run
 *   whole        the frames below those of such a rule belong to their run, whatever they are; it has no length, which
 *                would be that of the longest stack of any profile
 *   border       the innermost frame of such a rule and the frames above it are removed: stacks begin below it
 *   recursion    Direct: a function that calls itself is one frame
 *                All: a function below itself is merged into its outermost frame
 *
 *   a ─ b ─ a ─ c    merged b: a ─ a ─ c    and Direct: a ─ c    All alone: a ─ c, and of stacks that end in b: a ─ b
 *
 *   a ─ s.x ─ s.y ─ c    with s.* as rule S: a ─ S · 2 ─ c
 *
 * Merged frames are removed before runs are searched, so a run continues after them. A frame of a run is not a
 * function: recursion does not merge into it. A run can be open: those of a rule below frames of one name keep their
 * frames.
 *
 * Each node maps to a node of the shaped tree, and so do the stacks that end there.
 */

import * as Recursion from "../abi/recursion";
import { onGiveUp } from "../memory/resets";
import { stacks } from "../store/tables";
import { Block } from "./block";
import * as tree from "./call-tree";
import { functionOf, markNames, nameCount, nameIndex } from "./frame-names";

/** A run that reaches to a node: the rule, and the frames so far, 0 where the run is open. */
const RULE_SHIFT: u32 = 24;
const LENGTH: u32 = 0xff_ffff;
/** Label of a rule whose frames are a border. */
const BORDER: u32 = u32.MAX_VALUE;
/** Rules that are kept. */
const MOST_RUN_RULES: u32 = 255;

const merged: Block = changetype<Block>(memory.data(16, 4));
const ledTo: Block = changetype<Block>(memory.data(16, 4));

/** u8 per name: its rule, from 1 on; the label of each rule. */
const ruleOf: Block = changetype<Block>(memory.data(16, 4));
const ruleLabels: usize = memory.data(256 * 4, 4);
/** u8 per rule: 1 if a run of it takes all frames below. */
const wholeRules: usize = memory.data(256, 4);
let ruleCount: u32 = 0;
/** Names that `ruleOf` covers. */
let ruledNames: u32 = 0;
/** | rule u32 | name of the frame above u32 | of runs that are open. */
const OPEN_NAME: usize = 4;
const openRuns: Block = changetype<Block>(memory.data(16, 4));
let openCount: u32 = 0;
/** u32 per node: the run that reaches to it. */
const runs: Block = changetype<Block>(memory.data(16, 4));
/** The tree that `ledTo` is of, kept while the shape has runs, and its nodes then. */
let shapedFrom: tree.Tree = tree.Tree.Plain;
let shapedNodes: u32 = 0;
const inside: Block = changetype<Block>(memory.data(16, 4));

function resetShape(): void {
  ruleOf.drop();
  openRuns.drop();
  runs.drop();
  ruleCount = 0;
  openCount = 0;
}
onGiveUp((): void => {
  resetShape();
  ledTo.drop();
});

/**
 * Adds a rule for the next shape: the `n` names at `namesAt`, u32 each, without those of earlier rules. A border
 * takes its names from earlier rules.
 */
export function runRule(label: u32, isBorder: bool, isWhole: bool, namesAt: usize, n: u32): void {
  if (ruleCount === MOST_RUN_RULES) return;
  if (ruleCount === 0) {
    ruledNames = nameCount();
    ruleOf.zeroed(ruledNames);
  }
  ruleCount++;
  store<u32>(ruleLabels + ((<usize>ruleCount) << 2), isBorder ? BORDER : label);
  store<u8>(wholeRules + ruleCount, isWhole ? 1 : 0);
  for (let i: u32 = 0; i < n; i++) {
    const index = nameIndex(load<u32>(namesAt + ((<usize>i) << 2)));
    if (index >= ruledNames) continue;
    const p = ruleOf.at + index;
    if (isBorder || load<u8>(p) === 0) store<u8>(p, <u8>ruleCount);
  }
}

/** Keeps the runs of a rule (its number, from 1 on) open below frames of this name, 0 for the root. */
export function openRun(rule: u32, name: u32): void {
  const used = (<usize>openCount) << 3;
  const p = openRuns.keep(used + 8, used) + used;
  store<u32>(p, rule);
  store<u32>(p, name, OPEN_NAME);
  openCount++;
}

function isOpen(rule: u32, name: u32): bool {
  for (let p = openRuns.at; p < openRuns.at + ((<usize>openCount) << 3); p += 8) {
    if (load<u32>(p) === rule && load<u32>(p, OPEN_NAME) === name) return true;
  }
  return false;
}

/** The run that reaches to a frame: that of the frame above if it continues, a new one, or no run (0). */
function runAt(fn: u32, above: u32, before: u32): u32 {
  const index = nameIndex(fn);
  let rule: u32 = ruleCount === 0 || index >= ruledNames ? 0 : load<u8>(ruleOf.at + index);
  const current = before >> RULE_SHIFT;
  if (current !== 0 && load<u8>(wholeRules + current) !== 0) rule = current;
  if (rule === 0) return 0;
  if (current === rule) return (before & LENGTH) - 1 < LENGTH - 1 ? before + 1 : before;
  const start = rule << RULE_SHIFT;
  return isOpen(rule, functionOf(load<u32>(tree.treeName + ((<usize>above) << 2)))) ? start : start | 1;
}

/** The node of a collapsed run below `above`; its location has the length. A border leads back to the root. */
function runNode(run: u32, above: u32): u32 {
  const rule = run >> RULE_SHIFT;
  const length = run & LENGTH;
  const label = load<u32>(ruleLabels + ((<usize>rule) << 2));
  if (label === BORDER) return 0;
  let at = above;
  if (length === 1) {
    const depth = load<u32>(tree.treeDepth + ((<usize>above) << 2)) + 1;
    at = tree.child(above, label, tree.RUN, depth, outerOf(above, label) !== 0 ? 1 : 0);
  }
  const p = tree.treeLocation + ((<usize>at) << 2);
  store<u32>(p, max<u32>(load<u32>(p), tree.RUN | (load<u8>(wholeRules + rule) !== 0 ? 0 : length)));
  return at;
}

/**
 * Makes all views read the tree in this shape. `from` is a name, 0 for no name; the `n` names at `namesAt`, u32 each,
 * are merged. Earlier node numbers are invalid afterwards.
 */
export function shapeTree(from: u32, namesAt: usize, n: u32, recursion: u32, lines: bool): void {
  tree.showAll(lines);
  ledTo.drop();
  if (from === 0 && n === 0 && recursion === Recursion.Kept && ruleCount === 0) return;
  const isMerged = markNames(merged, namesAt, n);
  const count = tree.nodeCount;
  const parents = tree.treeParent;
  const names = tree.treeName;
  const locations = tree.treeLocation;
  const agains = tree.treeAgain;
  const leaves = tree.stackNode;
  const to = ledTo.fit((<usize>count + 1) << 2);
  store<u32>(to, 0);
  const run = runs.zeroed((<usize>count + 1) << 2);
  tree.beginShaped(from === 0 && n === 0 && recursion === Recursion.Kept && areWhole());
  for (let node: u32 = 1; node < count; node++) {
    const i = (<usize>node) << 2;
    const name = load<u32>(names + i);
    const fn = functionOf(name);
    const parent = (<usize>load<u32>(parents + i)) << 2;
    const above = load<u32>(to + parent);
    let at = above;
    let reaching = load<u32>(run + parent);
    if (from !== 0 && above === 0 ? fn === from : load<u8>(isMerged + nameIndex(fn)) === 0) {
      reaching = runAt(fn, above, reaching);
      if ((reaching & LENGTH) !== 0) {
        at = runNode(reaching, above);
      } else {
        // A function that is not recursive in the whole tree is not recursive in a part of it.
        const outer: u32 = load<u8>(agains + node) === 0 ? 0 : outerOf(above, fn);
        at = outer;
        if (outer === 0 || recursion === Recursion.Kept || (recursion === Recursion.Direct && outer !== above)) {
          const depth = load<u32>(tree.treeDepth + ((<usize>above) << 2)) + 1;
          at = tree.child(above, name, load<u32>(locations + i), depth, outer !== 0 ? 1 : 0);
        }
      }
    }
    store<u32>(to + i, at);
    store<u32>(run + i, reaching);
  }
  for (let s: u32 = 0; s < stacks.count; s++) {
    const i = (<usize>s) << 2;
    store<u32>(tree.stackNode + i, load<u32>(to + ((<usize>load<u32>(leaves + i)) << 2)));
  }
  merged.drop();
  if (ruleCount === 0) ledTo.drop();
  shapedFrom = lines ? tree.Tree.Lined : tree.Tree.Plain;
  shapedNodes = count;
  resetShape();
}

/**
 * u8 per node of the shaped tree: 1 for a run with a frame of the names that `ok` has a 1 for. 0 in place of them for
 * another tree; below root frames the names of such runs become ok.
 */
export function insideRuns(ok: usize): usize {
  if (ledTo.at === 0) return 0;
  const before = tree.turnTo(tree.Tree.Shaped);
  const isRooted = before === tree.Tree.Rooted;
  if (!isRooted && before !== tree.Tree.Shaped) {
    tree.turnTo(before);
    return 0;
  }
  const locations = tree.treeLocation;
  const names = tree.treeName;
  const found = inside.zeroed(tree.nodeCount);
  tree.turnTo(shapedFrom);
  for (let node: u32 = 1; node < min(shapedNodes, tree.nodeCount); node++) {
    const i = (<usize>node) << 2;
    if (load<u8>(ok + nameIndex(functionOf(load<u32>(tree.treeName + i)))) === 0) continue;
    const at = load<u32>(ledTo.at + i);
    if ((load<u32>(locations + ((<usize>at) << 2)) & tree.RUN) === 0) continue;
    if (isRooted) store<u8>(ok + nameIndex(load<u32>(names + ((<usize>at) << 2))), 1);
    else store<u8>(found + at, 1);
  }
  tree.turnTo(before);
  return isRooted ? 0 : found;
}

/** Whether all runs take the frames below: then no frame that is left has another depth. */
function areWhole(): bool {
  for (let rule: u32 = 1; rule <= ruleCount; rule++) if (load<u8>(wholeRules + rule) === 0) return false;
  return true;
}

/** The nearest frame of a function from `node` outwards, 0 if there is no such frame. */
function outerOf(node: u32, fn: u32): u32 {
  while (node !== 0 && functionOf(load<u32>(tree.treeName + ((<usize>node) << 2))) !== fn) {
    node = load<u32>(tree.treeParent + ((<usize>node) << 2));
  }
  return node;
}
