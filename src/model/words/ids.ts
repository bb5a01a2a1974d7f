/**
 * Span and local root ids: unsigned 64-bit, typed or pasted as decimal, 0x-hex, or hex with at least one letter. A
 * trace id of 128 bits (32 hex digits) can be used in place of a local root.
 */

export type ParsedId = { ok: true; id: bigint } | { ok: false; error: string };

const LARGEST = (1n << 64n) - 1n;
/** Longer text is no 64-bit id in any notation; it is refused before BigInt works on it. */
const LONGEST = 64;
const TRACE = /^(0x)?[0-9a-f]{32}$/i;

/** Reads a span id, local root id or trace id from text: decimal, 0x-hex, or hex with a letter. */
export function parseId(text: string): ParsedId {
  const trimmed = text.trim();
  if (trimmed === "") return refuse("an id is missing");
  const shown = JSON.stringify(trimmed.length > LONGEST ? `${trimmed.slice(0, LONGEST)}…` : trimmed);
  if (TRACE.test(trimmed)) return sound(BigInt(`0x${trimmed.replace(/^0x/i, "")}`));
  const digits = digitsOf(trimmed);
  if (digits === null) return refuse(`${shown} is not an id: use decimal, 0x-hex, or hex with at least one letter`);
  if (trimmed.length > LONGEST) return refuse(`${shown} does not fit in 64 bits`);
  const id = BigInt(digits);
  if (id > LARGEST) return refuse(`${shown} does not fit in 64 bits`);
  return sound(id);
}

function sound(id: bigint): ParsedId {
  if (id === 0n) return refuse("0 is not an id: it means that a sample has no id");
  return { ok: true, id };
}

/** Whether the id has more than 64 bits: then it is a trace id, not a span id. */
export function isTrace(id: bigint): boolean {
  return id > LARGEST;
}

/** The text for BigInt, or null if it is in none of the three notations. */
function digitsOf(text: string): string | null {
  if (/^[0-9]+$/.test(text)) return text;
  if (/^0x[0-9a-f]+$/i.test(text)) return text.toLowerCase();
  if (/^[0-9a-f]+$/i.test(text)) return `0x${text}`;
  return null;
}

function refuse(error: string): ParsedId {
  return { ok: false, error };
}

/** The id in hex as in OTLP/JSON: 16 lower-case digits, or 32 for a trace id of 128 bits. */
export function hexId(id: bigint): string {
  return id.toString(16).padStart(isTrace(id) ? 32 : 16, "0");
}

/** The id in decimal, as tracers log local roots. A trace id of 128 bits is in hex, its only notation. */
export function decimalId(id: bigint): string {
  return isTrace(id) ? hexId(id) : id.toString();
}

/** What kind of id a chip or a row has. */
export function idWord(kind: "span" | "local-root", id: bigint): string {
  if (kind === "span") return "span";
  return isTrace(id) ? "trace" : "request";
}

/** `4657…2292`: enough to tell ids apart on screen; the whole id is in the tooltip. */
export function shortId(id: bigint): string {
  const text = decimalId(id);
  return text.length <= 9 ? text : `${text.slice(0, 4)}…${text.slice(-4)}`;
}
