/** Facts of the process that a recording states: the fields that the catalogue names, and no others. */

import { sliceAt, sliceSize } from "../../memory/slice";
import { diagnosingChunk } from "../../store/diagnostics";
import { noteFact } from "../../store/facts";
import * as AttributeRow from "../../store/rows/attribute-row";
import { attributes, internString, strings } from "../../store/tables";
import { AttributePlan, addExtra, beginExtras, extraAt } from "./attribute-plan";
import { extraAttribute } from "./attribute-set";
import { FACT_FIELDS, FACT_NAMES, factAt, factCount, listSize, listText, placeInList } from "./catalogue";
import { isEvent, newPlan, Plan, PlanKind } from "./event-plan";
import { fieldSpelt } from "./field-slots";
import { classAt, classCount } from "./metadata";
import { fuel } from "./plan";
import { newBinding, planOf } from "./struct";

@unmanaged
class FactPlan extends AttributePlan {
  /** Of the catalogue. */
  fact: u32;
}

export function planFacts(): void {
  for (let i: u32 = 0; i < classCount && fuel >= 0; i++) {
    for (let k: u32 = 0; k < factCount; k++) if (isEvent(classAt(i), factAt(k))) planFact(i, k);
  }
}

function planFact(cls: u32, index: u32): void {
  const plan = changetype<FactPlan>(newPlan(cls, PlanKind.Fact, offsetof<FactPlan>()));
  plan.fact = index;
  const map = newBinding(cls);
  const fields = factAt(index) + FACT_FIELDS;
  beginExtras(plan);
  for (let i: u32 = 0; i < listSize(fields); i++) {
    const name = listText(fields, i);
    addExtra(plan, cls, map, fieldSpelt(cls, name), internString(sliceAt(name), sliceSize(name)));
  }
  plan.ops = planOf(cls, map);
}

export function readFact(at: Plan): void {
  const plan = changetype<FactPlan>(at);
  const fact = factAt(plan.fact);
  const event = internString(sliceAt(fact), sliceSize(fact));
  const n = plan.extraCount;
  if (listSize(fact + FACT_NAMES) !== 0) {
    if (n < 2) return;
    const name = extraAttribute(plan, 0);
    if (name === 0 || !isListed(fact + FACT_NAMES, <u32>attributes.get64(name, AttributeRow.VALUE))) return;
    const value = extraAttribute(plan, 1);
    if (value !== 0) noteFact(diagnosingChunk(), event, <u32>attributes.get64(name, AttributeRow.VALUE), value);
    return;
  }
  for (let i: u32 = 0; i < n; i++) {
    const value = extraAttribute(plan, i);
    if (value !== 0) noteFact(diagnosingChunk(), event, extraAt(plan, i).key, value);
  }
}

const ANY: u8 = 0x2a;

/** Whether a list of the catalogue contains string `s`. `*` in the list matches every string. */
function isListed(list: usize, s: u32): bool {
  if (s >= strings.count) return false;
  const first = listText(list, 0);
  if (sliceSize(first) === 1 && load<u8>(sliceAt(first)) === ANY) return true;
  return placeInList(list, strings.pointer(s), strings.size(s)) !== 0;
}
