/**
 * The labels of a sample, by the names that Datadog's profilers write: `span id` and `local root span id` become its
 * link, `thread name` and `thread id` its thread, `end_timestamp_ns` its time; every other label becomes an attribute
 * under its name. Ruby's and Python's profilers write ids as numbers and Go's as decimal texts, so both are read.
 * Other profilers write ids as hex digits, under the names of id-names.ts; Splunk's `thread.name` and `thread.id`.
 * Older ones for Pyroscope write the id of the local root as `profile_id`. Splunk's write the time in milliseconds, as
 * `source.event.time`; its Python agent gives this text the index 0, so its labels have no key.
 *
 *   Label  1 key · 2 text · 3 number · 4 unit of the number
 */
import * as Diagnostic from "../../abi/formats/pprof";
import * as ValueKind from "../../abi/value-kind";
import { isText } from "../../memory/ascii";
import { Buffer } from "../../memory/buffer";
import { decimal, digitsEnd } from "../../memory/digits";
import { diagnose } from "../../store/diagnostics";
import { IdName, idHigh, idLow, idNameOf, idOfText } from "../../store/id-names";
import {
  EVENT_TIME_LABEL,
  ROOT_LABEL,
  SPAN_LABEL,
  START_TIME_LABEL,
  THREAD_ID_KEY,
  THREAD_ID_LABEL,
  THREAD_NAME_KEY,
  THREAD_NAME_LABEL,
  TIME_LABEL,
} from "../../store/keys";
import { ProfileFlag } from "../../store/profiles";
import { internMeasured, internText, internThread, strings } from "../../store/tables";
import { addUnused, areSeveral, beginIds, linkHigh, linkLow, linkSpan, settleIds, takeId } from "../own-ids";
import { field, offsetOf, takeOf, value } from "../protobuf";
import { Added, addToSet, internSet, ownSet, removeKey, removeLoneId } from "../set";
import { byIds, byTime, wantsLink, wantsTime } from "../wanted";
import { noteForm } from "./group";
import { stringAt } from "./tables";

const LABEL: u64 = 0x1_1110;
const NANOS_PER_MILLI: i64 = 1_000_000;

/** Of the current sample. */
export let time: i64 = 0;
/** The time of a label in milliseconds, and the attribute that it is where the sample also has another time. */
let eventTime: i64 = 0;
let eventTimeAttribute: u32 = 0;
let threadName: u32 = 0;
let threadId: u32 = 0;
const set: Buffer = ownSet();
/** The current label: string indices, and its number. */
let key: u32 = 0;
let text: u32 = 0;
let number: u64 = 0;
let unit: u32 = 0;

export function beginLabels(): void {
  time = 0;
  beginIds();
  eventTime = 0;
  eventTimeAttribute = 0;
  threadName = 0;
  threadId = 0;
  set.size = 0;
}

/** Takes the label at [p, end) of a sample of the group whose first profile is `group`. */
export function takeLabel(p: usize, end: usize, group: u32): void {
  const start = p;
  key = stringAt(0, p);
  text = 0;
  number = 0;
  unit = 0;
  while (p < end) {
    const at = p;
    p = takeOf(p, end, LABEL);
    if (field === 1) key = stringAt(value, at);
    else if (field === 2) text = stringAt(value, at);
    else if (field === 3) number = value;
    else if (field === 4) unit = stringAt(value, at);
  }
  const name = strings.pointer(key);
  const size = strings.size(key);
  const idName = idNameOf(name, size);
  if (idName !== IdName.None && takeIdOf(idName, name, size, group)) return;
  if (isThread(name, size, THREAD_NAME_LABEL, THREAD_NAME_KEY) && threadName === 0 && text !== 0) {
    threadName = attribute(internText(THREAD_NAME_KEY));
  } else if (isThread(name, size, THREAD_ID_LABEL, THREAD_ID_KEY) && threadId === 0) {
    threadId = attribute(internText(THREAD_ID_KEY));
  } else if (text === 0 && eventTime === 0 && isText(name, size, EVENT_TIME_LABEL) && isMillis()) {
    eventTime = <i64>number * NANOS_PER_MILLI;
    eventTimeAttribute = attribute(key);
  } else if (text === 0 && isText(name, size, TIME_LABEL)) {
    time = <i64>number;
  } else if (text === 0 && isText(name, size, START_TIME_LABEL)) {
    time = <i64>number;
    noteForm(group, ProfileFlag.TimestampNs);
  } else {
    addLabel(key, start);
  }
}

