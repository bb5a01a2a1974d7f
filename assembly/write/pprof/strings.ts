/**
 * The strings of a pprof file: a column like those of `reach`, but for the strings in pprof's table. These are more
 * than in OTLP (the values of labels, build ids) and less (no frame types, no `profile.type`).
 */

import * as ProfileRow from "../../abi/rows/profile-row";
import * as ValueKind from "../../abi/value-kind";
import * as WritePlan from "../../abi/write-plan";
import {
  DEFAULT_TYPE_KEY,
  ROOT_LABEL,
  SPAN_LABEL,
  START_TIME_LABEL,
  THREAD_ID_KEY,
  THREAD_ID_LABEL,
  THREAD_NAME_KEY,
  THREAD_NAME_LABEL,
  TIME_LABEL,
  TRACE_LABEL,
} from "../../store/keys";
import { eventCount, ProfileFlag, profileAt } from "../../store/profiles";
import * as AttributeRow from "../../store/rows/attribute-row";
import * as FunctionRow from "../../store/rows/function-row";
import * as LinkRow from "../../store/rows/link-row";
import * as MappingRow from "../../store/rows/mapping-row";
import * as ThreadRow from "../../store/rows/thread-row";
import {
  functions,
  LinkOrigin,
  links,
  localRootOf,
  mappings,
  originOf,
  sets,
  threads,
  traceHighOf,
} from "../../store/tables";
import {
  addString,
  addText,
  attributeCount,
  attributeText,
  attributeValue,
  attributeWord,
  stringCount,
  stringIs,
} from "../added";
import { arrange, at, byUse, mark, marked, number, places, put, rowAt } from "../columns";
import { putDecimal, putDouble, putHex64 } from "../digits";
import { zeroed } from "../output";
import * as OutputRow from "../output-row";
import { hasPeriod, outputAt, outputCount } from "../plan";
import {
  eventMarks,
  functionMap,
  functionOrder,
  isReached,
  linkMap,
  linkOrder,
  mappingMap,
  mappingOrder,
  setMarks,
  setOrder,
  threadMarks,
  threadOrder,
} from "../reach";
import { listOf } from "../set-lists";
import { eventAttributes, linkAttributes } from "../writer-attributes";

/** Keys of labels; their names are what Datadog's profilers write. */
export let spanKey: u32 = 0;
export let localRootKey: u32 = 0;
export let traceKey: u32 = 0;
export let timeKey: u32 = 0;
let threadNameKey: u32 = 0;
let threadIdKey: u32 = 0;
/** Keys of labels that the writer makes of columns, and the key that an attribute of that name gets instead. */
const COLUMN_KEYS: u32 = 7;
/** The key of a column, and the one that attributes with it get. */
const COLUMN_KEY: usize = 0;
const COLUMN_INSTEAD: usize = 4;
const columnKeys: usize = memory.data(COLUMN_KEYS * 8, 4);
/** Thread name and thread id as OTLP has them. */
let threadNameAttribute: u32 = 0;
let threadIdAttribute: u32 = 0;

/** String → index in the file. */
let map: usize = 0;
/** Order of the strings in the file (columns.ts). */
export let fileStringOrder: usize = 0;
/** u32 per attribute: the string that is its value as a label, 0 for a number or an empty text. */
let texts: usize = 0;
/** u32 per link: its trace id as 32 hex digits; 0 if it has a local root or no id. */
let traces: usize = 0;
/** u32 per link: span and local root as decimal texts, where that is their form; 0 where ids are numbers. */
let spans: usize = 0;
let roots: usize = 0;

/** Numbers the strings of the file among the rows that `reach` found. */
export function gatherStrings(timed: bool): void {
  // Calls that may add strings must precede the column.
  const flags = formFlags();
  addKeys(flags);
  const labels = markLabels();
  addTexts(labels);
  addTraces();
  addIds((flags & <u32>ProfileFlag.IdsAsText) !== 0);
  map = zeroed(stringCount());
  markKeys(timed);
  markLabelStrings(labels);
  markOutputStrings();
  markTables();
  fileStringOrder = arrange(map, stringCount());
  if (!byUse) number(map, stringCount());
}

