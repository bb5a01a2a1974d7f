/** Ways to damage bytes: blindly, and at the places that frame a chunk. Nothing is changed in place but copies. */
import type { Random } from "../kit/random.ts";
import { type Framing, HEADER_FIELDS, type Place } from "./walk.ts";

const BYTES = [0, 1, 0x7f, 0x80, 0xff];

/** Replaces `removed` bytes at `at`. */
export function splice(bytes: Uint8Array, at: number, removed: number, put: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length - removed + put.length);
  out.set(bytes.subarray(0, at));
  out.set(put, at);
  out.set(bytes.subarray(at + removed), at + put.length);
  return out;
}

const NOTHING = new Uint8Array(0);

function range(random: Random, length: number): [number, number] {
  const from = random.below(length);
  return [from, from + 1 + random.small(length - from)];
}

type Blind = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array;

/** What needs no knowledge of the bytes; `other` is another file to take bytes from. */
const BLIND: Record<string, Blind> = {
  flip(bytes, random) {
    const out = bytes.slice();
    for (let n = random.below(8); n >= 0; n--) {
      const at = random.below(out.length);
      out[at] = (out[at] ?? 0) ^ (1 << random.below(8));
    }
    return out;
  },
  set(bytes, random) {
    const out = bytes.slice();
    for (let n = random.below(8); n >= 0; n--) out[random.below(out.length)] = random.pick(BYTES);
    return out;
  },
  fill(bytes, random) {
    const [from, to] = range(random, bytes.length);
    return bytes.slice().fill(random.pick(BYTES), from, to);
  },
  noise(bytes, random) {
    const out = bytes.slice();
    const [from, to] = range(random, Math.min(bytes.length, 1 << 12));
    for (let i = from; i < to; i++) out[i] = random.next();
    return out;
  },
  cut: (bytes, random) => bytes.slice(0, random.below(bytes.length)),
  behead: (bytes, random) => bytes.slice(random.small(bytes.length)),
  remove(bytes, random) {
    const [from, to] = range(random, bytes.length);
    return splice(bytes, from, to - from, NOTHING);
  },
  repeat(bytes, random) {
    const [from, to] = range(random, bytes.length);
    return splice(bytes, random.one(2) ? to : random.below(bytes.length), 0, bytes.subarray(from, to));
  },
  overwrite(bytes, random, other) {
    const [from, to] = range(random, other.length);
    const at = random.below(bytes.length);
    return splice(bytes, at, Math.min(to - from, bytes.length - at), other.subarray(from, to));
  },
  insert(bytes, random, other) {
    const [from, to] = range(random, other.length);
    return splice(bytes, random.below(bytes.length), 0, other.subarray(from, to));
  },
  /** The head of the one, the tail of the other. */
  cross(bytes, random, other) {
    const head = bytes.subarray(0, random.below(bytes.length));
    return splice(head, head.length, 0, other.subarray(random.below(other.length)));
  },
};

export function damageBlindly(bytes: Uint8Array, random: Random, other: Uint8Array): [string, Uint8Array] {
  if (bytes.length === 0) return ["nothing", bytes];
  const [name, damage] = random.pick(Object.entries(BLIND));
  return [name, damage(bytes, random, other)];
}

function varintWidth(bytes: Uint8Array, at: number): number {
  let n = 1;
  while (n < 9 && (bytes[at + n - 1] ?? 0) >= 0x80) n++;
  return n;
}

function readVarint(bytes: Uint8Array, at: number): bigint {
  let value = 0n;
  for (let i = 0; i < 9; i++) {
    const byte = BigInt(bytes[at + i] ?? 0);
    if (i === 8) return value | (byte << 56n);
    value |= (byte & 0x7fn) << BigInt(7 * i);
    if (byte < 0x80n) break;
  }
  return value;
}

/** A varint of exactly `width` bytes: higher bits are lost, missing ones are padding. */
function varint(value: bigint, width: number): Uint8Array {
  const out = new Uint8Array(width);
  for (let i = 0; i < width; i++) {
    const last = i === width - 1;
    const bits = (value >> BigInt(7 * i)) & (i === 8 ? 0xffn : 0x7fn);
    out[i] = Number(bits) | (last ? 0 : 0x80);
  }
  return out;
}

function natural(value: bigint): number {
  let n = 1;
  while (n < 9 && value >> BigInt(7 * n) !== 0n) n++;
  return n;
}

const NUMBERS = [0n, 1n, 2n, 127n, 128n, 255n, 65535n, 1n << 31n, (1n << 31n) - 1n, (1n << 32n) - 1n, 1n << 32n];
const LONGS = [...NUMBERS, 1n << 62n, (1n << 63n) - 1n, 1n << 63n, (1n << 64n) - 1n];

