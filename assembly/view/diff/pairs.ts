/**
 * Functions of a baseline and a selection of other files that are the same code under another number
 * (store/numbered-names.ts). All that differ in numbers only are a family:
 *
 *   baseline    Shop.lambda$main$10 ─ parse    Shop.lambda$main$11 ─ render
 *   selection   Shop.lambda$main$10 ─ log      Shop.lambda$main$11 ─ parse     Shop.lambda$main$12 ─ render
 *
 *   pairs       10 and 11, 11 and 12; the selection's 10 is alone
 *
 * Two of them are a pair if they have a caller in common, and the heaviest callee of one is a callee of the other, or
 * neither has callees. Callers and callees are compared without their numbers. Pairs are made in the order of likeness:
 * the common part of the callees and of the callers. Equal numbers count as half of the callees. A function of one
 * side is in one pair at most.
 *
 * Equal names without a pair are one function, unless another pair of the family shows that its numbers moved.
 */
import { BytesTable } from "../../memory/bytes-table";
import { onGiveUp } from "../../memory/resets";
import { functionName } from "../../store/frames";
import { stem, stemNumber, stemSize } from "../../store/numbered-names";
import { functions } from "../../store/tables";
import { Block } from "../block";
import { nodeCount, treeName, treeParent } from "../call-tree";
import {
  functionOf,
  nameAt,
  nameCount,
  nameFunctions,
  nameIndex,
  namePointer,
  nameSize,
  raw,
  shownName,
  withLineOf,
} from "../frame-names";
import { RECORD_BYTES, RECORD_PAYLOAD, sortRecords } from "../order";
import { totalAt } from "../weights";
import { baseValueOf, isOfOtherFiles } from "./baseline";

/** Set in a name where the selection has other code of that name. No name is that large. */
export const OTHER_CODE: u32 = 0x4000_0000;
/** Larger families keep their numbers, because all pairs of a family are compared. */
const MOST_MEMBERS: u32 = 512;
/** Likeness is compared in steps of this part. */
const LIKE: f64 = 4096;

/**
 * A member of a family has four lists of records | member, side, kind, other u32 | weight i64 |, sorted. The other is
 * the caller or callee: NUMBERED | its family, or its name.
 */
const NUMBERED: u32 = 0x8000_0000;
const LIST_SHIFT: u32 = 32;
const LISTS: u32 = 4;
const OF_BASE: u32 = 2;
const CALLEES: u32 = 1;

/** u32 per name: its family from 1 on, 0 if it has no number; its place among the members, + 1. */
const familyOf: Block = changetype<Block>(memory.data(16, 4));
const memberOf: Block = changetype<Block>(memory.data(16, 4));
/** Records | family u32, number u32 | name index u64 |, sorted. */
const members: Block = changetype<Block>(memory.data(16, 4));
const relations: Block = changetype<Block>(memory.data(16, 4));
/** u8 per member: the sides, 1 << OF_BASE and 1, that are in a pair. */
const taken: Block = changetype<Block>(memory.data(16, 4));
/** u32 per list of `relations`: where it begins; the last entry is where all end. */
const lists: Block = changetype<Block>(memory.data(16, 4));
/** Records of the possible pairs of a family: the likest are first. */
const candidates: Block = changetype<Block>(memory.data(16, 4));
const stems: BytesTable = changetype<BytesTable>(memory.data(64, 8));
/** u32 per name: see `pairedIndex` and `formerName`. */
const partner: Block = changetype<Block>(memory.data(16, 4));
const former: Block = changetype<Block>(memory.data(16, 4));

let names: u32 = 0;
let memberCount: u32 = 0;
let relationCount: u32 = 0;
let isAnyOther: bool = false;

export function dropPairs(): void {
  familyOf.drop();
  memberOf.drop();
  taken.drop();
  members.drop();
  relations.drop();
  lists.drop();
  candidates.drop();
  stems.drop();
  partner.drop();
  former.drop();
}
onGiveUp(dropPairs);

/**
 * Finds the pairs. Returns whether any function of the baseline is not simply that of the same name; the caller drops
 * the pairs then.
 */
export function pairFunctions(rest: bool): bool {
  isAnyOther = false;
  if (raw || !isOfOtherFiles()) return false;
  nameFunctions();
  names = nameCount();
  if (findFamilies()) {
    relate(rest);
    taken.zeroed(memberCount);
    const at = partner.fit((<usize>names) << 2);
    for (let i: u32 = 0; i < names; i++) store<u32>(at + ((<usize>i) << 2), i);
    former.zeroed((<usize>names) << 2);
    for (let first: u32 = 0; first < memberCount; ) first = pairFamily(first);
  }
  if (!isAnyOther) dropPairs();
  return isAnyOther;
}

/**
 * Index under which the baseline's weight of a function counts: that of the selection's name, or past all names where
 * the selection has other code of the same name.
 */
export function pairedIndex(index: u32): u32 {
  return load<u32>(partner.at + ((<usize>index) << 2));
}