/** Index of string `s` in the file. */
export function stringIndex(s: u32): u32 {
  return at(map, s);
}

/** The form of the labels in the file of the first output; 0 if the data came from elsewhere. */
function formFlags(): u32 {
  for (let i: u32 = 0; i < outputCount; i++) {
    if (isReached(i)) return load<u32>(profileAt(load<u32>(outputAt(i), OutputRow.PROFILE)), ProfileRow.FLAGS);
  }
  return 0;
}

function addKeys(flags: u32): void {
  spanKey = addText(SPAN_LABEL);
  localRootKey = addText(ROOT_LABEL);
  traceKey = addText(TRACE_LABEL);
  const isStart = (flags & <u32>ProfileFlag.TimestampNs) !== 0;
  timeKey = isStart ? addText(START_TIME_LABEL) : addText(TIME_LABEL);
  threadNameKey = addText(THREAD_NAME_LABEL);
  threadIdKey = addText(THREAD_ID_LABEL);
  threadNameAttribute = addText(THREAD_NAME_KEY);
  threadIdAttribute = addText(THREAD_ID_KEY);
  columnKey(0, spanKey, "context.span id");
  columnKey(1, localRootKey, "context.local root span id");
  columnKey(2, traceKey, "context.trace id");
  columnKey(3, addText(START_TIME_LABEL), "context.timestamp_ns");
  columnKey(4, addText(TIME_LABEL), "context.end_timestamp_ns");
  columnKey(5, threadNameKey, "context.thread name");
  columnKey(6, threadIdKey, "context.thread id");
}

function columnKey(i: usize, key: u32, instead: string): void {
  store<u32>(columnKeys + (i << 3), key, COLUMN_KEY);
  store<u32>(columnKeys + (i << 3), addText(instead), COLUMN_INSTEAD);
}

/** A column with a mark for each attribute that is a label of a sample. */
function markLabels(): usize {
  const labels = zeroed(attributeCount());
  for (let i: u32 = 0; i < eventCount; i++) if (marked(eventMarks, i)) mark(labels, at(eventAttributes, i));
  for (let k: u32 = 1; k < places(threadOrder, threads.count); k++) {
    const i = rowAt(threadOrder, k);
    if (!marked(threadMarks, i)) continue;
    mark(labels, threads.get(i, ThreadRow.NAME));
    mark(labels, threads.get(i, ThreadRow.ID));
  }
  for (let k: u32 = 1; k < places(setOrder, sets.count); k++) {
    const i = rowAt(setOrder, k);
    if (!marked(setMarks, i)) continue;
    const p = listOf(i);
    for (let o: u32 = 0; o < sets.size(i); o += 4) mark(labels, load<u32>(p + o));
  }
  put(labels, 0, 0);
  return labels;
}

/** pprof has texts and integers: truth values and fractions become texts, and other values lose their mark. */
function addTexts(labels: usize): void {
  texts = zeroed(attributeCount());
  for (let i: u32 = 1; i < attributeCount(); i++) {
    if (!marked(labels, i)) continue;
    const value = attributeValue(i);
    switch (attributeWord(i, AttributeRow.TYPE)) {
      case ValueKind.Text:
        put(texts, i, <u32>value);
        break;
      case ValueKind.Bool:
        put(texts, i, value !== 0 ? addText("true") : addText("false"));
        break;
      case ValueKind.Double:
        put(texts, i, addDouble(reinterpret<f64>(value)));
        break;
    }
    if (at(texts, i) === 0 && attributeWord(i, AttributeRow.TYPE) !== <u32>ValueKind.Int) put(labels, i, 0);
  }
}

