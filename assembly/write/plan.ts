/**
 * The plan of a message, from the host (src/core/writing/write-plan.ts packs it). An output is a Profile of the
 * message: a profile of the store, or its second measure, under the names that the chosen preset gives it.
 *
 *   u32 n · output^n       output    := u32 profile · u32 measure · u32 flags · u64 scale · i64 period ·
 *                                       type · unit · period type · period unit · label
 *   u32 n · attribute^n    attribute := key · u32 kind · u64 number · text           of the Resource; of an encoded
 *                                                                                    value the text is its bytes
 *   u32 n · key^n                                                                    no Resource has these
 *   u32 n · u32 total · process^n      process := u32 n · attribute^n               of the Resource of each process
 *   payload format · u64 payload bytes                                   text := u32 size · bytes
 *   u32 n ≤ 1 · range^n          range     := u64 from · u64 to · u32 first · u32 last
 *   u32 n ≤ 1 · tree^n           tree      := abi/shown-tree.ts · text^made    for formats with shown stacks
 *   u32 numbering                1: rows are numbered by their first use (columns.ts)
 *
 * Outputs of the same measure and scale are a layer: their samples are written in one pass over the observations, so
 * two outputs of a layer must be of different profiles. Every profile that has selected samples has an output. A range
 * takes the observations from `from` on and before `to`, unsigned ns since 1970, of those numbered [first, last).
 */

import * as ShownTree from "../abi/shown-tree";
import * as ValueKind from "../abi/value-kind";
import * as WritePlan from "../abi/write-plan";
import { alloc, release } from "../memory/arena";
import { onGiveUp } from "../memory/resets";
import { Measure, secondMeasure } from "../store/measure";
import { periodOf } from "../store/periods";
import { eventCount, familyOf, profileOfEvent } from "../store/profiles";
import * as AttributeRow from "../store/rows/attribute-row";
import * as SampleRow from "../store/rows/sample-row";
import { addAttribute, addEncoded, addString, attributeWord } from "./added";
import { beginMarks } from "./columns";
import { scratch } from "./output";
import * as OutputRow from "./output-row";

/*
 *   | profile | measure | flags | layer | scale u64 | period i64 | type | unit | period type | period unit |
 *   | label | run |                                                                                        56 bytes
 */

let outputs: usize = 0;
export let outputCount: u32 = 0;
export let layerCount: u32 = 0;

/** Attribute rows of the Resource. */
let resource: usize = 0;
export let resourceCount: u32 = 0;
/** Strings: keys that are left out of every Resource. */
let leftOut: usize = 0;
let leftOutCount: u32 = 0;
/** The attributes of all processes, one process after the other, and where those of each end; u32 each. */
let processAttributes: usize = 0;
let processEnds: usize = 0;
let processes: u32 = 0;

/** `original_payload_format`; 0 where no payload is included. */
export let payloadFormat: u32 = 0;
export let payloadBytes: u64 = 0;

/** Whether only the observations of a range are written, and that range. */
export let ranged: bool = false;
export let rangeFrom: u64 = 0;
export let rangeTo: u64 = 0;
export let rangeFirst: u32 = 0;
export let rangeLast: u32 = 0;

/**
 * A call tree in place of the store's stacks (abi/shown-tree.ts), 0 for the store's stacks; a string for each name made
 * by views.
 */
export let shownTree: usize = 0;
let madeStrings: usize = 0;
/*
 *   route   | profile u32 | 0 | factor u64 |     16 bytes per event row
 *
 * The profile whose output has the row's samples, and the factor of their values.
 */
const ROUTE_PROFILE: usize = 0;
const ROUTE_FACTOR: usize = 8;
const ROUTE_BYTES: u32 = 16;
let routes: usize = 0;
/** Some factor is not 1. */
export let timed: bool = false;

let at: usize = 0;
/** What `planRoom` gave, until it is read. */
let room: usize = 0;
let roomBytes: u32 = 0;

