/**
 * Classes, methods, threads and frame types of one chunk, decoded when first used and kept beside their pool entry.
 * All fields are found by name; old names (com.oracle.jfr.types.*) end in the same words.
 */

import * as FrameType from "../../abi/frame-type";
import * as ValueKind from "../../abi/value-kind";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { onReset } from "../../memory/resets";
import { noteThread, noting } from "../../store/contexts";
import { THREAD_ID_KEY, THREAD_NAME_KEY } from "../../store/keys";
import {
  internAttribute,
  internFunction,
  internString,
  internText,
  internThreadOf,
  ThreadKind,
} from "../../store/tables";
import { noteThreadTime } from "../../store/threads/labels";
import { Became, resolve, resolved } from "./constant-pool";
import { enterEntry, nextPoolEntry, poolEntry, wantPool } from "./constant-pools";
import { startNanos } from "./header";
import { isClass } from "./metadata";
import { fuel, read } from "./plan";
import * as FieldRow from "./rows/field-row";
import {
  bind,
  fieldNamed,
  fieldOf,
  found,
  NO_FIELD,
  NO_TEXT,
  NOWHERE,
  newBinding,
  planOf,
  slot,
  slotPointer,
  stringOf,
  textOf,
  textOfEntry,
  wantText,
  wantTextOf,
} from "./struct";

const NO_CLASS: u32 = 0xffff_ffff;

export let methodClass: u32 = NO_CLASS;
let methodPlan: u32 = 0;
let methodType: u32 = NO_CLASS;
/** Text sources of fields, here and below. */
let methodName: u32 = NOWHERE;
let methodDescriptor: u32 = NOWHERE;

let classClass: u32 = NO_CLASS;
let classPlan: u32 = 0;
let classTitle: u32 = NOWHERE;

let threadClass: u32 = NO_CLASS;
let threadPlan: u32 = 0;
let threadOs: u32 = NOWHERE;
let threadJava: u32 = NOWHERE;
/** The thread found last, if any. */
let hasLastThread: bool = false;
let lastThreadKey: u64 = 0;
let lastThread: u32 = 0;

let frameTypeClass: u32 = NO_CLASS;
let kernelKnown: bool = false;
let kernel: bool = false;

/** Name of the current method: class name and method name, or a substitute. */
const name: Buffer = ownBuffer(1 << 12);
let nameKey: u32 = 0;
let idKey: u32 = 0;

/** Parts of the method that was found last. */
export const methodClassText: Buffer = ownBuffer(1 << 10);
export const methodNameText: Buffer = ownBuffer(1 << 10);
export const methodDescriptorText: Buffer = ownBuffer(1 << 10);

onReset((): void => {
  nameKey = internText(THREAD_NAME_KEY);
  idKey = internText(THREAD_ID_KEY);
});

export function forgetConstants(): void {
  methodClass = NO_CLASS;
  classClass = NO_CLASS;
  threadClass = NO_CLASS;
  frameTypeClass = NO_CLASS;
  kernelKnown = false;
  hasLastThread = false;
}

/** Prepares methods of class `cls` (the class of StackFrame.method). */
export function wantMethods(cls: u32): void {
  if (!isClass(cls) || methodClass === cls) return;
  methodClass = cls;
  wantPool(cls);
  const type = fieldNamed(cls, "type");
  const title = fieldNamed(cls, "name");
  const descriptor = fieldNamed(cls, "descriptor");
  const map = newBinding(cls);
  bind(map, type, 0);
  bind(map, title, 1);
  bind(map, descriptor, 2);
  methodPlan = planOf(cls, map);
  methodType = NO_CLASS;
  if (type !== NO_FIELD) {
    methodType = load<u32>(fieldOf(cls, type), FieldRow.CLASS);
    wantClasses(methodType);
  }
  methodName = wantTextOf(cls, title);
  methodDescriptor = wantTextOf(cls, descriptor);
}

/** Prepares constants of java.lang.Class. */
export function wantClasses(cls: u32): void {
  if (!isClass(cls) || classClass === cls) return;
  classClass = cls;
  wantPool(cls);
  const title = fieldNamed(cls, "name");
  const map = newBinding(cls);
  bind(map, title, 0);
  classPlan = planOf(cls, map);
  classTitle = wantTextOf(cls, title);
}

