/** Garbage collections and their pauses, and data that the recorder lost: time, duration or amount, and cause. */
import * as Incident from "../../abi/incident-kind";
import { diagnosingChunk } from "../../store/diagnostics";
import { noteIncident } from "../../store/incidents";
import { newPlan, Plan, PlanKind } from "./event-plan";
import { firstOf, has, Slot, slotOf, textIn, unitOfField, wantNumber, wantTextField } from "./field-slots";
import { classCount, Unit } from "./metadata";
import { fuel } from "./plan";
import { fieldNamed, isKind, newBinding, planOf } from "./struct";
import { spanOf, timeOf } from "./time";

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