/** Room for a plan of `n` bytes, to be filled and handed to a writer, which gives it back. */
export function planRoom(n: u32): usize {
  roomBytes = n;
  room = alloc(n);
  return room;
}

export function outputAt(i: u32): usize {
  return outputs + <usize>i * OutputRow.BYTES;
}

export function resourceAttribute(i: u32): u32 {
  return load<u32>(resource + ((<usize>i) << 2));
}

/** Whether the plan has an attribute of this key for every Resource, or for no Resource. */
export function decidesKey(key: u32): bool {
  for (let i: u32 = 0; i < resourceCount; i++)
    if (attributeWord(resourceAttribute(i), AttributeRow.KEY) === key) return true;
  for (let i: u32 = 0; i < leftOutCount; i++) if (load<u32>(leftOut + ((<usize>i) << 2)) === key) return true;
  return false;
}

/** Reads the plan at `p`. Its texts are added, so this must precede any column over the strings. */
export function readPlan(p: usize): void {
  at = p;
  outputCount = word();
  layerCount = 0;
  outputs = scratch(<u64>outputCount * OutputRow.BYTES);
  for (let i: u32 = 0; i < outputCount; i++) readOutput(outputAt(i), i);
  routeEvents();
  resourceCount = word();
  resource = scratch((<u64>resourceCount) << 2);
  for (let i: u32 = 0; i < resourceCount; i++) store<u32>(resource + ((<usize>i) << 2), readAttribute());
  leftOutCount = word();
  leftOut = scratch((<u64>leftOutCount) << 2);
  for (let i: u32 = 0; i < leftOutCount; i++) store<u32>(leftOut + ((<usize>i) << 2), text());
  readProcesses();
  payloadFormat = text();
  payloadBytes = long();
  readRange();
  readTree();
  beginMarks(word() !== 0);
  dropPlan();
}

function readProcesses(): void {
  processes = word();
  processAttributes = scratch((<u64>word()) << 2);
  processEnds = scratch((<u64>processes + 1) << 2);
  store<u32>(processEnds, 0);
  for (let i: u32 = 0, end: u32 = 0; i < processes; i++) {
    for (let n = word(); n > 0; n--) {
      store<u32>(processAttributes + ((<usize>end) << 2), readAttribute());
      end++;
    }
    store<u32>(processEnds + ((<usize>(i + 1)) << 2), end);
  }
}

function processEnd(process: u32): u32 {
  return load<u32>(processEnds + ((<usize>process) << 2));
}

export function hasProcesses(): bool {
  return processes !== 0;
}

/** How many attributes a process has that not all Resources have. Processes are numbered from 1 on; 0 is none. */
export function processCount(process: u32): u32 {
  return process === 0 ? 0 : processEnd(process) - processEnd(process - 1);
}

export function processAttribute(process: u32, i: u32): u32 {
  return load<u32>(processAttributes + ((<usize>(processEnd(process - 1) + i)) << 2));
}

function readRange(): void {
  ranged = word() !== 0;
  if (!ranged) return;
  rangeFrom = long();
  rangeTo = long();
  rangeFirst = word();
  rangeLast = word();
}

function readTree(): void {
  shownTree = 0;
  if (word() === 0) return;
  shownTree = scratch(ShownTree.BYTES);
  memory.copy(shownTree, at, ShownTree.BYTES);
  at += ShownTree.BYTES;
  const made = load<u32>(shownTree, ShownTree.MADE);
  madeStrings = scratch((<u64>made) << 2);
  for (let row: u32 = 1; row < made; row++) store<u32>(madeStrings + ((<usize>row) << 2), text());
}

/** String of a node's name. */
export function stringOfName(name: u32): u32 {
  return name < ShownTree.MADE_NAME ? name : load<u32>(madeStrings + ((<usize>(name - ShownTree.MADE_NAME)) << 2));
}

