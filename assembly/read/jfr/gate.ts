/**
 * The gate before samples: with a filter (read/wanted.ts), the fields that decide are read first, and an event that
 * cannot match goes no further. Of such an event only the facts of the whole recording are kept: its time, and that its
 * profile has samples with the period of the chunk.
 */
import * as Diagnostic from "../../abi/jfr-diagnostic";
import { diagnose, diagnosingChunk } from "../../store/diagnostics";
import { coverObservations } from "../../store/samples";
import { noteSkipped } from "../../store/skipped";
import { skipSnapshot } from "../../store/snapshots";
import { byIds, wantsIds } from "../wanted";
import { newPlan, Plan, PlanKind } from "./event-plan";
import { has, Slot, slotOf, wantNumber } from "./field-slots";
import { startNanos } from "./header";
import { CLASS_EVENT_PLAN, classAt, classCount, Unit } from "./metadata";
import { readPlanUntil } from "./plan";
import { sampleEvent } from "./sample-event";
import { fieldNamed, newBinding } from "./struct";
import { timeOf } from "./time";

@unmanaged
export class GatePlan extends Plan {
  /** The plan of the samples that pass; none do where the row is not wanted. */
  sample: Plan;
  isOpen: bool;
  /** Of the plan of the samples. */
  row: u32;
  snapshot: u32;
  startUnit: Unit;
  /** The event row of those that do not pass, + 1, in this chunk. */
  event: u32;
  skipped: u32;
  /** Least and greatest start of those, as recorded. */
  least: i64;
  greatest: i64;
}

/** Puts a gate before the plan made last, whose event is of class `cls`. */
export function planGate(sample: Plan, cls: u32, root: u32, skip: u32, isOpen: bool): GatePlan {
  store<u32>(classAt(cls), <u32>sample.next, CLASS_EVENT_PLAN);
  const gate = changetype<GatePlan>(newPlan(cls, PlanKind.Gate, offsetof<GatePlan>()));
  gate.sample = sample;
  gate.isOpen = isOpen;
  const map = newBinding(cls);
  wantNumber(gate, cls, map, fieldNamed(cls, "startTime"), Slot.Start);
  if (isOpen && byIds) {
    wantNumber(gate, cls, map, fieldNamed(cls, "spanId"), Slot.Span);
    wantNumber(gate, cls, map, root, Slot.Root);
  }
  wantNumber(gate, cls, map, skip, Slot.First);
  gate.ops = readPlanUntil(cls, map);
  return gate;
}

/** Whether the event in the slots may be wanted; if not, its facts are noted. */
export function passes(at: Plan, offset: u64): bool {
  const gate = changetype<GatePlan>(at);
  if (has(gate, Slot.First) && slotOf(Slot.First) !== 0) {
    diagnose(Diagnostic.SampleFailed, offset, 0);
    return false;
  }
  if (gate.isOpen) {
    if (!byIds) return true;
    const span = has(gate, Slot.Span) ? slotOf(Slot.Span) : 0;
    const root = has(gate, Slot.Root) ? slotOf(Slot.Root) : 0;
    if (wantsIds(root, span)) return true;
  }
  skip(gate, offset);
  return false;
}

function skip(gate: GatePlan, offset: u64): void {
  const start = has(gate, Slot.Start) ? <i64>slotOf(Slot.Start) : 0;
  if (gate.snapshot !== 0) {
    skipSnapshot(gate.row, diagnosingChunk(), offset, startOf(gate, start));
    return;
  }
  if (gate.skipped === 0) {
    gate.least = start;
    gate.greatest = start;
    gate.event = (gate.isOpen ? sampleEvent(gate.row, offset) : gate.row) + 1;
  } else {
    gate.least = min<i64>(gate.least, start);
    gate.greatest = max<i64>(gate.greatest, start);
  }
  gate.skipped++;
}

function startOf(gate: GatePlan, start: i64): i64 {
  return has(gate, Slot.Start) ? timeOf(start, gate.startUnit) : startNanos;
}

/** The events of the chunk end. */
export function endGates(): void {
  for (let i: u32 = 0; i < classCount; i++) {
    for (let at = <usize>load<u32>(classAt(i), CLASS_EVENT_PLAN); at !== 0; at = changetype<Plan>(at).next) {
      if (changetype<Plan>(at).kind !== PlanKind.Gate) continue;
      const gate = changetype<GatePlan>(at);
      if (gate.skipped === 0) continue;
      coverObservations(startOf(gate, gate.least), startOf(gate, gate.greatest));
      noteSkipped(gate.event - 1, gate.skipped);
      gate.skipped = 0;
    }
  }
}
