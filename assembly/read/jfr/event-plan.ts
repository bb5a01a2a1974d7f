/**
 * Plans of events: the fields of an event type that are read, and their slots. Plans are made per chunk; several may
 * want one event type, and form a list. Each kind of plan is a class with this one as its beginning.
 */

import { equalBytes } from "../../memory/hash";
import { scratch } from "../../memory/scratch";
import { sliceAt, sliceSize } from "../../memory/slice";
import { classAt } from "./metadata";
import { spend } from "./plan";
import * as ClassRow from "./rows/class-row";

/** Purpose of an event plan. */
export enum PlanKind {
  /** SamplePlan of sample-plan.ts */
  Sample,
  /** ConfigPlan and SettingPlan of settings.ts */
  Config,
  Setting,
  /** FactPlan of facts.ts */
  Fact,
  /** AttributePlan of attribute-plan.ts */
  Endpoint,
  /** IncidentPlan of incidents.ts */
  Incident,
  /** MeasurementPlan of measurements.ts */
  Measurement,
  /** ScopePlan of scopes.ts */
  Scope,
  /** GatePlan of gate.ts */
  Gate,
}

@unmanaged
export class Plan {
  kind: PlanKind;
  /** The next plan of the same event type, 0 at the end. */
  next: usize;
  /** The read plan (plan.ts) that fills the slots. */
  ops: u32;
  /** Bit per slot below 32: the event has the field. */
  present: u32;
  /** Bit per slot below 32: the field is a float. */
  floats: u32;
  /** Limit of limits.ts that counts the events; 0 = they are not counted. */
  limit: usize;
  /** Of a gate: the plan of the samples that pass. */
  gated: usize;
}

/** Fuel for a plan of any kind, its size in bytes or more. */
const PLAN_FUEL: u32 = 104;

/** An empty plan of so many bytes, the first of class `cls`. */
export function newPlan(cls: u32, kind: PlanKind, bytes: u32): usize {
  const at = scratch(bytes);
  spend(PLAN_FUEL);
  const plan = changetype<Plan>(at);
  const c = classAt(cls);
  plan.kind = kind;
  plan.next = load<u32>(c, ClassRow.EVENT_PLAN);
  store<u32>(c, <u32>at, ClassRow.EVENT_PLAN);
  return at;
}

const OLD_PREFIX = "com.oracle.";

/** Whether class `c` is the event of this name: JDK 9 and 10 put `com.oracle.` in front of `jdk.`. */
export function isEvent(c: usize, name: usize): bool {
  const n = sliceSize(name);
  const m = load<u32>(c, ClassRow.NAME_SIZE);
  const p = <usize>load<u32>(c, ClassRow.NAME);
  if (m === n) return equalBytes(sliceAt(name), p, n);
  const prefix = <u32>OLD_PREFIX.length;
  if (m !== n + prefix || !equalBytes(sliceAt(name), p + prefix, n)) return false;
  for (let i: u32 = 0; i < prefix; i++) if (<i32>load<u8>(p + i) !== OLD_PREFIX.charCodeAt(i)) return false;
  return true;
}
