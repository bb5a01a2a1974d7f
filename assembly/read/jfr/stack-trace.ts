/**
 * Stack traces of one chunk as stacks of the store, decoded at first use.
 *
 *   StackTrace := truncated · n · StackFrame^n        StackFrame: see frames.ts
 */

import * as Diagnostic from "../../abi/formats/jfr";
import * as FrameType from "../../abi/frame-type";
import { KeyTable, ownKeyTable } from "../../memory/key-table";
import { diagnose } from "../../store/diagnostics";
import { stacks } from "../../store/tables";
import { internPlainStack } from "../kept-stack";
import { takeVarint, value } from "../protobuf";
import { Became, resolve, resolved } from "./constant-pool";
import { poolEntry, wantPool } from "./constant-pools";
import { wantFrameTypes, wantMethods } from "./constants";
import { compressed, left, overrun, position, readByte, readInt, seek, varLong } from "./cursor";
import { interruptedLocation, isReturn, locationOf, truncatedLocation } from "./frame-location";
import { forgetFrames, packed, pushFrame, pushLocation, readFrames } from "./frames";
import { chunkEnd, offsetOf } from "./header";
import { Base, classAt, isClass } from "./metadata";
import { read, spend, varintsOf } from "./plan";
import * as ClassRow from "./rows/class-row";
import * as FieldRow from "./rows/field-row";
import { bind, fieldNamed, fieldOf, NO_FIELD, newBinding, planOf, skipFields, slot, slotPointer } from "./struct";

const NO_CLASS: u32 = 0xffff_ffff;

let stackClass: u32 = NO_CLASS;
/** Pointer plan for the two fields of StackTrace. */
let tracePlan: u32 = 0;
/** Whether the frames are after one boolean, as every producer seen writes them. */
let plainTrace: bool = false;
/** Which field the frames are. */
let framesAt: u32 = 0;
let framePlan: u32 = 0;
/** Fields of a frame when all of them are varints, else 0; then where method, line and type are. */
let frameVarints: u32 = 0;
let methodAt: u32 = 0;
let lineAt: u32 = 0;
let typeAt: u32 = 0;

/** By the stack whose leaf is a return address. */
const interrupted: KeyTable = ownKeyTable(64);

export function forgetStackTraces(): void {
  stackClass = NO_CLASS;
  forgetFrames();
}

/** Prepares stack traces of class `cls`. */
export function wantStacks(cls: u32): void {
  if (!isClass(cls) || stackClass === cls) return;
  const frames = fieldNamed(cls, "frames");
  if (frames === NO_FIELD) return;
  const f = fieldOf(cls, frames);
  const type = load<u32>(f, FieldRow.CLASS);
  if (!isClass(type) || load<u32>(f, FieldRow.FLAGS) !== FieldRow.IS_ARRAY) return;
  stackClass = cls;
  framesAt = frames;
  wantPool(cls);
  const truncated = fieldNamed(cls, "truncated");
  plainTrace = frames === 1 && truncated === 0 && load<u32>(classAt(cls), ClassRow.FIELDS) === 2 && isBoolean(cls, 0);
  if (!plainTrace) {
    const trace = newBinding(cls);
    bind(trace, truncated, 0);
    tracePlan = planOf(cls, trace);
  }
  const method = fieldNamed(type, "method");
  const line = fieldNamed(type, "lineNumber");
  const kind = fieldNamed(type, "type");
  if (method !== NO_FIELD) wantMethods(load<u32>(fieldOf(type, method), FieldRow.CLASS));
  if (kind !== NO_FIELD) wantFrameTypes(load<u32>(fieldOf(type, kind), FieldRow.CLASS));
  frameVarints = varintsOf(type);
  methodAt = method;
  lineAt = line;
  typeAt = kind;
  const map = newBinding(type);
  bind(map, method, 0);
  bind(map, line, 1);
  bind(map, kind, 2);
  framePlan = planOf(type, map);
}

function isBoolean(cls: u32, i: u32): bool {
  const type = load<u32>(fieldOf(cls, i), FieldRow.CLASS);
  return isClass(type) && load<u32>(classAt(type), ClassRow.BASE) === Base.Boolean;
}

/**
 * Stack index of the trace `key`; 0 if there is no trace or the key does not exist. With `exactLeaf` frame 0 is an
 * interrupted instruction, not a return address: this is another stack if frame 0 is known by its address only.
 */
