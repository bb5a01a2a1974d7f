/**
 * Spans of OTLP in protobuf (opentelemetry/proto/trace/v1/trace.proto). The three outer messages are read field by
 * field as bytes arrive; a span is held as a whole.
 *
 *   TracesData      1 resource_spans
 *   ResourceSpans   1 resource { 1 attributes }, 2 scope_spans
 *   ScopeSpans      1 scope, 2 spans
 */
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
import { F64, isMessage, L, type Message, V } from "../bytes/protobuf-shape.ts";
import { Broken, LONGEST_VALUE, type Steps, type Window } from "../bytes/window.ts";
import { FRAME_HEAD_BYTES, frameHead } from "../otlp/framing.ts";
import type { Findings } from "./findings.ts";
import type { Json } from "./json-value.ts";
import { KINDS, processOf } from "./otlp-json.ts";
import type { Process, SpanRows } from "./rows.ts";
import type { ParsedSpan } from "./span.ts";

const FIXED32 = 5;
const SPAN: Message = [null, L, L, L, L, L, V, F64, F64, L, V, L, V, L, V, L, FIXED32];
const SCOPE: Message = [null, L, L, L, V];
const RESOURCE: Message = [null, L, V, L];
const RESOURCE_SPANS: Message = [null, RESOURCE, [null, SCOPE, SPAN, L], L];
const TRACES_DATA: Message = [null, RESOURCE_SPANS];

export type ProtobufForm = "bare" | "frames";

/** `head`: the first bytes of a file that is longer, or all of them. Null if it is no message with spans. */
export function protobufForm(head: Uint8Array): ProtobufForm | null {
  if (isMessage(TRACES_DATA, head, 0, Number.POSITIVE_INFINITY)) return "bare";
  const first = frameHead("frames", head);
  return first !== null && isMessage(TRACES_DATA, head, first.bytes, first.bytes + first.length) ? "frames" : null;
}

/** Attributes inside each other that are read; deeper ones are null. */
const DEEPEST = 16;
const NO_BYTES = new Uint8Array(0);
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** A field of an outer message, whose content follows in the window. */
interface Open {
  number: number;
  /** Offset in the file at which it ends. */
  end: number;
}

export class ProtobufFile {
  private readonly window: Window;
  private readonly rows: SpanRows;
  private readonly findings: Findings;
  private readonly varint = new Varint();

  constructor(window: Window, rows: SpanRows, findings: Findings) {
    this.window = window;
    this.rows = rows;
    this.findings = findings;
  }

  /** Reads all messages. What follows damage is not read, except in the next frame. */
  *read(form: ProtobufForm): Steps {
    const { window } = this;
    if (form === "bare") {
      yield* this.guarded(Number.POSITIVE_INFINITY);
      return;
    }
    while (yield* window.need(1)) {
      yield* window.need(FRAME_HEAD_BYTES);
      const head = frameHead("frames", window.rest());
      if (head === null) {
        this.note(new Broken("protobuf", "the data ends inside the length of a message", window.offset()));
        return;
      }
      window.at += head.bytes;
      const end = window.offset() + head.length;
      yield* this.guarded(end);
      yield* window.skip(Math.max(0, end - window.offset()));
    }
  }

  private *guarded(end: number): Steps {
    try {
      yield* this.fields(end, (field) => (field.number === 1 ? this.resourceSpans(field.end) : null));
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      this.note(error);
    }
  }

  private note(error: Broken): void {
    const { window, rows } = this;
    rows.flush();
    const isCut = window.complete && window.held < 2 * VARINT_BYTES;
    const message = `OTLP: ${error.message}; ${rows.count} spans before were read`;
    this.findings.note(isCut || error instanceof Cut ? "trace.cut" : "trace.damaged", message, error.offset);
  }

  /** The spans of a resource wait for it: it may come after them. */
  private *resourceSpans(end: number): Steps {
    let process: Process = { service: "", instance: "" };
    this.rows.hold();
    try {
      yield* this.fields(end, ({ number, end: stop }) => {
        if (number === 2) return this.fields(stop, (field) => (field.number === 2 ? this.span(field.end) : null));
        return number === 1 ? this.held(stop, (bytes) => (process = processOf(attributesOf(bytes, 1)))) : null;
      });
    } finally {
      this.rows.release([process]);
    }
  }

  private *span(end: number): Steps {
    yield* this.held(end, (bytes) => {
      const span = otlpSpan(bytes);
      if (span.id !== 0n) this.rows.add(span);
    });
  }

  /** Loads a message as a whole. */
  private *held(end: number, take: (bytes: Uint8Array) => void): Steps {
    const { window } = this;
    const length = end - window.offset();
    if (length > LONGEST_VALUE) throw new Broken("protobuf", `a message of ${length} bytes`, window.offset());
    if (!(yield* window.need(length)))
      throw new Cut(`the data ends, a message goes on to byte ${end}`, window.offset());
    const bytes = window.bytes.subarray(window.at, window.at + length);
    window.at += length;
    take(bytes);
  }

