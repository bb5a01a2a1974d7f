/**
 * Profiles in OTLP logs in protobuf (opentelemetry/proto/logs/v1/logs.proto). A ResourceLogs is held as a whole.
 *
 *   LogsData       1 resource logs
 *   ResourceLogs   1 resource { 1 attributes }, 2 scope logs
 *   ScopeLogs      1 scope, 2 log records
 *   LogRecord      1 time, 5 body, 6 attributes
 */
import type { ByteSource } from "../bytes/byte-source.ts";
import {
  CUT,
  DELIMITED,
  FIXED_BYTES,
  VARINT,
  VARINT_BYTES,
  Varint,
  type WireField,
  wireFields,
} from "../bytes/protobuf.ts";
import { Broken, LONGEST_VALUE, Window } from "../bytes/window.ts";
import { FRAME_HEAD_BYTES, frameHead } from "./framing.ts";
import { addRecord, type LogRecord, noLogs, type ResourceLogs } from "./logs.ts";

export type LogsProtobufForm = "protobuf" | "frames";

/** Values inside each other that are read. */
const DEEPEST = 16;
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** The ResourceLogs of all messages. Faults are passed to `note`; what follows one is read in the next frame only. */
export async function* protobufLogs(
  source: ByteSource,
  form: LogsProtobufForm,
  note: (fault: Broken) => void,
): AsyncGenerator<ResourceLogs> {
  const window = new Window(source);
  while (await window.wait(1)) {
    let end = Number.POSITIVE_INFINITY;
    if (form === "frames") {
      await window.wait(FRAME_HEAD_BYTES);
      const head = frameHead("frames", window.rest());
      if (head === null) return note(broken("the data ends inside the length of a message", window));
      window.pass(head.bytes);
      end = window.offset() + head.length;
    }
    try {
      yield* message(window, end);
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      note(error);
    }
    if (end === Number.POSITIVE_INFINITY) return;
    window.pass(end - window.offset());
  }
}

function broken(what: string, window: Window): Broken {
  return new Broken("protobuf", what, window.offset());
}

/** A LogsData that ends at the offset `end`, or with the file. */
async function* message(window: Window, end: number): AsyncGenerator<ResourceLogs> {
  const varint = new Varint();
  const next = (): number => {
    const after = varint.read(window.bytes, window.at, window.end);
    if (after < 0) throw broken(after === CUT ? "the data ends in a varint" : "a varint of more than 64 bits", window);
    window.at = after;
    return varint.value;
  };
  while (window.offset() < end) {
    await window.wait(2 * VARINT_BYTES);
    if (window.held === 0) {
      if (end === Number.POSITIVE_INFINITY) return;
      throw broken(`the data ends, a message goes on to byte ${end}`, window);
    }
    const tag = next();
    const [number, wire] = [Math.floor(tag / 8), tag % 8];
    const size = FIXED_BYTES[wire];
    if (wire === VARINT) next();
    else if (wire === DELIMITED) {
      const length = next();
      if (window.offset() + length > end || length > LONGEST_VALUE) throw broken(`a field of ${length} bytes`, window);
      const isWhole = number !== 1 || (await window.wait(length));
      if (number === 1) yield resourceLogs(window.rest().subarray(0, length));
      if (!isWhole) throw broken(`the data ends, a field goes on to byte ${window.offset() + length}`, window);
      window.pass(length);
    } else if (number > 0 && size !== undefined) window.pass(size);
    else throw broken(`field ${number} of wire type ${wire}`, window);
  }
}

/** The whole log records of a ResourceLogs, which may be cut. */
function resourceLogs(bytes: Uint8Array): ResourceLogs {
  const logs = noLogs();
  for (const { number, wire, bytes: part, isWhole } of wireFields(bytes)) {
    if (wire !== DELIMITED) continue;
    if (number === 1 && isWhole) Object.assign(logs.resource, Object.fromEntries(attributesOf(part, 1)));
    if (number !== 2) continue;
    for (const field of wireFields(part)) {
      if (field.number === 2 && field.wire === DELIMITED && field.isWhole) addRecord(logs, recordOf(field.bytes));
    }
  }
  return logs;
}

function recordOf(bytes: Uint8Array): LogRecord {
  let body: Uint8Array | null = null;
  for (const field of wireFields(bytes)) {
    if (field.number !== 5 || field.wire !== DELIMITED) continue;
    for (const value of wireFields(field.bytes)) {
      if (value.wire === DELIMITED && (value.number === 1 || value.number === 7)) body = value.bytes;
    }
  }
  return { attributes: attributesOf(bytes, 6), body };
}

/** The KeyValues in a field of a message, values as texts. The first one of a key counts. */
function attributesOf(bytes: Uint8Array, number: number, depth = 0): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const field of wireFields(bytes)) {
    if (field.number !== number || field.wire !== DELIMITED || !field.isWhole) continue;
    let key = "";
    let value = "";
    for (const { number: part, wire, bytes: content } of wireFields(field.bytes)) {
      if (wire === DELIMITED && part === 1) key = DECODER.decode(content);
      if (wire === DELIMITED && part === 2) value = textOf(content, depth);
    }
    if (!attributes.has(key)) attributes.set(key, value);
  }
  return attributes;
}

/** An AnyValue as a text: 1 text, 2 boolean, 3 integer, 4 double, 5 array, 6 list of KeyValues, 7 bytes. */
function textOf(bytes: Uint8Array, depth: number): string {
  let text = "";
  for (const field of wireFields(bytes)) text = memberText(field, depth) ?? text;
  return text;
}

function memberText({ number, wire, bits, bytes }: WireField, depth: number): string | null {
  if (number === 2 && wire === VARINT) return String(bits !== 0n);
  if (number === 3 && wire === VARINT) return String(BigInt.asIntN(64, bits));
  if (number === 4 && wire === 1) return String(new Float64Array(BigUint64Array.of(bits).buffer)[0]);
  if (wire !== DELIMITED || depth === DEEPEST) return null;
  if (number === 1) return DECODER.decode(bytes);
  if (number === 6) return JSON.stringify(Object.fromEntries(attributesOf(bytes, 1, depth + 1)));
  if (number !== 5) return null;
  const items = [...wireFields(bytes)].filter((item) => item.number === 1 && item.wire === DELIMITED);
  return JSON.stringify(items.map((item) => textOf(item.bytes, depth + 1)));
}
