/**
 * Libraries as attributes of samples: `library` and `library.version`, by the file of the function that was running.
 *
 *   | name size u32 | name | version size u32 | version |                    of a library
 */

import * as ValueKind from "../abi/value-kind";
import { Buffer, ownBuffer } from "../memory/buffer";
import { KeyTable, ownKeyTable } from "../memory/key-table";
import { frameOf } from "../store/frames";
import { LIBRARY_KEY, LIBRARY_VERSION_KEY } from "../store/keys";
import * as LineRow from "../store/rows/line-row";
import * as SampleRow from "../store/rows/sample-row";
import { ownFrom, sampleAt, sampleCount } from "../store/samples";
import { functions, internAttribute, internString, internText, stacks } from "../store/tables";
import { addSet, addToSet, internSet, ownSet } from "./set";

const set = ownSet();
/** Sets with their library, by | set without it u32 | set of the library u32 |. */
const marked: KeyTable = ownKeyTable(256);

/** The attribute set of a library at `p`. */
export function librarySet(p: usize): u32 {
  const size = load<u32>(p);
  const version = p + 4 + size;
  set.size = 0;
  addToSet(set, internAttribute(internText(LIBRARY_KEY), ValueKind.Text, internString(p + 4, size)));
  if (load<u32>(version) !== 0) {
    const text = internString(version + 4, load<u32>(version));
    addToSet(set, internAttribute(internText(LIBRARY_VERSION_KEY), ValueKind.Text, text));
  }
  return internSet(set);
}

/** The first location of a stack, which is a packed varint. */
function leafOf(stack: u32): u32 {
  let location: u32 = 0;
  let p = stacks.pointer(stack);
  let shift: u32 = 0;
  let b: u32;
  do {
    b = load<u8>(p++);
    location |= (b & 0x7f) << shift;
    shift += 7;
  } while (b > 0x7f);
  return location;
}

/** u32 per function: its place among the leaves, from 1 on; 0 for others. */
const places: Buffer = ownBuffer(1 << 10);
/** u32 per leaf: its function. */
const leaves: Buffer = ownBuffer(1 << 10);

function leafFunction(sample: u32): u32 {
  const stack = load<u32>(sampleAt(sample), SampleRow.STACK);
  if (stack === 0 || stacks.size(stack) === 0) return 0;
  return load<u32>(frameOf(leafOf(stack), 0), LineRow.FUNCTION);
}

/** Number of the functions that were running in the samples of the process, which are at `leavesPointer`. */
export function leafFunctions(): u32 {
  const bytes = functions.count << 2;
  places.size = 0;
  memory.fill(places.need(bytes), 0, bytes);
  leaves.size = 0;
  for (let i = ownFrom; i < sampleCount; i++) {
    const fn = leafFunction(i);
    const place = places.at + ((<usize>fn) << 2);
    if (fn === 0 || load<u32>(place) !== 0) continue;
    leaves.u32(fn);
    store<u32>(place, leaves.size >> 2);
  }
  return leaves.size >> 2;
}

export function leavesPointer(): usize {
  return leaves.at;
}

/** Gives the samples of the process the sets at `p`, u32 for each of `leafFunctions`, 0 for none. */
export function markLibraries(p: usize): void {
  for (let i = ownFrom; i < sampleCount; i++) {
    const leaf = load<u32>(places.at + ((<usize>leafFunction(i)) << 2));
    const library = leaf === 0 ? 0 : load<u32>(p + ((<usize>(leaf - 1)) << 2));
    if (library === 0) continue;
    store<u32>(sampleAt(i), withLibrary(load<u32>(sampleAt(i), SampleRow.SET), library), SampleRow.SET);
  }
}

/** The set with the members of both: few pairs have many samples. */
function withLibrary(own: u32, library: u32): u32 {
  const key = ((<u64>own) << 32) | <u64>library;
  const known = marked.find(key);
  if (known !== 0) return known;
  set.size = 0;
  if (own !== 0) addSet(set, own);
  addSet(set, library);
  const both = internSet(set);
  marked.add(key, both);
  return both;
}