export function wantThreads(cls: u32): void {
  if (!isClass(cls) || threadClass === cls) return;
  threadClass = cls;
  wantPool(cls);
  const map = newBinding(cls);
  const os = fieldNamed(cls, "osName");
  const java = fieldNamed(cls, "javaName");
  bind(map, os, 0);
  bind(map, fieldNamed(cls, "osThreadId"), 1);
  bind(map, java, 2);
  bind(map, fieldNamed(cls, "javaThreadId"), 3);
  bind(map, fieldNamed(cls, "virtual"), 4);
  threadPlan = planOf(cls, map);
  threadOs = wantTextOf(cls, os);
  threadJava = wantTextOf(cls, java);
}

export function wantFrameTypes(cls: u32): void {
  if (!isClass(cls) || frameTypeClass === cls) return;
  frameTypeClass = cls;
  wantText(cls);
}

/** Appends `n` bytes with `/` as `.`: class names are slashed in the JVM and dotted for people. */
function appendDotted(to: Buffer, p: usize, n: u32): void {
  const q = to.need(n);
  for (let i: u32 = 0; i < n; i++) {
    const b = load<u8>(p + i);
    store<u8>(q + i, b === 0x2f ? 0x2e : b);
  }
  to.size += n;
}

/** Name of the class `key` as recorded (slashes), into `found`; false if it has no name. */
function classText(cls: u32, key: u64): bool {
  found.size = 0;
  const entry = poolEntry(cls, key);
  if (entry === 0 || cls !== classClass) return false;
  enterEntry(entry);
  if (!read(classPlan)) return false;
  return textOf(classTitle, slot(0));
}

/** Element type of an array descriptor, e.g. `[[B` or `[Ljava/lang/String;`, as people write it. */
function appendArray(to: Buffer, p: usize, n: u32): void {
  let depth: u32 = 0;
  while (depth < n && load<u8>(p + depth) === 0x5b) depth++;
  const rest = p + depth;
  const left = n - depth;
  const c: u32 = left > 0 ? load<u8>(rest) : 0;
  if (c === 0x4c && load<u8>(rest + left - 1) === 0x3b) appendDotted(to, rest + 1, left - 2);
  else if (left !== 1 || !appendPrimitive(to, c)) appendDotted(to, rest, left);
  for (let i: u32 = 0; i < depth; i++) {
    store<u16>(to.need(2), 0x5d5b);
    to.size += 2;
  }
}

function appendText(to: Buffer, text: string): void {
  const n = text.length;
  const p = to.need(<u32>n);
  for (let i = 0; i < n; i++) store<u8>(p + i, <u8>text.charCodeAt(i));
  to.size += <u32>n;
}

function appendPrimitive(to: Buffer, c: u32): bool {
  if (c === 0x42) appendText(to, "byte");
  else if (c === 0x43) appendText(to, "char");
  else if (c === 0x44) appendText(to, "double");
  else if (c === 0x46) appendText(to, "float");
  else if (c === 0x49) appendText(to, "int");
  else if (c === 0x4a) appendText(to, "long");
  else if (c === 0x53) appendText(to, "short");
  else if (c === 0x5a) appendText(to, "boolean");
  else return false;
  return true;
}

/** String index of a class's name as in source code (`java.lang.String`, `byte[]`); 0 if it has no name. */
export function classLabel(cls: u32, key: u64): u32 {
  const entry = poolEntry(cls, key);
  if (entry === 0) return 0;
  const known = resolved(entry, Became.ClassLabel);
  if (known !== 0) return known - 1;
  let label: u32 = 0;
  if (classText(cls, key)) {
    name.size = 0;
    if (found.size > 1 && load<u8>(found.at) === 0x5b) appendArray(name, found.at, found.size);
    else appendDotted(name, found.at, found.size);
    label = internString(name.at, name.size);
  }
  resolve(entry, Became.ClassLabel, label);
  return label;
}

/** Where the pool keeps the result for method `key` (a function, see stack-trace.ts); 0 if the key does not exist. */
export function methodEntry(key: u64): usize {
  return poolEntry(methodClass, key);
}

/** Class, name and descriptor of method `key` into the three texts; false without such a constant, or without fuel. */
export function methodTexts(key: u64): bool {
  const entry = poolEntry(methodClass, key);
  if (entry === 0) return false;
  enterEntry(entry);
  if (!read(methodPlan)) return false;
  const type = slot(0);
  const title = slot(1);
  const descriptor = slot(2);
  copyText(methodNameText, methodName, title);
  copyText(methodDescriptorText, methodDescriptor, descriptor);
  methodClassText.size = 0;
  if (classText(methodType, type)) methodClassText.bytes(found.at, found.size);
  return fuel >= 0;
}

