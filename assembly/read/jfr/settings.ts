/**
 * The settings that a recording states, and the sampling periods among them. datadog.DatadogProfilerConfig has a field per
 * profile; jdk.ActiveSetting has a row per event type and name, whose value is a number (ns or bytes) or a text like "20 ms".
 */
import { equalBytes } from "../../memory/hash";
import { scratch } from "../../memory/scratch";
import { noteSetting } from "../../store/facts";
import { setPeriod } from "../../store/profiles";
import { strings } from "../../store/tables";
import { configField, listSize, listText, settingCount, settingNames } from "./catalogue";
import { fieldSpelt, newPlan, PLAN_LAST_VALUES, PLAN_OPS, PLAN_PRESENT, Role, Slot, want } from "./event-plan";
import {
  CLASS_NAME,
  CLASS_NAME_SIZE,
  classAt,
  classCount,
  className,
  classOf,
  FIELD_UNIT,
  isClass,
  spells,
  Unit,
} from "./metadata";
import { fuel, slots } from "./plan";
import { fieldNamed, fieldOf, isNamed, NO_TEXT, NOWHERE, newBinding, planOf, stringOf, wantTextOf } from "./struct";
import { spanOf } from "./time";

/** Profiles whose period fits into the slots of one event; later ones have no config field today. */
const CONFIG_SLOTS: u32 = 24;

/** Slots of a setting, and where the plan keeps the sources of its two texts. */
const ID: u32 = <u32>Slot.Operand;
const NAME: u32 = ID + 1;
const VALUE: u32 = ID + 2;
const PLAN_NAME_SOURCE: usize = 80;
const PLAN_VALUE_SOURCE: usize = 84;

/** Plans the two events, where this chunk has them. */
export function planSettings(): void {
  for (let i: u32 = 0; i < classCount && fuel >= 0; i++) {
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
  want(plan, cls, map, fieldNamed(cls, "id"), ID);
  store<u32>(plan, wantTextField(plan, cls, map, fieldNamed(cls, "name"), NAME), PLAN_NAME_SOURCE);
  store<u32>(plan, wantTextField(plan, cls, map, fieldNamed(cls, "value"), VALUE), PLAN_VALUE_SOURCE);
  store<u32>(plan, planOf(cls, map), PLAN_OPS);
}

/** Binds a field with a text to a slot; returns its text source. */
export function wantTextField(plan: usize, cls: u32, map: usize, field: u32, slot: u32): u32 {
  return want(plan, cls, map, field, slot) ? wantTextOf(cls, field) : NOWHERE;
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

/** Keeps the ActiveSetting event in the slots, and takes the period from it where it is one of a profile's. */
export function readSetting(plan: usize): void {
  const all: u32 = (1 << ID) | (1 << NAME) | (1 << VALUE);
  if ((load<u32>(plan, PLAN_PRESENT) & all) !== all) return;
  const cls = classOf(slotOf(ID));
  const name = stringOf(load<u32>(plan, PLAN_NAME_SOURCE), slotOf(NAME));
  if (name === NO_TEXT) return;
  const event = isClass(cls) ? className(cls) : 0;
  const text = stringOf(load<u32>(plan, PLAN_VALUE_SOURCE), slotOf(VALUE));
  const value = text === NO_TEXT ? 0 : text;
  if (isClass(cls)) {
    for (let i: u32 = 0; i < settingCount; i++) {
      if (isPeriod(i, classAt(cls), strings.pointer(name), strings.size(name)))
        setPeriod(i, amount(strings.pointer(value), strings.size(value)));
    }
  }
  noteSetting(event, name, value);
}

export function slotOf(s: u32): u64 {
  return load<u64>(slots + ((<usize>s) << 3));
}

/** Whether profile `i` names class `c` and the setting of these bytes as `event#name`. */
function isPeriod(i: u32, c: usize, p: usize, n: u32): bool {
  const names = settingNames(i);
  const m = load<u32>(c, CLASS_NAME_SIZE);
  for (let k: u32 = 0; k < listSize(names); k++) {
    const text = listText(names, k);
    const at = <usize>load<u32>(text);
    if (
      load<u32>(text, 4) === m + 1 + n &&
      load<u8>(at + m) === 0x23 &&
      equalBytes(at, <usize>load<u32>(c, CLASS_NAME), m) &&
      equalBytes(at + m + 1, p, n)
    )
      return true;
  }
  return false;
}

/** Bytes of the longest text that is read as an amount. Any number of settings may have one long text. */
const AMOUNT_SIZE: u32 = 32;

/** `5000000`, `20 ms`, `1 s`: time in ns, anything else as the number stands; 0 for what is no number. */
function amount(p: usize, n: u32): i64 {
  if (n > AMOUNT_SIZE) return 0;
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
