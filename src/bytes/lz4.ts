/**
 * LZ4 frames (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md), one after the other; skippable ones are
 * skipped. No package of the registry reads more than the first frame.
 *
 *   frame  := 04 22 4D 18 · FLG · BD · [content size 8] · [dictionary id 4] · HC · block* · 00000000 · [checksum 4]
 *   block  := size u32 LE, top bit: stored uncompressed · bytes · [checksum 4]
 *   FLG    := version 01 · independent blocks · block checksums · content size · content checksum · 0 · dictionary id
 *
 * Checksums are ignored: the reader of a recording detects damage inside it.
 */
import { skip, type Take } from "./take.ts";

const HISTORY = 65536;

function le32(bytes: Uint8Array, at = 0): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
}

async function exactly(take: Take, n: number): Promise<Uint8Array> {
  const bytes = await take(n);
  if (bytes.length < n) throw new Error("lz4: the data ends inside a frame");
  return bytes;
}

/** Decompressed bytes of all frames, block by block. */
export async function* unpackLz4(take: Take): AsyncGenerator<Uint8Array> {
  for (;;) {
    const magic = await take(4);
    if (magic.length === 0) return;
    if (magic.length < 4) throw new Error("lz4: the data ends inside a frame's magic number");
    const word = le32(magic);
    if (word >>> 4 === 0x184d2a5) {
      if (!(await skip(take, le32(await exactly(take, 4)))))
        throw new Error("lz4: the data ends inside a skippable frame");
    } else if (word === 0x184d2204) yield* unpackFrame(take);
    else throw new Error(`lz4: no frame starts with ${word.toString(16).padStart(8, "0")}`);
  }
}

async function* unpackFrame(take: Take): AsyncGenerator<Uint8Array> {
  const [flags = 0, descriptor = 0] = await exactly(take, 2);
  if (flags >> 6 !== 1) throw new Error(`lz4: version ${flags >> 6} of the frame format`);
  if ((flags & 1) !== 0) throw new Error("lz4: a frame that needs a dictionary");
  await exactly(take, (flags & 8 ? 8 : 0) + 1);
  const largest = 1 << (8 + 2 * ((descriptor >> 4) & 7));
  if (largest < HISTORY) throw new Error(`lz4: block size code ${(descriptor >> 4) & 7}`);
  // The last 64 KiB of the output precede the current block.
  const window = new Uint8Array(HISTORY + largest);
  let history = 0;
  for (;;) {
    const size = le32(await exactly(take, 4));
    if (size === 0) break;
    const bytes = size & 0x7fff_ffff;
    // Before the bytes are requested: no block is larger compressed than decompressed.
    if (bytes > largest)
      throw new Error(`lz4: a block of ${bytes} bytes in a frame whose blocks have at most ${largest}`);
    const packed = await exactly(take, bytes);
    const start = HISTORY;
    let end = start;
    if (size >= 0x8000_0000) {
      window.set(packed, start);
      end += packed.length;
    } else {
      end = unpackBlock(packed, window, start, start - history);
    }
    if ((flags & 16) !== 0) await exactly(take, 4);
    yield window.slice(start, end);
    const keep = (flags & 32) !== 0 ? 0 : Math.min(HISTORY, history + end - start);
    window.copyWithin(HISTORY - keep, end - keep, end);
    history = keep;
  }
  if ((flags & 4) !== 0) await exactly(take, 4);
}

/**
 * A block is sequences of: token (high 4 bits literals, low 4 bits match − 4) · more length bytes · literals ·
 * offset u16 LE · more length bytes. Decompresses to `window` from `start` on, and returns where it ended.
 */
function unpackBlock(packed: Uint8Array, window: Uint8Array, start: number, oldest: number): number {
  let p = 0;
  let q = start;
  const length = (short: number): number => {
    let n = short;
    if (short === 15) {
      let byte = 255;
      while (byte === 255) {
        byte = packed[p++] ?? fault("a length");
        n += byte;
      }
    }
    return n;
  };
  while (p < packed.length) {
    const token = packed[p++] ?? 0;
    const literals = length(token >> 4);
    if (p + literals > packed.length || q + literals > window.length) fault("literals");
    window.set(packed.subarray(p, p + literals), q);
    p += literals;
    q += literals;
    if (p === packed.length) break;
    const offset = (packed[p] ?? 0) | ((packed[p + 1] ?? fault("an offset")) << 8);
    p += 2;
    const match = length(token & 15) + 4;
    if (offset === 0 || q - offset < oldest || q + match > window.length) fault("a match");
    // Byte by byte if the match overlaps its output.
    if (offset >= match) window.copyWithin(q, q - offset, q - offset + match);
    else for (let i = 0; i < match; i++) window[q + i] = window[q + i - offset] ?? 0;
    q += match;
  }
  return q;
}

function fault(what: string): never {
  throw new Error(`lz4: ${what} that cannot be`);
}
