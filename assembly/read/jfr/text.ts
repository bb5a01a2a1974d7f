/**
 * JFR strings as UTF-8. Encoding byte, then: 0 null · 1 "" · 2 key into the chunk's java.lang.String pool · 3 UTF-8 · 4
 * UTF-16 units as integers · 5 Latin-1. The output is always valid UTF-8: broken sequences and lone surrogates become
 * U+FFFD, and surrogate pairs of modified UTF-8 become the character that they encode.
 */
import { Buffer, ownBuffer } from "../../memory/buffer";
import { appendScalar, appendUnit, appendUtf8, isAscii, REPLACEMENT } from "../utf8";
import { compressed, left, overrun, position, readByte, readInt, readLong, skipBytes, skipVarints } from "./cursor";

export enum Text {
  Null,
  Present,
  /** Encoding 2: `textKey` has the key. */
  Key,
  Damaged,
}

/** The text read last, good until the next read. */
export let textAt: usize = 0;
export let textSize: u32 = 0;
export let textKey: u64 = 0;

const decoded: Buffer = ownBuffer(4096);

/** Reads the string at the cursor into textAt, textSize. */
export function readText(): Text {
  const encoding = readByte();
  textSize = 0;
  textAt = position();
  if (encoding === 0) return overrun ? Text.Damaged : Text.Null;
  if (encoding === 1) return Text.Present;
  if (encoding === 2) {
    textKey = readLong();
    return overrun ? Text.Damaged : Text.Key;
  }
  if (encoding > 5) return Text.Damaged;
  const n = readInt();
  if (overrun || n > left()) return Text.Damaged;
  const p = position();
  if (encoding === 4) {
    fromUtf16(n);
    if (overrun) return Text.Damaged;
    textAt = decoded.at;
    textSize = decoded.size;
    return Text.Present;
  }
  skipBytes(n);
  if (isAscii(p, n)) {
    textAt = p;
    textSize = n;
    return Text.Present;
  }
  decoded.size = 0;
  if (encoding === 3) appendUtf8(decoded, p, n);
  else for (let i: u32 = 0; i < n; i++) appendScalar(decoded, load<u8>(p + i));
  textAt = decoded.at;
  textSize = decoded.size;
  return Text.Present;
}

/** Moves the cursor past the string at it; false when its encoding or length cannot be. */
export function skipText(): bool {
  const encoding = readByte();
  if (encoding < 2) return !overrun;
  if (encoding === 2) {
    readLong();
    return !overrun;
  }
  if (encoding > 5) return false;
  const n = readInt();
  if (overrun || n > left()) return false;
  if (encoding !== 4) skipBytes(n);
  else if (compressed) skipVarints(n);
  else skipBytes(n << 1);
  return !overrun;
}

function fromUtf16(n: u32): void {
  decoded.size = 0;
  let waiting: u32 = 0;
  for (let i: u32 = 0; i < n && !overrun; i++) {
    const unit = compressed ? readInt() & 0xffff : (readByte() << 8) | readByte();
    waiting = appendUnit(decoded, unit, waiting);
  }
  if (waiting !== 0) appendScalar(decoded, REPLACEMENT);
}
