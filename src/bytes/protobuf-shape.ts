/**
 * Detection of a protobuf message by its first bytes. Protobuf has no magic: the evidence is that field numbers, wire
 * types and lengths match the message, at every level of nesting.
 */

import { CUT, DELIMITED, FIXED_BYTES, FIXED64, TOO_LONG, VARINT, VARINT_BYTES, Varint } from "./protobuf.ts";

export const V = VARINT;
export const F64 = FIXED64;
export const L = DELIMITED;
/** Numbers: a varint, or some of them packed. */
export const PACKED = 3;

/** Field number → wire type, or the shape of the nested message. Field 0 does not exist. */
export type Message = readonly (number | Message | null)[];

/** Fields in a row that are no accident: of a million random beginnings some get so far. */
const ENOUGH = 3;
/** After as many, something that is not known here is taken for damage, or for a field of a later version. */
const CERTAIN = 4;

/** A place in the head of a message. */
export class Place {
  at: number;
  private readonly head: Uint8Array;
  private readonly number = new Varint();

  constructor(head: Uint8Array, start: number) {
    this.head = head;
    this.at = start;
  }

  /** Passes a varint. Beyond the head after one that the head cuts; not a number if it has too many bytes. */
  varint(): number {
    const { head, number } = this;
    const after = number.read(head, this.at, head.length);
    if (after === TOO_LONG) this.at += VARINT_BYTES;
    else this.at = after === CUT ? head.length + 1 : after;
    return after === TOO_LONG ? Number.NaN : number.value;
  }
}

/**
 * Whether the bytes from `start` on are the message, ending at `end`, as far as the head goes. `passUnknown`: fields
 * that the message does not have are no evidence against it.
 */
export function isMessage(
  message: Message,
  head: Uint8Array,
  start: number,
  end: number,
  passUnknown = false,
): boolean {
  const open = [{ message, end }];
  let fields = 0;
  const place = new Place(head, start);
  while (place.at < head.length) {
    while (open.length > 1 && place.at >= (open.at(-1)?.end ?? 0)) open.pop();
    const inside = open.at(-1);
    // Of several frames the first one is enough.
    if (fields === CERTAIN || inside === undefined || place.at >= inside.end) return fields > 0;
    const tag = place.varint();
    const field = Math.floor(tag / 8);
    const known = inside.message[field] ?? null;
    const wire = tag % 8;
    const isPassed = passUnknown && known === null && field > 0 && isWireType(wire);
    if (!isPassed && (known === null || !fits(known, wire))) return false;
    if (wire === V) place.varint();
    else place.at += FIXED_BYTES[wire] ?? 0;
    const length = wire === L ? place.varint() : 0;
    // Fields beyond the first bytes are neither evidence for nor against.
    if (place.at > head.length) break;
    const stop = place.at + length;
    // Not a number if the length has too many bytes.
    if (!(stop <= inside.end) || (known === PACKED && wire === L && length === 0)) return false;
    if (known === null || typeof known === "number") place.at = stop;
    else open.push({ message: known, end: stop });
    if (!isPassed) fields++;
  }
  const whole = open.every(({ end: last }) => last <= head.length || last === Number.POSITIVE_INFINITY);
  return fields >= ENOUGH || (fields > 0 && whole && place.at === head.length);
}

const isWireType = (wire: number) => wire === V || wire === L || FIXED_BYTES[wire] !== undefined;

export function fits(known: number | Message, wire: number): boolean {
  if (known === PACKED) return wire === V || wire === L;
  return wire === (typeof known === "number" ? known : L);
}
