/**
 * The settings that a recording states, and the sampling periods among them. datadog.DatadogProfilerConfig has a field
 * per profile; jdk.ActiveSetting has a row per event type and name, whose value is a number (ns or bytes) or a text
 * like "20 ms".
 */

import { equalBytes } from "../../memory/hash";
import { scratch } from "../../memory/scratch";
import { sliceAt, sliceSize } from "../../memory/slice";
import { noteSetting } from "../../store/facts";
import { hasFlag } from "../../store/periods";
import { ProfileFlag } from "../../store/profiles";
import { internString, strings } from "../../store/tables";
import { configField, listSize, listText, settingCount, settingNames, unsetPeriod } from "./catalogue";
import { newPlan, Plan, PlanKind } from "./event-plan";
import { fieldSpelt, has, Slot, slotOf, textIn, want, wantTextField } from "./field-slots";
import { noteLimit } from "./limits";
import { classAt, classCount, className, classOf, isClass, spells, Unit } from "./metadata";
import { Mode, mode, noteMode, notePeriod, noteVersion } from "./periods";
import { fuel, spend } from "./plan";
import * as ClassRow from "./rows/class-row";
import * as FieldRow from "./rows/field-row";
import { fieldNamed, fieldOf, found, isNamed, NO_TEXT, newBinding, planOf, stringOf, textOf } from "./struct";
import { spanOf } from "./time";

/** Profiles whose period fits into the slots of one event; later ones have no config field today. */
const CONFIG_SLOTS: u32 = 24;

@unmanaged
class ConfigPlan extends Plan {
  /** Unit of each of CONFIG_SLOTS fields, u32: the field of profile `i` is in slot `i`. */
  units: usize;
}

/** Slots of a setting. */
const ID: u32 = <u32>Slot.First;
const NAME: u32 = ID + 1;
const VALUE: u32 = ID + 2;
const ALL: u32 = (1 << ID) | (1 << NAME) | (1 << VALUE);

/** async-profiler's version and mode: settings of the recording itself, which precede those of events. */
const RECORDING = "jdk.ActiveRecording";
const VERSION = "version";
const MODE = "event";
/** A catalogue's setting that begins so holds in wall mode only. */
const WALL_ONLY: u8 = 0x3f;

@unmanaged
class SettingPlan extends Plan {
  /** Text sources of the fields. */
  nameSource: u32;
  valueSource: u32;
}

/** Plans the two events, where this chunk has them. */
export function planSettings(): void {
  for (let i: u32 = 0; i < classCount && fuel >= 0; i++) {
    if (isNamed(i, "datadog.DatadogProfilerConfig")) planConfig(i);
    else if (isNamed(i, "jdk.ActiveSetting") || isNamed(i, "com.oracle.jdk.ActiveSetting")) planSetting(i);
  }
}

function planConfig(cls: u32): void {
  const plan = changetype<ConfigPlan>(newPlan(cls, PlanKind.Config, offsetof<ConfigPlan>()));
  const map = newBinding(cls);
  plan.units = scratch(CONFIG_SLOTS << 2);
  for (let i: u32 = 0; i < settingCount && i < CONFIG_SLOTS; i++) {
    const field = fieldSpelt(cls, configField(i));
    if (want(plan, cls, map, field, i))
      store<u32>(plan.units + ((<usize>i) << 2), load<u32>(fieldOf(cls, field), FieldRow.UNIT));
  }
  plan.ops = planOf(cls, map);
}

function planSetting(cls: u32): void {
  const plan = changetype<SettingPlan>(newPlan(cls, PlanKind.Setting, offsetof<SettingPlan>()));
  const map = newBinding(cls);
  want(plan, cls, map, fieldNamed(cls, "id"), ID);
  plan.nameSource = wantTextField(plan, cls, map, fieldNamed(cls, "name"), NAME);
  plan.valueSource = wantTextField(plan, cls, map, fieldNamed(cls, "value"), VALUE);
  plan.ops = planOf(cls, map);
}

/** Takes the periods from a DatadogProfilerConfig event in the slots. */
export function readConfig(at: Plan): void {
  const plan = changetype<ConfigPlan>(at);
  for (let i: u32 = 0; i < settingCount && i < CONFIG_SLOTS; i++) {
    if (!has(plan, i)) continue;
    const value = <i64>slotOf(i);
    const unit = <Unit>load<u32>(plan.units + ((<usize>i) << 2));
    notePeriod(i, unit === Unit.None ? value : spanOf(value, unit));
  }
}

/** Keeps the ActiveSetting event in the slots, and takes the period from it where it is one of a profile's. */
export function readSetting(at: Plan): void {
  const plan = changetype<SettingPlan>(at);
  if ((plan.present & ALL) !== ALL) return;
  const cls = classOf(slotOf(ID));
  const name = stringOf(plan.nameSource, slotOf(NAME));
  if (name === NO_TEXT) return;
  const event = isClass(cls) ? className(cls) : 0;
  const value = textIn(plan.valueSource, VALUE);
  if (isNamed(cls, RECORDING)) {
    if (spells(strings.pointer(name), strings.size(name), MODE)) noteMode(value);
    else if (isVersion(strings.pointer(name), strings.size(name)))
      noteVersion(strings.pointer(value), strings.size(value));
  } else if (isClass(cls)) {
    noteMode(0);
    const period = amount(strings.pointer(value), strings.size(value));
    notePeriods(classAt(cls), strings.pointer(name), strings.size(name), period);
    noteLimit(cls, strings.pointer(name), strings.size(name), strings.pointer(value), strings.size(value));
  }
  noteSetting(event, name, value);
}

