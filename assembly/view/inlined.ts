/**
 * Functions that compilers inlined: those with a frame that is not the last one of its location. Known by name, because
 * views merge functions by name; a function may be inlined at some addresses only.
 */
import { KeyTable } from "../memory/key-table";
import { onGiveUp } from "../memory/resets";
import { frameCount, frameGeneration, frameName } from "../store/frames";
import { locations } from "../store/tables";
import { functionOf, shownName } from "./frame-names";

/** By name of the function: SOME or ALWAYS. */
const found: KeyTable = changetype<KeyTable>(memory.data(offsetof<KeyTable>(), 8));
/** What `found` was made of. */
let generation: u32 = 0;
let covered: u32 = 0;
let any: bool = false;

const SOME: u32 = 1;
const ALWAYS: u32 = 2;

function resetInlined(): void {
  if (found.at !== 0) found.free();
  covered = 0;
  any = false;
}
onGiveUp(resetInlined);

/** Whether any function is inlined. */
export function hasInlined(): bool {
  if (generation !== frameGeneration || covered !== locations.count) findInlined();
  return any;
}

/** Whether the function of a name is inlined: 0 never, 1 at some addresses, 2 wherever it was sampled. */
export function inlinedOf(name: u32): u32 {
  return hasInlined() ? found.find(<u64>functionOf(name)) : 0;
}

function findInlined(): void {
  resetInlined();
  generation = frameGeneration;
  covered = locations.count;
  for (let at: u32 = 1; at < covered; at++) {
    const frames = frameCount(at);
    for (let i: u32 = 0; i + 1 < frames; i++) mark(at, i, ALWAYS);
  }
  if (!any) return;
  for (let at: u32 = 1; at < covered; at++) {
    const last = frameCount(at) - 1;
    if (found.find(<u64>shownName(frameName(at, last))) !== 0) mark(at, last, SOME);
  }
}

function mark(location: u32, frame: u32, how: u32): void {
  if (!any) found.create(64);
  any = true;
  found.put(<u64>shownName(frameName(location, frame)), how);
}
