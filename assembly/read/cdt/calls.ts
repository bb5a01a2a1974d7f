/**
 * Records of the stream `calls` of a CDT dump. A file begins with the format and the base of its times, or with the
 * base alone: format 0.
 *
 *   header  long 0xFFFEFDFC in the upper half, format in the lower | long base         or: long base, ms
 *   record  zigzag ms since the record before | method | ms | frames
 *           [1: thread, and its name where the number is new | logs written | logs generated − written]
 *           trace file | offset of the block | ordinal of the event
 *           [2: varlong cpu ms | wait ms | memory] [3: varlong file read | file written | net read | net written]
 *           [4: transactions | ms in a queue]
 *           n, n × (parameter | m, m × string)                                       all others are varints
 */

import * as CallTree from "../../abi/call-tree";
import * as Fault from "../../abi/formats/cdt";
import * as CallRow from "../../abi/rows/call-row";
import * as RunRow from "../../abi/rows/run-row";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { addCall, callAt, callParams } from "../../store/calls";
import { runAt } from "../../store/runs";
import { callLink } from "./call-link";
import * as cursor from "./cursor";
import { long, string, varint, varlong, zigzag } from "./cursor";
import { isPlausibleTime } from "./plausible";
import { isWord } from "./records";

const MAGIC: u64 = 0xfffefdfc;
const MOST_FORMAT: u64 = 4;
const MOST_PARAMS: i32 = 4096;
const MOST_VALUES: i32 = 1 << 20;

let run: u32 = 0;
let format: u32 = 0;
let time: i64 = 0;
/** u32 per thread of the file: its name. */
const names: Buffer = ownBuffer(1 << 10);
/** Parameters of the current record, as store/calls.ts has them. */
const pairs: Buffer = ownBuffer(1 << 10);
/** What a record begins with until its key is known. */
const head: usize = memory.data(64, 8);
const HEAD_METHOD: usize = 0;
const HEAD_DURATION: usize = 8;
const HEAD_ENTERS: usize = 16;
const HEAD_THREAD: usize = 24;
const HEAD_LOGS_WRITTEN: usize = 32;
const HEAD_LOGS_GENERATED: usize = 40;

export function beginCalls(which: u32): void {
  run = which;
  names.size = 0;
}

/** Reads the header; the answer is one of abi/formats/cdt.ts. */
export function readCallsHeader(): u32 {
  const first = <u64>long();
  format = 0;
  time = <i64>first;
  if (first >> 32 === MAGIC) {
    const stated = first & 0xffff_ffff;
    time = long();
    if (cursor.torn) return Fault.None;
    if (stated > MOST_FORMAT) return Fault.CallsFormat;
    format = <u32>stated;
  }
  if (cursor.torn) return Fault.None;
  if (!isPlausibleTime(time)) return Fault.CallsFormat;
  const formats = runAt(run).row;
  store<u32>(formats, load<u32>(formats, RunRow.FORMATS) | (1 << format), RunRow.FORMATS);
  return Fault.None;
}

/** Reads a record and keeps it. False if no healthy agent writes it; nothing is kept of a torn one. */
export function readCall(): bool {
  const threads = names.size;
  const start = time + <i64>zigzag();
  const sound = readHead() && readBody(start);
  if (sound && !cursor.torn && !cursor.bad) {
    time = start;
    return true;
  }
  names.size = threads;
  return sound;
}

function readHead(): bool {
  const method = varint();
  if (!cursor.torn && !isWord(runAt(run), method)) return false;
  store<u64>(head, <u64>method, HEAD_METHOD);
  store<i64>(head, max<i64>(0, <i64>varint()), HEAD_DURATION);
  store<u64>(head, <u64>varint(), HEAD_ENTERS);
  memory.fill(head + HEAD_THREAD, 0, 24);
  if (format < 1) return true;
  const thread = varint();
  if (cursor.torn) return true;
  const known = names.size >> 2;
  if (thread < 0 || <u32>thread > known) return false;
  if (<u32>thread === known) names.u32(string());
  store<u64>(head, <u64>load<u32>(names.at + ((<usize>thread) << 2)), HEAD_THREAD);
  const written = <i64>varint();
  store<i64>(head, written, HEAD_LOGS_WRITTEN);
  store<i64>(head, written + <i64>varint(), HEAD_LOGS_GENERATED);
  return true;
}