  /** The fields of a message that ends at offset `end`, or with the file; `open` reads the content of some. */
  private *fields(end: number, open: (field: Open) => Steps | null): Steps {
    const { window, varint } = this;
    for (;;) {
      if (window.offset() >= end) return;
      yield* window.need(2 * VARINT_BYTES);
      if (window.held === 0) {
        if (end === Number.POSITIVE_INFINITY) return;
        throw new Cut(`the data ends, a message goes on to byte ${end}`, window.offset());
      }
      const start = window.offset();
      this.next();
      const { value } = varint;
      const wire = value % 8;
      const number = Math.floor(value / 8);
      if (number === 0 || (wire !== VARINT && wire !== DELIMITED && FIXED_BYTES[wire] === undefined)) {
        throw new Broken("protobuf", `field ${number} of wire type ${wire}`, start);
      }
      if (wire === VARINT) {
        this.next();
        continue;
      }
      let length = FIXED_BYTES[wire] ?? 0;
      if (wire === DELIMITED) {
        this.next();
        length = varint.value;
      }
      const stop = window.offset() + length;
      if (stop > end)
        throw new Broken("protobuf", `field ${number} ends at byte ${stop}, its message at ${end}`, start);
      const content = wire === DELIMITED ? open({ number, end: stop }) : null;
      if (content !== null) yield* content;
      else if (!(yield* window.skip(length))) throw new Cut(`the data ends, a field goes on to byte ${stop}`, start);
    }
  }

  private next(): void {
    const { window, varint } = this;
    const after = varint.read(window.bytes, window.at, window.end);
    if (after === CUT) throw new Cut("the data ends in a varint", window.offset());
    if (after < 0) throw new Broken("protobuf", "a varint of more than 64 bits", window.offset());
    window.at = after;
  }
}

/** The data ends too early. */
class Cut extends Broken {
  constructor(message: string, offset: number) {
    super("protobuf", message, offset);
  }
}

/** A Span in memory. Fields of another wire type are passed. */
function otlpSpan(message: Uint8Array): ParsedSpan {
  let end = 0n;
  const attributes = new Map<string, Json>();
  const span = { trace: 0n, id: 0n, parent: 0n, name: "", kind: "", status: 0, start: 0n };
  for (const { number, wire, bits, bytes, isWhole } of wireFields(message)) {
    if (!isWhole) break;
    if (wire === DELIMITED) {
      if (number === 1) span.trace = bigEndian(bytes, 16);
      else if (number === 2) span.id = bigEndian(bytes, 8);
      else if (number === 4) span.parent = bigEndian(bytes, 8);
      else if (number === 5) span.name = DECODER.decode(bytes);
      else if (number === 9) addPair(attributes, bytes, 0);
      else if (number === 15) span.status = statusOf(bytes);
    } else if (wire === VARINT && number === 6) span.kind = KINDS[Number(bits)] ?? "";
    else if (number === 7 && wire === 1) span.start = bits;
    else if (number === 8 && wire === 1) end = bits;
  }
  return { ...span, service: "", resource: null, duration: end - span.start, instance: "", attributes };
}

/** The last `most` bytes as a number: an id. */
function bigEndian(bytes: Uint8Array, most: number): bigint {
  let hex = "0x0";
  for (const byte of bytes.subarray(Math.max(0, bytes.length - most))) hex += byte.toString(16).padStart(2, "0");
  return BigInt(hex);
}

/** The code of a Status. */
function statusOf(message: Uint8Array): number {
  let status = 0;
  for (const { number, wire, bits } of wireFields(message)) if (number === 3 && wire === VARINT) status = Number(bits);
  return status <= 2 ? status : 0;
}

/** Attributes in field `number` of a message. */
function attributesOf(message: Uint8Array, number: number, depth = 0): Map<string, Json> {
  const attributes = new Map<string, Json>();
  for (const field of wireFields(message)) {
    if (field.number === number && field.wire === DELIMITED && field.isWhole) addPair(attributes, field.bytes, depth);
  }
  return attributes;
}

/** Adds a KeyValue. */
function addPair(attributes: Map<string, Json>, message: Uint8Array, depth: number): void {
  let key = "";
  let value: Uint8Array = NO_BYTES;
  for (const { number, wire, bytes } of wireFields(message)) {
    if (wire === DELIMITED && number === 1) key = DECODER.decode(bytes);
    if (wire === DELIMITED && number === 2) value = bytes;
  }
  attributes.set(key, anyValue(value, depth));
}

function anyValue(message: Uint8Array, depth: number): Json {
  let value: Json = null;
  for (const field of wireFields(message)) value = field.isWhole ? (memberOf(field, depth) ?? value) : value;
  return value;
}

function memberOf({ number, wire, bits, bytes }: WireField, depth: number): Json | undefined {
  if (number === 2 && wire === VARINT) return bits !== 0n;
  if (number === 3 && wire === VARINT) return BigInt.asIntN(64, bits);
  if (number === 4 && wire === 1) return new Float64Array(BigUint64Array.of(bits).buffer)[0] ?? null;
  if (wire !== DELIMITED) return undefined;
  if (number === 1) return DECODER.decode(bytes);
  if (number === 7) return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  if (depth === DEEPEST) return null;
  if (number === 6) return attributesOf(bytes, 1, depth + 1);
  if (number !== 5) return undefined;
  return [...wireFields(bytes)].filter((item) => item.number === 1).map((item) => anyValue(item.bytes, depth + 1));
}
