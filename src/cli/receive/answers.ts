/** A request that is refused, and the answer that its sender expects. */
import { DELIMITED, VARINT } from "../../bytes/protobuf.ts";
import { WireWriter } from "../../bytes/wire-writer.ts";

export type Encoding = "protobuf" | "json" | "text";

/** An answer of HTTP. */
export interface Answer {
  status: number;
  type: string;
  body: string | Uint8Array;
  headers?: Record<string, string>;
}

/** Seconds after which a busy receiver may be asked again. */
const RETRY_AFTER = "2";
/** Codes of google.rpc.Code by the status of HTTP. */
const CODES: ReadonlyMap<number, number> = new Map([
  [400, 3],
  [403, 7],
  [404, 5],
  [405, 12],
  [408, 4],
  [413, 3],
  [415, 3],
  [429, 8],
  [503, 14],
  [507, 8],
]);
const UNKNOWN = 2;

export class Refused extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = status === 429 || status === 503 ? { ...headers, "retry-after": RETRY_AFTER } : headers;
  }

  /** google.rpc.Status in the encoding of the request; a line of text for other senders. */
  answer(encoding: Encoding): Answer {
    const { status, message, headers } = this;
    const code = CODES.get(status) ?? UNKNOWN;
    if (encoding === "json") return { ...jsonAnswer({ code, message }, status), headers };
    if (encoding === "text") return { status, type: "text/plain; charset=utf-8", body: `${message}\n`, headers };
    const body = new WireWriter();
    body.number(8 * 1 + VARINT, code);
    body.text(8 * 2 + DELIMITED, message);
    return { status, type: PROTOBUF, body: body.bytes, headers };
  }
}

export const PROTOBUF = "application/x-protobuf";

export function jsonAnswer(value: object, status = 200): Answer {
  return { status, type: "application/json", body: JSON.stringify(value) };
}

/** Names of the count of what was left out, by signal. */
const REJECTED = { profiles: "rejectedProfiles", traces: "rejectedSpans", logs: "rejectedLogRecords" } as const;
export type Signal = keyof typeof REJECTED;

/** Export…ServiceResponse, with a partial success where something was left out. */
export function exportAnswer(signal: Signal, encoding: Encoding, rejected: number, message: string): Answer {
  const isWhole = rejected === 0 && message === "";
  if (encoding === "json") {
    const partialSuccess = { [REJECTED[signal]]: String(rejected), errorMessage: message };
    return jsonAnswer(isWhole ? {} : { partialSuccess });
  }
  const body = new WireWriter();
  if (!isWhole) {
    body.message(8 * 1 + DELIMITED, () => {
      body.number(8 * 1 + VARINT, rejected);
      body.text(8 * 2 + DELIMITED, message);
    });
  }
  return { status: 200, type: PROTOBUF, body: body.bytes };
}
