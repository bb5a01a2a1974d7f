/**
 * Libraries as attributes of samples: `library` and `library.version`, by the file of the function that was running.
 *
 *   | name size u32 | name | version size u32 | version |                    of a library
 *   | set u32 | …                                                             by function: 0 or that of its library
 */
import * as ValueKind from "../abi/value-kind";
import { KeyTable, ownKeyTable } from "../memory/key-table";
import { frameOf } from "../store/frames";
import { LIBRARY_KEY, LIBRARY_VERSION_KEY } from "../store/keys";
import { SAMPLE_SET, SAMPLE_STACK, sampleAt, sampleCount } from "../store/samples";
import { internAttribute, internString, internText, LINE_FUNCTION, stacks } from "../store/tables";
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

/** Gives the sets of `n` functions at `p` to the samples in which they were running. Nothing is read afterwards. */
export function markLibraries(p: usize, n: u32): void {
  for (let i: u32 = 1; i < sampleCount; i++) {
    const stack = load<u32>(sampleAt(i), SAMPLE_STACK);
    if (stack === 0 || stacks.size(stack) === 0) continue;
    const fn = load<u32>(frameOf(leafOf(stack), 0), LINE_FUNCTION);
    const library = fn < n ? load<u32>(p + ((<usize>fn) << 2)) : 0;
    if (library === 0) continue;
    store<u32>(sampleAt(i), withLibrary(load<u32>(sampleAt(i), SAMPLE_SET), library), SAMPLE_SET);
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