/**
 * Takes the period from the ActiveSetting event in the slots, if samples are weighed by it. Keeps nothing else.
 */
export function readPeriod(at: Plan): void {
  const plan = changetype<SettingPlan>(at);
  if ((plan.present & ALL) !== ALL) return;
  const cls = classOf(slotOf(ID));
  const nameKey = slotOf(NAME);
  const valueKey = slotOf(VALUE);
  if (isNamed(cls, RECORDING)) {
    if (!textOf(plan.nameSource, nameKey)) return;
    const isMode = spells(found.at, found.size, MODE);
    if (!isMode && !isVersion(found.at, found.size)) return;
    if (!textOf(plan.valueSource, valueKey) || !spend(found.size)) return;
    if (isMode) noteMode(internString(found.at, found.size));
    else noteVersion(found.at, found.size);
    return;
  }
  if (isClass(cls)) noteMode(0);
  // Most settings are those of other events, and texts take time.
  if (!isClass(cls) || !isSampled(classAt(cls)) || !textOf(plan.valueSource, valueKey) || !spend(found.size)) return;
  const period = amount(found.at, found.size);
  if (period >= 0 && textOf(plan.nameSource, nameKey) && spend(found.size))
    notePeriods(classAt(cls), found.at, found.size, period);
}

function isVersion(p: usize, n: u32): bool {
  return spells(p, n, VERSION);
}

/** Whether a setting of class `c` has the period by which the samples of a profile are weighed. */
function isSampled(c: usize): bool {
  const m = load<u32>(c, ClassRow.NAME_SIZE);
  for (let i: u32 = 0; i < settingCount; i++) {
    if (!hasFlag(i, ProfileFlag.Sampled)) continue;
    const names = settingNames(i);
    for (let k: u32 = 0; k < listSize(names); k++) {
      const text = listText(names, k);
      const at = sliceAt(text) + u32(load<u8>(sliceAt(text)) === WALL_ONLY);
      if (sliceSize(text) <= m || load<u8>(at + m) !== 0x23) continue;
      if (equalBytes(at, <usize>load<u32>(c, ClassRow.NAME), m)) return true;
    }
  }
  return false;
}

/**
 * Notes the period for the profiles that name class `c` and the setting of these bytes. 0 is the recorder's default, if
 * the mode is one of time.
 */
function notePeriods(c: usize, p: usize, n: u32, period: i64): void {
  if (period < 0 || (period === 0 && mode === Mode.Other)) return;
  for (let i: u32 = 0; i < settingCount; i++)
    if (isPeriod(i, c, p, n)) notePeriod(i, period === 0 ? unsetPeriod(i) : period);
}

/** Whether profile `i` names class `c` and the setting of these bytes as `event#name`. */
function isPeriod(i: u32, c: usize, p: usize, n: u32): bool {
  const names = settingNames(i);
  const m = load<u32>(c, ClassRow.NAME_SIZE);
  for (let k: u32 = 0; k < listSize(names); k++) {
    const text = listText(names, k);
    const isWallOnly: u32 = u32(load<u8>(sliceAt(text)) === WALL_ONLY);
    if (isWallOnly > u32(mode === Mode.Wall)) continue;
    const at = sliceAt(text) + isWallOnly;
    if (
      sliceSize(text) - isWallOnly === m + 1 + n &&
      load<u8>(at + m) === 0x23 &&
      equalBytes(at, <usize>load<u32>(c, ClassRow.NAME), m) &&
      equalBytes(at + m + 1, p, n)
    )
      return true;
  }
  return false;
}

/** Bytes of the longest text that is read as an amount. Any number of settings may have one long text. */
const AMOUNT_SIZE: u32 = 32;

/** `5000000`, `20 ms`, `1 s`: time in ns, any other number unchanged; -1 for other texts, and for 0 with a unit. */
function amount(p: usize, n: u32): i64 {
  if (n === 0 || n > AMOUNT_SIZE) return -1;
  let v: i64 = 0;
  let i: u32 = 0;
  while (i < n && i < 18) {
    const digit = <u32>load<u8>(p + i) - 48;
    if (digit > 9) break;
    v = v * 10 + digit;
    i++;
  }
  const digits = i;
  while (i < n && load<u8>(p + i) === 0x20) i++;
  const unit = p + i;
  const left = n - i;
  if (digits === 0 || (v === 0 && left !== 0)) return -1;
  if (left === 0 || spells(unit, left, "ns")) return v;
  if (spells(unit, left, "us")) return v * 1_000;
  if (spells(unit, left, "ms")) return v * 1_000_000;
  if (spells(unit, left, "s")) return v * 1_000_000_000;
  return -1;
}
