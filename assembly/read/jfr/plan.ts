/**
 * Plans: small programs that walk the bytes of one value, made once per class and chunk from the metadata.
 * A skip plan moves past the value; a read plan also puts chosen fields into `slots`. Words come in pairs.
 *
 *   | operation | argument |   …   | END | 0 |
 *
 * Runs of varints and of raw bytes are one operation each, so a stack trace of depth d is skipped by one count to 4·d.
 */

import { Buffer, ownBuffer } from "../../memory/buffer";
import { onReset } from "../../memory/resets";
import {
  compressed,
  fixed,
  left,
  overrun,
  position,
  readInt,
  readLong,
  skipBytes,
  skipFew,
  skipVarints,
} from "./cursor";
import { Base, classAt, fieldAt, isClass } from "./metadata";
import * as ClassRow from "./rows/class-row";
import * as FieldRow from "./rows/field-row";
import { skipText } from "./text";

enum Op {
  End,
  /** argument: how many */
  Varints,
  /** argument: how many */
  Bytes,
  Text,
  /** argument: class */
  Struct,
  /** argument: class of the elements */
  Array,
  /** a reference or integer into a slot; argument: slot, also below */
  ReadLong,
  ReadInt,
  ReadShort,
  ReadChar,
  ReadByte,
  /** integers without a sign; a short is a char then */
  ReadUnsignedInt,
  ReadUnsignedByte,
  ReadFloat,
  ReadDouble,
  /** pointer to the string's encoding byte, and above it how many bytes the string takes */
  ReadText,
  /** a class that the metadata does not define: its size is unknown */
  Undefined,
}

/** Up to this number, varints are skipped faster 8 bytes at a time than 64. */
const FEW: u32 = 8;
/** A word is an operation with its argument. */
const OP_ARGUMENT: usize = 4;
const OP_BYTES: u32 = 8;

export const SLOTS: u32 = 64;
/** In a binding: the field has no slot. */
export const NO_SLOT: u32 = 255;
/**
 * Results of the last read plan, 64 bits per slot: floats as f64, integers extended by their sign, text as | pointer |
 * size |.
 */
export const slots: usize = memory.data(64 * 8, 8);

const DEPTH_LIMIT: u32 = 32;
/** Element class of an array of references. */
const REFERENCE: u32 = 0xffff_fffe;

const ops: Buffer = ownBuffer(1 << 14);
/**
 * Fuel: the work that reading may still do. Hostile metadata can nest types so that walking them would take forever.
 */
export let fuel: i64 = 0;

/**
 * Fuel of a chunk beyond that of its bytes: the amount that is left for all chunks, and the amount that the chunk was
 * given.
 */
let reserve: i64 = 0;
let extra: i64 = 0;

/** Drops the plans of the chunk before. `bytes`: size of the chunk. */
export function beginPlans(bytes: u32): void {
  ops.size = 0;
  // Position 0 means "no plan yet".
  emit(Op.End, 0);
  refuel(bytes);
}

/** Fuel of ordinary bytes is below this. */
const FUEL_PER_BYTE: i64 = 16;

/**
 * Extra fuel of all chunks, of one stage of a chunk, and of one once the reserve is empty: a file may have a million
 * chunks.
 */
const RESERVE: i64 = 100_000_000;
const MOST_EXTRA: i64 = 10_000_000;
const LEAST_EXTRA: i64 = 20_000;

onReset((): void => {
  reserve = RESERVE;
  extra = 0;
  fuel = 0;
});

/** To be called before each stage of a chunk: fuel used by one stage is not missing in the next. */
export function refuel(bytes: u32): void {
  if (fuel < extra) reserve = max<i64>(0, reserve - (extra - max<i64>(0, fuel)));
  extra = max<i64>(LEAST_EXTRA, min<i64>(MOST_EXTRA, reserve));
  fuel = extra + FUEL_PER_BYTE * <i64>bytes;
}

/** Fuel that may be left after a slice of `budget` bytes: a slice ends earlier if its bytes cost more. */
export function fuelFloor(budget: u32): i64 {
  return fuel - FUEL_PER_BYTE * <i64>budget;
}

/**
 * Gives a look-ahead over `bytes` the fuel of ordinary bytes in place of the stage's remaining fuel, which is returned.
 */
export function lendFuel(bytes: u32): i64 {
  const left = fuel;
  fuel = FUEL_PER_BYTE * <i64>bytes;
  return left;
}

/** Restores the remaining fuel of the stage. */
export function restoreFuel(left: i64): void {
  fuel = left;
}

/** Charges for work outside of plans; false once the fuel is used up. */
export function spend(amount: u32): bool {
  fuel -= <i64>amount;
  return fuel >= 0;
}

/** Plans are charged by their size: any number of them may be made of one class. */
function emit(op: Op, argument: u32): void {
  fuel -= <i64>OP_BYTES;
  ops.u32(op);
  ops.u32(argument);
}

