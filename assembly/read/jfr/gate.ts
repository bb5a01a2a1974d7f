/**
 * The gate before samples: with a filter (read/wanted.ts), the fields that decide are read first, and an event that
 * cannot match goes no further. Of such an event only the facts of the whole recording are kept: its time, and that its
 * profile has samples with the period of the chunk.
 */

import * as Diagnostic from "../../abi/formats/jfr";
import { diagnose, diagnosingChunk } from "../../store/diagnostics";
import { coverObservations } from "../../store/samples";
import { noteSkipped } from "../../store/skipped";
import { skipSnapshot } from "../../store/snapshots";
import { byIds, byTime, onlyRoot, wantsIds, wantsNear } from "../wanted";
import { compressed, overrun, seek, skipFew, varLong } from "./cursor";
import { newPlan, Plan, PlanKind } from "./event-plan";
import { has, Slot, slotOf, wantNumber } from "./field-slots";
import { chunkEnd, isInChunk, offsetOf, startNanos } from "./header";
import { countLimited } from "./limits";
import { Base, classAt, classCount, classOf, isClass, Unit } from "./metadata";
import { isVarint, NO_SLOT, read, readPlanUntil, skipValue } from "./plan";
import * as ClassRow from "./rows/class-row";
import * as FieldRow from "./rows/field-row";
import { isModed, sampleEvent } from "./sample-event";
import { isSought, mayHoldSought } from "./sought";
import { fieldNamed, fieldOf, newBinding } from "./struct";
import { timeOf } from "./time";

@unmanaged
export class GatePlan extends Plan {
  /** Samples may pass, to the plan `gated`; none do where the row is not wanted. */
  isOpen: bool;
  /** Of the plan of the samples. */
  row: u32;
  snapshot: u32;
  startUnit: Unit;
  /** The event row of those that do not pass, + 1, in this chunk. */
  event: u32;
  skipped: u32;
  /** Class of the event, and whether its start is in ticks. */
  cls: u32;
  inTicks: bool;
  /** The first field is the start, and the ids are varints of 64 bits: events without the sought id are kept out. */
  isSearched: bool;
  /**
   * Where all fields up to the last one that decides are varints, and the first is the start: how many varints are
   * before the first and the second id, and whether these are roots. Otherwise `isPlain` is false.
   */
  isPlain: bool;
  ids: u32;
  before: u32;
  between: u32;
  isRootFirst: bool;
  /** Samples so many ns around the wanted time are wanted: they say what other events of their threads were for. */
  slack: u64;
}

/** Puts a gate before the plan made last, whose event is of class `cls`. */
export function planGate(sample: Plan, cls: u32, root: u32, skip: u32, isOpen: bool): GatePlan {
  store<u32>(classAt(cls), <u32>sample.next, ClassRow.EVENT_PLAN);
  const gate = changetype<GatePlan>(newPlan(cls, PlanKind.Gate, offsetof<GatePlan>()));
  gate.isOpen = isOpen;
  gate.limit = sample.limit;
  gate.gated = changetype<usize>(sample);
  gate.cls = cls;
  const map = newBinding(cls);
  wantNumber(gate, cls, map, fieldNamed(cls, "startTime"), Slot.Start);
  if (isOpen && byIds) {
    if (onlyRoot === 0) wantNumber(gate, cls, map, fieldNamed(cls, "spanId"), Slot.Span);
    wantNumber(gate, cls, map, root, Slot.Root);
  }
  wantNumber(gate, cls, map, skip, Slot.First);
  gate.ops = readPlanUntil(cls, map);
  findPlaces(gate, cls, map);
  const hasIds = isOpen && isSought && !has(gate, Slot.First);
  gate.isSearched = hasIds && isLongIn(map, cls, Slot.Start, 0) && areLong(map, cls);
  return gate;
}

/** Whether field `i` is a long with this slot. */
function isLongIn(map: usize, cls: u32, slot: Slot, i: u32): bool {
  return load<u32>(classAt(cls), ClassRow.FIELDS) > i && load<u8>(map + i) === slot && isLong(fieldOf(cls, i));
}

