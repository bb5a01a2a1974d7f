/**
 * The attributes that a writer adds to those that were read: `profile.type`, `jfr.event`, `profile.frame.type`, lone
 * ids and the origin of trace ids. They are added to the message (added.ts), except where equal ones were read.
 */

import * as ProfileRow from "../abi/rows/profile-row";
import * as ValueKind from "../abi/value-kind";
import * as WritePlan from "../abi/write-plan";
import { FRAME_TYPES } from "../store/frame-types";
import {
  EVENT_KEY,
  FRAME_TYPE_KEY,
  RESOURCE_KEY,
  ROOT_KEY,
  SEPARATE_RESOURCE,
  SPAN_KEY,
  TRACE_KEY,
  TRACE_ORIGIN_KEY,
  TRACES_64,
  TYPE_KEY,
} from "../store/keys";
import { eventAt, eventCount, familyOfEvent, ProfileFlag, profileAt, profileCount } from "../store/profiles";
import * as LinkRow from "../store/rows/link-row";
import * as LocationRow from "../store/rows/location-row";
import { hasResources } from "../store/scopes";
import { LinkOrigin, links, locations, originOf, traceHighOf } from "../store/tables";
import { addAttribute, addString, addText } from "./added";
import { at, marked, put } from "./columns";
import { putHex64 } from "./digits";
import { traceRowOf, writtenOrigin } from "./link-traces";
import { zeroed } from "./output";
import * as OutputRow from "./output-row";
import { hasProcesses, outputAt, outputCount, writtenProfile } from "./plan";

/** One u32 per link: the attribute of its lone id, or of the root beside the id of its trace, or 0. */
export let linkAttributes: usize = 0;
/** One u32 per event row: its `jfr.event` attribute, 0 where its profile has one kind of event only. */
export let eventAttributes: usize = 0;
/** One u32 per output: its `profile.type` attribute, 0 if it has no such attribute. */
export let outputLabels: usize = 0;
/** One u32 per profile: the attribute for the origin of its trace ids (0 = no attribute). */
export let profileTraces: usize = 0;
/** The attribute of our scope in a Resource beside others, 0 while there is no separate Resource. */
export let separateAttribute: u32 = 0;
/** One u32 per FrameType. */
let frameAttributes: usize = 0;

/** Bits for the origin of a profile's trace ids, as far as a link row shows it. */
const LOCAL_ROOTS: u32 = 1;
export const SHORT_TRACES: u32 = 2;

/** A Link needs both ids (a zero id is invalid); a lone one becomes an attribute of its samples. */
export function isLone(row: u32): bool {
  return (links.get64(row, LinkRow.SPAN) !== 0) !== (writtenOrigin(row) !== LinkOrigin.None);
}

/** The bit of a row that is a Link and needs a word on its trace id; 0 for every other one. */
export function originBit(row: u32): u32 {
  if (isLone(row)) return 0;
  const origin = writtenOrigin(row);
  if (origin === LinkOrigin.LocalRoot) return LOCAL_ROOTS;
  return origin === LinkOrigin.Trace64 ? SHORT_TRACES : 0;
}

/**
 * Adds the attributes that the marked profiles, events and links need; `origins` has the bits of all links of each
 * profile.
 */
export function addOwn(profileMarks: usize, origins: usize, eventMarks: usize, linkMarks: usize): void {
  outputLabels = zeroed(outputCount);
  profileTraces = zeroed(profileCount);
  eventAttributes = zeroed(eventCount);
  linkAttributes = zeroed(links.count);
  frameAttributes = zeroed(FRAME_TYPES.length);
  separateAttribute = hasResources() || hasProcesses() ? textAttribute(RESOURCE_KEY, SEPARATE_RESOURCE) : 0;
  for (let i: u32 = 0; i < profileCount; i++) {
    if (marked(profileMarks, i)) put(profileTraces, i, traceOrigin(i, at(origins, i), eventMarks));
  }
  for (let i: u32 = 0; i < outputCount; i++) {
    const label = load<u32>(outputAt(i), OutputRow.LABEL);
    const profile = load<u32>(outputAt(i), OutputRow.PROFILE);
    if (label === 0 || !marked(profileMarks, profile) || isPlain(profile, eventMarks)) continue;
    put(outputLabels, i, addAttribute(addText(TYPE_KEY), ValueKind.Text, label));
  }
  for (let i: u32 = 0; i < eventCount; i++) {
    if (!marked(eventMarks, i)) continue;
    const event = eventAt(i);
    if (load<u32>(event, ProfileRow.EVENT_NAME) === 0) continue;
    // A statement of a message is written again, whatever else is in the profile.
    const said = load<u32>(event, ProfileRow.EVENT_PLAIN) !== 0;
    if (!said && load<u32>(profileAt(familyOfEvent(i)), ProfileRow.EVENTS) < 2) continue;
    put(eventAttributes, i, addAttribute(addText(EVENT_KEY), ValueKind.Text, load<u32>(event, ProfileRow.EVENT_NAME)));
  }
  for (let i: u32 = 1; i < links.count; i++) if (marked(linkMarks, i)) put(linkAttributes, i, linkAttribute(i));
  for (let type: u32 = 1; type < <u32>FRAME_TYPES.length; type++) {
    put(frameAttributes, type, textAttribute(FRAME_TYPE_KEY, FRAME_TYPES[type]));
  }
}

