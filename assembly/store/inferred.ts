/**
 * Context that the host inferred: the observations that it claims are moved to samples with the claimed link, which are
 * marked with the attributes `spanflame.context` and `spanflame.context.rule`.
 *
 *   page    columns of noted observations: start f64, end f64 (ns after a base), span u64, root u64, observation u32,
 *           thread u32, stack u32, event u32, own u32; row i of a column of size s is at offset × rows + i × s
 *   claim   | observation u32 | rule u32 | root u64 | span u64 | trace u64 × 2 | set u32 | 0 |          48 bytes
 *
 * Rules: abi/context-rule.ts.
 */

import * as ContextRule from "../abi/context-rule";
import * as Limits from "../abi/limits";
import * as ContextRow from "../abi/rows/context-row";
import * as ValueKind from "../abi/value-kind";
import { Buffer, ownBuffer } from "../memory/buffer";
import { onReset } from "../memory/resets";
import { notedRows } from "./contexts";
import { CONTEXT_KEY, CONTEXT_RULE_KEY, INFERRED } from "./keys";
import * as AttributeRow from "./rows/attribute-row";
import * as LinkRow from "./rows/link-row";
import * as ObservationRow from "./rows/observation-row";
import * as SampleRow from "./rows/sample-row";
import { moveObservation, observationBlock, observationCount, sampleAt } from "./samples";
import {
  attributes,
  internAttribute,
  internLink,
  internRootLink,
  internText,
  LinkOrigin,
  links,
  localRootOf,
  sets,
  traceWord,
} from "./tables";

/** Writes noted observations [from, to) to `out`. One that was not kept, because memory ran out, has thread 0. */
export function notedPage(from: u32, to: u32, base: i64, out: usize): void {
  const n = to - from;
  let p = notedRows() + <usize>from * ContextRow.NOTED_BYTES;
  for (let i: u32 = 0; i < n; i++, p += ContextRow.NOTED_BYTES) {
    const observation = load<u32>(p, ContextRow.NOTED_OBSERVATION);
    const sample = sampleAt(observation < observationCount ? sampleOf(observation) : 0);
    const link = load<u32>(sample, SampleRow.LINK);
    const long = out + ((<usize>i) << 3);
    const word = out + ((<usize>i) << 2);
    store<f64>(long + <usize>(ContextRow.PAGE_START * n), <f64>(load<i64>(p, ContextRow.NOTED_START) - base));
    store<f64>(long + <usize>(ContextRow.PAGE_END * n), <f64>(load<i64>(p, ContextRow.NOTED_END) - base));
    store<u64>(long + <usize>(ContextRow.PAGE_SPAN * n), links.get64(link, LinkRow.SPAN));
    store<u64>(long + <usize>(ContextRow.PAGE_ROOT * n), localRootOf(link));
    store<u32>(word + <usize>(ContextRow.PAGE_OBSERVATION * n), observation);
    store<u32>(word + <usize>(ContextRow.PAGE_THREAD * n), load<u32>(sample, SampleRow.THREAD));
    store<u32>(word + <usize>(ContextRow.PAGE_STACK * n), load<u32>(sample, SampleRow.STACK));
    store<u32>(word + <usize>(ContextRow.PAGE_EVENT * n), load<u32>(sample, SampleRow.EVENT));
    store<u32>(word + <usize>(ContextRow.PAGE_OWN * n), load<u32>(p, ContextRow.NOTED_OWN));
  }
}

/** The attribute set that is made. */
const set: Buffer = ownBuffer(64);

/** The attribute that marks samples with inferred context, and that of contextual fields alone; 0 before the first. */
let mark: u32 = 0;
let fieldsOnly: u32 = 0;
/** The last sets and rule, and the set that they became + 1. */
let lastSet: u32 = 0;
let lastMore: u32 = 0;
let lastRule: u32 = 0;
let lastMarked: u32 = 0;

onReset((): void => {
  mark = 0;
  fieldsOnly = 0;
  lastMarked = 0;
});

/** Moves the observations of `n` claims at `p`; returns how many moved. With an own link, only attributes are added. */
export function inferContexts(p: usize, n: u32): u32 {
  mark = internAttribute(internText(CONTEXT_KEY), ValueKind.Text, internText(INFERRED));
  fieldsOnly = ruleAttribute(ContextRule.Contextual);
  lastMarked = 0;
  let moved: u32 = 0;
  for (let i: u32 = 0; i < n; i++, p += ContextRow.CLAIM_BYTES) {
    const observation = load<u32>(p, ContextRow.CLAIM_OBSERVATION);
    const rule = load<u32>(p, ContextRow.CLAIM_RULE);
    const row = observation < observationCount ? sampleOf(observation) : 0;
    if (row === 0) continue;
    const own = load<u32>(sampleAt(row), SampleRow.LINK);
    if (own !== 0 && rule !== ContextRule.Contextual) continue;
    const link = own !== 0 ? own : claimedLink(p);
    const marked = markedSet(load<u32>(sampleAt(row), SampleRow.SET), load<u32>(p, ContextRow.CLAIM_SET), rule);
    const q = sampleAt(row);
    const event = load<u32>(q, SampleRow.EVENT);
    moveObservation(observation, event, load<u32>(q, SampleRow.STACK), link, load<u32>(q, SampleRow.THREAD), marked);
    moved++;
  }
  return moved;
}

