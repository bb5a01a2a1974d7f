/**
 * Frames that are known by their address only: a location of a library without a line, or with a line that repeats
 * library and address. Symbols can name them.
 */

import { equalBytes } from "../memory/hash";
import { hasSymbols } from "./frame-types";
import * as AttributeRow from "./rows/attribute-row";
import * as FunctionRow from "./rows/function-row";
import * as LocationRow from "./rows/location-row";
import * as MappingRow from "./rows/mapping-row";
import { attributes, detailsOf, functions, inlinedLines, locations, mappings, strings } from "./tables";

/** Whether only the address of the location is known. */
export function isByAddress(location: u32): bool {
  const mapping = locations.get(location, LocationRow.MAPPING);
  if (mapping === 0 || inlinedLines(location) !== 0) return false;
  if (!hasSymbols(locations.get(location, LocationRow.FRAME_TYPE))) return false;
  const fn = locations.get(location, LocationRow.FUNCTION);
  if (locations.get(location, LocationRow.LINE) !== 0) return false;
  if (fn !== 0) return isLabel(fn, mapping);
  // A location without address has no label, except at address 0 of a recording.
  return (
    (mappings.get(mapping, MappingRow.FILE_NAME) | mappings.get(mapping, MappingRow.BUILD_ID)) !== 0 &&
    detailsOf(location) !== 0
  );
}

/** Whether the function is called `library+0x12` after its mapping. */
function isLabel(fn: u32, mapping: u32): bool {
  const name = functions.get(fn, FunctionRow.NAME);
  const file = mappings.get(mapping, MappingRow.FILE_NAME);
  if (functions.get(fn, FunctionRow.FILE_NAME) !== 0 || name === 0 || file === 0) return false;
  const p = strings.pointer(name);
  const n = strings.size(name);
  const m = strings.size(file);
  if (n < m + 4 || !equalBytes(p, strings.pointer(file), m)) return false;
  const q = p + m;
  if (load<u16>(q) !== 0x302b || load<u8>(q + 2) !== 0x78) return false;
  for (let at = q + 3; at < p + n; at++) {
    const c: u32 = load<u8>(at);
    if (c - 48 > 9 && c - 97 > 5) return false;
  }
  return true;
}

/** Build id of a mapping, a string; 0 if it has none. */
export function buildIdOf(mapping: u32): u32 {
  const id = mappings.get(mapping, MappingRow.BUILD_ID);
  return id === 0 ? 0 : <u32>attributes.get64(id, AttributeRow.VALUE);
}