/**
 * The attribute for the origin of a profile's trace ids. A profile with both kinds has the attribute for local roots.
 */
function traceOrigin(profile: u32, bits: u32, eventMarks: usize): u32 {
  if ((bits & LOCAL_ROOTS) !== 0)
    return saysOrigin(profile, eventMarks) ? textAttribute(TRACE_ORIGIN_KEY, "local_root_span_id") : 0;
  return bits !== 0 ? textAttribute(TRACE_ORIGIN_KEY, TRACES_64) : 0;
}

/** Whether trace ids that are local roots were made by this writer, or were declared as such by their producer. */
function saysOrigin(profile: u32, eventMarks: usize): bool {
  const p = profileAt(profile);
  if (load<u32>(p, ProfileRow.GROUP) !== 0 || (load<u32>(p, ProfileRow.FLAGS) & ProfileFlag.LocalRoots) !== 0)
    return true;
  return !isPlain(profile, eventMarks);
}

/** Whether all marked events of a profile say no `profile.type`: nothing of it is ours. */
function isPlain(profile: u32, eventMarks: usize): bool {
  for (let i: u32 = 0; i < eventCount; i++) {
    const event = eventAt(i);
    if (marked(eventMarks, i) && writtenProfile(i) === profile && load<u32>(event, ProfileRow.EVENT_PLAIN) === 0)
      return false;
  }
  return true;
}

function textAttribute(key: string, value: string): u32 {
  const keyIndex = addText(key);
  return addAttribute(keyIndex, ValueKind.Text, addText(value));
}

/** The attribute in place of link `row`, or of its root where its Link has a trace id; 0 for every other Link. */
function linkAttribute(row: u32): u32 {
  const text = memory.data(32);
  const low = links.get64(row, LinkRow.TRACE_LOW);
  if (traceRowOf(row) !== 0) return low === 0 ? 0 : idAttribute(ROOT_KEY, text, putHex64(text, low));
  if (!isLone(row)) return 0;
  switch (originOf(row)) {
    case LinkOrigin.None:
      return idAttribute(SPAN_KEY, text, putHex64(text, links.get64(row, LinkRow.SPAN)));
    case LinkOrigin.LocalRoot:
      return idAttribute(ROOT_KEY, text, putHex64(text, low));
    default:
      return idAttribute(TRACE_KEY, text, putHex64(putHex64(text, traceHighOf(row)), low));
  }
}

/** An id as text, 16 or 32 hex digits at `text`. */
function idAttribute(key: string, text: usize, end: usize): u32 {
  const keyIndex = addText(key);
  return addAttribute(keyIndex, ValueKind.Text, addString(text, <u32>(end - text)));
}

/** The `profile.frame.type` attribute of a location, 0 where its frame type is not known. */
export function frameAttribute(location: u32): u32 {
  return at(frameAttributes, locations.get(location, LocationRow.FRAME_TYPE));
}

/** The `profile.type` attribute that a sample of this event of output `i` says. */
export function eventLabel(i: u32, event: u32): u32 {
  return load<u32>(eventAt(event), ProfileRow.EVENT_PLAIN) !== 0 ? 0 : sampleLabel(i);
}

/** The `profile.type` attribute of the samples of output `i`, and of its Profile; 0 if it is on the other one. */
function sampleLabel(i: u32): u32 {
  return (load<u32>(outputAt(i), OutputRow.FLAGS) & WritePlan.OUTPUT_LABELLED) === 0 ? at(outputLabels, i) : 0;
}

export function profileLabel(i: u32): u32 {
  return at(outputLabels, i) - sampleLabel(i);
}