/** Emits `n` more of an operation whose argument counts. */
function emitRun(op: Op, n: u32, from: u32): void {
  const last = ops.size - OP_BYTES;
  if (last >= from && load<u32>(ops.at + last) === op) {
    store<u32>(ops.at + last, load<u32>(ops.at + last, OP_ARGUMENT) + n, OP_ARGUMENT);
  } else {
    emit(op, n);
  }
}

function bytesOf(base: Base): u32 {
  switch (base) {
    case Base.Long:
    case Base.Double:
      return 8;
    case Base.Int:
    case Base.Float:
      return 4;
    case Base.Short:
    case Base.Char:
      return 2;
    default:
      return 1;
  }
}

function skipBase(base: Base, from: u32): void {
  if (base === Base.String) emit(Op.Text, 0);
  else if (base <= Base.Char && compressed) emitRun(Op.Varints, 1, from);
  else emitRun(Op.Bytes, bytesOf(base), from);
}

function readBase(base: Base, unsigned: bool, slot: u32): void {
  switch (base) {
    case Base.Long:
      emit(Op.ReadLong, slot);
      break;
    case Base.Int:
      emit(unsigned ? Op.ReadUnsignedInt : Op.ReadInt, slot);
      break;
    case Base.Short:
      emit(unsigned ? Op.ReadChar : Op.ReadShort, slot);
      break;
    case Base.Char:
      emit(Op.ReadChar, slot);
      break;
    case Base.Float:
      emit(Op.ReadFloat, slot);
      break;
    case Base.Double:
      emit(Op.ReadDouble, slot);
      break;
    case Base.String:
      emit(Op.ReadText, slot);
      break;
    default:
      emit(unsigned ? Op.ReadUnsignedByte : Op.ReadByte, slot);
  }
}

/** Skip plan of a class. A simple type has the bytes of its one field, so it needs no separate rule. */
function skipPlan(cls: u32): u32 {
  const known = load<u32>(classAt(cls), ClassRow.PLAN);
  if (known !== 0) return known;
  const from = ops.size;
  const base = <Base>load<u32>(classAt(cls), ClassRow.BASE);
  if (base !== Base.Struct) skipBase(base, from);
  else emitFields(cls, 0, from, load<u32>(classAt(cls), ClassRow.FIELDS));
  emit(Op.End, 0);
  store<u32>(classAt(cls), from, ClassRow.PLAN);
  return from;
}

/** Emits the first `count` fields of a class; those with a slot in `slotOf` (u8 per field, or NO_SLOT) are read. */
function emitFields(cls: u32, slotOf: usize, from: u32, count: u32): void {
  const first = load<u32>(classAt(cls), ClassRow.FIRST_FIELD);
  for (let i: u32 = 0; i < count; i++) {
    const f = fieldAt(first + i);
    const flags = load<u32>(f, FieldRow.FLAGS);
    const type = load<u32>(f, FieldRow.CLASS);
    const slot: u32 = slotOf === 0 ? NO_SLOT : load<u8>(slotOf + i);
    const reference = (flags & FieldRow.IS_REFERENCE) !== 0;
    if ((flags & FieldRow.IS_ARRAY) !== 0) emit(Op.Array, reference ? REFERENCE : type);
    else if (reference) {
      if (slot !== NO_SLOT) emit(Op.ReadLong, slot);
      else if (compressed) emitRun(Op.Varints, 1, from);
      else emitRun(Op.Bytes, 8, from);
    } else if (!isClass(type)) {
      emit(Op.Undefined, 0);
    } else {
      const base = <Base>load<u32>(classAt(type), ClassRow.BASE);
      if (base !== Base.Struct) {
        if (slot !== NO_SLOT) readBase(base, load<u32>(f, FieldRow.UNSIGNED) !== 0, slot);
        else skipBase(base, from);
      } else if (load<u32>(classAt(type), ClassRow.FIELDS) !== 0) {
        emit(Op.Struct, type);
      }
    }
  }
}

/** Whether field `f` is one varint. */
export function isVarint(f: usize): bool {
  const flags = load<u32>(f, FieldRow.FLAGS);
  if (!compressed || (flags & FieldRow.IS_ARRAY) !== 0) return false;
  if ((flags & FieldRow.IS_REFERENCE) !== 0) return true;
  const type = load<u32>(f, FieldRow.CLASS);
  return isClass(type) && <Base>load<u32>(classAt(type), ClassRow.BASE) <= Base.Char;
}

/** A plan that reads the fields of `cls` into the slots that `slotOf` names. */
export function readPlan(cls: u32, slotOf: usize): u32 {
  return firstFieldsPlan(cls, slotOf, load<u32>(classAt(cls), ClassRow.FIELDS));
}

/** A plan as that of `readPlan`, which ends with the last of these fields. */
export function readPlanUntil(cls: u32, slotOf: usize): u32 {
  let count = load<u32>(classAt(cls), ClassRow.FIELDS);
  while (count > 0 && load<u8>(slotOf + count - 1) === NO_SLOT) count--;
  return firstFieldsPlan(cls, slotOf, count);
}

