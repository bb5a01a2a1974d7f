/**
 * Modules of packages, as constants of the JDK's recorder state them. All of a chunk are noted, whatever samples are
 * wanted: functions that another recorder wrote are from the same modules.
 */

import { Buffer, ownBuffer } from "../../memory/buffer";
import { notePackage } from "../../store/code-sources";
import { internString } from "../../store/tables";
import { Became, resolve, resolved } from "./constant-pool";
import { enterEntry, nextPoolEntry, poolEntry, wantPool } from "./constant-pools";
import { classCount, isClass } from "./metadata";
import { fuel, read } from "./plan";
import * as FieldRow from "./rows/field-row";
import {
  bind,
  fieldNamed,
  fieldOf,
  found,
  isKind,
  NO_FIELD,
  NO_TEXT,
  NOWHERE,
  newBinding,
  planOf,
  slot,
  stringOf,
  textOf,
  wantTextOf,
} from "./struct";

const NO_CLASS: u32 = 0xffff_ffff;

/** NO_CLASS where the recorder writes no modules. */
let packageClass: u32 = NO_CLASS;
let packagePlan: u32 = 0;
let packageName: u32 = NOWHERE;
let moduleClass: u32 = NO_CLASS;
let modulePlan: u32 = 0;
let moduleName: u32 = NOWHERE;
let moduleVersion: u32 = NOWHERE;
const name: Buffer = ownBuffer(64);

export function planPackages(): void {
  packageClass = NO_CLASS;
  for (let cls: u32 = 0; cls < classCount && packageClass === NO_CLASS; cls++) {
    if (isKind(cls, "Package")) wantPackages(cls);
  }
}

function wantPackages(cls: u32): void {
  const module = fieldNamed(cls, "module");
  if (module === NO_FIELD) return;
  moduleClass = load<u32>(fieldOf(cls, module), FieldRow.CLASS);
  if (!isClass(moduleClass)) return;
  packageClass = cls;
  wantPool(cls);
  wantPool(moduleClass);
  const home = fieldNamed(cls, "name");
  packagePlan = planTwo(cls, home, module);
  packageName = wantTextOf(cls, home);
  const title = fieldNamed(moduleClass, "name");
  const version = fieldNamed(moduleClass, "version");
  modulePlan = planTwo(moduleClass, title, version);
  moduleName = wantTextOf(moduleClass, title);
  moduleVersion = wantTextOf(moduleClass, version);
}

/** A plan that reads two fields into slots 0 and 1. */
function planTwo(cls: u32, first: u32, second: u32): u32 {
  const fields = newBinding(cls);
  bind(fields, first, 0);
  bind(fields, second, 1);
  return planOf(cls, fields);
}

/** To be called at the end of a chunk. */
export function notePackages(): void {
  if (packageClass === NO_CLASS) return;
  for (let e = nextPoolEntry(packageClass, 0); e !== 0 && fuel >= 0; e = nextPoolEntry(packageClass, e)) {
    enterEntry(e);
    if (!read(packagePlan)) continue;
    const title = slot(0);
    const text = moduleText(poolEntry(moduleClass, slot(1)));
    const home = text === 0 ? NO_TEXT : stringOf(packageName, title);
    if (home !== NO_TEXT && home !== 0) notePackage(home, text);
  }
}

/** As the JVM writes it: `java.base@17.0.15`; 0 where it is unnamed. Beside its entry. */
function moduleText(entry: usize): u32 {
  if (entry === 0) return 0;
  const known = resolved(entry, Became.Module);
  if (known !== 0) return known - 1;
  enterEntry(entry);
  const text: u32 = read(modulePlan) ? versioned(slot(0), slot(1)) : 0;
  resolve(entry, Became.Module, text);
  return text;
}

function versioned(title: u64, version: u64): u32 {
  name.size = 0;
  if (!textOf(moduleName, title) || found.size === 0) return 0;
  name.bytes(found.at, found.size);
  if (textOf(moduleVersion, version) && found.size !== 0) {
    store<u8>(name.need(1), 0x40);
    name.size++;
    name.bytes(found.at, found.size);
  }
  return internString(name.at, name.size);
}
