/**
 * The frames of a location: its lines, innermost first, each with a function, a line and a column. Views and writers
 * read frames only through this module, which has the names of symbols (symbols.ts) in place of a location's own lines.
 *
 *   line   | function u32 | line u32 | column u32 |    12 bytes: first words of the location, then those of its details
 */

import * as DetailsRow from "./rows/details-row";
import * as FunctionRow from "./rows/function-row";
import * as LineRow from "./rows/line-row";
import * as LocationRow from "./rows/location-row";
import { firstSymbolLine, hasSymbols, symbolBase, symbolLines } from "./symbols";
import { detailsOf, functions, inlinedLines, locations } from "./tables";

/**
 * Changes when the frames of existing locations change: results derived from their names and lines are then invalid.
 */
export let frameGeneration: u32 = 1;

/** To be called whenever `frameOf` answers differently for a location that it was asked for. */
export function renewFrames(): void {
  frameGeneration++;
}

/** Frames of a location, at least 1: more where functions were inlined. */
export function frameCount(location: u32): u32 {
  const named = hasSymbols ? symbolLines(location) : 0;
  return named !== 0 ? named : 1 + inlinedLines(location);
}

/** Pointer to line `i` of a location, which its frame `i` is; good until a location is added. */
export function frameOf(location: u32, i: u32): usize {
  if (hasSymbols && symbolLines(location) !== 0) return firstSymbolLine(location) + <usize>i * LineRow.BYTES;
  return i === 0 ? locations.row(location) : detailsOf(location) + DetailsRow.LINES + <usize>(i - 1) * LineRow.BYTES;
}

/** Address of a location: in the space of its library's file if symbols know the file, else as recorded. */
export function addressOf(location: u32): u64 {
  const address = locations.get64(location, LocationRow.ADDRESS);
  return hasSymbols ? address + symbolBase(location) : address;
}

/** Whether a line says anything. */
export function isFrame(frame: usize): bool {
  return (
    (load<u32>(frame, LineRow.FUNCTION) | load<u32>(frame, LineRow.NUMBER) | load<u32>(frame, LineRow.COLUMN)) !== 0
  );
}

/**
 * Name of frame `i` of a location, a string: its function's name; without a function the location's label, 0 if it has
 * no label.
 */
export function frameName(location: u32, i: u32): u32 {
  const fn = load<u32>(frameOf(location, i), LineRow.FUNCTION);
  if (fn !== 0) return functionName(fn);
  const details = i === 0 ? detailsOf(location) : 0;
  return details === 0 ? 0 : load<u32>(details, DetailsRow.LABEL);
}

/** Name of a function, or its linker name. */
export function functionName(fn: u32): u32 {
  if (fn >= functions.count) return 0;
  const name = functions.get(fn, FunctionRow.NAME);
  return name !== 0 ? name : functions.get(fn, FunctionRow.SYSTEM_NAME);
}
