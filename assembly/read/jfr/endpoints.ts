/** datadog.Endpoint: endpoint and operation of a local root, written at its end, and again with its trace. */
import { ENDPOINT_KEY, OPERATION_KEY } from "../../store/keys";
import { stageRoot } from "../../store/roots";
import { internText } from "../../store/tables";
import { wantsRoot } from "../wanted";
import { AttributePlan, addExtra, beginExtras } from "./attribute-plan";
import { attributeSet } from "./attribute-set";
import { newPlan, Plan, PlanKind } from "./event-plan";
import { has, Slot, slotOf, wantNumber } from "./field-slots";
import { classCount } from "./metadata";
import { fuel } from "./plan";
import { fieldNamed, isNamed, newBinding, planOf } from "./struct";

/** Plans the event, where this chunk has it. */
export function planEndpoints(): void {
  for (let i: u32 = 0; i < classCount && fuel >= 0; i++) if (isNamed(i, "datadog.Endpoint")) planEndpoint(i);
}

function planEndpoint(cls: u32): void {
  const plan = changetype<AttributePlan>(newPlan(cls, PlanKind.Endpoint, offsetof<AttributePlan>()));
  const map = newBinding(cls);
  wantNumber(plan, cls, map, fieldNamed(cls, "localRootSpanId"), Slot.Root);
  beginExtras(plan);
  // Not `operation`: a sample keeps the operation of its span beside the attributes of its root.
  addExtra(plan, cls, map, fieldNamed(cls, "endpoint"), internText(ENDPOINT_KEY));
  addExtra(plan, cls, map, fieldNamed(cls, "operation"), internText(OPERATION_KEY));
  plan.ops = planOf(cls, map);
}

export function readEndpoint(at: Plan): void {
  const plan = changetype<AttributePlan>(at);
  if (!has(plan, Slot.Root) || plan.extraCount === 0) return;
  const root = slotOf(Slot.Root);
  if (!wantsRoot(root)) return;
  stageRoot(root, attributeSet(plan, 0));
}
