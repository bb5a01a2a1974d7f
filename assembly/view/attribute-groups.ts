/**
 * Samples grouped by the values of one attribute. A group is a small number that the set, thread, link or event of a
 * sample leads to:
 *
 *   0                      the sample does not have the attribute
 *   1 … attributes         an attribute row
 *   attributes + event     the text that the event row gives; events of one text share the group of the first of them
 */

import { eventCount, MAX_EVENTS } from "../store/profiles";
import { linkSets } from "../store/roots";
import * as AttributeRow from "../store/rows/attribute-row";
import * as SampleRow from "../store/rows/sample-row";
import * as ThreadRow from "../store/rows/thread-row";
import { attributes, sets, threads } from "../store/tables";
import { threadLabel } from "../store/threads/labels";
import { Block } from "./block";
import { eventColumn, eventIn, wordColumn } from "./columns";
import { EVENT_KEY_NONE, eventText } from "./lookup";

const setGroup: Block = changetype<Block>(memory.data(16, 4));
const threadGroup: Block = changetype<Block>(memory.data(16, 4));
const eventGroup: usize = memory.data(<i32>MAX_EVENTS * 4, 4);

/** Columns over the samples, for `groupOf`; `rootSets` is 0 while no root has attributes. */
let linkOf: usize = 0;
let threadOf: usize = 0;
let setOf: usize = 0;
let events: usize = 0;
let rootSets: usize = 0;

export function resetAttributeGroups(): void {
  setGroup.drop();
  threadGroup.drop();
}

/**
 * Prepares `groupOf` for a key: the first attribute of the set with this key, else the thread's, else that of the
 * link's root, else the value of the event row. Returns the number of groups, group 0
 * included.
 */
export function groupByAttribute(key: u32, derived: u32): u32 {
  const bySet = setGroup.zeroed((<usize>sets.count) << 2);
  for (let s: u32 = 1; s < sets.count; s++) store<u32>(bySet + ((<usize>s) << 2), inSet(s, key));
  const byThread = threadGroup.zeroed((<usize>threads.count) << 2);
  for (let t: u32 = 1; t < threads.count; t++) {
    const name = threadLabel(t);
    const id = threads.get(t, ThreadRow.ID);
    let a: u32 = 0;
    if (hasKey(name, key)) a = name;
    else if (hasKey(id, key)) a = id;
    store<u32>(byThread + ((<usize>t) << 2), a);
  }
  memory.fill(eventGroup, 0, MAX_EVENTS * 4);
  if (derived !== EVENT_KEY_NONE) {
    for (let e: u32 = 0; e < eventCount; e++) {
      if (eventText(derived, e) === 0) continue;
      let first: u32 = 0;
      while (eventText(derived, first) !== eventText(derived, e)) first++;
      store<u32>(eventGroup + ((<usize>e) << 2), attributes.count + first);
    }
  }
  rootSets = linkSets();
  linkOf = rootSets !== 0 ? wordColumn(SampleRow.LINK) : 0;
  threadOf = wordColumn(SampleRow.THREAD);
  setOf = wordColumn(SampleRow.SET);
  events = eventColumn();
  return attributes.count + eventCount;
}

/** The group of sample `row`. */
export function groupOf(row: u32): u32 {
  const i = (<usize>row) << 2;
  const bySet = setGroup.at;
  let group = load<u32>(bySet + ((<usize>load<u32>(setOf + i)) << 2));
  if (group === 0) group = load<u32>(threadGroup.at + ((<usize>load<u32>(threadOf + i)) << 2));
  if (group === 0 && rootSets !== 0) {
    const set = load<u32>(rootSets + ((<usize>load<u32>(linkOf + i)) << 2));
    group = load<u32>(bySet + ((<usize>set) << 2));
  }
  return group !== 0 ? group : load<u32>(eventGroup + ((<usize>eventIn(events, row)) << 2));
}

/** The attribute of a set with this key, 0 if it has no such attribute. */
export function inSet(set: u32, key: u32): u32 {
  let p = sets.pointer(set);
  const end = p + (sets.size(set) & ~3);
  for (; p < end; p += 4) {
    const a = load<u32>(p);
    if (hasKey(a, key)) return a;
  }
  return 0;
}

export function hasKey(attribute: u32, key: u32): bool {
  return attribute < attributes.count && attributes.get(attribute, AttributeRow.KEY) === key;
}
