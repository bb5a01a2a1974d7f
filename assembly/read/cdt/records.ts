/**
 * Records of the small streams of a run of a CDT dump: dictionary, params, suspend; and the texts of sql and xml.
 *
 *   dictionary                      string                                      its id is its number
 *   posDictionary, callsDictionary  varint id | string
 *   params                          byte 1, once; string name | byte indexed | byte list | varint order | string group
 *   suspend                         long ms, once; varint delta | varint delay   the date is the END of the pause
 *   sql, xml                        string
 */
import * as Stream from "../../abi/cdt-stream";
import * as ParamRow from "../../abi/rows/param-row";
import * as RunRow from "../../abi/rows/run-row";
import { countIn, Run, wordCount, wordOf } from "../../store/runs";
import * as cursor from "./cursor";
import { byte, long, skipString, string, varint } from "./cursor";
import { isKeeping, takeText } from "./references";

/** Ids that a dictionary with stated ids may have: a false one costs no more than 16 MiB. */
const MOST_WORDS: u32 = 1 << 22;

/** The run and the stream that are read. */
let run: Run = changetype<Run>(0);
let stream: u32 = 0;
/** Of suspend: the time so far. */
let time: i64 = 0;
let isCounting: bool = true;

export function beginRecords(owner: Run, kind: u32): void {
  run = owner;
  stream = kind;
  time = 0;
  isCounting = true;
}

/** The texts of the file that follow are those that references lead to. */
export function stopCounting(): void {
  isCounting = false;
}

/** Whether a file of this stream begins with something that is no record. */
export function hasHeader(kind: u32): bool {
  return kind === <u32>Stream.Params || kind === <u32>Stream.Suspend;
}

/** Reads it. False if no healthy agent writes it. */
export function readHeader(): bool {
  if (stream === <u32>Stream.Params) return byte() === 1 || cursor.torn;
  time = long();
  return true;
}

/** Reads one record and keeps it. False if no healthy agent writes it; nothing is kept of a torn one. */
export function readRecord(offset: u32): bool {
  switch (stream) {
    case <u32>Stream.Dictionary:
      return keepWord(wordCount(run), string(), true);
    case <u32>Stream.PosDictionary:
    case <u32>Stream.CallsDictionary: {
      const id = varint();
      if (id < 0 || <u32>id >= MOST_WORDS) return cursor.torn;
      return keepWord(id, string(), stream === <u32>Stream.PosDictionary);
    }
    case <u32>Stream.Params:
      readParam();
      return true;
    case <u32>Stream.Suspend:
      return readPause();
    default:
      if (!takeText(stream, offset)) skipString();
      if (isWhole() && isCounting && !isKeeping()) countIn(run, stream === <u32>Stream.Sql ? RunRow.SQL : RunRow.XML);
      return true;
  }
}

function isWhole(): bool {
  return !cursor.torn && !cursor.bad;
}

function keepWord(id: u32, text: u32, over: bool): bool {
  if (!isWhole()) return true;
  const words = run.words;
  while (wordCount(run) <= id) words.u32(0);
  const p = words.at + ((<usize>id) << 2);
  if (over || load<u32>(p) === 0) store<u32>(p, text + 1);
  store<u32>(run.row, wordCount(run), RunRow.WORDS);
  return true;
}

function readParam(): void {
  const name = string();
  const isIndexed = byte();
  const isList = byte();
  const order = varint();
  const grouping = string();
  if (!isWhole()) return;
  const p = run.params.need(<u32>ParamRow.BYTES);
  store<u32>(p, name, ParamRow.NAME);
  store<i32>(p, order, ParamRow.ORDER);
  store<u32>(p, grouping, ParamRow.GROUPING);
  store<u32>(p, (isIndexed !== 0 ? ParamRow.INDEXED : 0) | (isList !== 0 ? ParamRow.LIST : 0), ParamRow.FLAGS);
  run.params.size += <u32>ParamRow.BYTES;
  countIn(run, RunRow.PARAMS);
}

function readPause(): bool {
  const delta = varint();
  const delay = varint();
  if (!isWhole()) return true;
  if (delay < 0) return false;
  time += <i64>delta;
  run.pauses.add(time - <i64>delay, time);
  countIn(run, RunRow.PAUSES);
  store<u64>(run.row, load<u64>(run.row, RunRow.PAUSED) + <u64>delay, RunRow.PAUSED);
  return true;
}

/** Ids above a dictionary that was cut: agents flush it last. */
const BEYOND: u32 = 1 << 16;

/** To be called when the dictionary was read. `cut`: it may have been longer. */
export function endWords(run: Run, cut: bool): void {
  run.wordLimit = wordCount(run) + (cut ? BEYOND : 0);
}

/** Ids of a run's dictionary: which are possible, and which were used without a text. */
export function isWord(run: Run, id: i32): bool {
  if (id < 0 || <u32>id >= run.wordLimit) return false;
  if (wordOf(run, id) === 0) noteShort(run, id);
  return true;
}

function noteShort(run: Run, id: u32): void {
  const lowest = load<u32>(run.row, RunRow.SHORT);
  if (lowest === 0 || id + 1 < lowest) store<u32>(run.row, id + 1, RunRow.SHORT);
}
