/**
 * Context that the host inferred: the observations that it claims are moved to samples with the claimed link, which are
 * marked with the attributes `spanflame.context` and `spanflame.context.rule`.
 *
 *   page    columns of noted observations: start f64, end f64 (ns after a base), span u64, root u64, observation u32,
 *           thread u32, stack u32, event u32, own u32; row i of a column of size s is at offset × rows + i × s
 *   claim   | observation u32 | rule u32 | root u64 | span u64 |             24 bytes; rules: abi/context-rule.ts
 */

import * as ContextRule from "../abi/context-rule";
import * as ContextRow from "../abi/rows/context-row";
import * as ValueKind from "../abi/value-kind";
import { Buffer, ownBuffer } from "../memory/buffer";
import { onReset } from "../memory/resets";
import { notedRows } from "./contexts";
import { CONTEXT_KEY, CONTEXT_RULE_KEY, INFERRED } from "./keys";
import { BLOCK_ROWS, OBSERVATION_BYTES, OBSERVATION_SAMPLE } from "./observation-row";
import {
  moveObservation,
  observationBlock,
  observationCount,
  SAMPLE_EVENT,
  SAMPLE_LINK,
  SAMPLE_SET,
  SAMPLE_STACK,
  SAMPLE_THREAD,
  sampleAt,
} from "./samples";
import { internAttribute, internRootLink, internText, LINK_SPAN, links, localRootOf, sets } from "./tables";

/** Writes noted observations [from, to) to `out`. One that was not kept, because memory ran out, has thread 0. */
export function notedPage(from: u32, to: u32, base: i64, out: usize): void {
  const n = to - from;
  let p = notedRows() + <usize>from * ContextRow.NOTED_BYTES;
  for (let i: u32 = 0; i < n; i++, p += ContextRow.NOTED_BYTES) {
    const observation = load<u32>(p, ContextRow.NOTED_OBSERVATION);
    const sample = sampleAt(observation < observationCount ? sampleOf(observation) : 0);
    const link = load<u32>(sample, SAMPLE_LINK);
    const long = out + ((<usize>i) << 3);
    const word = out + ((<usize>i) << 2);
    store<f64>(long + <usize>(ContextRow.PAGE_START * n), <f64>(load<i64>(p, ContextRow.NOTED_START) - base));
    store<f64>(long + <usize>(ContextRow.PAGE_END * n), <f64>(load<i64>(p, ContextRow.NOTED_END) - base));
    store<u64>(long + <usize>(ContextRow.PAGE_SPAN * n), links.get64(link, LINK_SPAN));
    store<u64>(long + <usize>(ContextRow.PAGE_ROOT * n), localRootOf(link));
    store<u32>(word + <usize>(ContextRow.PAGE_OBSERVATION * n), observation);
    store<u32>(word + <usize>(ContextRow.PAGE_THREAD * n), load<u32>(sample, SAMPLE_THREAD));
    store<u32>(word + <usize>(ContextRow.PAGE_STACK * n), load<u32>(sample, SAMPLE_STACK));
    store<u32>(word + <usize>(ContextRow.PAGE_EVENT * n), load<u32>(sample, SAMPLE_EVENT));
    store<u32>(word + <usize>(ContextRow.PAGE_OWN * n), load<u32>(p, ContextRow.NOTED_OWN));
  }
}

/** The attribute set of a claim. */
const set: Buffer = ownBuffer(64);

/** The attribute that marks samples with inferred context; 0 while there are none. */
let mark: u32 = 0;

onReset((): void => {
  mark = 0;
});

/** Moves the observations of `n` claims at `p`; returns how many had no context before, which are those that moved. */
export function inferContexts(p: usize, n: u32): u32 {
  mark = internAttribute(internText(CONTEXT_KEY), ValueKind.Text, internText(INFERRED));
  const key = internText(CONTEXT_RULE_KEY);
  let moved: u32 = 0;
  for (let i: u32 = 0; i < n; i++, p += ContextRow.CLAIM_BYTES) {
    const observation = load<u32>(p, ContextRow.CLAIM_OBSERVATION);
    const row = observation < observationCount ? sampleOf(observation) : 0;
    if (row === 0 || load<u32>(sampleAt(row), SAMPLE_LINK) !== 0) continue;
    const link = internRootLink(load<u64>(p, ContextRow.CLAIM_ROOT), load<u64>(p, ContextRow.CLAIM_SPAN));
    set.size = 0;
    addSet(set, load<u32>(sampleAt(row), SAMPLE_SET));
    insert(set, mark);
    insert(set, internAttribute(key, ValueKind.Text, nameOf(load<u32>(p, ContextRow.CLAIM_RULE))));
    const marked = sets.intern(set.at, set.size);
    const q = sampleAt(row);
    const event = load<u32>(q, SAMPLE_EVENT);
    moveObservation(observation, event, load<u32>(q, SAMPLE_STACK), link, load<u32>(q, SAMPLE_THREAD), marked);
    moved++;
  }
  return moved;
}

/** Whether any sample has inferred context. */
export function hasInferred(): bool {
  return mark !== 0;
}

/** Whether samples with this attribute set have inferred context. */
export function isInferred(row: u32): bool {
  if (mark === 0 || row === 0) return false;
  const end = sets.pointer(row) + sets.size(row);
  for (let p = sets.pointer(row); p < end; p += 4) if (load<u32>(p) === mark) return true;
  return false;
}

/** String of a rule's name. */
function nameOf(rule: u32): u32 {
  if (rule === ContextRule.Scope) return internText("scope");
  return internText(rule === ContextRule.Trace ? "trace" : "neighbours");
}

function sampleOf(observation: u32): u32 {
  const block = observationBlock(observation / BLOCK_ROWS);
  return load<u32>(block + <usize>(observation % BLOCK_ROWS) * OBSERVATION_BYTES, OBSERVATION_SAMPLE);
}

function addSet(to: Buffer, row: u32): void {
  if (row !== 0) to.bytes(sets.pointer(row), sets.size(row));
}

/** Keeps the set ascending. */
function insert(to: Buffer, attribute: u32): void {
  to.need(4);
  let p = to.at + to.size;
  while (p > to.at && load<u32>(p - 4) > attribute) {
    store<u32>(p, load<u32>(p - 4));
    p -= 4;
  }
  store<u32>(p, attribute);
  to.size += 4;
}
