/**
 * The last eight metadata events that were read. A chunk whose event has the same bytes takes the tables of the kept
 * one instead of parsing it: chunks of one recorder usually have the same event, some files alternate between two
 * recorders, and the files of a fleet come from a few. Long events are not kept.
 */
import { Buffer, ownBuffer } from "../../memory/buffer";
import { equalBytes } from "../../memory/hash";
import { compressed } from "./cursor";

@unmanaged
export class Kept {
  /** The event from its strings on, where names are. Empty if it is not kept. */
  bytes: Buffer;
  /** The names that are not UTF-8 in it. */
  texts: Buffer;
  /** The tables of metadata.ts, before a chunk has plans for them. */
  classes: Buffer;
  fields: Buffer;
  /** The tables are there: 1, or 2 where integers are compressed. */
  whole: u32;
}

const SLOTS: u32 = 8;
const place: usize = memory.data(8 * 24, 8);
for (let i: u32 = 0; i < SLOTS; i++) fill(at(i), ownBuffer(64), ownBuffer(64), ownBuffer(64), ownBuffer(64));
/** How many were kept so far: the next one takes the place of the oldest. */
let turn: u32 = 0;

const MOST_KEPT: u32 = 1 << 20;
/** A byte of text becomes at most so many bytes of UTF-8. */
const MOST_DECODED: u32 = 3;

function isSame(kept: Kept, p: usize, n: u32): bool {
  if (kept.whole !== 1 + <u32>compressed || kept.bytes.size !== n) return false;
  return n !== 0 && equalBytes(kept.bytes.at, p, n);
}

/** The event whose `n` bytes are at `p`. If it was not read before, it is not whole, and has room for its texts. */
export function keptOf(p: usize, n: u32): Kept {
  for (let i: u32 = 0; i < SLOTS; i++) if (isSame(at(i), p, n)) return at(i);
  const kept = at(turn++ % SLOTS);
  kept.whole = 0;
  kept.bytes.size = 0;
  kept.texts.size = 0;
  if (n <= MOST_KEPT) {
    kept.bytes.bytes(p, n);
    kept.texts.need(MOST_DECODED * n);
  }
  return kept;
}

function fill(kept: Kept, bytes: Buffer, texts: Buffer, classes: Buffer, fields: Buffer): void {
  kept.bytes = bytes;
  kept.texts = texts;
  kept.classes = classes;
  kept.fields = fields;
}

function at(i: u32): Kept {
  return changetype<Kept>(place + <usize>i * offsetof<Kept>());
}

export function keep(kept: Kept, classes: Buffer, fields: Buffer): void {
  kept.classes.size = 0;
  kept.classes.bytes(classes.at, classes.size);
  kept.fields.size = 0;
  kept.fields.bytes(fields.at, fields.size);
  kept.whole = 1 + <u32>compressed;
}