function firstFieldsPlan(cls: u32, slotOf: usize, count: u32): u32 {
  const from = ops.size;
  emitFields(cls, slotOf, from, count);
  emit(Op.End, 0);
  return from;
}

/** Moves the cursor past a value of class `cls`. False: it cannot be; the position is void. */
export function skipValue(cls: u32): bool {
  return run(skipPlan(cls), 0);
}

/** Moves the cursor past one field of this class and these flags. */
export function skipField(cls: u32, flags: u32): bool {
  if ((flags & FieldRow.IS_ARRAY) !== 0) return skipArray((flags & FieldRow.IS_REFERENCE) !== 0 ? REFERENCE : cls, 0);
  if ((flags & FieldRow.IS_REFERENCE) === 0) return isClass(cls) && skipValue(cls);
  readLong();
  return !overrun;
}

/** Fills `slots` from the value at the cursor and moves past it. */
export function read(plan: u32): bool {
  return run(plan, 0);
}

/** Operation `i` of a plan. */
function opOf(plan: u32, i: u32): Op {
  return <Op>load<u32>(ops.at + plan + i * OP_BYTES);
}

function argumentOf(plan: u32, i: u32): u32 {
  return load<u32>(ops.at + plan + i * OP_BYTES, OP_ARGUMENT);
}

/**
 * How many varints a value of this class is when it is nothing else, 0 when it is something else: pools and arrays of
 * such classes are skipped by counting.
 */
export function varintsOf(cls: u32): u32 {
  const plan = skipPlan(cls);
  return opOf(plan, 0) === Op.Varints && opOf(plan, 1) === Op.End ? argumentOf(plan, 0) : 0;
}

/**
 * How many varints an element has when a value of this class is one byte and an array of elements that are nothing
 * else: stack traces, which most of a recording's bytes are. 0 when it is something else.
 */
export function traceVarintsOf(cls: u32): u32 {
  const plan = skipPlan(cls);
  if (opOf(plan, 0) !== Op.Bytes || argumentOf(plan, 0) !== 1) return 0;
  if (opOf(plan, 1) !== Op.Array || opOf(plan, 2) !== Op.End) return 0;
  const element = argumentOf(plan, 1);
  return isClass(element) ? varintsOf(element) : 0;
}

function skipArray(cls: u32, depth: u32): bool {
  const n = readInt();
  if (overrun || n > left()) return false;
  if (cls === REFERENCE) {
    if (compressed) skipVarints(n);
    else for (let i: u32 = 0; i < n; i++) readLong();
    return !overrun;
  }
  if (!isClass(cls)) return false;
  const each = varintsOf(cls);
  if (each !== 0) {
    if (<u64>n * <u64>each > left()) return false;
    skipVarints(n * each);
    return !overrun;
  }
  const plan = skipPlan(cls);
  for (let i: u32 = 0; i < n; i++) if (!run(plan, depth + 1)) return false;
  return true;
}

function run(plan: u32, depth: u32): bool {
  if (depth > DEPTH_LIMIT) return false;
  let p = plan;
  while (true) {
    // `ops` moves when a plan is made on the way.
    const op = <Op>load<u32>(ops.at + p);
    const argument = load<u32>(ops.at + p, OP_ARGUMENT);
    p += OP_BYTES;
    if (--fuel < 0) return false;
    const slot = slots + ((<usize>argument) << 3);
    switch (op) {
      case Op.End:
        return !overrun;
      case Op.Varints:
        if (argument <= FEW) skipFew(argument);
        else skipVarints(argument);
        break;
      case Op.Bytes:
        skipBytes(argument);
        break;
      case Op.Text:
        if (!skipText()) return false;
        break;
      case Op.Struct:
        if (!run(skipPlan(argument), depth + 1)) return false;
        break;
      case Op.Array:
        if (!skipArray(argument, depth)) return false;
        break;
      case Op.ReadLong:
        store<u64>(slot, readLong());
        break;
      case Op.ReadInt:
        store<i64>(slot, <i64>(<i32>readInt()));
        break;
      case Op.ReadShort:
        store<i64>(slot, <i64>(<i16>(compressed ? readInt() : <u32>fixed(2))));
        break;
      case Op.ReadChar:
        store<u64>(slot, <u64>(<u16>(compressed ? readInt() : <u32>fixed(2))));
        break;
      case Op.ReadByte:
        store<i64>(slot, <i64>(<i8>fixed(1)));
        break;
      case Op.ReadUnsignedInt:
        store<u64>(slot, <u64>readInt());
        break;
      case Op.ReadUnsignedByte:
        store<u64>(slot, <u64>(<u8>fixed(1)));
        break;
      case Op.ReadFloat:
        store<f64>(slot, <f64>reinterpret<f32>(<u32>fixed(4)));
        break;
      case Op.ReadDouble:
        store<f64>(slot, reinterpret<f64>(fixed(8)));
        break;
      case Op.ReadText: {
        const start = position();
        if (!skipText()) return false;
        store<u64>(slot, ((<u64>(position() - start)) << 32) | <u64>start);
        break;
      }
      default:
        return false;
    }
  }
}
