/**
 * Frames as the formats for looking at have them: functions, whatever the line. Two stand in front of those of the
 * dictionary: a sample without a stack is one frame `(no stack)`, so that totals hold, and a frame may have no name.
 *
 *   0 (no stack) · 1 (no name) · 2 … functions, in the order of the dictionary
 */
import { FUNCTION_NAME, functions, LOCATION_FUNCTION, locations, stacks, strings } from "../store/tables";
import { at, marked } from "./columns";
import { putText } from "./json";
import { scratch } from "./output";
import { functionMap, stackMap } from "./reach";
import { next, takeVarint } from "./wire";

export const NO_STACK: u32 = 0;
export const NO_NAME: u32 = 1;

/** The frames of the stack that was opened last, as locations, leaf first. */
let opened: usize = 0;
export let openedFrames: u32 = 0;

/** Room for the largest stack in use, for the time of a message. */
export function reserveFrames(): void {
  let largest: u32 = 1;
  for (let i: u32 = 1; i < stacks.count; i++) if (marked(stackMap, i)) largest = max<u32>(largest, stacks.size(i));
  opened = scratch((<u64>largest) << 2);
}

/** Unpacks a stack; one without frames gets one, location 0. */
export function openStack(stack: u32): void {
  let p = stacks.pointer(stack);
  const end = p + stacks.size(stack);
  openedFrames = 0;
  while (p < end) {
    store<u32>(opened + ((<usize>openedFrames) << 2), takeVarint(p));
    openedFrames++;
    p = next;
  }
  if (openedFrames !== 0) return;
  store<u32>(opened, 0);
  openedFrames = 1;
}

/** Location of frame `i` of the opened stack, the root being 0. */
export function frameFromRoot(i: u32): u32 {
  return load<u32>(opened + ((<usize>(openedFrames - 1 - i)) << 2));
}

/** Function of a location as the frame it is shown as. */
export function frameOf(location: u32): u32 {
  if (location === 0) return NO_STACK;
  const fn = locations.get(location, LOCATION_FUNCTION);
  return functions.get(fn, FUNCTION_NAME) === 0 ? NO_NAME : at(functionMap, fn) + 1;
}

/** The string that is a location's name in a picture; 0 where it has none. */
export function nameOf(location: u32): u32 {
  return functions.get(locations.get(location, LOCATION_FUNCTION), FUNCTION_NAME);
}

/** Where the last name asked for by `findName` stands. */
export let nameAt: usize = 0;
export let nameSize: u32 = 0;

/** Finds the text to show for a name, 0 at location 0 being no stack. */
export function findName(name: u32, location: u32): void {
  if (name !== 0) {
    nameAt = strings.pointer(name);
    nameSize = strings.size(name);
    return;
  }
  nameAt = memory.data(32);
  const end = location === 0 ? putText(nameAt, "(no stack)") : putText(nameAt, "(no name)");
  nameSize = <u32>(end - nameAt);
}
