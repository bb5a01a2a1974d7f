/** Walk over the messages of a file: one as in a request body, or many as the Collector's file exporter writes them. */

import { Broken, type Steps, type Window } from "../bytes/window.ts";
import { JsonText } from "./json-text.ts";
import { JsonWalk } from "./json-walk.ts";
import { ProtobufWalk } from "./protobuf-walk.ts";
import type { Sink } from "./sink.ts";

/** `frames`: each message after its length, 4 bytes big-endian. JSON may have any number of messages, a line each. */
export type OtlpForm = "protobuf" | "frames" | "json";

/** Bytes of the length before each message of frames. */
export const FRAME_BYTES = 4;

/** The length of the next message of frames, by the first bytes of `head`. */
export function frameLength(head: Uint8Array): number {
  return new DataView(head.buffer, head.byteOffset).getUint32(0);
}

/** Gives the sink of the next message; called when the one before has ended. */
export type NextSink = () => Sink;

/**
 * Walks all messages. Throws Broken if the rest of the file cannot be read; everything before it was passed to the
 * sink.
 */
export function* walkMessages(window: Window, form: OtlpForm, nextSink: NextSink): Steps {
  if (form === "json") yield* jsonMessages(window, nextSink);
  else if (form === "frames") yield* frames(window, nextSink);
  else yield* new ProtobufWalk(window, nextSink()).read();
}

function* frames(window: Window, nextSink: NextSink): Steps {
  while (yield* window.need(FRAME_BYTES)) {
    const length = frameLength(window.rest());
    window.at += FRAME_BYTES;
    yield* new ProtobufWalk(window, nextSink()).read(window.offset() + length);
  }
  if (window.held > 0) throw new Broken("protobuf", "the data ends inside a length of 4 bytes", window.offset());
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
