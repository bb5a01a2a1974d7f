/**
 * The event row of the store that an observation of the open chunk feeds: that of its catalogue row, or of the same
 * name under the chunk's sampling period (store/periods.ts). Found when the first observation comes, and kept per
 * chunk:
 *
 *   rows   u32 per row of the catalogue: event row + 1; 0 = not found yet
 *
 * Settings may come after the first samples of their chunk. A period that was not read by then is looked for in a scan
 * of the chunk's events, which ends at the setting and goes on from there when another period is looked for.
 */

import * as Diagnostic from "../../abi/jfr-diagnostic";
import { diagnose } from "../../store/diagnostics";
import { crowded, eventOfPeriod, hasFlag } from "../../store/periods";
import { ProfileFlag, profileOfEvent } from "../../store/profiles";
import { compressed, overrun, position, readInt, readLong, seek, varLong } from "./cursor";
import { Plan, PlanKind } from "./event-plan";
import { chunkEnd, chunkStart, HEADER_BYTES } from "./header";
import { CLASS_EVENT_PLAN, classAt, classOf, isClass } from "./metadata";
import { chunkPeriod, isStated } from "./periods";
import { fuel, lendFuel, read, restoreFuel } from "./plan";
import { readConfig, readPeriod } from "./settings";

/** MAX_EVENTS entries. */
const rows: usize = memory.data(256 * 4, 4);
/** Where the scan goes on. */
let ahead: usize = 0;

/** A chunk begins. */
export function beginSampleEvents(): void {
  memory.fill(rows, 0, 256 * 4);
  ahead = chunkStart + HEADER_BYTES;
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
    if (!isStated(profile)) lookAhead(profile);
    event = eventOfPeriod(row, chunkPeriod(profile));
    if (crowded) diagnose(Diagnostic.PeriodsMany, offset, chunkPeriod(profile));
  }
  store<u32>(rows + ((<usize>row) << 2), event + 1);
  return event;
}

/** Looks for the period of this profile in the settings of the chunk. */
function lookAhead(profile: u32): void {
  const left = lendFuel(<u32>(chunkEnd - chunkStart));
  while (ahead < chunkEnd && fuel >= 0 && !isStated(profile)) {
    seek(ahead, chunkEnd);
    const size = readInt();
    const next = ahead + size;
    const type = compressed ? varLong() : readLong();
    if (overrun || size > <u32>(chunkEnd - ahead) || next < position()) {
      ahead = chunkEnd;
      break;
    }
    const cls = classOf(type);
    const plans = isClass(cls) ? <usize>load<u32>(classAt(cls), CLASS_EVENT_PLAN) : 0;
    if (plans !== 0) readPeriods(plans, ahead, next);
    ahead = next;
  }
  restoreFuel(left);
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
