/**
 * Labels of pprof samples. Labels that many samples share (of the event, the thread, the attribute set) are encoded
 * once; the labels of a link are written in place, because there may be as many links as samples.
 *
 *   Label { key 1, str 2, num 3, num_unit 4 }, field 3 of a Sample
 *   piece | pointer u32 | length u32 |
 *
 * Span ids are numbers, the two's complement of 64 bits, as Datadog's Ruby and Python profilers write them and
 * libdatadog demands. Go's profiler writes them as decimal texts, and this writer does so if they were read as texts.
 * Thread ids are numbers as in Python. An empty text is left out: on the wire it would be the number 0.
 */

import * as Slice from "../../abi/slice";
import * as ValueKind from "../../abi/value-kind";
import { setSlice, sliceAt, sliceSize } from "../../memory/slice";
import { eventCount } from "../../store/profiles";
import * as AttributeRow from "../../store/rows/attribute-row";
import * as LinkRow from "../../store/rows/link-row";
import * as ThreadRow from "../../store/rows/thread-row";
import { links, localRootOf, sets, threads } from "../../store/tables";
import { attributeValue, attributeWord } from "../added";
import { at, marked } from "../columns";
import { newRun, Run, zeroed } from "../output";
import { eventMarks, setMarks, threadMarks } from "../reach";
import { listOf } from "../set-lists";
import { fieldSize, putField } from "../wire";
import { eventAttributes } from "../writer-attributes";
import {
  labelKey,
  labelText,
  localRootKey,
  rootText,
  spanKey,
  spanText,
  stringIndex,
  timeKey,
  traceKey,
  traceText,
} from "./strings";

/** Room for all labels of a link, or for one of a time. */
export const LINK_ROOM: u32 = 64;
/** Of any label: tag, length, key, number and its unit, or text. */
const LABEL_ROOM: u64 = 32;

export let eventPieces: usize = 0;
export let threadPieces: usize = 0;
export let setPieces: usize = 0;

/** Of encoded labels; it is never part of the message. */
let run: Run = changetype<Run>(0);

export function encodeLabels(): void {
  run = newRun();
  eventPieces = zeroed(eventCount << 1);
  for (let i: u32 = 0; i < eventCount; i++) {
    if (marked(eventMarks, i)) encode(eventPieces, i, at(eventAttributes, i), 0);
  }
  threadPieces = zeroed(threads.count << 1);
  for (let i: u32 = 1; i < threads.count; i++) {
    if (marked(threadMarks, i)) encode(threadPieces, i, threads.get(i, ThreadRow.NAME), threads.get(i, ThreadRow.ID));
  }
  encodeSets();
}

export function pieceAt(pieces: usize, row: u32): usize {
  return sliceAt(pieces + <usize>row * Slice.BYTES);
}

export function pieceSize(pieces: usize, row: u32): u32 {
  return sliceSize(pieces + <usize>row * Slice.BYTES);
}

function setPiece(pieces: usize, row: u32, start: usize, end: usize): void {
  setSlice(pieces + <usize>row * Slice.BYTES, start, <u32>(end - start));
}

function encode(pieces: usize, row: u32, a: u32, b: u32): void {
  const start = run.need(LABEL_ROOM << 1);
  let p = start;
  if (a !== 0) p = putLabel(p, a);
  if (b !== 0) p = putLabel(p, b);
  run.at = p;
  setPiece(pieces, row, start, p);
}

function encodeSets(): void {
  setPieces = zeroed(sets.count << 1);
  for (let i: u32 = 1; i < sets.count; i++) {
    if (!marked(setMarks, i)) continue;
    const from = listOf(i);
    const n = sets.size(i);
    const start = run.need(LABEL_ROOM * (n >> 2));
    let p = start;
    for (let o: u32 = 0; o < n; o += 4) p = putLabel(p, load<u32>(from + o));
    run.at = p;
    setPiece(setPieces, i, start, p);
  }
}

function putLabel(p: usize, attribute: u32): usize {
  const key = stringIndex(labelKey(attribute));
  const text = labelText(attribute);
  if (text !== 0) return putText(p, key, stringIndex(text));
  if (attributeWord(attribute, AttributeRow.TYPE) !== <u32>ValueKind.Int) return p;
  const unit = stringIndex(attributeWord(attribute, AttributeRow.UNIT));
  return putNumber(p, key, attributeValue(attribute), unit);
}

function putText(p: usize, key: u32, text: u32): usize {
  store<u8>(p, 0x1a);
  store<u8>(p, <u8>(fieldSize(key) + fieldSize(text)), 1);
  return putField(putField(p + 2, 0x08, key), 0x10, text);
}

/** Key and number; a number 0 is a label with a key alone. */
function putNumber(p: usize, key: u32, v: u64, unit: u32): usize {
  store<u8>(p, 0x1a);
  store<u8>(p, <u8>(fieldSize(key) + fieldSize(v) + fieldSize(unit)), 1);
  return putField(putField(putField(p + 2, 0x08, key), 0x18, v), 0x20, unit);
}

/** The labels of link `i`: its span, and its local root or trace. */
export function putLinkLabels(p: usize, i: u32): usize {
  const span = links.get64(i, LinkRow.SPAN);
  if (span !== 0) p = putId(p, stringIndex(spanKey), span, spanText(i));
  const trace = traceText(i);
  if (trace !== 0) return putText(p, stringIndex(traceKey), stringIndex(trace));
  const root = localRootOf(i);
  return root !== 0 ? putId(p, stringIndex(localRootKey), root, rootText(i)) : p;
}

function putId(p: usize, key: u32, id: u64, text: u32): usize {
  return text !== 0 ? putText(p, key, stringIndex(text)) : putNumber(p, key, id, 0);
}

export function putTimeLabel(p: usize, time: u64): usize {
  return putNumber(p, stringIndex(timeKey), time, 0);
}