/** Whether all ids of the event are longs. */
function areLong(map: usize, cls: u32): bool {
  for (let i: u32 = 0; i < load<u32>(classAt(cls), ClassRow.FIELDS); i++) {
    const slot: u32 = load<u8>(map + i);
    if ((slot === <u32>Slot.Span || slot === <u32>Slot.Root) && !isLong(fieldOf(cls, i))) return false;
  }
  return true;
}

function findPlaces(gate: GatePlan, cls: u32, map: usize): void {
  let run: u32 = 0;
  let bound: u32 = 0;
  for (let i: u32 = 0; i < load<u32>(classAt(cls), ClassRow.FIELDS); i++) {
    const slot: u32 = load<u8>(map + i);
    // An id, or the start, as a long: other numbers have signs.
    if (slot > <u32>Slot.Root && slot !== NO_SLOT) return;
    if (!isVarint(fieldOf(cls, i))) return;
    if (slot === NO_SLOT) {
      run++;
      continue;
    }
    if (!isLong(fieldOf(cls, i)) || (bound === 0 && (i !== 0 || slot !== <u32>Slot.Start))) return;
    if (bound === 1) {
      gate.before = run;
      gate.isRootFirst = slot === <u32>Slot.Root;
    }
    if (bound === 2) gate.between = run;
    bound++;
    run = 0;
    if (isLast(map, i, load<u32>(classAt(cls), ClassRow.FIELDS))) break;
  }
  gate.ids = bound - 1;
  gate.isPlain = bound !== 0;
}

function isLong(f: usize): bool {
  return (
    load<u32>(f, FieldRow.FLAGS) === 0 && load<u32>(classAt(load<u32>(f, FieldRow.CLASS)), ClassRow.BASE) === Base.Long
  );
}

function isLast(map: usize, i: u32, fields: u32): bool {
  for (let k = i + 1; k < fields; k++) if (load<u8>(map + k) !== NO_SLOT) return false;
  return true;
}

/**
 * Passes events from `from` on, as far as they are written as the JDK does (the size as a varint of 1 or 4 bytes, the
 * type as one of 1 or 2) and are of no interest: they have no plan, or their gate keeps them out. Returns the first
 * other event, or the first one from `stop` on.
 */
export function passEvents(from: usize, stop: usize): usize {
  let p = from;
  if (!compressed) return p;
  while (p < stop && p + 16 <= chunkEnd) {
    let head = load<u64>(p);
    let at = p;
    let size = head & 0x7f;
    if ((head & 0x80) === 0) {
      head >>= 8;
      at += 1;
    } else if ((head & 0x80808080) !== 0x00808080) break;
    else {
      size |= ((head >> 1) & 0x3f80) | ((head >> 2) & 0x1f_c000) | ((head >> 3) & 0xfe0_0000);
      head >>= 32;
      at += 4;
    }
    if ((head & 0x8080) === 0x8080) break;
    const type = head & 0x80 ? (head & 0x7f) | ((head >> 1) & 0x3f80) : head & 0x7f;
    at += head & 0x80 ? 2 : 1;
    const next = p + <usize>size;
    if (size > <u64>(chunkEnd - p) || next < at) break;
    if (type > 1) {
      const cls = classOf(type);
      if (!isClass(cls)) break;
      const c = classAt(cls);
      const plan = <usize>load<u32>(c, ClassRow.EVENT_PLAN);
      if (plan !== 0 && !keepsOut(changetype<GatePlan>(plan), p, at, next)) break;
      store<u32>(c, load<u32>(c, ClassRow.EVENTS) + 1, ClassRow.EVENTS);
    }
    p = next;
  }
  return p;
}

/** `keepsOut` of a gate with fields other than varints, at the cursor. False for an event that fails. */
function keepsSlotsOut(gate: GatePlan, p: usize, at: usize, next: usize): bool {
  if (has(gate, Slot.First) || !read(gate.ops) || (gate.isOpen && isWantedBySlots(gate))) return false;
  skip(gate, offsetOf(p), startIn(gate), at, next);
  return true;
}