function claimedLink(p: usize): u32 {
  const span = load<u64>(p, ContextRow.CLAIM_SPAN);
  const root = load<u64>(p, ContextRow.CLAIM_ROOT);
  const high = load<u64>(p, ContextRow.CLAIM_TRACE_HIGH);
  const low = load<u64>(p, ContextRow.CLAIM_TRACE_LOW);
  if ((root | span | high | low) === 0) return 0;
  if (root !== 0 || (high | low) === 0) return internRootLink(root, span);
  traceWord(high);
  return internLink(high === 0 ? LinkOrigin.Trace64 : LinkOrigin.Trace128, high, low, span);
}

/** The set `row` of a sample with the attributes of the set `more` and the marks. */
function markedSet(row: u32, more: u32, rule: u32): u32 {
  if (lastMarked !== 0 && lastSet === row && lastMore === more && lastRule === rule) return lastMarked - 1;
  begin(row);
  addMissing(more);
  insert(mark);
  insert(ruleAttribute(rule));
  lastSet = row;
  lastMore = more;
  lastRule = rule;
  lastMarked = sets.intern(set.at, set.size) + 1;
  return lastMarked - 1;
}

/** The set of the attributes of two sets; of one key that of `inner`. */
export function mergeSets(inner: u32, outer: u32): u32 {
  begin(inner);
  addMissing(outer);
  return sets.intern(set.at, set.size);
}

/** The set with one more attribute. */
export function setWith(row: u32, attribute: u32): u32 {
  begin(row);
  insert(attribute);
  return sets.intern(set.at, set.size);
}

function begin(row: u32): void {
  set.size = 0;
  if (row !== 0) set.bytes(sets.pointer(row), sets.size(row));
}

/** Adds the attributes of set `row` whose keys are missing, as far as there is room for them and the marks. */
function addMissing(row: u32): void {
  if (row === 0) return;
  const end = sets.pointer(row) + sets.size(row);
  for (let p = sets.pointer(row); p < end && set.size >> 2 < <u32>Limits.MAX_ATTRIBUTES - MARKS; p += 4) {
    const attribute = load<u32>(p);
    if (!hasKey(attributes.get(attribute, AttributeRow.KEY))) insert(attribute);
  }
}

function hasKey(key: u32): bool {
  const end = set.at + set.size;
  for (let p = set.at; p < end; p += 4) if (attributes.get(load<u32>(p), AttributeRow.KEY) === key) return true;
  return false;
}

/** Attributes of a claim: that context is inferred, and by which rule. */
const MARKS: u32 = 2;

/** Whether any sample has inferred context. */
export function hasInferred(): bool {
  return mark !== 0;
}

/** What is inferred, as bits. */
export enum Inferred {
  /** Anything. */
  Any = 1,
  /** The span or the root. */
  Link = 2,
}

/** What is inferred of samples with this attribute set. */
export function inferredOf(row: u32): u32 {
  if (mark === 0 || row === 0) return 0;
  const end = sets.pointer(row) + sets.size(row);
  let bits: u32 = 0;
  for (let p = sets.pointer(row); p < end; p += 4) {
    const attribute = load<u32>(p);
    if (attribute === fieldsOnly) return Inferred.Any;
    if (attribute === mark) bits = Inferred.Any | Inferred.Link;
  }
  return bits;
}

function ruleAttribute(rule: u32): u32 {
  return internAttribute(internText(CONTEXT_RULE_KEY), ValueKind.Text, nameOf(rule));
}

/** String of a rule's name. */
function nameOf(rule: u32): u32 {
  if (rule === ContextRule.Scope) return internText("scope");
  if (rule === ContextRule.Contextual) return internText("contextual");
  return internText(rule === ContextRule.Trace ? "trace" : "neighbours");
}

/** The sample of an observation. */
export function sampleOf(observation: u32): u32 {
  const block = observationBlock(observation / ObservationRow.BLOCK_ROWS);
  return load<u32>(
    block + <usize>(observation % ObservationRow.BLOCK_ROWS) * ObservationRow.BYTES,
    ObservationRow.SAMPLE,
  );
}

/** Keeps the set ascending. */
function insert(attribute: u32): void {
  set.need(4);
  let p = set.at + set.size;
  while (p > set.at && load<u32>(p - 4) > attribute) {
    store<u32>(p, load<u32>(p - 4));
    p -= 4;
  }
  store<u32>(p, attribute);
  set.size += 4;
}
