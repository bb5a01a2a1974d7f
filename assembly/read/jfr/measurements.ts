/** Measurements of the JVM: the sums of the fields that the catalogue names, in the events that meet its condition. */
import { equalBytes } from "../../memory/hash";
import { sliceAt, sliceSize } from "../../memory/slice";
import { diagnosingChunk } from "../../store/diagnostics";
import { noteMeasurement } from "../../store/measurements";
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
import { fieldSpelt, has, realOf, Slot, slotOf, unitOfField, want, wantNumber } from "./field-slots";
import { classAt, classCount, Unit } from "./metadata";
import { fuel } from "./plan";
import { fieldNamed, found, newBinding, planOf, textOf, wantTextOf } from "./struct";
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

export function planMeasurements(): void {
  for (let i: u32 = 0; i < classCount && fuel >= 0; i++) {
    for (let k: u32 = 0; k < measurementRowCount; k++)
      if (isEvent(classAt(i), measurementAt(k))) planMeasurement(i, measurementAt(k));
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
  noteMeasurement(load<u32>(plan.row, MEASUREMENT_WHICH), diagnosingChunk(), time, value);
}

function isMeant(plan: MeasurementPlan): bool {
  if (sliceSize(plan.row + MEASUREMENT_WHERE) === 0) return true;
  if (!has(plan, WHERE)) return false;
  const text = plan.row + MEASUREMENT_TEXT;
  const n = sliceSize(text);
  if (n === 0) return slotOf(WHERE) !== 0;
  return textOf(plan.whereSource, slotOf(WHERE)) && found.size === n && equalBytes(found.at, sliceAt(text), n);
}