/** Whether the event at `p` is kept out by its only plan. Its fields are from `at` to `next`. */
function keepsOut(gate: GatePlan, p: usize, at: usize, next: usize): bool {
  if (gate.kind !== PlanKind.Gate || gate.next !== 0 || gate.snapshot !== 0) return false;
  seek(at, next);
  if (gate.isSearched && !mayHoldSought(at, next)) {
    const start = <i64>varLong();
    if (overrun) return false;
    skip(gate, offsetOf(p), start, at, next);
    return true;
  }
  if (!gate.isPlain) return keepsSlotsOut(gate, p, at, next);
  const start = <i64>varLong();
  if (gate.isOpen && !(byTime && !wantsNear(startOf(gate, start), gate.slack))) {
    if (!byIds) return false;
    let first: u64 = 0;
    let second: u64 = 0;
    if (gate.ids !== 0) {
      skipFew(gate.before);
      first = varLong();
    }
    if (gate.ids === 2) {
      skipFew(gate.between);
      second = varLong();
    }
    const root = gate.isRootFirst ? first : second;
    if (onlyRoot !== 0) {
      if (root === onlyRoot) return false;
    } else if (wantsIds(root, gate.isRootFirst ? second : first)) return false;
  }
  if (overrun) return false;
  skip(gate, offsetOf(p), start, at, next);
  return true;
}

/** Whether the event in the slots may be wanted; if not, its facts are noted. Its fields are from `at` to `next`. */
export function passes(plan: Plan, offset: u64, at: usize, next: usize): bool {
  const gate = changetype<GatePlan>(plan);
  if (has(gate, Slot.First) && slotOf(Slot.First) !== 0) {
    diagnose(Diagnostic.SampleFailed, offset, 0);
    return false;
  }
  if (gate.isOpen && isWantedBySlots(gate)) return true;
  skip(gate, offset, startIn(gate), at, next);
  return false;
}

function isWantedBySlots(gate: GatePlan): bool {
  if (byTime && !wantsNear(startOf(gate, startIn(gate)), gate.slack)) return false;
  if (!byIds) return true;
  const root = has(gate, Slot.Root) ? slotOf(Slot.Root) : 0;
  if (onlyRoot !== 0) return root === onlyRoot;
  return wantsIds(root, has(gate, Slot.Span) ? slotOf(Slot.Span) : 0);
}

/**
 * Notes an event that is kept out, whose fields are from `at` to `next`. Most are in the time of their chunk, which is
 * known already. The others widen the time of the recording, if they are whole.
 */
function skip(gate: GatePlan, offset: u64, start: i64, at: usize, next: usize): void {
  const isTimed = has(gate, Slot.Start);
  if (gate.snapshot !== 0 || !(isTimed && gate.inTicks && isInChunk(start))) {
    seek(at, next);
    if (!skipValue(gate.cls)) {
      diagnose(Diagnostic.EventShort, offset, <i64>load<u64>(classAt(gate.cls), ClassRow.ID));
      return;
    }
    const time = isTimed ? timeOf(start, gate.startUnit) : startNanos;
    if (gate.snapshot !== 0) {
      skipSnapshot(gate.row, diagnosingChunk(), offset, startNanos, time);
      return;
    }
    coverObservations(time, time);
  }
  if (gate.limit !== 0) countLimited(gate.limit, isTimed ? timeOf(start, gate.startUnit) : startNanos);
  if (gate.event === 0) gate.event = (gate.isOpen || isModed(gate.row) ? sampleEvent(gate.row, offset) : gate.row) + 1;
  gate.skipped++;
}

/** The start in the slots, 0 without one. */
function startIn(gate: GatePlan): i64 {
  return has(gate, Slot.Start) ? <i64>slotOf(Slot.Start) : 0;
}

function startOf(gate: GatePlan, start: i64): i64 {
  return has(gate, Slot.Start) ? timeOf(start, gate.startUnit) : startNanos;
}

/** The events of the chunk end. */
export function endGates(): void {
  for (let i: u32 = 0; i < classCount; i++) {
    for (let at = <usize>load<u32>(classAt(i), ClassRow.EVENT_PLAN); at !== 0; at = changetype<Plan>(at).next) {
      if (changetype<Plan>(at).kind !== PlanKind.Gate) continue;
      const gate = changetype<GatePlan>(at);
      if (gate.skipped === 0) continue;
      noteSkipped(gate.event - 1, gate.skipped);
      gate.skipped = 0;
    }
  }
}
