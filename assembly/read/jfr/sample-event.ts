/**
 * The event row of the store that an observation of the open chunk feeds: that of its catalogue row, or of the same name
 * under the chunk's sampling period (store/periods.ts). Found when the first observation comes, and kept per chunk:
 *
 *   rows   u32 per row of the catalogue: event row + 1; 0 = not found yet
 *
 * Settings may come after the first samples of their chunk. Where none was read by then, all that the chunk has are looked
 * for in a scan of its events, once.
 */

import * as Diagnostic from "../../abi/jfr-diagnostic";
import { diagnose } from "../../store/diagnostics";
import { crowded, eventOfPeriod, hasFlag } from "../../store/periods";
import { ProfileFlag, profileOfEvent } from "../../store/profiles";
import { overrun, position, readInt, readLong, seek } from "./cursor";
import { Plan, PlanKind } from "./event-plan";
import { chunkEnd, chunkStart, HEADER_BYTES } from "./header";
import { CLASS_EVENT_PLAN, classAt, classOf, isClass } from "./metadata";
import { chunkPeriod, isStated } from "./periods";
import { fuel, lendFuel, read, restoreFuel } from "./plan";
import { readConfig, readPeriod } from "./settings";

/** MAX_EVENTS entries. */
const rows: usize = memory.data(256 * 4, 4);
let isScanned: bool = false;

/** A chunk begins. */
export function beginSampleEvents(): void {
  memory.fill(rows, 0, 256 * 4);
  isScanned = false;
}

/** The event row for an observation of this row of the catalogue, at `offset`. The cursor and the slots may be others after it. */
export function sampleEvent(row: u32, offset: u64): u32 {
  const known = load<u32>(rows + ((<usize>row) << 2));
  return known !== 0 ? known - 1 : findEvent(row, offset);
}

function findEvent(row: u32, offset: u64): u32 {
  const profile = profileOfEvent(row);
  let event = row;
  if (hasFlag(profile, ProfileFlag.Sampled)) {
    if (!isStated(profile) && !isScanned) scanSettings();
    event = eventOfPeriod(row, chunkPeriod(profile));
    if (crowded) diagnose(Diagnostic.PeriodsMany, offset, chunkPeriod(profile));
  }
  store<u32>(rows + ((<usize>row) << 2), event + 1);
  return event;
}

/** Takes the periods from all settings of the chunk. */
function scanSettings(): void {
  isScanned = true;
  const left = lendFuel(<u32>(chunkEnd - chunkStart));
  readSettings();
  restoreFuel(left);
}

function readSettings(): void {
  let p = chunkStart + HEADER_BYTES;
  while (p < chunkEnd && fuel >= 0) {
    seek(p, chunkEnd);
    const size = readInt();
    const next = p + size;
    const cls = classOf(readLong());
    if (overrun || size > <u32>(chunkEnd - p) || next < position()) return;
    if (isClass(cls)) readPeriods(<usize>load<u32>(classAt(cls), CLASS_EVENT_PLAN), p, next);
    p = next;
  }
}

/** Takes the periods from the event at `p`, if one of its plans is for settings. */
function readPeriods(first: usize, p: usize, next: usize): void {
  for (let at = first; at !== 0; ) {
    const plan = changetype<Plan>(at);
    at = plan.next;
    if (plan.kind !== PlanKind.Config && plan.kind !== PlanKind.Setting) continue;
    seek(p, next);
    readInt();
    readLong();
    if (!read(plan.ops)) continue;
    if (plan.kind === PlanKind.Config) readConfig(plan);
    else readPeriod(plan);
  }
}