/** A time that was written as 32 bits with a sign. */
function milliseconds(value: i64): i64 {
  return max<i64>(0, value > <i64>i32.MAX_VALUE ? <i64>(<i32>value) : value);
}

function readBody(start: i64): bool {
  const file = varint();
  const offset = varint();
  const ordinal = varint();
  if (!cursor.torn && (file | offset | ordinal) < 0) return false;
  const cpu = format < 2 ? 0 : milliseconds(varlong());
  const wait = format < 2 ? 0 : milliseconds(varlong());
  const memoryBytes = format < 2 ? 0 : varlong();
  const fileRead = format < 3 ? 0 : varlong();
  const fileWritten = format < 3 ? 0 : varlong();
  const netRead = format < 3 ? 0 : varlong();
  const netWritten = format < 3 ? 0 : varlong();
  const transactions = format < 4 ? 0 : varint();
  const queue = format < 4 ? 0 : max<i32>(0, varint());
  if (!readParams()) return false;
  if (cursor.torn || cursor.bad) return true;

  const link = callLink(pairs);
  const params = pairs.size === 0 ? 0 : callParams.intern(pairs.at, pairs.size);
  const p = callAt(addCall(run, file, offset, ordinal));
  store<u32>(p, load<u32>(head, HEAD_METHOD), CallRow.METHOD);
  store<u32>(p, load<u32>(head, HEAD_THREAD), CallRow.THREAD);
  store<u32>(p, CallTree.None, CallRow.TREE);
  store<u32>(p, format, CallRow.FORMAT);
  store<u32>(p, load<u32>(head, HEAD_ENTERS), CallRow.ENTERS);
  store<u32>(p, params, CallRow.PARAMS);
  store<u32>(p, link, CallRow.LINK);
  store<i64>(p, start, CallRow.START);
  store<i64>(p, load<i64>(head, HEAD_DURATION), CallRow.DURATION);
  store<i64>(p, cpu, CallRow.CPU);
  store<i64>(p, wait, CallRow.WAIT);
  store<i64>(p, queue, CallRow.QUEUE);
  store<i64>(p, transactions, CallRow.TRANSACTIONS);
  store<i64>(p, memoryBytes, CallRow.MEMORY);
  store<i64>(p, fileRead, CallRow.FILE_READ);
  store<i64>(p, fileWritten, CallRow.FILE_WRITTEN);
  store<i64>(p, netRead, CallRow.NET_READ);
  store<i64>(p, netWritten, CallRow.NET_WRITTEN);
  store<i64>(p, load<i64>(head, HEAD_LOGS_GENERATED), CallRow.LOGS_GENERATED);
  store<i64>(p, load<i64>(head, HEAD_LOGS_WRITTEN), CallRow.LOGS_WRITTEN);
  return true;
}

/** Reads the parameters into `pairs`. */
function readParams(): bool {
  pairs.size = 0;
  const n = varint();
  if (n < 0 || n > MOST_PARAMS) return false;
  for (let i = 0; i < n && !cursor.torn && !cursor.bad; i++) {
    const word = varint();
    if (!cursor.torn && !isWord(runAt(run), word)) return false;
    const values = varint();
    if (values < 0 || values > MOST_VALUES) return false;
    if (values === 0) {
      pairs.u32(word);
      pairs.u32(CallRow.NO_VALUE);
    }
    for (let j = 0; j < values && !cursor.torn && !cursor.bad; j++) {
      pairs.u32(word);
      pairs.u32(string());
    }
  }
  return true;
}
