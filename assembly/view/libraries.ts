/**
 * Native libraries of the current selection whose frames are known by their address only, and these frames.
 *
 *   library | file name u32 | build id u32 | samples u32 | 0 | value i64 |        strings; samples with such a frame
 *   place   | location u32 | library u32 | address u64 | frames u64 |             positions in stacks over all samples
 *
 * Mappings of one build id are one library, and so are mappings of one file without a build id.
 */

import * as LibraryRow from "../abi/rows/library-row";
import { KeyTable } from "../memory/key-table";
import { onGiveUp } from "../memory/resets";
import { addTo } from "../memory/sums";
import { buildIdOf, isByAddress } from "../store/by-address";
import * as LocationRow from "../store/rows/location-row";
import * as MappingRow from "../store/rows/mapping-row";
import * as SampleRow from "../store/rows/sample-row";
import { locations, mappings, stacks } from "../store/tables";
import { Block } from "./block";
import { wordColumn } from "./columns";
import { countAt, maskAt, maskRows, needWeights, weightAt } from "./selection";

const libraries: Block = changetype<Block>(memory.data(16, 4));
const places: Block = changetype<Block>(memory.data(16, 4));
/** u32 per location: its place + 1, 0 if it is not by address. */
const placeOf: Block = changetype<Block>(memory.data(16, 4));
/** u32 per library: the stack that was counted last, + 1. */
const counted: Block = changetype<Block>(memory.data(16, 4));
/** Per stack: observations u64 and their weight i64. */
const stackSums: Block = changetype<Block>(memory.data(16, 4));
const SUM_BYTES: usize = 16;
const SUM_VALUE: usize = 8;

/** Libraries by what makes them one, while places are found: row + 1. */
const known: KeyTable = changetype<KeyTable>(memory.data(offsetof<KeyTable>(), 8));

let libraryCount: u32 = 0;
let placeCount: u32 = 0;
/** Selected observations with a frame of any library. */
let sampleSum: u64 = 0;

onGiveUp((): void => {
  if (known.at !== 0) known.free();
});

/** Computes both tables for the current selection and returns the number of libraries. */
export function addressedLibraries(): u32 {
  sampleSum = 0;
  findPlaces();
  if (placeCount !== 0) {
    sumStacks();
    for (let stack: u32 = 1; stack < stacks.count; stack++) countStack(stack);
  }
  placeOf.drop();
  counted.drop();
  stackSums.drop();
  return libraryCount;
}

/** Samples with a frame of any of these libraries. */
export function addressedSamples(): u64 {
  return sampleSum;
}

/** Whether any location is known by its address. */
export function hasAddressed(): bool {
  for (let i: u32 = 1; i < locations.count; i++) if (isByAddress(i)) return true;
  return false;
}

export function libraryRows(): usize {
  return libraries.at;
}

export function placeRows(): usize {
  return places.at;
}

export function placesFound(): u32 {
  return placeCount;
}

/** Makes a row of each location that is known by its address. */
function findPlaces(): void {
  libraryCount = 0;
  placeCount = 0;
  const map = placeOf.zeroed((<usize>locations.count) << 2);
  known.create(64);
  for (let i: u32 = 1; i < locations.count; i++) {
    if (!isByAddress(i)) continue;
    const library = libraryOf(locations.get(i, LocationRow.MAPPING));
    const used = <usize>placeCount * LibraryRow.NATIVE_BYTES;
    const p = places.keep(used + LibraryRow.NATIVE_BYTES, used) + used;
    store<u32>(p, i, LibraryRow.NATIVE_LOCATION);
    store<u32>(p, library, LibraryRow.NATIVE_LIBRARY);
    store<u64>(p, locations.get64(i, LocationRow.ADDRESS), LibraryRow.NATIVE_ADDRESS);
    store<u64>(p, 0, LibraryRow.NATIVE_FRAMES);
    store<u32>(map + ((<usize>i) << 2), ++placeCount);
  }
  known.free();
  counted.zeroed((<usize>libraryCount) << 2);
}

/** The library of a mapping, which gets a row if it is new. */
function libraryOf(mapping: u32): u32 {
  const id = buildIdOf(mapping);
  const file = mappings.get(mapping, MappingRow.FILE_NAME);
  const key = id !== 0 ? ((<u64>1) << 32) | <u64>id : <u64>file;
  const row = known.find(key);
  if (row !== 0) {
    const p = libraries.at + <usize>(row - 1) * LibraryRow.BYTES;
    if (load<u32>(p, LibraryRow.FILE) === 0) store<u32>(p, file, LibraryRow.FILE);
    return row - 1;
  }
  const used = <usize>libraryCount * LibraryRow.BYTES;
  const p = libraries.keep(used + LibraryRow.BYTES, used) + used;
  store<u32>(p, file, LibraryRow.FILE);
  store<u32>(p, id, LibraryRow.BUILD_ID);
  store<u64>(p, 0, LibraryRow.SAMPLES);
  store<i64>(p, 0, LibraryRow.VALUE);
  known.add(key, ++libraryCount);
  return libraryCount - 1;
}

/** Adds up the selected samples of each stack. */
function sumStacks(): void {
  needWeights();
  const sums = stackSums.zeroed(<usize>stacks.count * SUM_BYTES);
  const column = wordColumn(SampleRow.STACK);
  for (let row: u32 = 1; row < maskRows; row++) {
    if (load<u8>(maskAt + row) === 0) continue;
    const p = sums + <usize>load<u32>(column + ((<usize>row) << 2)) * SUM_BYTES;
    store<u64>(p, load<u64>(p) + <u64>load<u32>(countAt + ((<usize>row) << 2)));
    addTo(p + SUM_VALUE, load<i64>(weightAt + ((<usize>row) << 3)));
  }
}

function countStack(stack: u32): void {
  const sums = stackSums.at + <usize>stack * SUM_BYTES;
  const count = load<u64>(sums);
  if (count === 0) return;
  const end = stacks.pointer(stack) + stacks.size(stack);
  let isCounted = false;
  for (let p = stacks.pointer(stack); p < end; ) {
    let location: u32 = 0;
    let shift: u32 = 0;
    let b: u32 = 0;
    do {
      b = load<u8>(p++);
      location |= (b & 0x7f) << shift;
      shift += 7;
    } while (b > 0x7f);
    const place = load<u32>(placeOf.at + ((<usize>location) << 2));
    if (place === 0) continue;
    if (!isCounted) sampleSum += count;
    isCounted = true;
    const q = places.at + <usize>(place - 1) * LibraryRow.NATIVE_BYTES;
    store<u64>(q, load<u64>(q, LibraryRow.NATIVE_FRAMES) + count, LibraryRow.NATIVE_FRAMES);
    const library = <usize>load<u32>(q, LibraryRow.NATIVE_LIBRARY);
    if (load<u32>(counted.at + (library << 2)) === stack) continue;
    store<u32>(counted.at + (library << 2), stack);
    const row = libraries.at + library * LibraryRow.BYTES;
    store<u32>(row, load<u32>(row, LibraryRow.SAMPLES) + <u32>count, LibraryRow.SAMPLES);
    addTo(row + LibraryRow.VALUE, load<i64>(sums, SUM_VALUE));
  }
}
