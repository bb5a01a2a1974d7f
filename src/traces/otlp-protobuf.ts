/**
 * Spans of OTLP in protobuf (opentelemetry/proto/trace/v1/trace.proto). The three outer messages are read field by
 * field as bytes arrive; a span is held as a whole.
 *
 *   TracesData      1 resource_spans
 *   ResourceSpans   1 resource { 1 attributes }, 2 scope_spans, 1000 those of versions before 0.16
 *   ScopeSpans      1 scope, 2 spans
 */
import { CUT, DELIMITED, FIXED_BYTES, VARINT, VARINT_BYTES, Varint } from "../bytes/protobuf.ts";
import { isMessage } from "../bytes/protobuf-shape.ts";
import { Broken, LONGEST_VALUE, type Steps, type Window } from "../bytes/window.ts";
import { FRAME_HEAD_BYTES, frameHead } from "../otlp/framing.ts";
import { FORMER_SCOPES, TRACES_DATA } from "../otlp/message-fit.ts";
import type { Findings, TraceFinding } from "./findings.ts";
import { processOf } from "./otlp-json.ts";
import { attributesOf, spanOf } from "./otlp-span-message.ts";
import { LEFT_OUT, type Process, type SpanRows } from "./rows.ts";
import { SpanFault } from "./span.ts";

export type ProtobufForm = "bare" | "frames";

/**
 * `head`: the first bytes of a file that is longer, or all of them. Null if it is no message with spans. With
 * `passUnknown` it may begin with fields of a later version. No tag begins with a zero, which most lengths do.
 */
export function protobufForm(head: Uint8Array, passUnknown: boolean): ProtobufForm | null {
  const isIn = (start: number, end: number, pass: boolean) => isMessage(TRACES_DATA, head, start, end, pass);
  if (isIn(0, Number.POSITIVE_INFINITY, false)) return "bare";
  const first = frameHead("frames", head);
  const isFramed = (pass: boolean) => first !== null && isIn(first.bytes, first.bytes + first.length, pass);
  if (head[0] === 0 && isFramed(false)) return "frames";
  if (passUnknown && isIn(0, Number.POSITIVE_INFINITY, true)) return "bare";
  return isFramed(false) || (passUnknown && isFramed(true)) ? "frames" : null;
}

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
      this.rows.visit();
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
    const describe = (bytes: Uint8Array) => {
      process = processOf(attributesOf(bytes, 1));
    };
    this.rows.hold();
    try {
      yield* this.fields(end, ({ number, end: stop }) => {
        if (number === 2 || number === FORMER_SCOPES)
          return this.fields(stop, (field) => (field.number === 2 ? this.span(field.end) : null));
        return number === 1 ? this.sound(stop, describe, "trace.damaged", "the resource was left out") : null;
      });
    } finally {
      this.rows.release([process]);
    }
  }

  private span(end: number): Steps {
    const offset = this.window.offset();
    const take = (bytes: Uint8Array) => {
      const fault = this.rows.add(spanOf(bytes));
      if (fault !== null) this.findings.note(fault.code, `OTLP: ${fault.message}`, offset);
    };
    return this.sound(end, take, "trace.span", "the span was left out");
  }

  /** Loads a message as a whole; one that is damaged inside is reported with the effect. */
  private *sound(end: number, take: (bytes: Uint8Array) => void, code: TraceFinding, effect: string): Steps {
    const offset = this.window.offset();
    try {
      yield* this.held(end, take);
    } catch (error) {
      if (!(error instanceof SpanFault)) throw error;
      this.rows.visit(LEFT_OUT);
      this.findings.note(code, `OTLP: ${error.message}; ${effect}`, offset);
    }
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
      this.rows.visit();
      const start = window.offset();
      this.next(end);
      const { value } = varint;
      const wire = value % 8;
      const number = Math.floor(value / 8);
      if (number === 0 || (wire !== VARINT && wire !== DELIMITED && FIXED_BYTES[wire] === undefined)) {
        throw new Broken("protobuf", `field ${number} of wire type ${wire}`, start);
      }
      if (wire === VARINT) {
        this.next(end);
        continue;
      }
      let length = FIXED_BYTES[wire] ?? 0;
      if (wire === DELIMITED) {
        this.next(end);
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

  /** Reads a varint of a message that ends at offset `end`. */
  private next(end: number): void {
    const { window, varint } = this;
    const limit = Math.min(window.end, window.at + end - window.offset());
    const after = varint.read(window.bytes, window.at, limit);
    if (after === CUT && limit < window.end) {
      throw new Broken("protobuf", `a varint goes beyond its message, which ends at byte ${end}`, window.offset());
    }
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
