/**
 * Source file of a call-tree node. Nodes are merged by name, so it is only known if all functions of that name agree.
 */

import { textOfFunction } from "../store/code-sources";
import { frameCount, frameOf, functionName } from "../store/frames";
import * as FunctionRow from "../store/rows/function-row";
import * as LineRow from "../store/rows/line-row";
import { functions, locations } from "../store/tables";
import { functionOf, shownName } from "./frame-names";

/**
 * The file of all functions of this name (with or without a line), or where their classes are from; 0 if it is unknown
 * or they differ.
 */
export function fileOf(name: u32, isSource: bool): u32 {
  const fn = functionOf(name);
  let file: u32 = 0;
  for (let i: u32 = 1; i < functions.count; i++) {
    const other = isSource ? functionSource(i) : functions.get(i, FunctionRow.FILE_NAME);
    if (other === 0 || other === file || shownName(functionName(i)) !== fn) continue;
    if (file !== 0) return 0;
    file = other;
  }
  return file;
}

/** Number of functions; 0 is none of them. */
export function functionCount(): u32 {
  return functions.count;
}

/** Where the class of a function is from; without a class its file; 0 if both are unknown. */
export function functionSource(fn: u32): u32 {
  const source = textOfFunction(fn);
  return source !== 0 ? source : functions.get(fn, FunctionRow.FILE_NAME);
}

/** The name that a function is shown as. */
export function functionShown(fn: u32): u32 {
  return shownName(functionName(fn));
}

/** First and last line of the frames of this name (with or without a line), `first << 32 | last`; 0 without any. */
export function linesOf(name: u32): u64 {
  const fn = functionOf(name);
  if (fn === 0) return 0;
  let first: u32 = u32.MAX_VALUE;
  let last: u32 = 0;
  for (let at: u32 = 1; at < locations.count; at++) {
    const frames = frameCount(at);
    for (let i: u32 = 0; i < frames; i++) {
      const frame = frameOf(at, i);
      const line = load<u32>(frame, LineRow.NUMBER);
      if (line === 0 || (line >= first && line <= last)) continue;
      if (shownName(functionName(load<u32>(frame, LineRow.FUNCTION))) !== fn) continue;
      first = min(first, line);
      last = max(last, line);
    }
  }
  return last === 0 ? 0 : ((<u64>first) << 32) | last;
}
