/**
 * The last two metadata events that were read. A chunk whose event has the same bytes takes the tables of the kept one
 * instead of parsing it: chunks of one recorder usually have the same event, and some files alternate between two
 * recorders. Long events are not kept.
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
  isCompressed: bool;
  /** The tables are there. */
  isWhole: bool;
}

function keptWith(at: usize, bytes: Buffer, texts: Buffer, classes: Buffer, fields: Buffer): Kept {
  const kept = changetype<Kept>(at);
  kept.bytes = bytes;
  kept.texts = texts;
  kept.classes = classes;
  kept.fields = fields;
  return kept;
}

let newer: Kept = keptWith(memory.data(24, 8), ownBuffer(64), ownBuffer(64), ownBuffer(64), ownBuffer(64));
let older: Kept = keptWith(memory.data(24, 8), ownBuffer(64), ownBuffer(64), ownBuffer(64), ownBuffer(64));
const MOST_KEPT: u32 = 1 << 20;
/** A byte of text becomes at most so many bytes of UTF-8. */
const MOST_DECODED: u32 = 3;

function isSame(kept: Kept, p: usize, n: u32): bool {
  const bytes = kept.bytes;
  if (!kept.isWhole || bytes.size !== n || kept.isCompressed !== compressed) return false;
  return n !== 0 && equalBytes(bytes.at, p, n);
}

/** The event whose `n` bytes are at `p`. If it was not read before, it is not whole, and has room for its texts. */
export function keptOf(p: usize, n: u32): Kept {
  if (isSame(newer, p, n)) return newer;
  const kept = older;
  older = newer;
  newer = kept;
  if (isSame(kept, p, n)) return kept;
  kept.isWhole = false;
  kept.bytes.size = 0;
  kept.texts.size = 0;
  if (n <= MOST_KEPT) {
    kept.bytes.bytes(p, n);
    kept.texts.need(MOST_DECODED * n);
  }
  return kept;
}

export function keep(kept: Kept, classes: Buffer, fields: Buffer): void {
  kept.classes.size = 0;
  kept.classes.bytes(classes.at, classes.size);
  kept.fields.size = 0;
  kept.fields.bytes(fields.at, fields.size);
  kept.isCompressed = compressed;
  kept.isWhole = true;
}