/** The baseline's name of a function of the selection, 0 if it is the same. */
export function formerName(index: u32): u32 {
  const at = index < names ? load<u32>(former.at + ((<usize>index) << 2)) : 0;
  return at === 0 ? 0 : nameAt(at - 1);
}

/** The selection's name of a function of the baseline, also of one with a line. */
export function nameInSelection(name: u32): u32 {
  const index = nameIndex(functionOf(name));
  const paired = pairedIndex(index);
  if (paired === index) return name;
  return paired >= names ? name | OTHER_CODE : withLineOf(name, nameAt(paired));
}

function indexOf(node: u32): u32 {
  return nameIndex(functionOf(load<u32>(treeName + ((<usize>node) << 2))));
}

/** Makes `members` of the families that have several; whether there are any. */
function findFamilies(): bool {
  const families = familyOf.zeroed((<usize>names) << 2);
  let count: u32 = 0;
  for (let fn: u32 = 0; fn < functions.count; fn++) {
    const name = shownName(functionName(fn));
    const family = families + ((<usize>nameIndex(name)) << 2);
    const size: u32 = load<u32>(family) === 0 ? stemSize(namePointer(name), nameSize(name)) : 0;
    if (size === 0) continue;
    if (stems.count === 0) stems.create(64);
    const number = stems.intern(stem, size);
    store<u32>(family, number);
    putRecord(members, count++, ((<u64>number) << 32) | stemNumber, nameIndex(name));
  }
  sortRecords(members.at, count);
  stems.drop();
  const member = memberOf.zeroed((<usize>names) << 2);
  memberCount = 0;
  for (let i: u32 = 0; i < count; i++) {
    const family = familyAt(i);
    if ((i === 0 || familyAt(i - 1) !== family) && (i + 1 === count || familyAt(i + 1) !== family)) continue;
    const p = members.at + <usize>i * RECORD_BYTES;
    memory.copy(members.at + <usize>memberCount * RECORD_BYTES, p, RECORD_BYTES);
    store<u32>(member + ((<usize>load<u32>(p, RECORD_PAYLOAD)) << 2), ++memberCount);
  }
  return memberCount !== 0;
}

function putRecord(to: Block, n: u32, key: u64, payload: u64): void {
  const used = <usize>n * RECORD_BYTES;
  const p = to.keep(used + RECORD_BYTES, used) + used;
  store<u64>(p, key);
  store<u64>(p, payload, RECORD_PAYLOAD);
}

function familyAt(i: u32): u32 {
  return <u32>(load<u64>(members.at + <usize>i * RECORD_BYTES) >> 32);
}

function nameOfMember(i: u32): u32 {
  return load<u32>(members.at + <usize>i * RECORD_BYTES, RECORD_PAYLOAD);
}

/** Lists the callers and callees of all members. */
function relate(rest: bool): void {
  relationCount = 0;
  for (let node: u32 = 1; node < nodeCount; node++) {
    const index = indexOf(node);
    const caller = indexOf(load<u32>(treeParent + ((<usize>node) << 2)));
    const member = load<u32>(memberOf.at + ((<usize>index) << 2));
    const callerMember = load<u32>(memberOf.at + ((<usize>caller) << 2));
    if ((member | callerMember) === 0) continue;
    const own = load<i64>(totalAt + ((<usize>node) << 3));
    const base = baseValueOf(node, true, rest);
    if (own !== 0) relateNode(member, caller, callerMember, index, 0, own);
    if (base !== 0) relateNode(member, caller, callerMember, index, OF_BASE, base);
  }
  sortRecords(relations.at, relationCount);
  const starts = lists.fit((<usize>memberCount * LISTS + 1) << 2);
  let list: u32 = 0;
  let kept: u32 = 0;
  for (let i: u32 = 0; i < relationCount; i++) {
    const p = relations.at + <usize>i * RECORD_BYTES;
    const to = relations.at + <usize>kept * RECORD_BYTES;
    const before = to - RECORD_BYTES;
    if (kept !== 0 && load<u64>(before) === load<u64>(p)) {
      store<i64>(before, load<i64>(before, RECORD_PAYLOAD) + load<i64>(p, RECORD_PAYLOAD), RECORD_PAYLOAD);
      continue;
    }
    for (; list <= <u32>(load<u64>(p) >> LIST_SHIFT); list++) store<u32>(starts + ((<usize>list) << 2), kept);
    memory.copy(to, p, RECORD_BYTES);
    kept++;
  }
  for (; list <= memberCount * LISTS; list++) store<u32>(starts + ((<usize>list) << 2), kept);
}

function relateNode(member: u32, caller: u32, callerMember: u32, index: u32, side: u32, weight: i64): void {
  if (member !== 0) addRelation(relation(member, side, caller), weight);
  if (callerMember !== 0) addRelation(relation(callerMember, side | CALLEES, index), weight);
}

function addRelation(key: u64, weight: i64): void {
  putRecord(relations, relationCount, key, weight);
  relationCount++;
}

