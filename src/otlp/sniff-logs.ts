/**
 * Detection of OTLP logs by their first bytes. Logs and profiles have the same shape down to the third message, so the
 * first log record decides: it has a time as its first field, where a Profile has its sample type.
 */
import { DELIMITED, FIXED64, VARINT, Varint } from "../bytes/protobuf.ts";
import { FRAME_HEAD_BYTES, frameHead } from "./framing.ts";

/** Number of first bytes that are checked: a resource with the arguments of a process has room in them. */
export const LOGS_HEAD_BYTES = 1 << 16;

export type LogsForm = "protobuf" | "frames" | "json";

const JSON_START = /^\ufeff?\s*\{\s*"resource(?:Logs|_logs)"\s*:/;
const FIRST = 0x0a;
const SECOND = 0x12;
/** Messages around a record below LogsData or TracesData: those of the resource and of the scope. */
const AROUND = 2;
/** Tags that a LogRecord begins with and a Profile does not: time, severity as a number, time of observation. */
const RECORD_TAGS = [(1 << 3) | FIXED64, (2 << 3) | VARINT, (11 << 3) | FIXED64];
const BODY_TAG = (5 << 3) | DELIMITED;
const TEXT_TAG = (1 << 3) | DELIMITED;

export function isLogsText(head: Uint8Array): boolean {
  return JSON_START.test(new TextDecoder("utf-8", { ignoreBOM: true }).decode(head));
}

/** The form of a message of logs; null if its first record is beyond `head`, or is none. */
export function logsForm(head: Uint8Array): Exclude<LogsForm, "json"> | null {
  return formOf(head, (at) => {
    if (RECORD_TAGS.includes(head[at] ?? 0)) return true;
    // A Profile has its period type there, which begins with a varint.
    return head[at] === BODY_TAG && head[new Varint().read(head, at + 1, head.length)] === TEXT_TAG;
  });
}

/** The form of a message, bare or after its length, whose first record (it begins at `at`) is one; null for others. */
export function formOf(head: Uint8Array, isRecord: (at: number) => boolean): "protobuf" | "frames" | null {
  const isMessage = (start: number) => {
    const at = firstRecord(head, start);
    return at > 0 && isRecord(at);
  };
  if (isMessage(0)) return "protobuf";
  const frame = head.length < FRAME_HEAD_BYTES ? null : frameHead("frames", head);
  return frame !== null && isMessage(frame.bytes) ? "frames" : null;
}

/** Where the first record of a message begins, inside a resource and a scope; 0 if `head` does not reach that far. */
function firstRecord(head: Uint8Array, start: number): number {
  const length = new Varint();
  let at = start;
  /** Skips the tag and the length of a field. */
  const enter = (tag: number): boolean => {
    if (head[at] !== tag) return false;
    at = length.read(head, at + 1, head.length);
    return at > 0;
  };
  if (!enter(FIRST)) return 0;
  for (let level = 0; level < AROUND; level++) {
    // Resource or scope, which may be missing.
    if (head[at] === FIRST) {
      if (!enter(FIRST)) return 0;
      at += length.value;
    }
    if (!enter(SECOND)) return 0;
  }
  return at;
}
