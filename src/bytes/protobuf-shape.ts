/**
 * Whether bytes are a certain message of protobuf, by the first of them. Protobuf has no magic: what tells is that field
 * numbers, wire types and lengths are those of the message, message inside message.
 */

/** Wire types: https://protobuf.dev/programming-guides/encoding/#structure */
export const V = 0;
export const F64 = 1;
export const L = 2;
/** Numbers: a varint, or some of them packed. */
export const PACKED = 3;

/** Field number → wire type, or what the message in it looks like. Field 0 does not exist. */
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
  const varint = (): number => {
    let value = 0;
    for (let i = 0; i < 10; i++) {
      const byte = head[at++] ?? 0;
      value += (byte & 0x7f) * 128 ** i;
      if (byte < 0x80) return value;
    }
    return Number.NaN;
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
    // What the head does not show any more speaks neither for nor against.
    if (at > head.length) break;
    const last = at + length;
    // Not a number where the length goes on for too long.
    if (!(last <= inside.end) || (known === PACKED && wire === L && length === 0)) return false;
    if (typeof known === "number") at = last;
    else open.push({ message: known, end: last });
    fields++;
  }
  const whole = open.every(({ end: last }) => last <= head.length || last === Number.POSITIVE_INFINITY);
  return fields >= ENOUGH || (fields > 0 && whole && at === head.length);
}

function fits(known: number | Message, wire: number): boolean {
  if (known === PACKED) return wire === V || wire === L;
  return wire === (typeof known === "number" ? known : L);
}
