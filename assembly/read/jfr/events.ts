/**
 * Reader of events: one linear scan over the chunk. An event that has plans is read by each of them; every other event
 * is counted and skipped.
 *
 *   event := size · type id · fields in the order of the metadata
 */

import * as Diagnostic from "../../abi/formats/jfr";
import { diagnose } from "../../store/diagnostics";
import { filtered } from "../wanted";
import { beginAttributes } from "./attribute-set";
import { checkpointAfter } from "./constant-pools";
import { compressed, overrun, position, readInt, readLong, seek, varLong } from "./cursor";
import { readEndpoint } from "./endpoints";
import { Plan, PlanKind } from "./event-plan";
import { readFact } from "./facts";
import { endGates, passEvents, passes } from "./gate";
import { chunkEnd, chunkStart, HEADER_BYTES, offsetOf } from "./header";
import { readIncident, readMeasurement } from "./measurements";
import { addLateClass, classAt, classOf, isClass } from "./metadata";
import { fuel, fuelFloor, read, refuel } from "./plan";
import * as ClassRow from "./rows/class-row";
import { readSample } from "./sample";
import { readScope } from "./scope-reader";
import { readConfig, readSetting } from "./settings";

let at: usize = 0;

/** Starts the scan after the header. */
export function beginEvents(): void {
  at = chunkStart + HEADER_BYTES;
  refuel(<u32>(chunkEnd - chunkStart));
  beginAttributes();
}

/** Bytes of the chunk not yet scanned. */
export function eventBytesLeft(): u32 {
  return <u32>(chunkEnd - at);
}

/** Reads events for about `budget` bytes, or their cost in fuel. True while there is more. */
export function readEvents(budget: u32): bool {
  const stop = budget < <u32>(chunkEnd - at) ? at + budget : chunkEnd;
  const floor = fuelFloor(budget);
  let p = at;
  while (p < stop && fuel > floor) {
    if (filtered) {
      p = passEvents(p, stop);
      if (p >= stop) break;
    }
    seek(p, chunkEnd);
    const size = readInt();
    const next = p + size;
    const type = compressed ? varLong() : readLong();
    // Neither beyond the chunk nor inside its own size and type: reading would go astray either way.
    if (overrun || size > <u32>(chunkEnd - p) || next < position()) {
      diagnose(Diagnostic.EventSize, offsetOf(p), size);
      const checkpoint = checkpointAfter(p);
      p = checkpoint !== 0 ? checkpoint : chunkEnd;
      continue;
    }
    if (type > 1) {
      let cls = classOf(type);
      if (!isClass(cls)) {
        cls = addLateClass(type);
        diagnose(isClass(cls) ? Diagnostic.EventLate : Diagnostic.EventUndefined, offsetOf(p), <i64>type);
      }
      if (isClass(cls)) {
        const c = classAt(cls);
        store<u32>(c, load<u32>(c, ClassRow.EVENTS) + 1, ClassRow.EVENTS);
        const first = <usize>load<u32>(c, ClassRow.EVENT_PLAN);
        if (first !== 0) {
          const plan = changetype<Plan>(first);
          seek(position(), next);
          if (plan.kind === PlanKind.Gate) readGated(plan, p, next, type);
          else readEvent(plan, p, type);
          const more = plan.next;
          if (more !== 0) readAgain(more, p, next, type);
          if (fuel < 0) {
            diagnose(Diagnostic.TooComplex, offsetOf(p), 0);
            at = chunkEnd;
            endGates();
            return false;
          }
        }
      }
    }
    p = next;
  }
  at = p;
  if (p < chunkEnd) return true;
  endGates();
  return false;
}

/** The other plans of the event at `p`. */
function readAgain(first: usize, p: usize, next: usize, type: u64): void {
  for (let at = first; at !== 0; ) {
    const plan = changetype<Plan>(at);
    seek(p, next);
    readInt();
    readLong();
    if (plan.kind === PlanKind.Gate) readGated(plan, p, next, type);
    else readEvent(plan, p, type);
    at = plan.next;
  }
}

/** An event whose first fields decide whether its sample is read. The cursor is after its type. */
function readGated(gate: Plan, p: usize, next: usize, type: u64): void {
  const start = position();
  if (!read(gate.ops)) {
    diagnose(Diagnostic.EventShort, offsetOf(p), <i64>type);
    return;
  }
  if (!passes(gate, offsetOf(p), start, next)) return;
  seek(start, next);
  readEvent(changetype<Plan>(gate.gated), p, type);
}

function readEvent(plan: Plan, p: usize, type: u64): void {
  if (!read(plan.ops)) {
    diagnose(Diagnostic.EventShort, offsetOf(p), <i64>type);
    return;
  }
  switch (plan.kind) {
    case PlanKind.Sample:
      readSample(plan, offsetOf(p));
      break;
    case PlanKind.Config:
      readConfig(plan);
      break;
    case PlanKind.Setting:
      readSetting(plan);
      break;
    case PlanKind.Fact:
      readFact(plan);
      break;
    case PlanKind.Incident:
      readIncident(plan);
      break;
    case PlanKind.Measurement:
      readMeasurement(plan);
      break;
    case PlanKind.Scope:
      readScope(plan);
      break;
    default:
      readEndpoint(plan);
      break;
  }
}
