/**
 * The event row of the store that an observation of the open chunk feeds: that of its catalogue row, or of the same
 * name under the chunk's sampling period (store/periods.ts). Looked up at the first observation, and kept per chunk:
 *
 *   rows   u32 per row of the catalogue: event row + 1; 0 = not found yet
 *
 * Settings may come after the first samples of their chunk. A period that was not read by then is looked for in a scan
 * of the chunk's events, which ends at the setting and continues there for the next missing period.
 */

import * as Diagnostic from "../../abi/formats/jfr";
import * as ProfileRow from "../../abi/rows/profile-row";
import { sliceSize } from "../../memory/slice";
import { apart, Deferred, defer } from "../../store/apart";
import { diagnose } from "../../store/diagnostics";
import { crowded, eventOfPeriod, hasFlag } from "../../store/periods";
import { eventOf, NO_ROW, profileOf } from "../../store/profile-lookup";
import { eventAt, MAX_EVENTS, ProfileFlag, profileOfEvent, Shape } from "../../store/profiles";
import { internText } from "../../store/tables";
import { filtered } from "../wanted";
import { routedRow, rowAt, rowCount } from "./catalogue";
import { compressed, overrun, position, readInt, readLong, seek, varLong } from "./cursor";
import { Plan, PlanKind } from "./event-plan";
import { chunkEnd, chunkStart, HEADER_BYTES } from "./header";
import { classAt, classOf, isClass } from "./metadata";
import { chunkPeriod, hasSettings, isStated, Mode, mode, modeText } from "./periods";
import { fuel, lendFuel, read, restoreFuel } from "./plan";
import * as CatalogueRow from "./rows/catalogue-row";
import * as ClassRow from "./rows/class-row";
import { readConfig, readPeriod } from "./settings";

/** MAX_EVENTS entries. */
const rows: usize = memory.data(<i32>MAX_EVENTS * 4, 4);
/** Where the scan continues. */
let ahead: usize = 0;
/** A byte per type id of at most two bytes: 1 = the scan has met the type, and it has no setting. */
const others: usize = memory.data(1 << 14);

/** A chunk begins. */
export function beginSampleEvents(): void {
  keptOut = false;
  memory.fill(rows, 0, MAX_EVENTS * 4);
  ahead = chunkStart + HEADER_BYTES;
  memory.fill(others, 0, 1 << 14);
}

/**
 * The event row for an observation of this row of the catalogue, at `offset`. The cursor and the slots may be others
 * after it.
 */
export function sampleEvent(row: u32, offset: u64): u32 {
  const known = load<u32>(rows + ((<usize>row) << 2));
  return known !== 0 ? known - 1 : findEvent(row, offset);
}

function findEvent(row: u32, offset: u64): u32 {
  const profile = profileOfEvent(row);
  let event = row;
  if (hasFlag(profile, ProfileFlag.Sampled)) {
    if (isModed(row)) lookForMode();
    if (!isStated(profile)) lookAhead(profile);
    if (apart) defer(Deferred.Period, row, offset, 0);
    else event = eventNow(row, offset);
  }
  store<u32>(rows + ((<usize>row) << 2), event + 1);
  return event;
}

/** The event row by the period that is known now; row `row` is of a sampled profile. */
export function eventNow(row: u32, offset: u64): u32 {
  const isWall = mode === Mode.Wall && isModed(row);
  const to = isWall ? routedRow(row) : row;
  const period = chunkPeriod(profileOfEvent(to));
  const isOther = mode === Mode.Other && isModed(row);
  const event = isOther ? eventOfMode(row, period) : eventOfPeriod(to, period);
  if (event === NO_ROW || (!isOther && crowded)) diagnose(Diagnostic.PeriodsMany, offset, period);
  return event === NO_ROW ? row : event;
}

/** The event row of another event than time: its samples, whose period counts the event. NO_ROW without room. */
function eventOfMode(row: u32, period: i64): u32 {
  const kind = period === 0 ? 0 : modeText;
  const profile = profileOf(modeText, internText("samples"), kind, kind === 0 ? 0 : internText("count"), period, 0, 0);
  if (profile === NO_ROW) return NO_ROW;
  return eventOf(profile, load<u32>(eventAt(row), ProfileRow.EVENT_NAME), Shape.ValuesAndTimes, false);
}

