/**
 * Samples of a walk: each path of methods becomes a stack, with the sums over its frames: self as `wall`, self outside
 * of pauses as `net`, self in pauses as `suspension`, and the number of its frames as `invocations`.
 *
 * A sample gets one value without a time, as those of aggregated messages do. Durations are never observations: a frame
 * of a second would be one value at one moment.
 */

import * as ValueKind from "../../abi/value-kind";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { OTHER_CALLS, OTHER_CALLS_KEY, THREAD_NAME_KEY } from "../../store/keys";
import { eventOf, NO_ROW, profileOf } from "../../store/profile-lookup";
import {
  coverProfile,
  coverTime,
  eventCount,
  MAX_EVENTS,
  MAX_PROFILES,
  profileCount,
  Shape,
} from "../../store/profiles";
import { Run, runAt } from "../../store/runs";
import { appendTimeless, rowOf } from "../../store/samples";
import { internAttribute, internText, internThread, sets, stacks } from "../../store/tables";
import { locationOfMethod } from "./methods";
import * as NodeRow from "./node-row";
import { firstStart, GROUP_BYTES, GROUP_LINK, GROUP_THREAD, groups, lastEnd, NO_PARENT, nodes } from "./walk";

const NANOSECONDS: i64 = 1_000_000;
/** Profile types of dumps. */
const TYPES: u32 = 4;

/** Locations of a stack, leaf first. */
const packed: Buffer = ownBuffer(1 << 10);
let wall: u32 = 0;
let net: u32 = 0;
let suspension: u32 = 0;
let invocations: u32 = 0;
/** Attribute set of the samples. */
let set: u32 = 0;
/** Whether the time of the calls is that of outputs. */
let covers: bool = false;

/** The event row of a profile of dumps; NO_ROW where the tables are full. */
function eventNamed(type: string, unit: string, scope: u32): u32 {
  const profile = profileOf(internText(type), internText(unit), 0, 0, 0, 0, scope);
  if (profile === NO_ROW) return NO_ROW;
  if (scope !== 0 && covers) coverProfile(profile, firstStart * NANOSECONDS, lastEnd * NANOSECONDS);
  return eventOf(profile, 0, Shape.Values, true);
}

/** Room for the profiles of one more run, and for those that all runs without room share. */
function hasRoom(): bool {
  return profileCount + 2 * TYPES <= MAX_PROFILES && eventCount + 2 * TYPES <= MAX_EVENTS;
}

/**
 * Adds the nodes of the walk to the samples. `others`: as those of calls that the selected ones are compared with; they
 * have a reserved attribute. False where the store has no room for separate profiles of the run: all such runs share
 * their profiles.
 */
export function addFrames(which: u32, others: bool): bool {
  set = others ? othersSet() : 0;
  // No output has samples of others: they widen no time.
  covers = !others && lastEnd !== 0;
  const run = runAt(which);
  const count = nodes.size / <u32>NodeRow.BYTES;
  const fits = count === 1 || run.isSampled || hasRoom();
  if (count > 1) run.isSampled = fits;
  const scope = fits && count > 1 ? run.scope : 0;
  wall = eventNamed("wall", "nanoseconds", scope);
  net = eventNamed("net", "nanoseconds", scope);
  suspension = eventNamed("suspension", "nanoseconds", scope);
  invocations = eventNamed("invocations", "count", scope);
  if (invocations === NO_ROW) return false;
  if (covers && lastEnd > firstStart) coverTime(<u64>(firstStart * NANOSECONDS), <u64>(lastEnd * NANOSECONDS));
  for (let i: u32 = 1; i < count; i++) addNode(run, i);
  return fits;
}

function addNode(run: Run, i: u32): void {
  const p = nodes.at + <usize>i * NodeRow.BYTES;
  if (load<u32>(p, NodeRow.PARENT) === NO_PARENT) return;
  const frames = load<u64>(p, NodeRow.FRAMES);
  const self = load<i64>(p, NodeRow.SELF) * NANOSECONDS;
  const suspended = load<i64>(p, NodeRow.SUSPENDED) * NANOSECONDS;
  packed.size = 0;
  let at = p;
  while (load<u32>(at, NodeRow.PARENT) !== NO_PARENT) {
    packed.varint(locationOfMethod(run, load<u32>(at, NodeRow.METHOD)));
    at = nodes.at + <usize>load<u32>(at, NodeRow.PARENT) * NodeRow.BYTES;
  }
  const group = groups.at + <usize>load<u32>(at, NodeRow.METHOD) * GROUP_BYTES;
  const link = load<u32>(group, GROUP_LINK);
  const thread = threadNamed(load<u32>(group, GROUP_THREAD));
  const stack = stacks.intern(packed.at, packed.size);
  add(wall, stack, link, thread, self);
  add(net, stack, link, thread, self - suspended);
  add(suspension, stack, link, thread, suspended);
  add(invocations, stack, link, thread, frames);
}

function othersSet(): u32 {
  packed.size = 0;
  packed.u32(internAttribute(internText(OTHER_CALLS_KEY), ValueKind.Text, internText(OTHER_CALLS)));
  return sets.intern(packed.at, packed.size);
}

function threadNamed(name: u32): u32 {
  return name === 0 ? 0 : internThread(internAttribute(internText(THREAD_NAME_KEY), ValueKind.Text, name), 0);
}

function add(event: u32, stack: u32, link: u32, thread: u32, value: i64): void {
  if (value !== 0) appendTimeless(rowOf(event, stack, link, thread, set), value, 0);
}
