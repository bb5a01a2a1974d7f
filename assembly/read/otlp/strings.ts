/**
 * The string table, and whether it lacks its element 0. A known exporter leaves the empty string out, so that every
 * index is one too high: an index just after the table's end shows this.
 */
import * as Diagnostic from "../../abi/formats/otlp";
import { diagnose } from "../../store/diagnostics";
import { field, offsetOf, take, VARINT, value, wire } from "../protobuf";
import { internUtf8, repaired } from "../text";
import { beginRows, checkZeros, elementAt, elementSize, setRow, shiftStrings, Table, tableSize } from "./tables";

/** String index of a text that is in the message itself. */
export function textAt(p: usize, end: usize): u32 {
  const text = internUtf8(p, <u32>(end - p));
  if (repaired) diagnose(Diagnostic.Text, offsetOf(p), 0);
  return text;
}

/** `types`: the largest string index that a type of a profile has. To be called before anything else is read. */
export function beginStrings(types: u64): void {
  const n = tableSize(Table.String);
  if (n !== 0 && elementSize(Table.String, 0) !== 0 && largestIndex(types) === <u64>n) {
    shiftStrings();
    diagnose(Diagnostic.StringsShifted, offsetOf(elementAt(Table.String, 0)), n);
  }
  checkZeros();
  beginRows(Table.String);
}

export function readStrings(first: u32, end: u32): void {
  for (let i = first; i < end; i++) {
    const p = elementAt(Table.String, i);
    setRow(Table.String, i, textAt(p, p + elementSize(Table.String, i)));
  }
}

let largest: u64 = 0;

function largestIndex(types: u64): u64 {
  largest = types;
  scan(Table.Mapping, 0b10000);
  scan(Table.Function, 0b1110);
  scan(Table.Attribute, 0b1010);
  return largest;
}

/** Looks at the fields of all elements that are string indices: those with a bit in `fields`. */
function scan(table: Table, fields: u32): void {
  const n = tableSize(table);
  for (let i: u32 = 0; i < n; i++) {
    let p = elementAt(table, i);
    const end = p + elementSize(table, i);
    while (p < end) {
      p = take(p, end);
      if (field < 32 && ((fields >> field) & 1) !== 0 && wire === VARINT && value > largest) largest = value;
    }
  }
}

/** The largest string index of the ValueType at [p, end). */
export function largestOfType(p: usize, end: usize): u64 {
  let most: u64 = 0;
  while (p < end) {
    p = take(p, end);
    if ((field === 1 || field === 2) && wire === VARINT && value > most) most = value;
  }
  return most;
}