/** Whether the mode of the chunk decides what samples of this row of the catalogue are. */
export function isModed(row: u32): bool {
  return row < rowCount && sliceSize(rowAt(row) + CatalogueRow.WHERE) !== 0;
}

/** The chunk's mode is not known, and samples were kept out that it may include. */
export let keptOut: bool = false;

/** Finds the mode before the first sample that depends on it; `isStated`: the chunk's pools route wall samples. */
export function findMode(isStated: bool): void {
  lookForMode();
  if (apart && filtered && !hasSettings && !isStated) keptOut = true;
}

/** Looks for the chunk's mode: in the first settings, which are one after the other. */
function lookForMode(): void {
  if (!hasSettings) lookAhead(NO_ROW);
}

/** Looks for the period of this profile in the settings of the chunk, or with NO_ROW for its mode. */
function lookAhead(profile: u32): void {
  const left = lendFuel(<u32>(chunkEnd - chunkStart));
  const forMode = profile === NO_ROW;
  while (ahead < chunkEnd && fuel >= 0 && !(forMode ? hasSettings && modeText !== 0 : isStated(profile))) {
    if (!(forMode && hasSettings)) ahead = passOthers(ahead);
    if (ahead === chunkEnd) break;
    seek(ahead, chunkEnd);
    const size = readInt();
    const next = ahead + size;
    const type = compressed ? varLong() : readLong();
    if (overrun || size > <u32>(chunkEnd - ahead) || next < position()) {
      ahead = chunkEnd;
      break;
    }
    const plan = settingPlan(type);
    if (plan !== 0) readPeriods(plan, ahead, next);
    else if (forMode && hasSettings) break;
    else if (type < 1 << 14) store<u8>(others + <usize>type, 1);
    ahead = next;
  }
  restoreFuel(left);
}

/** The first plan of an event type that is for settings; 0 if there is no such plan. */
function settingPlan(type: u64): usize {
  const cls = classOf(type);
  let at = isClass(cls) ? <usize>load<u32>(classAt(cls), ClassRow.EVENT_PLAN) : 0;
  while (at !== 0 && !isForSettings(changetype<Plan>(at).kind)) at = changetype<Plan>(at).next;
  return at;
}

function isForSettings(kind: PlanKind): bool {
  return kind === PlanKind.Config || kind === PlanKind.Setting;
}

/**
 * Passes events of types that are known to have no setting, as far as they are written as the JDK does: the size as a
 * varint of 1 or 4 bytes, the type as one of 1 or 2. Most events of a chunk are of few types, so they cost a dozen
 * instructions here.
 */
function passOthers(from: usize): usize {
  let p = from;
  if (!compressed) return p;
  while (p + 8 <= chunkEnd) {
    let head = load<u64>(p);
    let size = head & 0x7f;
    if ((head & 0x80) === 0) head >>= 8;
    else if ((head & 0x80808080) !== 0x00808080) break;
    else {
      size |= ((head >> 1) & 0x3f80) | ((head >> 2) & 0x1f_c000) | ((head >> 3) & 0xfe0_0000);
      head >>= 32;
    }
    const type = head & 0x80 ? (head & 0x7f) | ((head >> 1) & 0x3f80) : head & 0x7f;
    const isLong = (head & 0x8080) === 0x8080;
    if (isLong || load<u8>(others + <usize>type) === 0 || size < 6 || size > <u64>(chunkEnd - p)) break;
    p += <usize>size;
  }
  return p;
}

/** Takes the periods from the event at `p`, by this plan and those after it. */
function readPeriods(first: usize, p: usize, next: usize): void {
  for (let at = first; at !== 0; ) {
    const plan = changetype<Plan>(at);
    at = plan.next;
    if (!isForSettings(plan.kind)) continue;
    seek(p, next);
    readInt();
    readLong();
    if (!read(plan.ops)) continue;
    if (plan.kind === PlanKind.Config) readConfig(plan);
    else readPeriod(plan);
  }
}
