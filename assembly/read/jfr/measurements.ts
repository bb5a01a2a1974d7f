/**
 * What is kept beside samples. Measurements of the JVM: the sums of the fields that the catalogue names, in the events
 * that meet its condition. Incidents: garbage collections and their pauses, and data that the recorder lost.
 */

import * as Catalogue from "../../abi/catalogue";
import * as Incident from "../../abi/incident-kind";
import { hasBytes, sliceSize } from "../../memory/slice";
import { diagnosingChunk } from "../../store/diagnostics";
import { noteIncident } from "../../store/incidents";
import { noteMeasurement } from "../../store/measurements";
import { wantsAll } from "../wanted";
import {
  listSize,
  listText,
  MEASUREMENT_TEXT,
  MEASUREMENT_VALUES,
  MEASUREMENT_WHERE,
  MEASUREMENT_WHICH,
  measurementAt,
  measurementRowCount,
} from "./catalogue";
import { isEvent, newPlan, Plan, PlanKind } from "./event-plan";
import {
  fieldSpelt,
  firstOf,
  has,
  realOf,
  Slot,
  slotOf,
  textIn,
  unitOfField,
  want,
  wantNumber,
  wantTextField,
} from "./field-slots";
import { classAt, classCount, Unit } from "./metadata";
import { fuel } from "./plan";
import { fieldNamed, found, isKind, newBinding, planOf, textOf, wantTextOf } from "./struct";
import { spanOf, timeOf } from "./time";

const WHERE: u32 = <u32>Slot.First;
/** The fields that are added up follow the condition. */
const VALUE: u32 = WHERE + 1;
const MOST_VALUES: u32 = 2;

@unmanaged
class MeasurementPlan extends Plan {
  /** Row of the catalogue. */
  row: usize;
  startUnit: Unit;
  /** Of the first value. */
  unit: Unit;
  /** Text source of the condition's field. */
  whereSource: u32;
}

/** Events of losses in the chunk. */
let counted: u32 = 0;

export function planMeasurements(): void {
  counted = 0;
  for (let i: u32 = 0; i < classCount && fuel >= 0; i++) {
    for (let k: u32 = 0; k < measurementRowCount; k++) {
      const row = measurementAt(k);
      if (!wantsAll && load<u32>(row, MEASUREMENT_WHICH) < <u32>Catalogue.LOSS_SERIES) continue;
      if (isEvent(classAt(i), row)) planMeasurement(i, row);
    }
  }
}

function planMeasurement(cls: u32, row: usize): void {
  const plan = changetype<MeasurementPlan>(newPlan(cls, PlanKind.Measurement, offsetof<MeasurementPlan>()));
  plan.row = row;
  const map = newBinding(cls);
  const start = fieldNamed(cls, "startTime");
  wantNumber(plan, cls, map, start, Slot.Start);
  plan.startUnit = unitOfField(cls, start);
  const where = fieldSpelt(cls, row + MEASUREMENT_WHERE);
  if (want(plan, cls, map, where, WHERE)) plan.whereSource = wantTextOf(cls, where);
  const values = row + MEASUREMENT_VALUES;
  for (let i: u32 = 0; i < min<u32>(MOST_VALUES, listSize(values)); i++) {
    const field = fieldSpelt(cls, listText(values, i));
    wantNumber(plan, cls, map, field, VALUE + i);
    if (i === 0) plan.unit = unitOfField(cls, field);
  }
  plan.ops = planOf(cls, map);
}

export function readMeasurement(at: Plan): void {
  const plan = changetype<MeasurementPlan>(at);
  if (!has(plan, Slot.Start) || !has(plan, VALUE) || !isMeant(plan)) return;
  let value: f64 = 0;
  for (let i: u32 = 0; i < MOST_VALUES; i++) {
    if (!has(plan, VALUE + i)) continue;
    const isTime = plan.unit !== Unit.None && plan.unit < Unit.MillisecondsSinceEpoch;
    value += isTime ? <f64>spanOf(<i64>slotOf(VALUE + i), plan.unit) : realOf(plan, VALUE + i);
  }
  // No number, or one without end, cannot be drawn.
  if (value - value !== 0) return;
  const time = timeOf(<i64>slotOf(Slot.Start), plan.startUnit);
  let series = load<u32>(plan.row, MEASUREMENT_WHICH);
  if (series >= <u32>Catalogue.LOSS_SERIES) {
    series |= counted << 8;
    counted++;
  }
  noteMeasurement(series, diagnosingChunk(), time, value);
}

function isMeant(plan: MeasurementPlan): bool {
  if (sliceSize(plan.row + MEASUREMENT_WHERE) === 0) return true;
  if (!has(plan, WHERE)) return false;
  const text = plan.row + MEASUREMENT_TEXT;
  if (sliceSize(text) === 0) return slotOf(WHERE) !== 0;
  return textOf(plan.whereSource, slotOf(WHERE)) && hasBytes(text, found.at, found.size);
}

/** Slots of an incident. */
const AMOUNT: u32 = <u32>Slot.First;
const ID: u32 = AMOUNT + 1;
const TEXT: u32 = AMOUNT + 2;

@unmanaged
class IncidentPlan extends Plan {
  /** Of incident-kind.ts. */
  incident: u32;
  startUnit: Unit;
  amountUnit: Unit;
  /** Text source of the cause or the name. */
  textSource: u32;
}

/** Plans the events, where this chunk has them; JDK 9 and 10 put `com.oracle.` in front of their names. */
export function planIncidents(): void {
  for (let i: u32 = 0; i < classCount && fuel >= 0; i++) {
    if (isKind(i, "GarbageCollection")) planIncident(i, Incident.Collection, "sumOfPauses", "cause");
    else if (isKind(i, "GCPhasePause")) planIncident(i, Incident.Pause, "duration", "name");
    else if (isKind(i, "DataLoss")) planIncident(i, Incident.Loss, "amount", "");
  }
}

function planIncident(cls: u32, kind: u32, amount: string, text: string): void {
  const plan = changetype<IncidentPlan>(newPlan(cls, PlanKind.Incident, offsetof<IncidentPlan>()));
  plan.incident = kind;
  const map = newBinding(cls);
  const start = fieldNamed(cls, "startTime");
  const field = firstOf(cls, amount, "duration");
  wantNumber(plan, cls, map, start, Slot.Start);
  wantNumber(plan, cls, map, field, AMOUNT);
  wantNumber(plan, cls, map, fieldNamed(cls, "gcId"), ID);
  plan.startUnit = unitOfField(cls, start);
  plan.amountUnit = unitOfField(cls, field);
  plan.textSource = wantTextField(plan, cls, map, fieldNamed(cls, text), TEXT);
  plan.ops = planOf(cls, map);
}

/** The event in the slots; one without a time or an amount says nothing that can be drawn. */
export function readIncident(at: Plan): void {
  const plan = changetype<IncidentPlan>(at);
  if (!has(plan, Slot.Start) || !has(plan, AMOUNT)) return;
  const time = timeOf(<i64>slotOf(Slot.Start), plan.startUnit);
  const amount = spanOf(<i64>slotOf(AMOUNT), plan.amountUnit);
  const id = has(plan, ID) ? <u32>slotOf(ID) : 0;
  noteIncident(plan.incident, diagnosingChunk(), id, textIn(plan.textSource, TEXT), time, amount);
}