export function stackOf(cls: u32, key: u64, exactLeaf: bool): u32 {
  if (cls !== stackClass) return 0;
  const entry = poolEntry(cls, key);
  if (entry === 0) return 0;
  const known = resolved(entry, Became.Stack);
  // The stack's index, and 1 bit: the leaf is a return address.
  let trace: u32 = 0;
  if (known !== 0) {
    trace = known - 1;
  } else {
    const start = <usize>load<u32>(entry);
    const stack = decode(start, key);
    // An entry of a class that also has texts does not keep its stack, so one trace may be decoded for each event.
    spend(<u32>(position() - start));
    trace = (stack << 1) | (isReturn(leafOf(stack)) ? 1 : 0);
    resolve(entry, Became.Stack, trace);
  }
  return exactLeaf && (trace & 1) !== 0 ? interruptedStack(trace >> 1) : trace >> 1;
}

/** Location of frame 0; 0 if there is no frame. */
function leafOf(stack: u32): u32 {
  const p = stacks.pointer(stack);
  return takeVarint(p, p + stacks.size(stack)) === 0 ? 0 : <u32>value;
}

/** The stack of a call of `method` from the leaf of `caller`; `offset` is that of its event. */
export function calledStack(caller: u32, method: u64, offset: u64): u32 {
  packed.size = 0;
  pushLocation(locationOf(method, 0, FrameType.Jvm));
  packed.bytes(stacks.pointer(caller), stacks.size(caller));
  spend(packed.size);
  return internPlainStack(packed, Diagnostic.StackDeep, offset);
}

/** The stack with the address of an interrupted frame 0. */
function interruptedStack(stack: u32): u32 {
  const known = interrupted.find(<u64>stack);
  if (known !== 0) return known;
  const leaf = interruptedLocation(leafOf(stack));
  const p = stacks.pointer(stack);
  const end = p + stacks.size(stack);
  const rest = takeVarint(p, end);
  packed.size = 0;
  pushLocation(leaf);
  packed.bytes(rest, <u32>(end - rest));
  const row = stacks.intern(packed.at, packed.size);
  interrupted.add(<u64>stack, row);
  return row;
}

function decode(p: usize, key: u64): u32 {
  seek(p, chunkEnd);
  packed.size = 0;
  let truncated: bool = false;
  if (plainTrace) {
    truncated = readByte() !== 0;
  } else {
    // The frames are skipped by the plan: find where they start by walking the fields before them.
    store<u64>(slotPointer(0), 0);
    if (!read(tracePlan)) return damaged(p, key);
    truncated = slot(0) !== 0;
    if (!seekFrames(p)) return damaged(p, key);
  }
  const count = readInt();
  if (overrun || count > left()) return damaged(p, key);
  const whole = frameVarints === 4 && methodAt === 0 && lineAt === 1 && typeAt === 3 && compressed;
  if (!(whole ? readFrames(count) : readOddFrames(count))) return damaged(p, key);
  if (truncated) pushLocation(truncatedLocation());
  return internPlainStack(packed, Diagnostic.StackDeep, offsetOf(p));
}

/** Frames of any other make, from the cursor. */
function readOddFrames(count: u32): bool {
  for (let i: u32 = 0; i < count; i++) {
    let method: u64 = 0;
    let line: u32 = 0;
    let type: u64 = 0;
    if (frameVarints !== 0) {
      for (let k: u32 = 0; k < frameVarints; k++) {
        const v = varLong();
        if (k === methodAt) method = v;
        else if (k === lineAt) line = <u32>v;
        else if (k === typeAt) type = v;
      }
    } else {
      for (let k: u32 = 0; k < 3; k++) store<u64>(slotPointer(k), 0);
      if (!read(framePlan)) return false;
      method = slot(0);
      line = <u32>slot(1);
      type = slot(2);
    }
    if (overrun) return false;
    const back = position();
    pushFrame(method, line, type);
    seek(back, chunkEnd);
  }
  return true;
}

function damaged(p: usize, key: u64): u32 {
  diagnose(Diagnostic.StackDamaged, offsetOf(p), <i64>key);
  return 0;
}

/** Puts the cursor on the frames of the trace at `p`, whatever is before them. */
function seekFrames(p: usize): bool {
  seek(p, chunkEnd);
  return skipFields(stackClass, framesAt);
}
