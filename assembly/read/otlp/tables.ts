/**
 * The dictionary of a message: the positions of the elements of its tables, and their rows in the store. Table numbers
 * are the field numbers in ProfilesDictionary. The dictionary may be after the profiles, and in several pieces.
 *
 *   place   | pointer u32 | size u32 |           one per element
 *   row     u32                                  one per element: its row in the store, 0 for the zero value, whose
 *                                                row is not set
 *
 * Some writers do not reserve element 0. As an entry that nothing refers to would not be there, a reference to 0 means
 * it where a reference must be. A frame may lack a mapping and a sample a link, so there 0 is no reference.
 */

import * as Diagnostic from "../../abi/formats/otlp";
import * as Slice from "../../abi/slice";
import { Buffer } from "../../memory/buffer";
import { scratch } from "../../memory/scratch";
import { sliceAt, sliceSize } from "../../memory/slice";
import { diagnose } from "../../store/diagnostics";
import { field, from, isZero, offsetOf, takeOf, to } from "../protobuf";

export enum Table {
  Mapping = 1,
  Location,
  Function,
  Link,
  String,
  Attribute,
  Stack,
}

/** Wire types of ProfilesDictionary. */
const DICTIONARY: u64 = 0x4444_4440;

const TABLES: u32 = 8;
/** The places of each table: a Buffer of 16 bytes. */
const places: usize = memory.data(8 * 16, 8);
/** Pointers to the rows of each table. */
const rows: usize = memory.data(8 * 4, 4);

/** The strings' indices are one too high, because element 0 is missing. */
let shift: u32 = 0;

/** A bit for each table where a reference must be, and for those of them whose element 0 is an entry. */
const MEANT: u32 = (1 << Table.Location) | (1 << Table.Function) | (1 << Table.Attribute) | (1 << Table.Stack);
let real: u32 = 0;

function placesOf(table: Table): Buffer {
  return changetype<Buffer>(places + ((<usize>table) << 4));
}

/** Empty tables. */
export function beginTables(): void {
  shift = 0;
  memory.fill(rows, 0, 8 * 4);
  for (let i: u32 = 1; i < TABLES; i++) placesOf(<Table>i).create(1 << 10);
}

/** Gives back what `beginTables` took; rows are scratch. */
export function endTables(): void {
  for (let i: u32 = 1; i < TABLES; i++) placesOf(<Table>i).free();
}

/** Notes the elements of one piece of the dictionary. */
export function indexDictionary(p: usize, end: usize): void {
  while (p < end) {
    p = takeOf(p, end, DICTIONARY);
    if (field === 0) continue;
    const list = placesOf(<Table>field);
    list.u32(<u32>from);
    list.u32(<u32>(to - from));
  }
}

/** Elements of a table. */
export function tableSize(table: Table): u32 {
  return placesOf(table).size >> 3;
}

export function elementAt(table: Table, i: u32): usize {
  return sliceAt(placesOf(table).at + <usize>i * Slice.BYTES);
}

export function elementSize(table: Table, i: u32): u32 {
  return sliceSize(placesOf(table).at + <usize>i * Slice.BYTES);
}

/** Reports a diagnostic if an element 0 is not the zero value. To be called after `shiftStrings`. */
export function checkZeros(): void {
  let tables: i64 = 0;
  let first: usize = 0;
  real = 0;
  for (let i: u32 = 1; i < TABLES; i++) {
    if (tableSize(<Table>i) === 0) continue;
    const p = elementAt(<Table>i, 0);
    const size = elementSize(<Table>i, 0);
    if (i === Table.String ? size === 0 || shift !== 0 : isZero(p, p + size)) continue;
    if (first === 0 || p < first) first = p;
    tables |= 1 << i;
  }
  real = <u32>tables & MEANT;
  if (tables !== 0) diagnose(Diagnostic.ZeroElement, offsetOf(first), tables);
}

/** Index of the first element of a table that is read: 0 where references to 0 mean an entry. */
export function firstRow(table: Table): u32 {
  return ((real >> table) & 1) ^ 1;
}

/** Allocates the rows of a table. */
export function beginRows(table: Table): void {
  store<u32>(rows + ((<usize>table) << 2), <u32>scratch((tableSize(table) + 1) << 2));
}

export function setRow(table: Table, i: u32, row: u32): void {
  store<u32>(<usize>load<u32>(rows + ((<usize>table) << 2)) + ((<usize>i) << 2), row);
}

/** From here on string indices are read as one lower. */
export function shiftStrings(): void {
  shift = 1;
}

/** Row of the element that the field at `p` refers to; 0 for element 0, and for a missing element. */
export function rowAt(table: Table, index: u64, p: usize): u32 {
  let at = index;
  if (table === Table.String) {
    if (index === 0) return 0;
    at -= shift;
  }
  if (at >= <u64>tableSize(table)) {
    // A message without a table may still call its first element 0.
    if (index !== 0) diagnose(<u32>Diagnostic.MappingRange + <u32>table - 1, offsetOf(p), <i64>index);
    return 0;
  }
  return rowOf(table, at);
}

function rowOf(table: Table, i: u64): u32 {
  return load<u32>(<usize>load<u32>(rows + ((<usize>table) << 2)) + ((<usize>i) << 2));
}

/** Row of the element that `index` refers to, 0 where it refers to nothing. */
export function elementRow(table: Table, index: u64): u32 {
  return index < <u64>tableSize(table) && index >= <u64>firstRow(table) ? rowOf(table, index) : 0;
}