function addDouble(v: f64): u32 {
  if (isNaN(v)) return addText("NaN");
  if (!isFinite(v)) return v > 0 ? addText("Infinity") : addText("-Infinity");
  const text = memory.data(64);
  return addString(text, <u32>(putDouble(text, v) - text));
}

function addTraces(): void {
  traces = zeroed(links.count);
  for (let i: u32 = 1; i < links.count; i++) {
    if (originOf(i) < LinkOrigin.Trace64 || !isLinked(i)) continue;
    const text = memory.data(48);
    const end = putHex64(putHex64(text, traceHighOf(i)), links.get64(i, LinkRow.TRACE_LOW));
    put(traces, i, addString(text, <u32>(end - text)));
  }
}

function addIds(asText: bool): void {
  spans = zeroed(links.count);
  roots = zeroed(links.count);
  if (!asText) return;
  for (let i: u32 = 1; i < links.count; i++) {
    if (!isLinked(i)) continue;
    put(spans, i, addId(links.get64(i, LinkRow.SPAN)));
    put(roots, i, addId(localRootOf(i)));
  }
}

/** 0 for the id 0, which means no id. */
function addId(id: u64): u32 {
  if (id === 0) return 0;
  const text = memory.data(32);
  return addString(text, <u32>(putDecimal(text, id) - text));
}

/** Whether link `i` is in use, as a Link of OTLP or as a lone id. */
function isLinked(i: u32): bool {
  return marked(linkMap, i) || marked(linkAttributes, i);
}

/** Keys of links are in the table whenever there is a link: two short strings are not worth a look at every one. */
function markKeys(timed: bool): void {
  let linked: bool = false;
  let traced: bool = false;
  for (let k: u32 = 1; k < places(linkOrder, links.count); k++) {
    const i = rowAt(linkOrder, k);
    if (!isLinked(i)) continue;
    linked = true;
    mark(map, at(spans, i));
    mark(map, at(roots, i));
    if (!marked(traces, i)) continue;
    traced = true;
    mark(map, at(traces, i));
  }
  if (linked) {
    mark(map, spanKey);
    mark(map, localRootKey);
  }
  if (traced) mark(map, traceKey);
  if (timed) mark(map, timeKey);
}

function markLabelStrings(labels: usize): void {
  const order = arrange(labels, attributeCount());
  for (let k: u32 = 1; k < places(order, attributeCount()); k++) {
    const i = rowAt(order, k);
    if (!marked(labels, i)) continue;
    mark(map, labelKey(i));
    // A text has no unit.
    if (labelText(i) !== 0) mark(map, labelText(i));
    else mark(map, attributeWord(i, AttributeRow.UNIT));
  }
}

function markOutputStrings(): void {
  for (let i: u32 = 0; i < outputCount; i++) {
    if (!isReached(i)) continue;
    const output = outputAt(i);
    mark(map, load<u32>(output, OutputRow.TYPE));
    mark(map, load<u32>(output, OutputRow.UNIT));
  }
  mark(map, defaultType());
  findPeriod();
  if (!hasFilePeriod) return;
  mark(map, filePeriodType);
  mark(map, filePeriodUnit);
}

/**
 * The sample type to be shown first: the first, or the choice of the pprof file that it was read from; 0 if that file
 * had no choice, which means its last.
 */
export function defaultType(): u32 {
  for (let i: u32 = 0; i < outputCount; i++) {
    if (!isReached(i)) continue;
    const profile = profileAt(load<u32>(outputAt(i), OutputRow.PROFILE));
    if (load<u32>(profile, ProfileRow.GROUP) === 0) return load<u32>(outputAt(i), OutputRow.TYPE);
    return defaultTypeIn(load<u32>(profile, ProfileRow.SET));
  }
  return 0;
}