/** A number to be where `old` is: near it, absurd, or just as much as is left. */
function another(old: bigint, left: number, random: Random, all: readonly bigint[]): bigint {
  const values = [old + 1n, old - 1n, old * 2n, old / 2n, old ^ 0x7fn, -old, BigInt(left), BigInt(left + 1)];
  values.push(BigInt(Math.max(0, left - 1)), BigInt(random.below(Math.max(1, left))), BigInt(random.below(256)));
  return BigInt.asUintN(64, random.pick(random.one(2) ? values : all));
}

/** Adjusts the sizes in the header and in the event for the `grown` bytes at `at`. */
function resettle(bytes: Uint8Array, framing: Framing, at: number, grown: number): void {
  const view = new DataView(bytes.buffer);
  view.setBigInt64(8, view.getBigInt64(8) + BigInt(grown));
  for (const field of [16, 24]) {
    const offset = view.getBigInt64(field);
    if (offset > BigInt(at)) view.setBigInt64(field, offset + BigInt(grown));
  }
  const event = framing.events.findLast((start) => start < at);
  if (event === undefined) return;
  const width = varintWidth(bytes, event);
  bytes.set(varint(readVarint(bytes, event) + BigInt(grown), width), event);
}

/** Edits the number at one place. The last edit of a chunk may take another number of bytes (`mayGrow`). */
function editPlace(chunk: Uint8Array, framing: Framing, random: Random, mayGrow: boolean): [string, Uint8Array] {
  const kinds = [...framing.places.keys()];
  if (kinds.length === 0) return ["nothing", chunk];
  const kind: Place = random.pick(kinds);
  const at = random.pick(framing.places.get(kind) ?? [0]);
  const out = chunk.slice();
  if (kind === "encoding" || kind === "mask") {
    out[at] = random.one(2) ? random.below(8) : random.pick(BYTES);
    return [`${kind} at ${at}`, out];
  }
  const width = varintWidth(chunk, at);
  const end = framing.events.find((start) => start > at) ?? chunk.length;
  const left = random.one(2) ? end - at : chunk.length - at;
  const value = another(readVarint(chunk, at), left, random, LONGS);
  if (!mayGrow || natural(value) <= width) {
    out.set(varint(value, width), at);
    return [`${kind} at ${at} = ${value}`, out];
  }
  const put = varint(value, natural(value));
  const grown = splice(chunk, at, width, put);
  if (!random.one(4)) resettle(grown, framing, at, put.length - width);
  return [`${kind} at ${at} := ${value}`, grown];
}

function editHeader(chunk: Uint8Array, framing: Framing, random: Random): [string, Uint8Array] {
  const out = chunk.slice();
  const view = new DataView(out.buffer);
  if (random.one(6)) {
    const at = random.pick([4, 5, 6, 7, 64, 65, 66, 67]);
    out[at] = random.pick(BYTES);
    return [`header byte ${at}`, out];
  }
  const at = random.pick(HEADER_FIELDS);
  const old = BigInt.asUintN(64, view.getBigInt64(at));
  const value = random.one(3) ? BigInt(random.pick(framing.events)) : another(old, chunk.length, random, LONGS);
  view.setBigUint64(at, value);
  return [`header field ${at} = ${value}`, out];
}

/** Takes out, doubles or moves whole events; offsets and deltas stay as they were. */
function editEvents(chunk: Uint8Array, framing: Framing, random: Random): [string, Uint8Array] {
  if (framing.events.length < 3) return ["nothing", chunk];
  const i = random.below(framing.events.length - 1);
  const n = 1 + random.small(framing.events.length - 1 - i);
  const from = framing.events[i] ?? 0;
  const to = framing.events[Math.min(framing.events.length - 1, i + n)] ?? from;
  const run = chunk.slice(from, to);
  const target = random.pick(framing.events);
  const way = random.pick(["removed", "doubled", "moved"]);
  if (way === "removed") return [`events ${from}–${to} removed`, splice(chunk, from, to - from, NOTHING)];
  if (way === "doubled") return [`events ${from}–${to} doubled at ${target}`, splice(chunk, target, 0, run)];
  const without = splice(chunk, from, to - from, NOTHING);
  const place = Math.min(without.length, target > from ? Math.max(from, target - run.length) : target);
  return [`events ${from}–${to} moved to ${place}`, splice(without, place, 0, run)];
}

/** Damages a chunk in several ways, mostly at its framing. Returns a description of the damage. */
export function damageChunk(
  chunk: Uint8Array,
  framing: Framing,
  random: Random,
  other: Uint8Array,
): [string[], Uint8Array] {
  const said: string[] = [];
  let bytes = chunk;
  const apply = ([what, damaged]: [string, Uint8Array]) => {
    said.push(what);
    bytes = damaged;
  };
  for (let n = random.below(3); n > 0; n--) apply(editPlace(bytes, framing, random, false));
  if (random.one(4)) apply(editHeader(bytes, framing, random));
  if (random.one(2)) apply(editPlace(bytes, framing, random, true));
  else if (random.one(3)) apply(editEvents(bytes, framing, random));
  if (said.length === 0 || random.one(4)) apply(damageBlindly(bytes, random, other));
  return [said, bytes];
}
