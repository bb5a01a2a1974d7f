/**
 * Facts of the file that is read, from which the host infers the context of observations: kept on request only, and
 * dropped when the file has ended.
 *
 *   noted    | observation u32 | own u32 | start i64 | end i64 |                                        24 bytes
 *   border   | thread u32 | 0 | time i64 |                                                              16 bytes
 *   thread   | row u32 | 0 | key i64 | java id i64 |                                                    24 bytes
 *   context  | thread u32 | set u32 | start i64 | end i64 | trace u64 × 2 |                             40 bytes
 *   wait     | observation u32 | owner u32 | class u32 | 0 | address u64 |                              24 bytes
 *
 * `own`: the event's type has a field for the span id. Times are ns since 1970. A border is the end of a request or of
 * a wait in a queue: the tasks before and after it differ. The key of a thread is the id of the operating system, of
 * virtual threads −1 × Java's id; 0 is no thread. Rows of threads may repeat. Scopes are in the table of spans. A
 * context is an event with contextual fields: the attributes, and the trace id, of all events inside on its thread. The
 * owner of a wait is the thread that gave the object up before, 0 where the event does not state it.
 */
import * as ContextRow from "../abi/rows/context-row";
import { Buffer, newBuffer } from "../memory/buffer";
import { onReset } from "../memory/resets";

/** Whether the table of spans is filled from recordings. */
export let keeping: bool = false;
/** Whether the facts are kept, which takes 24 bytes of an observation. */
export let noting: bool = false;
let noted: Buffer = changetype<Buffer>(0);
let borders: Buffer = changetype<Buffer>(0);
let threads: Buffer = changetype<Buffer>(0);
let contexts: Buffer = changetype<Buffer>(0);
let waits: Buffer = changetype<Buffer>(0);

onReset((): void => {
  keeping = false;
  noting = false;
});

/** From now on, until the next reset of the core. Without `infers` no facts are kept. */
export function noteContexts(infers: bool): void {
  keeping = true;
  if (noting || !infers) return;
  noted = newBuffer(ContextRow.NOTED_BYTES << 6);
  borders = newBuffer(ContextRow.BORDER_BYTES << 6);
  threads = newBuffer(ContextRow.NOTED_THREAD_BYTES << 6);
  contexts = newBuffer(ContextRow.CONTEXT_BYTES << 6);
  waits = newBuffer(ContextRow.WAIT_BYTES << 6);
  noting = true;
}

/** Drops the facts of the file. */
export function forgetContexts(): void {
  if (!noting) return;
  noted.size = 0;
  borders.size = 0;
  threads.size = 0;
  contexts.size = 0;
  waits.size = 0;
}

/** An observation that is added after this call. */
export function noteObservation(observation: u32, own: bool, start: i64, end: i64): void {
  const p = noted.need(ContextRow.NOTED_BYTES);
  store<u32>(p, observation, ContextRow.NOTED_OBSERVATION);
  store<u32>(p, own ? 1 : 0, ContextRow.NOTED_OWN);
  store<i64>(p, start, ContextRow.NOTED_START);
  store<i64>(p, end, ContextRow.NOTED_END);
  noted.size += ContextRow.NOTED_BYTES;
}

/** `key` is the id of the operating system; 0 for virtual threads. */
export function noteThread(row: u32, key: i64, javaId: i64): void {
  const p = threads.need(ContextRow.NOTED_THREAD_BYTES);
  store<u32>(p, row, ContextRow.NOTED_THREAD_ROW);
  store<i64>(p, key !== 0 ? key : -javaId, ContextRow.NOTED_THREAD_KEY);
  store<i64>(p, javaId, ContextRow.NOTED_THREAD_JAVA);
  threads.size += ContextRow.NOTED_THREAD_BYTES;
}

export function noteBorder(thread: u32, time: i64): void {
  const p = borders.need(ContextRow.BORDER_BYTES);
  store<u32>(p, thread, ContextRow.BORDER_THREAD);
  store<i64>(p, time, ContextRow.BORDER_TIME);
  borders.size += ContextRow.BORDER_BYTES;
}

export function notedRows(): usize {
  return noting ? noted.at : 0;
}

export function notedCount(): u32 {
  return noting ? noted.size / ContextRow.NOTED_BYTES : 0;
}

export function borderRows(): usize {
  return noting ? borders.at : 0;
}

export function borderCount(): u32 {
  return noting ? borders.size / ContextRow.BORDER_BYTES : 0;
}

export function threadRows(): usize {
  return noting ? threads.at : 0;
}

export function threadCount(): u32 {
  return noting ? threads.size / ContextRow.NOTED_THREAD_BYTES : 0;
}

/** The trace id in two halves, 0 without one. */
export function noteContext(thread: u32, set: u32, start: i64, end: i64, high: u64, low: u64): void {
  const p = contexts.need(ContextRow.CONTEXT_BYTES);
  store<u32>(p, thread, ContextRow.CONTEXT_THREAD);
  store<u32>(p, set, ContextRow.CONTEXT_SET);
  store<i64>(p, start, ContextRow.CONTEXT_START);
  store<i64>(p, end, ContextRow.CONTEXT_END);
  store<u64>(p, high, ContextRow.CONTEXT_TRACE_HIGH);
  store<u64>(p, low, ContextRow.CONTEXT_TRACE_LOW);
  contexts.size += ContextRow.CONTEXT_BYTES;
}

export function contextRows(): usize {
  return noting ? contexts.at : 0;
}

export function contextCount(): u32 {
  return noting ? contexts.size / ContextRow.CONTEXT_BYTES : 0;
}

/** What an observation that is added after this call waited for. */
export function noteWait(observation: u32, address: u64, type: u32, owner: u32): void {
  const p = waits.need(ContextRow.WAIT_BYTES);
  store<u32>(p, observation, ContextRow.WAIT_OBSERVATION);
  store<u32>(p, owner, ContextRow.WAIT_OWNER);
  store<u32>(p, type, ContextRow.WAIT_CLASS);
  store<u64>(p, address, ContextRow.WAIT_ADDRESS);
  waits.size += ContextRow.WAIT_BYTES;
}

export function waitRows(): usize {
  return noting ? waits.at : 0;
}

export function waitCount(): u32 {
  return noting ? waits.size / ContextRow.WAIT_BYTES : 0;
}