/** The text that attribute set `set` has under DEFAULT_TYPE_KEY, 0 if it has no such text. */
function defaultTypeIn(set: u32): u32 {
  const p = sets.pointer(set);
  for (let o: u32 = 0; o < sets.size(set); o += 4) {
    const attribute = load<u32>(p + o);
    if (stringIs(attributeWord(attribute, AttributeRow.KEY), DEFAULT_TYPE_KEY)) return attributeText(attribute);
  }
  return 0;
}

/** The file has place for one period. */
export let hasFilePeriod: bool = false;
export let filePeriodType: u32 = 0;
export let filePeriodUnit: u32 = 0;
export let filePeriod: i64 = 0;

/** That of the first output with a period; without one, that of the pprof file that the first output was read from. */
function findPeriod(): void {
  hasFilePeriod = false;
  for (let i: u32 = 0; i < outputCount && !hasFilePeriod; i++) {
    const output = outputAt(i);
    if (!isReached(i) || !hasPeriod(output)) continue;
    hasFilePeriod = true;
    filePeriodType = load<u32>(output, OutputRow.PERIOD_TYPE);
    filePeriodUnit = load<u32>(output, OutputRow.PERIOD_UNIT);
    filePeriod = load<i64>(output, OutputRow.PERIOD);
  }
  for (let i: u32 = 0; i < outputCount && !hasFilePeriod; i++) {
    if (!isReached(i) || (load<u32>(outputAt(i), OutputRow.FLAGS) & WritePlan.OUTPUT_JOINED) !== 0) continue;
    const row = profileAt(load<u32>(outputAt(i), OutputRow.PROFILE));
    filePeriodType = load<u32>(row, ProfileRow.PERIOD_TYPE);
    filePeriodUnit = load<u32>(row, ProfileRow.PERIOD_UNIT);
    filePeriod = load<i64>(row, ProfileRow.FILE_PERIOD);
    hasFilePeriod =
      load<u32>(row, ProfileRow.GROUP) !== 0 && (filePeriod !== 0 || (filePeriodType | filePeriodUnit) !== 0);
    return;
  }
}

function markTables(): void {
  for (let k: u32 = 1; k < places(functionOrder, functions.count); k++) {
    const i = rowAt(functionOrder, k);
    if (!marked(functionMap, i)) continue;
    mark(map, functions.get(i, FunctionRow.NAME));
    mark(map, functions.get(i, FunctionRow.SYSTEM_NAME));
    mark(map, functions.get(i, FunctionRow.FILE_NAME));
  }
  for (let k: u32 = 1; k < places(mappingOrder, mappings.count); k++) {
    const i = rowAt(mappingOrder, k);
    if (!marked(mappingMap, i)) continue;
    mark(map, mappings.get(i, MappingRow.FILE_NAME));
    mark(map, buildId(i));
  }
}

/** The key of attribute `i` as a label. */
export function labelKey(i: u32): u32 {
  const key = attributeWord(i, AttributeRow.KEY);
  if (key === threadNameAttribute) return threadNameKey;
  if (key === threadIdAttribute) return threadIdKey;
  for (let k: usize = 0; k < COLUMN_KEYS; k++) {
    const column = columnKeys + (k << 3);
    if (load<u32>(column, COLUMN_KEY) === key) return load<u32>(column, COLUMN_INSTEAD);
  }
  return key;
}

/** The text of attribute `i` as a label; 0 where it is a number. */
export function labelText(i: u32): u32 {
  return at(texts, i);
}

/** Span and local root of link `i` as texts, 0 if they are numbers or absent. */
export function spanText(i: u32): u32 {
  return at(spans, i);
}

export function rootText(i: u32): u32 {
  return at(roots, i);
}

/** The text of link `i`'s trace id, 0 where that is a local root. */
export function traceText(i: u32): u32 {
  return at(traces, i);
}

/** The build id of mapping `i`, which an attribute has as text. */
export function buildId(i: u32): u32 {
  const attribute = mappings.get(i, MappingRow.BUILD_ID);
  return attributeText(attribute);
}
