/**
 * Stack traces of one chunk as stacks of the store. A frame's location is looked up by what the bytes say (method key,
 * line, type key), so names are built once per method and a frame costs one load in the common case.
 *
 *   StackTrace := truncated · n · StackFrame^n        StackFrame := method · line · bytecode index · type, leaf first
 */
import { alloc } from "../../memory/arena";
import { Buffer, newBuffer } from "../../memory/buffer";
import { diagnose } from "../../store/diagnostics";
import {
  FrameType,
  internAttribute,
  internFunction,
  internLocation,
  internMapping,
  internPlainLocation,
  internString,
  internText,
  stacks,
  ValueKind,
} from "../../store/tables";
import { Finding } from "./codes";
import {
  frameTypeOf,
  javaFunction,
  methodClassText,
  methodDescriptorText,
  methodEntry,
  methodNameText,
  methodTexts,
  wantFrameTypes,
  wantMethods,
} from "./constants";
import { compressed, left, overrun, position, readByte, readInt, seek, varLong } from "./cursor";
import { chunkEnd, offsetOf } from "./header";
import { Base, CLASS_BASE, CLASS_FIELDS, classAt, FIELD_CLASS, FIELD_FLAGS, FIELD_IS_ARRAY, isClass } from "./metadata";
import { read, spend, varintsOf } from "./plan";
import { poolEntry, wantPool } from "./pools";
import { bind, fieldNamed, fieldOf, NO_FIELD, newBinding, planOf, skipFields, slot, slotPointer } from "./struct";

const NO_CLASS: u32 = 0xffff_ffff;

/**
 * Locations found last, direct-mapped: | method key 40 bits, line 16, type key 8 | location u32 | generation u32 |.
 * Class files number lines in 16 bits; a frame whose keys do not fit is looked up without the cache.
 */
const CACHE_BITS: u32 = 15;
const CACHE_ENTRY: usize = 16;

/** Stacks found last, direct-mapped by the low bits of the key: | key u32 | stack + 1 u32 |, cleared for each chunk. */
const RECENT: u64 = 1 << 15;
let recent: usize = 0;

let cache: usize = 0;
let generation: u32 = 0;

let stackClass: u32 = NO_CLASS;
/** Pointer plan for the two fields of StackTrace. */
let tracePlan: u32 = 0;
/** Whether the frames stand behind one boolean, as every producer seen writes them. */
let plainTrace: bool = false;
let framePlan: u32 = 0;
/** Fields of a frame when all of them are varints, else 0; then where method, line and type stand. */
let frameVarints: u32 = 0;
let methodAt: u32 = 0;
let lineAt: u32 = 0;
let typeAt: u32 = 0;

/** Packed varints of location indices of the stack in the making. */
let packed: Buffer = changetype<Buffer>(0);
let label: Buffer = changetype<Buffer>(0);
let truncatedName: u32 = 0;
let buildIdKey: u32 = 0;

export function resetStackTraces(): void {
  cache = alloc((<usize>CACHE_ENTRY) << CACHE_BITS);
  memory.fill(cache, 0, (<usize>CACHE_ENTRY) << CACHE_BITS);
  // A cleared entry is of generation 0, and so of no chunk.
  generation = 1;
  recent = alloc((<usize>RECENT) << 3);
  memory.fill(recent, 0, (<usize>RECENT) << 3);
  packed = newBuffer(1 << 12);
  label = newBuffer(1 << 10);
  truncatedName = 0;
  buildIdKey = 0;
}

export function forgetStackTraces(): void {
  stackClass = NO_CLASS;
  memory.fill(recent, 0, (<usize>RECENT) << 3);
  generation++;
}

/** Prepares stack traces of class `cls`. */
export function wantStacks(cls: u32): void {
  if (!isClass(cls) || stackClass === cls) return;
  const frames = fieldNamed(cls, "frames");
  if (frames === NO_FIELD) return;
  const f = fieldOf(cls, frames);
  const type = load<u32>(f, FIELD_CLASS);
  if (!isClass(type) || load<u32>(f, FIELD_FLAGS) !== FIELD_IS_ARRAY) return;
  stackClass = cls;
  wantPool(cls);
  const truncated = fieldNamed(cls, "truncated");
  plainTrace = frames === 1 && truncated === 0 && load<u32>(classAt(cls), CLASS_FIELDS) === 2 && isBoolean(cls, 0);
  if (!plainTrace) {
    const trace = newBinding(cls);
    bind(trace, truncated, 0);
    tracePlan = planOf(cls, trace);
  }
  const method = fieldNamed(type, "method");
  const line = fieldNamed(type, "lineNumber");
  const kind = fieldNamed(type, "type");
  if (method !== NO_FIELD) wantMethods(load<u32>(fieldOf(type, method), FIELD_CLASS));
  if (kind !== NO_FIELD) wantFrameTypes(load<u32>(fieldOf(type, kind), FIELD_CLASS));
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
  const type = load<u32>(fieldOf(cls, i), FIELD_CLASS);
  return isClass(type) && load<u32>(classAt(type), CLASS_BASE) === Base.Boolean;
}

