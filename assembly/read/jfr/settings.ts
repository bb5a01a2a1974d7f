/**
 * The sampling periods that a recording states. datadog.DatadogProfilerConfig has a field per profile; jdk.ActiveSetting
 * has a row per event type and name, whose value is a number (ns or bytes) or a text like "20 ms".
 */
import { equalBytes } from "../../memory/hash";
import { scratch } from "../../memory/scratch";
import { profileOfEvent, setPeriod } from "../../store/profiles";
import { configField, settingCount, settingName } from "./catalogue";
import {
  fieldSpelt,
  newPlan,
  PLAN_LAST_VALUES,
  PLAN_OPS,
  PLAN_PRESENT,
  PLAN_ROLE,
  PLAN_ROW,
  Role,
  Slot,
  want,
} from "./event-plan";
import {
  CLASS_EVENT_PLAN,
  classAt,
  classCount,
  classOf,
  FIELD_CLASS,
  FIELD_FLAGS,
  FIELD_IS_REFERENCE,
  FIELD_UNIT,
  isClass,
  spells,
  Unit,
} from "./metadata";
import { slots } from "./plan";
import {
  constantText,
  fieldNamed,
  fieldOf,
  found,
  isNamed,
  NO_FIELD,
  newBinding,
  planOf,
  textAtPointer,
  wantText,
} from "./struct";
import { spanOf } from "./time";

/** Profiles whose period fits into the slots of one event; later ones have no config field today. */
const CONFIG_SLOTS: u32 = 24;

/** Class of jdk.ActiveSetting's two texts where they are references, NO_FIELD where they are inline. */
let nameClass: u32 = NO_FIELD;
let valueClass: u32 = NO_FIELD;

/** Plans the two events, where this chunk has them. */
export function planSettings(): void {
  for (let i: u32 = 0; i < classCount; i++) {
    if (isNamed(i, "datadog.DatadogProfilerConfig")) planConfig(i);
    else if (isNamed(i, "jdk.ActiveSetting") || isNamed(i, "com.oracle.jdk.ActiveSetting")) planSetting(i);
  }
}

function planConfig(cls: u32): void {
  const plan = newPlan(cls, Role.Config);
  const map = newBinding(cls);
  const units = scratch(CONFIG_SLOTS << 2);
  store<u32>(plan, <u32>units, PLAN_LAST_VALUES);
  for (let i: u32 = 0; i < settingCount && i < CONFIG_SLOTS; i++) {
    const field = fieldSpelt(cls, configField(i));
    if (want(plan, cls, map, field, i))
      store<u32>(units + ((<usize>i) << 2), load<u32>(fieldOf(cls, field), FIELD_UNIT));
  }
  store<u32>(plan, planOf(cls, map), PLAN_OPS);
}

function planSetting(cls: u32): void {
  const plan = newPlan(cls, Role.Setting);
  const map = newBinding(cls);
  const id = want(plan, cls, map, fieldNamed(cls, "id"), Slot.A);
  nameClass = wantTextField(plan, cls, map, fieldNamed(cls, "name"), Slot.B);
  valueClass = wantTextField(plan, cls, map, fieldNamed(cls, "value"), Slot.C);
  store<u32>(plan, planOf(cls, map), PLAN_OPS);
  const all: u32 = (1 << Slot.A) | (1 << Slot.B) | (1 << Slot.C);
  // Without one of the three it says nothing about a period.
  if (!id || (load<u32>(plan, PLAN_PRESENT) & all) !== all) store<u32>(classAt(cls), 0, CLASS_EVENT_PLAN);
}

function wantTextField(plan: usize, cls: u32, map: usize, field: u32, slot: u32): u32 {
  if (!want(plan, cls, map, field, slot)) return NO_FIELD;
  const f = fieldOf(cls, field);
  if ((load<u32>(f, FIELD_FLAGS) & FIELD_IS_REFERENCE) === 0) return NO_FIELD;
  wantText(load<u32>(f, FIELD_CLASS));
  return load<u32>(f, FIELD_CLASS);
}

/** Takes the periods from a DatadogProfilerConfig event in the slots. */
export function readConfig(plan: usize): void {
  const units = <usize>load<u32>(plan, PLAN_LAST_VALUES);
  for (let i: u32 = 0; i < settingCount && i < CONFIG_SLOTS; i++) {
    if (((load<u32>(plan, PLAN_PRESENT) >> i) & 1) === 0) continue;
    const value = load<i64>(slots + ((<usize>i) << 3));
    const unit = <Unit>load<u32>(units + ((<usize>i) << 2));
    setPeriod(i, unit === Unit.None ? value : spanOf(value, unit));
  }
}

/** Takes the period from an ActiveSetting event in the slots, if it is one of a profile's event. */
export function readSetting(): void {
  const cls = classOf(load<u64>(slots + ((<usize>Slot.A) << 3)));
  if (!isClass(cls)) return;
  const plan = <usize>load<u32>(classAt(cls), CLASS_EVENT_PLAN);
  if (plan === 0 || <Role>load<u32>(plan, PLAN_ROLE) !== Role.Sample) return;
  const profile = profileOfEvent(load<u32>(plan, PLAN_ROW));
  const name = settingName(profile);
  const value = load<u64>(slots + ((<usize>Slot.C) << 3));
  if (!textOf(nameClass, load<u64>(slots + ((<usize>Slot.B) << 3)))) return;
  if (found.size !== load<u32>(name, 4) || !equalBytes(found.at, <usize>load<u32>(name), found.size)) return;
  if (textOf(valueClass, value)) setPeriod(profile, amount(found.at, found.size));
}

function textOf(cls: u32, value: u64): bool {
  return cls === NO_FIELD ? textAtPointer(<usize>(value & 0xffff_ffff)) : constantText(cls, value);
}

/** `5000000`, `20 ms`, `1 s`: time in ns, anything else as the number stands; 0 for what is no number. */
function amount(p: usize, n: u32): i64 {
  let v: i64 = 0;
  let i: u32 = 0;
  while (i < n && i < 18) {
    const digit = <u32>load<u8>(p + i) - 48;
    if (digit > 9) break;
    v = v * 10 + digit;
    i++;
  }
  while (i < n && load<u8>(p + i) === 0x20) i++;
  const unit = p + i;
  const left = n - i;
  if (left === 0 || spells(unit, left, "ns")) return v;
  if (spells(unit, left, "us")) return v * 1_000;
  if (spells(unit, left, "ms")) return v * 1_000_000;
  if (spells(unit, left, "s")) return v * 1_000_000_000;
  return 0;
}