/** The label as an attribute. An empty text and the number 0 look alike, and are taken for the number. */
function attribute(as: u32): u32 {
  return text !== 0 ? internMeasured(as, ValueKind.Text, text, 0) : internMeasured(as, ValueKind.Int, number, unit);
}

function addLabel(as: u32, start: usize): void {
  const added = addToSet(set, attribute(as));
  if (added === Added.Twice) diagnose(Diagnostic.LabelTwice, offsetOf(start), 0);
  else if (added === Added.Full) diagnose(Diagnostic.LabelsMany, offsetOf(start), 0);
}

/** Takes the label as an id, from a number or a text; false if it is none. Datadog's with the number 0 have none. */
function takeIdOf(idName: IdName, name: usize, size: u32, group: u32): bool {
  const isDatadogs = isText(name, size, SPAN_LABEL) || isText(name, size, ROOT_LABEL);
  if (text !== 0) {
    if (!idOfText(strings.pointer(text), strings.size(text), key, idName)) return false;
    if (isDatadogs && isDecimal()) noteForm(group, ProfileFlag.IdsAsText);
    return takeId(idName, idHigh, idLow, attributeOf(idName));
  }
  if (number === 0) return isDatadogs;
  return idName !== IdName.Profile && takeId(idName, 0, number, attributeOf(idName));
}

/** The attribute that an id is if the link has another one. */
function attributeOf(idName: IdName): u32 {
  return idName === IdName.Span || idName === IdName.LabelledRoot ? 0 : attribute(key);
}

/** Whether the text has decimal digits only. */
function isDecimal(): bool {
  const p = strings.pointer(text);
  const end = p + strings.size(text);
  decimal(p, end, u64.MAX_VALUE);
  return digitsEnd === end;
}

/** Whether the number is a time since 1970 in milliseconds that ns have room for. */
function isMillis(): bool {
  return number !== 0 && number <= <u64>(i64.MAX_VALUE / NANOS_PER_MILLI);
}

function isThread(name: usize, size: u32, label: string, otelKey: string): bool {
  return isText(name, size, label) || isText(name, size, otelKey);
}

/** Ends the labels of the sample, before its link and its set are asked for. */
export function endLabels(): void {
  if (time === 0) time = eventTime;
  else if (eventTimeAttribute !== 0) addToSet(set, eventTimeAttribute);
  settleIds(0);
  addUnused(set);
}

/** Whether a sample with these ids and this time may be wanted. One without a time is left to the selection. */
export function mayBeWanted(): bool {
  if (byTime && time !== 0 && !wantsTime(time)) return false;
  return !byIds || areSeveral() || wantsLink(linkHigh, linkLow, linkSpan);
}

export function threadOf(): u32 {
  return internThread(threadName, threadId);
}

/**
 * The attribute set, without the keys of the thread's and the link's own attributes; `link` is that of the sample at
 * `at`.
 */
export function setOf(link: u32, at: usize): u32 {
  let twice = removeLoneId(set, link);
  if (threadName !== 0) twice = removeKey(set, internText(THREAD_NAME_KEY)) || twice;
  if (threadId !== 0) twice = removeKey(set, internText(THREAD_ID_KEY)) || twice;
  if (twice) diagnose(Diagnostic.LabelTwice, offsetOf(at), 0);
  return internSet(set);
}
