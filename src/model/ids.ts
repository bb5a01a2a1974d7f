/** Span and local root ids: unsigned 64-bit, typed or pasted as decimal, 0x-hex, or hex with at least one letter. */

export type ParsedId = { ok: true; id: bigint } | { ok: false; error: string };

const LARGEST = (1n << 64n) - 1n;
/** Longer text is no 64-bit id in any notation; it is refused before BigInt works on it. */
const LONGEST = 64;

export function parseId(text: string): ParsedId {
  const trimmed = text.trim();
  if (trimmed === "") return refuse("an id is missing");
  const shown = JSON.stringify(trimmed.length > LONGEST ? `${trimmed.slice(0, LONGEST)}…` : trimmed);
  const digits = digitsOf(trimmed);
  if (digits === null) return refuse(`${shown} is no id: decimal, 0x-hex, or hex with at least one letter`);
  if (trimmed.length > LONGEST) return refuse(`${shown} does not fit in 64 bits`);
  const id = BigInt(digits);
  if (id > LARGEST) {
    const hint = /^(0x)?[0-9a-f]{32}$/i.test(trimmed) ? "; it looks like a 128-bit trace id" : "";
    return refuse(`${shown} does not fit in 64 bits${hint}`);
  }
  if (id === 0n) return refuse("0 is no id: it stands for samples without one");
  return { ok: true, id };
}

/** What BigInt reads, or null where the text is none of the three notations. */
function digitsOf(text: string): string | null {
  if (/^[0-9]+$/.test(text)) return text;
  if (/^0x[0-9a-f]+$/i.test(text)) return text.toLowerCase();
  if (/^[0-9a-f]+$/i.test(text)) return `0x${text}`;
  return null;
}

function refuse(error: string): ParsedId {
  return { ok: false, error };
}

/** 16 lower-case digits, as OTLP/JSON writes a span id. */
export function hexId(id: bigint): string {
  return id.toString(16).padStart(16, "0");
}

export function decimalId(id: bigint): string {
  return id.toString();
}

/** `4657…2292`: enough to tell ids apart on screen; the whole id stands in the tooltip. */
export function shortId(id: bigint): string {
  const text = id.toString();
  return text.length <= 9 ? text : `${text.slice(0, 4)}…${text.slice(-4)}`;
}