/**
 * Stack index of the trace `key`; 0 for none, and for a key that hangs in the air. Recorders number traces one by one,
 * so the low bits of a key serve as its hash, and neighbours stay neighbours.
 */
export function stackOf(cls: u32, key: u64): u32 {
  if (cls !== stackClass) return 0;
  const e = recent + ((<usize>(key & (RECENT - 1))) << 3);
  if (key >> 32 === 0 && load<u32>(e) === <u32>key && load<u32>(e, 4) !== 0) return load<u32>(e, 4) - 1;
  const stack = stackOfEntry(key);
  if (key >> 32 === 0) {
    store<u32>(e, <u32>key);
    store<u32>(e, stack + 1, 4);
  }
  return stack;
}

function stackOfEntry(key: u64): u32 {
  const entry = poolEntry(stackClass, key);
  if (entry === 0) return 0;
  const known = load<u32>(entry, 12);
  if (known !== 0) return known - 1;
  const stack = decode(<usize>load<u32>(entry, 8), key);
  store<u32>(entry, stack + 1, 12);
  return stack;
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
  if (truncated) push(truncatedLocation());
  return stacks.intern(packed.at, packed.size);
}

/** Frames that `readFrames` makes room for at once. */
const ROOM: u32 = 256;

/** The 7-bit groups of up to four bytes as one number. */
function gather(w: u64): u64 {
  return (w & 0x7f) | ((w >> 1) & 0x3f80) | ((w >> 2) & 0x1f_c000) | ((w >> 3) & 0xfe0_0000);
}

/**
 * Frames of method, line, bytecode index and type, which is what every producer seen writes. Most fit into eight bytes:
 * the four ends are found at once, without a branch per byte that nobody could predict.
 */
function readFrames(count: u32): bool {
  let p = position();
  let q: usize = 0;
  for (let i: u32 = 0; i < count; i++) {
    // Room for some frames at a time: the count may lie.
    if (i % ROOM === 0) {
      if (i !== 0) packed.size = <u32>(q - packed.at);
      q = packed.need(ROOM * 5);
    }
    const w = load<u64>(p);
    let stops = ~w & 0x8080808080808080;
    const a = ctz<u64>(stops);
    stops &= stops - 1;
    const b = ctz<u64>(stops);
    stops &= stops - 1;
    const c = ctz<u64>(stops);
    stops &= stops - 1;
    let location: u32 = 0;
    if (stops !== 0 && a < 32 && b - a < 33) {
      const d = ctz<u64>(stops);
      p += <usize>((d + 1) >> 3);
      const method = gather(w & (((<u64>1) << a) - 1));
      const line = <u32>gather((w >> (a + 1)) & (((<u64>1) << (b - a - 1)) - 1));
      const type = gather((w >> (c + 1)) & (((<u64>1) << (d - c - 1)) - 1));
      location = locationOf(method, line, type);
    } else {
      seek(p, chunkEnd);
      const method = varLong();
      const line = <u32>varLong();
      varLong();
      const type = varLong();
      if (overrun) return false;
      p = position();
      location = locationOf(method, line, type);
    }
    if (p > chunkEnd) return false;
    q = putVarint(q, location);
  }
  if (count !== 0) packed.size = <u32>(q - packed.at);
  return true;
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
    push(locationOf(method, line, type));
    seek(back, chunkEnd);
  }
  return true;
}

function damaged(p: usize, key: u64): u32 {
  diagnose(Finding.StackDamaged, offsetOf(p), <i64>key);
  return 0;
}

/** Puts the cursor on the frames of the trace at `p`, whatever stands before them. */
function seekFrames(p: usize): bool {
  const frames = fieldNamed(stackClass, "frames");
  seek(p, chunkEnd);
  return skipFields(stackClass, frames);
}

function putVarint(p: usize, v: u32): usize {
  while (v > 0x7f) {
    store<u8>(p, <u8>(v | 0x80));
    p++;
    v >>= 7;
  }
  store<u8>(p, <u8>v);
  return p + 1;
}

function push(location: u32): void {
  packed.size = <u32>(putVarint(packed.need(5), location) - packed.at);
}

function truncatedLocation(): u32 {
  if (truncatedName === 0) truncatedName = internText("[truncated]");
  return internLocation(internFunction(truncatedName, 0, 0, 0), 0, 0, 0, FrameType.None);
}

/** Location of a frame by its raw fields. Moves the cursor when the frame is new. */
function locationOf(method: u64, line: u32, type: u64): u32 {
  // Lines above 2³¹ are negative: −1 and 0 mean that there is none.
  const known: u32 = <i32>line > 0 ? line : 0;
  if (method >> 40 !== 0 || known >> 16 !== 0 || type >> 8 !== 0) return makeLocation(method, known, type);
  const packedKey = (method << 24) | ((<u64>known) << 8) | type;
  const h = <u32>((packedKey * 0x9e3779b97f4a7c15) >> (64 - CACHE_BITS));
  const e = cache + <usize>h * CACHE_ENTRY;
  if (load<u64>(e) === packedKey && load<u32>(e, 12) === generation) return load<u32>(e, 8);
  const location = makeLocation(method, known, type);
  store<u64>(e, packedKey);
  store<u32>(e, location, 8);
  store<u32>(e, generation, 12);
  return location;
}