function copyText(to: Buffer, source: u32, value: u64): void {
  to.size = 0;
  if (textOf(source, value)) to.bytes(found.at, found.size);
}

/** Function `pkg.Class.method` with the bare name and descriptor as its system name, from the three texts. */
export function javaFunction(): u32 {
  name.size = 0;
  appendDotted(name, methodClassText.at, methodClassText.size);
  if (methodClassText.size !== 0) {
    store<u8>(name.need(1), 0x2e);
    name.size++;
  }
  name.bytes(methodNameText.at, methodNameText.size);
  const title = internString(name.at, name.size);
  name.size = 0;
  name.bytes(methodNameText.at, methodNameText.size);
  name.bytes(methodDescriptorText.at, methodDescriptorText.size);
  return internFunction(title, internString(name.at, name.size), 0, 0);
}

/** Thread index of `key`: its Java name and id where it has them, else those of the operating system. */
export function threadOf(cls: u32, key: u64): u32 {
  // Events come in runs of one thread, buffer by buffer.
  if (hasLastThread && key === lastThreadKey && cls === threadClass) return lastThread;
  const entry = cls === threadClass ? poolEntry(cls, key) : 0;
  if (entry === 0) return 0;
  const known = resolved(entry, Became.Thread);
  lastThread = known !== 0 ? known - 1 : makeThread(entry);
  lastThreadKey = key;
  hasLastThread = true;
  return lastThread;
}

function makeThread(entry: usize): u32 {
  enterEntry(entry);
  let thread: u32 = 0;
  for (let i: u32 = 0; i < 5; i++) store<u64>(slotPointer(i), 0);
  if (read(threadPlan)) {
    const osName = slot(0);
    const osId = slot(1);
    const javaName = slot(2);
    const javaId = slot(3);
    const isVirtual = slot(4) !== 0;
    let text = stringOf(threadJava, javaName);
    if (text === NO_TEXT || text === 0) text = stringOf(threadOs, osName);
    const title = text === NO_TEXT || text === 0 ? 0 : internAttribute(nameKey, ValueKind.Text, text);
    const isJava = <i64>javaId > 0;
    const id = isJava ? javaId : osId;
    const number = <i64>id > 0 ? internAttribute(idKey, ValueKind.Int, id) : 0;
    thread = internThreadOf(title, number, isJava ? ThreadKind.Java : ThreadKind.System);
    noteThreadTime(thread, <u64>startNanos);
    if (noting) noteThread(thread, isVirtual ? 0 : <i64>osId, <i64>javaId);
  }
  resolve(entry, Became.Thread, thread);
  return thread;
}

/** Whether the chunk's frame types know a kernel: then "Native" is native code, otherwise a native Java method. */
function kernelTypes(): bool {
  if (kernelKnown) return kernel;
  kernelKnown = true;
  kernel = false;
  for (let e = nextPoolEntry(frameTypeClass, 0); e !== 0; e = nextPoolEntry(frameTypeClass, e)) {
    if (textOfEntry(frameTypeClass, e) && holdsKernel()) kernel = true;
  }
  return kernel;
}

function holdsKernel(): bool {
  for (let i: u32 = 0; i + 6 <= found.size; i++) {
    const p = found.at + i;
    if (load<u32>(p) === 0x6e72654b && load<u16>(p + 4) === 0x6c65) return true;
  }
  return false;
}

function foundIs(text: string): bool {
  if (found.size !== <u32>text.length) return false;
  for (let i: u32 = 0; i < found.size; i++) if (<i32>load<u8>(found.at + i) !== text.charCodeAt(i)) return false;
  return true;
}

/** Frame type of the constant `key`, by its text: numbers differ between producers. */
export function frameTypeOf(key: u64): u32 {
  const entry = poolEntry(frameTypeClass, key);
  // Older ddprof writes a key without a constant for frames known by build id and address.
  if (entry === 0) return FrameType.Native;
  const known = resolved(entry, Became.FrameType);
  if (known !== 0) return <u32>(known - 1);
  let type = FrameType.Jvm;
  if (!textOfEntry(frameTypeClass, entry) || found.size === 0) type = FrameType.Native;
  else if (foundIs("Kernel")) type = FrameType.Kernel;
  else if (foundIs("C++") || foundIs("Native (remote)")) type = FrameType.Native;
  else if (foundIs("Native") && kernelTypes()) type = FrameType.Native;
  resolve(entry, Became.FrameType, <u32>type);
  return type;
}
