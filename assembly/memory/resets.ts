/**
 * What modules keep, and how it becomes empty. A module says so once, where it declares its state, when it starts:
 * `own…` for an owner of memory, `onReset` and `onGiveUp` for all else. No list of modules is kept by hand. A reset
 * makes all owners first, then calls the functions in the order in which modules start: a module after those that it
 * imports.
 *
 *   owner   | make u32 | two numbers for it u32 | unused u32 | the owner's fields |
 */
import { resetArena } from "./arena";

const FIRST: usize = 4;
const SECOND: usize = 8;
const FIELDS: usize = 16;
/** With 48 bytes of fields. */
const OWNER: usize = 64;
const owners: usize = memory.data(64 * 160, 8);
let ownersEnd: usize = owners;
const resets: usize = memory.data(4 * 64, 4);
let resetsEnd: usize = resets;
const giveUps: usize = memory.data(4 * 64, 4);
let giveUpsEnd: usize = giveUps;

/** An owner of memory that `make` makes anew at every reset, with two numbers for it. */
export function own(make: (owner: usize, a: u32, b: u32) => void, a: u32, b: u32): usize {
  const owner = ownersEnd;
  ownersEnd += OWNER;
  if (ownersEnd > owners + 160 * OWNER) unreachable();
  store<usize>(owner, changetype<usize>(make));
  store<u32>(owner, a, FIRST);
  store<u32>(owner, b, SECOND);
  return owner + FIELDS;
}

/** `run` is called when the module becomes empty: all memory is fresh, so every pointer is void. */
export function onReset(run: () => void): void {
  if (resetsEnd === resets + 4 * 64) unreachable();
  store<usize>(resetsEnd, changetype<usize>(run));
  resetsEnd += 4;
}

/** `run` is called before that, and after a trap: the store stays, so what views and writers hold is given back. */
export function onGiveUp(run: () => void): void {
  if (giveUpsEnd === giveUps + 4 * 64) unreachable();
  store<usize>(giveUpsEnd, changetype<usize>(run));
  giveUpsEnd += 4;
}

/** An empty module in fresh memory. Every pointer handed out before is void. */
export function resetAll(): void {
  resetArena();
  for (let p = owners; p < ownersEnd; p += OWNER) {
    const make = changetype<(owner: usize, a: u32, b: u32) => void>(load<usize>(p));
    make(p + FIELDS, load<u32>(p, FIRST), load<u32>(p, SECOND));
  }
  callAll(resets, resetsEnd);
}

/** The memory of all views and writers is free. */
export function giveUpAll(): void {
  callAll(giveUps, giveUpsEnd);
}

function callAll(list: usize, end: usize): void {
  for (let p = list; p < end; p += 4) changetype<() => void>(load<usize>(p))();
}