/**
 * Location of a frame. A Java method's function is kept beside its pool entry, so another line of it costs no names.
 */
function makeLocation(method: u64, known: u32, typeKey: u64): u32 {
  const type = frameTypeOf(typeKey);
  const entry = methodEntry(method);
  if (type === FrameType.Jvm && entry !== 0 && load<u32>(entry, 12) !== 0)
    return internPlainLocation(load<u32>(entry, 12) - 1, known, type);
  if (entry === 0 || !methodTexts(method) || methodNameText.size + methodClassText.size === 0)
    return addressLocation("[unknown method]", method, 0, type);
  // A class name stands in the name of each of its methods: one of a megabyte would fill the memory.
  if (!spend(methodClassText.size + methodNameText.size + methodDescriptorText.size))
    return addressLocation("[unknown method]", method, 0, type);
  if (type !== FrameType.Jvm) return nativeLocation(known, type);
  const fn = javaFunction();
  store<u32>(entry, fn + 1, 12);
  return internPlainLocation(fn, known, type);
}

/** `text+0xhex`: a frame known by its address only. */
function addressLocation(text: string, address: u64, mapping: u32, type: FrameType): u32 {
  label.size = 0;
  const n = text.length;
  const p = label.need(<u32>n);
  for (let i = 0; i < n; i++) store<u8>(p + i, <u8>text.charCodeAt(i));
  label.size = <u32>n;
  return appendAddress(address, mapping, type);
}

function appendAddress(address: u64, mapping: u32, type: FrameType): u32 {
  const p = label.need(20);
  store<u8>(p, 0x2b);
  store<u8>(p, 0x30, 1);
  store<u8>(p, 0x78, 2);
  let digits: u32 = 1;
  while (digits < 16 && address >> ((<u64>digits) << 2) !== 0) digits++;
  for (let i: u32 = 0; i < digits; i++) {
    const d = <u32>(address >> ((<u64>(digits - 1 - i)) << 2)) & 15;
    store<u8>(p + 3 + i, <u8>(d < 10 ? 48 + d : 87 + d));
  }
  label.size += 3 + digits;
  return internLocation(internFunction(internString(label.at, label.size), 0, 0, 0), 0, mapping, 0, type);
}

/**
 * Native and kernel frames: the symbol alone is the name, the library (async-profiler's class) the mapping.
 * ddprof names a frame without symbol `[lib.so+0x12]`, and with remote symbolication by build id (class), `<remote>`
 * (method) and address (descriptor).
 */
function nativeLocation(line: u32, type: FrameType): u32 {
  let symbol = methodNameText;
  const library = methodClassText;
  if (isRemote(symbol)) {
    if (buildIdKey === 0) buildIdKey = internText("process.executable.build_id.gnu");
    label.size = 0;
    store<u8>(label.need(1), 0x5b);
    label.size = 1;
    label.bytes(library.at, library.size);
    store<u8>(label.need(1), 0x5d);
    label.size++;
    const id = internAttribute(buildIdKey, ValueKind.String, internString(library.at, library.size));
    return appendAddress(hex(methodDescriptorText), internMapping(0, id), type);
  }
  if (symbol.size === 0) symbol = library;
  let p = symbol.at;
  let n = symbol.size;
  const plus = addressMark(p, n);
  if (plus !== 0 && load<u8>(p) === 0x5b && load<u8>(p + n - 1) === 0x5d) {
    p++;
    n -= 2;
    const file = internString(p, plus - 1);
    return internLocation(internFunction(internString(p, n), 0, 0, 0), 0, internMapping(file, 0), 0, type);
  }
  const mapping = library.size === 0 ? 0 : internMapping(internString(library.at, library.size), 0);
  return internLocation(internFunction(internString(p, n), 0, 0, 0), line, mapping, 0, type);
}

function isRemote(b: Buffer): bool {
  // "<remote>" as one little-endian word.
  return b.size === 8 && load<u64>(b.at) === 0x3e65746f6d65723c;
}

/** Offset of the last `+0x` in the text, or 0. */
function addressMark(p: usize, n: u32): u32 {
  for (let i = n; i > 3; i--) {
    const q = p + (i - 3);
    if (load<u8>(q) === 0x2b && load<u8>(q, 1) === 0x30 && load<u8>(q, 2) === 0x78) return i - 3;
  }
  return 0;
}

/** Value of a hex digit, 16 for any other character. */
function digit(c: u32): u32 {
  if (c - 48 < 10) return c - 48;
  return (c | 32) - 97 < 6 ? (c | 32) - 87 : 16;
}

/** The number of a text like `0xc21cb8`. */
function hex(b: Buffer): u64 {
  let v: u64 = 0;
  for (let i: u32 = 0; i < b.size; i++) {
    const c: u32 = load<u8>(b.at + i);
    const d = digit(c);
    if (d < 16) v = (v << 4) | d;
    else v = 0;
  }
  return v;
}