/** Gives back what `planRoom` gave. */
function dropPlan(): void {
  release(room, roomBytes);
  room = 0;
}
onGiveUp(dropPlan);

function readOutput(row: usize, i: u32): void {
  const profile = word();
  store<u32>(row, profile, OutputRow.PROFILE);
  store<u32>(row, word() === 0 ? Measure.Value : secondMeasure(profile), OutputRow.MEASURE);
  store<u32>(row, word(), OutputRow.FLAGS);
  store<u64>(row, long(), OutputRow.SCALE);
  store<u64>(row, long(), OutputRow.PERIOD);
  store<u32>(row, text(), OutputRow.TYPE);
  store<u32>(row, text(), OutputRow.UNIT);
  store<u32>(row, text(), OutputRow.PERIOD_TYPE);
  store<u32>(row, text(), OutputRow.PERIOD_UNIT);
  store<u32>(row, text(), OutputRow.LABEL);
  store<u32>(row, 0, OutputRow.RUN);
  store<u32>(row, layerOf(row, i), OutputRow.LAYER);
}

function routeEvents(): void {
  routes = scratch(<u64>eventCount * ROUTE_BYTES);
  timed = false;
  for (let e: u32 = 0; e < eventCount; e++) {
    const route = routes + <usize>e * ROUTE_BYTES;
    const row = profileOfEvent(e);
    store<u32>(route, row, ROUTE_PROFILE);
    store<u64>(route, 1, ROUTE_FACTOR);
    for (let i: u32 = 0; i < outputCount; i++) {
      const output = outputAt(i);
      const flags = load<u32>(output, OutputRow.FLAGS);
      if ((flags & WritePlan.OUTPUT_JOINED) === 0 || load<u32>(output, OutputRow.PROFILE) !== familyOf(row)) continue;
      store<u32>(route, familyOf(row), ROUTE_PROFILE);
      if ((flags & WritePlan.OUTPUT_TIMED) === 0) continue;
      store<i64>(route, periodOf(row), ROUTE_FACTOR);
      timed = true;
    }
  }
}

/** The profile whose output has the samples of event row `event`. */
export function writtenProfile(event: u32): u32 {
  return load<u32>(routes + <usize>event * ROUTE_BYTES, ROUTE_PROFILE);
}

/** Factor of the values of the sample at `p`, besides the scale of their output. */
export function factorOf(p: usize): u64 {
  return load<u64>(routes + <usize>load<u32>(p, SampleRow.EVENT) * ROUTE_BYTES, ROUTE_FACTOR);
}

/** The layer of an earlier output with the same measure and scale, else a new one. */
function layerOf(row: usize, i: u32): u32 {
  for (let k: u32 = 0; k < i; k++) {
    const other = outputAt(k);
    if (load<u32>(other, OutputRow.MEASURE) !== load<u32>(row, OutputRow.MEASURE)) continue;
    if (load<u64>(other, OutputRow.SCALE) === load<u64>(row, OutputRow.SCALE)) return load<u32>(other, OutputRow.LAYER);
  }
  return layerCount++;
}

function readAttribute(): u32 {
  const key = text();
  const kind = word();
  const number = long();
  if (kind === <u32>ValueKind.Encoded) {
    const n = word();
    at += n;
    return addAttribute(key, kind, addEncoded(at - n, n));
  }
  const string = text();
  return addAttribute(key, kind, kind === <u32>ValueKind.Text ? string : number);
}

/** Whether the output says its period: type and period together or neither. */
export function hasPeriod(output: usize): bool {
  return load<u32>(output, OutputRow.PERIOD_TYPE) !== 0 && load<i64>(output, OutputRow.PERIOD) > 0;
}

function word(): u32 {
  const v = load<u32>(at);
  at += 4;
  return v;
}

function long(): u64 {
  const v = load<u64>(at);
  at += 8;
  return v;
}

function text(): u32 {
  const n = word();
  const s = addString(at, n);
  at += n;
  return s;
}
