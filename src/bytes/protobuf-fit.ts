/**
 * Comparison of bytes with the shape of a message (protobuf-shape.ts) in any sound encoding: unknown fields and groups
 * anywhere, fields in any order, numbers of more bytes than they need.
 */
import { FIXED_BYTES } from "./protobuf.ts";
import { fits, L, type Message, PACKED, Place, V } from "./protobuf-shape.ts";

/** Known fields that are no accident beside unknown ones, and the same of a message that the head has as a whole. */
const ENOUGH = 8;
const ENOUGH_OF_WHOLE = 3;
/** Known fields after which no more are read. */
const PLENTY = 2048;
/** Wire types at the begin and the end of a group, and the highest number of a field. */
const GROUP = 3;
const GROUP_END = 4;
const LAST_FIELD = 2 ** 29 - 1;

/** The wire type L with as many bytes. */
const SIZED = 1 << 8;
export const bytesOf = (size: number): number => SIZED + size;

/** A message or an unknown group that the walk is in. */
interface Level {
  message: Message;
  end: number;
  /** Number of the group's field. */
  group?: number;
  /** Its packed fields so far. */
  packed: Set<number>;
}

/** Fields that were read without a contradiction. */
interface Read {
  known: number;
  unknown: number;
  /** The message ends where the head ends. */
  isWhole: boolean;
}

/**
 * How well the bytes fit a message that may have unknown fields anywhere: the share of fields that are known. 0 where a
 * field contradicts the message, and where too few are known. Of several messages the one with the best fit is right.
 */
export function fitOf(message: Message, head: Uint8Array, start: number, end: number): number {
  const read = walk(message, head, start, end);
  if (read === null || read.known < (read.isWhole ? ENOUGH_OF_WHOLE : ENOUGH)) return 0;
  return read.known / (read.known + read.unknown);
}

/** Reads the fields in the head; null where one contradicts the message. */
function walk(message: Message, head: Uint8Array, start: number, end: number): Read | null {
  const open: Level[] = [{ message, end, packed: new Set() }];
  let known = 0;
  let unknown = 0;
  const place = new Place(head, start);
  while (place.at < head.length) {
    while (open.length > 1 && open.at(-1)?.group === undefined && place.at >= (open.at(-1)?.end ?? 0)) open.pop();
    const inside = open.at(-1)!;
    // Of several frames the first one is enough.
    if (known === PLENTY || (open.length === 1 && place.at >= inside.end))
      return { known, unknown, isWhole: known > 0 };
    const tag = place.varint();
    const field = Math.floor(tag / 8);
    const wire = tag % 8;
    // A tag that the head cuts.
    if (place.at > head.length) break;
    if (wire === GROUP_END && field === inside.group) {
      open.pop();
      continue;
    }
    const expected = inside.message[field] ?? null;
    const isPassed = expected === null && field > 0 && field <= LAST_FIELD && isWireType(wire);
    if (!isPassed && (expected === null || !isOf(expected, wire))) return null;
    if (isPassed && inside.group === undefined) unknown++;
    if (wire === GROUP) {
      open.push({ message: [], end: inside.end, group: field, packed: inside.packed });
      continue;
    }
    if (wire === V) place.varint();
    else place.at += FIXED_BYTES[wire] ?? 0;
    const length = wire === L ? place.varint() : 0;
    // Fields beyond the first bytes are neither evidence for nor against.
    if (place.at > head.length) break;
    const stop = place.at + length;
    // Not a number if the length has too many bytes.
    if (!(stop <= inside.end)) return null;
    if (typeof expected === "number" && expected >= SIZED && length !== expected - SIZED) return null;
    if (expected === PACKED && wire === L) {
      // Writers pack all numbers of a field together: several are elements of another message.
      if (length === 0 || inside.packed.has(field)) return null;
      inside.packed.add(field);
    }
    if (expected === null || typeof expected === "number") place.at = stop;
    else open.push({ message: expected, end: stop, packed: new Set() });
    if (!isPassed) known++;
  }
  const isWhole = open.every((level) => {
    return level.group === undefined && (level.end <= head.length || level.end === Number.POSITIVE_INFINITY);
  });
  return { known, unknown, isWhole: isWhole && place.at === head.length };
}

const isWireType = (wire: number) => wire === V || wire === L || wire === GROUP || FIXED_BYTES[wire] !== undefined;

const isOf = (expected: number | Message, wire: number) =>
  typeof expected === "number" && expected >= SIZED ? wire === L : fits(expected, wire);