/** Key of a relation of a member (+ 1) to the function with this index. */
function relation(member: u32, list: u32, index: u32): u64 {
  const family = load<u32>(familyOf.at + ((<usize>index) << 2));
  return ((<u64>((member - 1) * LISTS + list)) << LIST_SHIFT) | (family !== 0 ? NUMBERED | family : index);
}

function startOf(list: u32): usize {
  return relations.at + <usize>load<u32>(lists.at + ((<usize>list) << 2)) * RECORD_BYTES;
}

/** Whether the heaviest record of one list of the last call was in the other, too, or both were empty. */
let isHeaviestCommon: bool = false;

/** Part of the functions in either list that both have, from 0 to 1; 1 if both are empty. */
function likeness(a: u32, b: u32): f64 {
  let p = startOf(a);
  let q = startOf(b);
  const pEnd = startOf(a + 1);
  const qEnd = startOf(b + 1);
  let all: u32 = 0;
  let common: u32 = 0;
  let heaviest = i64.MIN_VALUE;
  let otherHeaviest = i64.MIN_VALUE;
  let isCommon = false;
  let isOtherCommon = false;
  for (; p < pEnd || q < qEnd; all++) {
    const x: u64 = p < pEnd ? load<u32>(p) : u64.MAX_VALUE;
    const y: u64 = q < qEnd ? load<u32>(q) : u64.MAX_VALUE;
    if (x === y) common++;
    if (x <= y) {
      const weight = load<i64>(p, RECORD_PAYLOAD);
      if (weight > heaviest) isCommon = x === y;
      heaviest = max<i64>(weight, heaviest);
      p += RECORD_BYTES;
    }
    if (y <= x) {
      const weight = load<i64>(q, RECORD_PAYLOAD);
      if (weight > otherHeaviest) isOtherCommon = x === y;
      otherHeaviest = max<i64>(weight, otherHeaviest);
      q += RECORD_BYTES;
    }
  }
  isHeaviestCommon = all === 0 || isCommon || isOtherCommon;
  return all === 0 ? 1 : <f64>common / <f64>all;
}

/** Makes the pairs of the family that begins with member `first`; returns the member after it. */
function pairFamily(first: u32): u32 {
  let end = first + 1;
  while (end < memberCount && familyAt(end) === familyAt(first)) end++;
  if (end - first > MOST_MEMBERS) return end;
  let count: u32 = 0;
  for (let a = first; a < end; a++) {
    for (let b = first; b < end; b++) {
      if (!isOn(a, OF_BASE) || !isOn(b, 0)) continue;
      const unlikeness = unlike(a, b);
      if (unlikeness === 0) continue;
      putRecord(candidates, count++, ((<u64>unlikeness) << 32) | <u64>((a - first) << 16) | (b - first), 0);
    }
  }
  sortRecords(candidates.at, count);
  let isMoved = false;
  for (let i: u32 = 0; i < count; i++) {
    const both = load<u32>(candidates.at + <usize>i * RECORD_BYTES);
    const a = first + (both >> 16);
    const b = first + (both & 0xffff);
    if (isTaken(a, OF_BASE) || isTaken(b, 0)) continue;
    take(a, OF_BASE);
    take(b, 0);
    if (a === b) continue;
    isMoved = true;
    setPartner(nameOfMember(a), nameOfMember(b));
    store<u32>(former.at + ((<usize>nameOfMember(b)) << 2), nameOfMember(a) + 1);
  }
  for (let a = first; a < end; a++) {
    if (!isOn(a, OF_BASE) || isTaken(a, OF_BASE)) continue;
    // The selection's function of this name is in another pair, or is other code.
    if (isTaken(a, 0) || (isOn(a, 0) && isMoved)) setPartner(nameOfMember(a), names + nameOfMember(a));
  }
  return end;
}

function setPartner(index: u32, to: u32): void {
  store<u32>(partner.at + ((<usize>index) << 2), to);
  isAnyOther = true;
}

/** Every node of a member has a caller. */
function isOn(member: u32, side: u32): bool {
  const list = member * LISTS + side;
  return startOf(list) !== startOf(list + 1);
}

function isTaken(member: u32, side: u32): bool {
  return (load<u8>(taken.at + member) & (1 << side)) !== 0;
}

function take(member: u32, side: u32): void {
  store<u8>(taken.at + member, load<u8>(taken.at + member) | (1 << (<u8>side)));
}

/** How unlike two members are, the baseline's and the selection's: 1 and more; 0 if they are no pair. */
function unlike(a: u32, b: u32): u32 {
  const base = a * LISTS + OF_BASE;
  const own = b * LISTS;
  const callers = likeness(base, own);
  if (callers === 0) return 0;
  const callees = likeness(base | CALLEES, own | CALLEES);
  if (!isHeaviestCommon) return 0;
  return 1 + <u32>((4 - (callees * 2 + callers + (a === b ? 1 : 0))) * LIKE);
}
