/**
 * Walks a message in OTLP/JSON (https://github.com/open-telemetry/opentelemetry-proto/blob/main/docs/specification.md,
 * over protobuf's mapping, https://protobuf.dev/programming-guides/json/). As in protobuf, the few messages that
 * contain everything else are read member by member as bytes arrive; the messages in them are read as a whole.
 */

import { Base64 } from "../bytes/base64.ts";
import type { Steps } from "../bytes/window.ts";
import { keyOf } from "./json-keys.ts";
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, type JsonText, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from "./json-text.ts";
import { JsonValues } from "./json-values.ts";
import { type Field, type MessageType, TYPES } from "./schema.ts";
import type { Sink } from "./sink.ts";

/** Messages inside a message, as the walk of protobuf has it. */
const MAX_DEPTH = 100;

export class JsonWalk {
  private readonly text: JsonText;
  private readonly sink: Sink;
  private readonly values: JsonValues;

  constructor(text: JsonText, sink: Sink) {
    this.text = text;
    this.sink = sink;
    this.values = new JsonValues(text, sink);
  }

  /** Reads the next message of the text. Throws Broken. */
  *read(): Steps {
    yield* this.streamed(TYPES.ProfilesData);
  }

  private *streamed(type: MessageType): Steps {
    const { text } = this;
    if ((yield* text.next()) !== OPEN_OBJECT) throw text.unexpected(`the { of ${type.name} is due`);
    text.window.at++;
    yield* text.next();
    if (text.take(CLOSE_OBJECT)) return;
    let seen = 0;
    do {
      yield* text.whole();
      const field = this.key(type);
      if (field !== null) seen = this.once(field, seen);
      yield* text.next();
      text.expect(COLON);
      const first = yield* text.next();
      if (field?.kind === "payload" && first === QUOTE) yield* passPayload(text, field, this.sink);
      else if (field?.repeated === true && first === OPEN_ARRAY) yield* this.items(field);
      else if (field?.message?.streamed === true && first === OPEN_OBJECT) {
        this.sink.open(field);
        yield* this.streamed(field.message);
        this.sink.close();
      } else {
        yield* text.whole();
        this.value(field, 1);
      }
      yield* text.next();
    } while (text.goesOn(CLOSE_OBJECT));
  }

  /** The array of a repeated field, item by item. */
  private *items(field: Field): Steps {
    const { text } = this;
    text.window.at++;
    yield* text.next();
    if (text.take(CLOSE_ARRAY)) return;
    do {
      if ((yield* text.next()) === OPEN_OBJECT && field.message?.streamed === true) {
        this.sink.open(field);
        yield* this.streamed(field.message);
        this.sink.close();
      } else {
        if (!text.window.complete) yield* text.whole();
        this.item(field, 1);
      }
      yield* text.next();
    } while (text.goesOn(CLOSE_ARRAY));
  }

  /** Passes a key; the field of it, null where it is unknown. */
  private key(type: MessageType): Field | null {
    const { text, sink } = this;
    text.readString();
    const key = keyOf(type, text.string, text.start, text.stop);
    if (key === null) {
      sink.note("unknown-field", null, () => `${type.name} has no key ${text.quoted()}`);
      return null;
    }
    const { field, code } = key;
    const due = field === null ? "" : ` for ${field.json}`;
    if (code !== null) sink.note(code, field, () => `key ${key.text}${due}`);
    return field;
  }

  /** Notes a field that comes again; `seen` has a bit for every field of the message so far. */
  private once(field: Field, seen: number): number {
    const again = field.owner.oneof ? seen !== 0 : (seen >> field.slot) & 1;
    if (again) {
      const what = field.owner.oneof ? "a second member of the oneof" : "the same key again in one object";
      this.sink.note("again", field, () => `${what}: the last one holds`);
    }
    return seen | (1 << field.slot);
  }

  /** All members of an object that is loaded. */
  private object(type: MessageType, depth: number): void {
    const { text } = this;
    let seen = 0;
    for (let more = text.enter(CLOSE_OBJECT); more; more = text.goesOn(CLOSE_OBJECT)) {
      const field = this.key(type);
      if (field !== null) seen = this.once(field, seen);
      text.expect(COLON);
      this.value(field, depth);
    }
  }

  /** The value after a key. */
  private value(field: Field | null, depth: number): void {
    const { text } = this;
    const first = text.peek();
    if (field === null) text.skip(depth);
    else if (text.takeWord("null")) this.sink.note("null", field, () => "null for a value that is not there");
    else if (!field.repeated) this.item(field, depth);
    else if (first !== OPEN_ARRAY) this.wrong(field, "an array");
    else for (let more = text.enter(CLOSE_ARRAY); more; more = text.goesOn(CLOSE_ARRAY)) this.item(field, depth);
  }

  /** A value of a field that is not repeated, or one of many. */
  private item(field: Field, depth: number): void {
    const { text, values } = this;
    if (text.takeWord("null")) {
      // Receivers make null among the items the default.
      this.sink.note("null", field, () => "null for an item");
      this.defaultItem(field);
      return;
    }
    const due = field.message === null ? values.read(field) : this.message(field, field.message, depth);
    if (due === null) return;
    this.wrong(field, due);
    // The items after it keep their places.
    if (field.repeated) this.defaultItem(field);
  }

  private defaultItem(field: Field): void {
    const { sink } = this;
    if (field.message !== null) {
      sink.open(field);
      sink.close();
    } else if (field.kind === "string" || field.kind === "bytes") sink.text(field, this.text.string, 0, 0);
    else sink.number(field, 0, 0);
  }

  /** Reports the expected value if it is not a message. */
  private message(field: Field, type: MessageType, depth: number): string | null {
    const { text, sink } = this;
    if (text.peek() !== OPEN_OBJECT) return "an object";
    sink.open(field);
    if (depth < MAX_DEPTH) this.object(type, depth + 1);
    else {
      sink.note("too-deep", null, () => `more than ${MAX_DEPTH} nested messages`);
      text.skip(depth);
    }
    sink.close();
    return null;
  }

  /** Reports a value that does not fit the field. */
  private wrong(field: Field, due: string): void {
    const { text, sink } = this;
    const start = text.window.at;
    text.skip();
    sink.note("wrong-type", field, () => `${text.since(start, text.window.at)} where ${due} is due`);
  }
}

/** Passes the string that is next, piece by piece: a payload in base64 may be as long as a recording. */
function* passPayload(text: JsonText, field: Field, sink: Sink): Steps {
  const { window } = text;
  const base64 = new Base64();
  let length = 0;
  window.at++;
  for (;;) {
    const piece = yield* text.piece();
    if (piece === null) break;
    length += base64.push(piece).length;
  }
  base64.end();
  if (!base64.isStandard) {
    sink.note("base64", field, () => base64.fault ?? "base64 of the URL-safe alphabet, or without padding");
  }
  sink.payload(field, length);
}
