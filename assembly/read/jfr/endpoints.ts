/** datadog.Endpoint: which endpoint and operation a local root was, said once per thread that worked for the root. */
import { noteRoot } from "../../store/roots";
import { internText } from "../../store/tables";
import { addExtra, beginExtras } from "./attribute-plan";
import { attributeSet } from "./attribute-set";
import { newPlan, PLAN_EXTRAS, PLAN_OPS, PLAN_PRESENT, Role, Slot, wantNumber } from "./event-plan";
import { classCount } from "./metadata";
import { fuel, slots } from "./plan";
import { fieldNamed, isNamed, newBinding, planOf } from "./struct";

/** Plans the event, where this chunk has it. */
export function planEndpoints(): void {
  for (let i: u32 = 0; i < classCount && fuel >= 0; i++) if (isNamed(i, "datadog.Endpoint")) planEndpoint(i);
}

function planEndpoint(cls: u32): void {
  const plan = newPlan(cls, Role.Endpoint);
  const map = newBinding(cls);
  wantNumber(plan, cls, map, fieldNamed(cls, "localRootSpanId"), Slot.Root);
  beginExtras(plan);
  // Not `operation`: what a sample says of its own span stands beside what is said of its root.
  addExtra(plan, cls, map, fieldNamed(cls, "endpoint"), internText("trace endpoint"));
  addExtra(plan, cls, map, fieldNamed(cls, "operation"), internText("trace operation"));
  store<u32>(plan, planOf(cls, map), PLAN_OPS);
}

export function readEndpoint(plan: usize): void {
  if (((load<u32>(plan, PLAN_PRESENT) >> <u32>Slot.Root) & 1) === 0 || load<u32>(plan, PLAN_EXTRAS) === 0) return;
  const root = load<u64>(slots + ((<usize>Slot.Root) << 3));
  noteRoot(root, attributeSet(plan));
}
