/** Garbage collections and their pauses, and data that the recorder lost: when, for how long or how much, and why. */
import { diagnosingChunk } from "../../store/diagnostics";
import { Incident, noteIncident } from "../../store/incidents";
import {
  newPlan,
  PLAN_OPS,
  PLAN_PRESENT,
  PLAN_ROUTE_SOURCE,
  PLAN_ROW,
  PLAN_START_UNIT,
  PLAN_VALUE_UNIT,
  Role,
  Slot,
  wantNumber,
} from "./event-plan";
import { classCount, Unit } from "./metadata";
import { fuel } from "./plan";
import { firstOf, unitOfField } from "./sample-plan";
import { slotOf, wantTextField } from "./settings";
import { fieldNamed, isKind, NO_TEXT, newBinding, planOf, stringOf } from "./struct";
import { spanOf, timeOf } from "./time";

const AMOUNT: u32 = <u32>Slot.Operand;
const ID: u32 = AMOUNT + 1;
const TEXT: u32 = AMOUNT + 2;

/** Plans the events, where this chunk has them; JDK 9 and 10 put `com.oracle.` in front of their names. */
export function planIncidents(): void {
  for (let i: u32 = 0; i < classCount && fuel >= 0; i++) {
    if (isKind(i, "GarbageCollection")) planIncident(i, Incident.Collection, "sumOfPauses", "cause");
    else if (isKind(i, "GCPhasePause")) planIncident(i, Incident.Pause, "duration", "name");
    else if (isKind(i, "DataLoss")) planIncident(i, Incident.Loss, "amount", "");
  }
}

function planIncident(cls: u32, kind: Incident, amount: string, text: string): void {
  const plan = newPlan(cls, Role.Incident);
  store<u32>(plan, kind, PLAN_ROW);
  const map = newBinding(cls);
  const start = fieldNamed(cls, "startTime");
  const field = firstOf(cls, amount, "duration");
  wantNumber(plan, cls, map, start, Slot.Start);
  wantNumber(plan, cls, map, field, AMOUNT);
  wantNumber(plan, cls, map, fieldNamed(cls, "gcId"), ID);
  store<u32>(plan, unitOfField(cls, start), PLAN_START_UNIT);
  store<u32>(plan, unitOfField(cls, field), PLAN_VALUE_UNIT);
  store<u32>(plan, wantTextField(plan, cls, map, fieldNamed(cls, text), TEXT), PLAN_ROUTE_SOURCE);
  store<u32>(plan, planOf(cls, map), PLAN_OPS);
}

/** The event in the slots; one without a time or an amount says nothing that can be drawn. */
export function readIncident(plan: usize): void {
  const present = load<u32>(plan, PLAN_PRESENT);
  const needed: u32 = (1 << (<u32>Slot.Start)) | (1 << AMOUNT);
  if ((present & needed) !== needed) return;
  const time = timeOf(<i64>slotOf(Slot.Start), <Unit>load<u32>(plan, PLAN_START_UNIT));
  const amount = spanOf(<i64>slotOf(AMOUNT), <Unit>load<u32>(plan, PLAN_VALUE_UNIT));
  const id = ((present >> ID) & 1) !== 0 ? <u32>slotOf(ID) : 0;
  const text = stringOf(load<u32>(plan, PLAN_ROUTE_SOURCE), slotOf(TEXT));
  const kind = <Incident>load<u32>(plan, PLAN_ROW);
  noteIncident(kind, diagnosingChunk(), id, text === NO_TEXT ? 0 : text, time, amount);
}
