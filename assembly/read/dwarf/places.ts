/** The unit of each address: its offset by .debug_aranges, and its row once it is read. */
import { alloc } from "../../memory/arena";
import { Buffer, newBuffer } from "../../memory/buffer";
import { KeyTable, newKeyTable } from "../../memory/key-table";
import { lookupCount } from "../elf/symbols";
import { keepUnit, Unit } from "./unit";

@unmanaged
class Place {
  /** Offset of the unit + 1, by .debug_aranges; 0 if that has none. */
  hint: u64;
  unit: u32;
}

let places: usize = 0;
/** Offsets + 1 of the units that are some address's hint. */
let hinted: KeyTable = changetype<KeyTable>(0);
let units: Buffer = changetype<Buffer>(0);

export function beginPlaces(): void {
  const bytes = <usize>(lookupCount + 1) * offsetof<Place>();
  places = alloc(bytes);
  memory.fill(places, 0, bytes);
  hinted = newKeyTable(64);
  units = newBuffer(offsetof<Unit>() * 16);
}

function placeAt(i: u32): Place {
  return changetype<Place>(places + <usize>i * offsetof<Place>());
}

export function hintAt(i: u32): u64 {
  return placeAt(i).hint;
}

export function hint(i: u32, offset: u64): void {
  placeAt(i).hint = offset + 1;
  hinted.put(offset + 1, 1);
}

export function isHinted(offset: u64): bool {
  return hinted.find(offset + 1) !== 0;
}

export function unitAt(i: u32): u32 {
  return placeAt(i).unit;
}

export function placeUnit(i: u32, unit: u32): void {
  placeAt(i).unit = unit;
}

/** Keeps the current unit, and returns its row; rows count from 1. */
export function addUnit(): u32 {
  const at = units.need(offsetof<Unit>());
  units.size += offsetof<Unit>();
  keepUnit(changetype<Unit>(at));
  return unitCount();
}

export function dropUnits(count: u32): void {
  units.size = count * offsetof<Unit>();
}

export function unitCount(): u32 {
  return units.size / offsetof<Unit>();
}

export function unitRow(unit: u32): Unit {
  return changetype<Unit>(units.at + <usize>(unit - 1) * offsetof<Unit>());
}
