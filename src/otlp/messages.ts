/** Walk over the messages of a file: one as in a request body, or many as framing.ts describes. */

import { Broken, type Steps, type Window } from "../bytes/window.ts";
import { FRAME_HEAD_BYTES, type FramedForm, frameHead, isFramed } from "./framing.ts";
import { JsonText } from "./json-text.ts";
import { JsonWalk } from "./json-walk.ts";
import { ProtobufWalk } from "./protobuf-walk.ts";
import type { Sink } from "./sink.ts";

/** `frames`, `delimited`: each message after its length (framing.ts). JSON may have many messages, a line each. */
export type OtlpForm = "protobuf" | FramedForm | "json";

/** Gives the sink of the next message; called when the one before has ended. */
export type NextSink = () => Sink;

/**
 * Walks all messages. Throws Broken if the rest of the file cannot be read; everything before it was passed to the
 * sink.
 */
export function* walkMessages(window: Window, form: OtlpForm, nextSink: NextSink): Steps {
  if (form === "json") yield* jsonMessages(window, nextSink);
  else if (isFramed(form)) yield* frames(window, form, nextSink);
  else yield* new ProtobufWalk(window, nextSink()).read();
}

function* frames(window: Window, form: FramedForm, nextSink: NextSink): Steps {
  for (;;) {
    yield* window.need(FRAME_HEAD_BYTES);
    if (window.held === 0) return;
    const head = frameHead(form, window.rest());
    if (head === null) throw new Broken("protobuf", "the data ends inside the length of a message", window.offset());
    window.at += head.bytes;
    yield* new ProtobufWalk(window, nextSink()).read(window.offset() + head.length);
  }
}

function* jsonMessages(window: Window, nextSink: NextSink): Steps {
  const text = new JsonText(window);
  let sink = nextSink();
  if (yield* text.passMark()) sink.note("byte-order-mark", null, () => "a byte order mark in front of the text");
  for (;;) {
    yield* new JsonWalk(text, sink).read();
    if ((yield* text.next()) < 0) return;
    sink = nextSink();
  }
}
