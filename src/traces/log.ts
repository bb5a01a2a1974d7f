/**
 * Spans among the other lines of a log. A line is passed unless a span begins in it: an object whose first members are
 * those of a span, or a line of Java's logging exporter.
 */
import type { Steps, Window } from "../bytes/window.ts";
import { CLOSE_OBJECT, OPEN_OBJECT } from "../otlp/json-text.ts";
import { JSON_SPAN } from "../otlp/sniff-trace.ts";
import { inspected } from "./inspected.ts";
import type { JsonObject } from "./json-value.ts";
import { javaSpan } from "./printed.ts";
import type { ParsedSpan } from "./span.ts";

const LINE_FEED = 0x0a;
/** The longest line, and object of console.dir, that is held as a whole: the rest of a longer line is another one. */
const LONGEST = 1 << 20;
/** Bytes of an object that decide: a name has room in them. */
const HEAD_BYTES = 1024;
const OTHER_START = /^(?:"resource"\s*:\s*\{|(resource: \{|traceId: '))/;
const DECODER = new TextDecoder();

/** A span that begins in a line; one of Java is its line. */
export type Found = { kind: "json" } | { kind: "node" } | { kind: "java"; span: ParsedSpan };

/** Moves to the next span; past a line of Java. Null at the end. */
export function* nextInLog(window: Window): Steps<Found | null> {
  while (yield* window.need(1)) {
    const length = yield* lengthTo(window, (bytes) => bytes.indexOf(LINE_FEED));
    for (let at = 0; ; at++) {
      at = window.bytes.subarray(window.at, window.at + length).indexOf(OPEN_OBJECT, at);
      if (at < 0) break;
      yield* window.need(at + HEAD_BYTES);
      const from = window.at + at;
      const kind = startOf(DECODER.decode(window.bytes.subarray(from, Math.min(window.end, from + HEAD_BYTES))));
      if (kind === null) continue;
      window.at = from;
      return { kind };
    }
    const line = DECODER.decode(window.bytes.subarray(window.at, window.at + length));
    window.at += length;
    const span = javaSpan(line);
    if (span !== null) return { kind: "java", span };
  }
  return null;
}

/** The object of console.dir where the window is: its end is the first line that is its closing bracket. */
export function* nodeObject(window: Window): Steps<JsonObject> {
  const length = yield* lengthTo(window, endOfBlock);
  const offset = window.offset();
  const text = DECODER.decode(window.bytes.subarray(window.at, window.at + length));
  window.at += length;
  return inspected(text, offset);
}

function endOfBlock(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1))
    if (bytes[at + 1] === CLOSE_OBJECT) return at + 1;
  return -1;
}

/** Bytes to the place that `end` finds, inclusive; those that are held where it is not within LONGEST. */
function* lengthTo(window: Window, end: (bytes: Uint8Array) => number): Steps<number> {
  for (;;) {
    const at = end(window.rest());
    if (at >= 0) return at + 1;
    if (window.complete || window.held >= LONGEST) return window.held;
    yield;
  }
}

function startOf(object: string): "json" | "node" | null {
  const members = object.slice(1).trimStart();
  if (members.search(JSON_SPAN) === 0) return "json";
  const other = OTHER_START.exec(members);
  return other && (other[1] === undefined ? "json" : "node");
}
