/**
 * Detection of a protobuf message by its first bytes. Protobuf has no magic: the evidence is that field numbers, wire
 * types and lengths match the message, at every level of nesting.
 */

import { CUT, DELIMITED, FIXED64, TOO_LONG, VARINT, VARINT_BYTES, Varint } from "./protobuf.ts";

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

/** Whether the bytes from `start` on are the message, ending at `end`, as far as the head goes. */
export function isMessage(message: Message, head: Uint8Array, start: number, end: number): boolean {
  const open = [{ message, end }];
  let fields = 0;
  let at = start;
  const number = new Varint();
  const varint = (): number => {
    const after = number.read(head, at, head.length);
    if (after === TOO_LONG) at += VARINT_BYTES;
    // A varint that the head cuts is the last thing to be seen.
    else at = after === CUT ? head.length + 1 : after;
    return after === TOO_LONG ? Number.NaN : number.value;
  };
  while (at < head.length) {
    while (open.length > 1 && at >= (open.at(-1)?.end ?? 0)) open.pop();
    const inside = open.at(-1);
    // Of several frames the first one is enough.
    if (fields === CERTAIN || inside === undefined || at >= inside.end) return fields > 0;
    const tag = varint();
    const known = inside.message[Math.floor(tag / 8)] ?? null;
    const wire = tag % 8;
    if (known === null || !fits(known, wire)) return false;
    if (wire === V) varint();
    else if (wire === F64) at += 8;
    const length = wire === L ? varint() : 0;
    // Fields beyond the first bytes are neither evidence for nor against.
    if (at > head.length) break;
    const stop = at + length;
    // Not a number if the length has too many bytes.
    if (!(stop <= inside.end) || (known === PACKED && wire === L && length === 0)) return false;
    if (typeof known === "number") at = stop;
    else open.push({ message: known, end: stop });
    fields++;
  }
  const whole = open.every(({ end: last }) => last <= head.length || last === Number.POSITIVE_INFINITY);
  return fields >= ENOUGH || (fields > 0 && whole && at === head.length);
}

function fits(known: number | Message, wire: number): boolean {
  if (known === PACKED) return wire === V || wire === L;
  return wire === (typeof known === "number" ? known : L);
}
