/** Headers of requests: those of OTLP profiles, and those that a user adds. */

/**
 * The development version of OTLP profiles in a message. Receivers refuse another one, a repeated one and lists before
 * they decode the message (Collector 0.163 and newer: README of its otlpreceiver).
 */
export const VERSION_HEADER = "OTLP-Profiles-Development-Version";
export const VERSION = "1";

const OF_THE_CONNECTION = "it belongs to the connection, not to the message";

/**
 * Names that a user cannot set, with the reason. Fetch would drop them, refuse them or wait for a body of another
 * length.
 */
const RESERVED = new Map([
  ["content-type", "it is set from the encoding of the message"],
  ["content-encoding", "it is set from the compression of the message"],
  ["content-length", "it is set from the length of the message"],
  [VERSION_HEADER.toLowerCase(), "it is set from the layout of the message"],
  ["host", "it is set from the address of the receiver"],
  ...["connection", "expect", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"].map(
    (name) => [name, OF_THE_CONNECTION] as const,
  ),
]);

/** Why a header cannot be sent, or null. The text contains the name, never the value: it may be a key. */
export function headerFault(name: string, value: string): string | null {
  const reason = RESERVED.get(name.toLowerCase());
  if (reason !== undefined) return `the header ${JSON.stringify(name)} cannot be set: ${reason}`;
  if (!accepts([name, ""])) return `${JSON.stringify(name)} is not a header name`;
  return accepts([name, value])
    ? null
    : `the value of the header ${JSON.stringify(name)} contains a character that no header may contain`;
}

function accepts(header: [name: string, value: string]): boolean {
  try {
    new Headers([header]);
    return true;
  } catch {
    return false;
  }
}
