/**
 * Zstandard frames (RFC 8878), one after the other, skippable frames are skipped. Blocks are handed to fzstd one at a
 * time: 4 bytes may be a block of 128 KiB, so several blocks at once would need unbounded memory.
 *
 *   frame  := 28 B5 2F FD · descriptor u8 · [window u8] · [dictionary id] · [content size] · block* · [checksum 4]
 *   block  := header u24 LE: bit 0 last, bits 1–2 type (0 stored, 1 a byte repeated, 2 compressed), size above · bytes
 *
 * Checksums are ignored: the reader of a recording detects damage inside it.
 */
import { Decompress } from "fzstd";
import { skip, type Take } from "./take.ts";

const LARGEST_BLOCK = 1 << 17;
/** As zstd itself, which refuses more by default. */
const LARGEST_WINDOW = 2 ** 27;
/**
 * fzstd moves the whole window for every block. Limits of the bytes moved: a constant, and a number per byte of output.
 * A block of 128 KiB needs 1,024 times its size for the largest window, a block of one byte a hundred million times.
 */
const FREE_MOVES = 2 ** 39;
const MOVES_PER_BYTE = 1024;
const REPEATED = 1;
const RESERVED = 3;

async function exactly(take: Take, n: number): Promise<Uint8Array> {
  const bytes = await take(n);
  if (bytes.length < n) throw new Error("zstd: the data ends inside a frame");
  return bytes.slice();
}

function le(bytes: Uint8Array): number {
  return bytes.reduceRight((value, byte) => value * 256 + byte, 0);
}

/** Decompressed bytes of all frames, block by block. */
export async function* unpackZstd(take: Take, freeMoves = FREE_MOVES): AsyncGenerator<Uint8Array> {
  const moves = { left: freeMoves };
  for (;;) {
    const magic = (await take(4)).slice();
    if (magic.length === 0) return;
    if (magic.length < 4) throw new Error("zstd: the data ends inside a frame's magic number");
    const word = le(magic);
    if (Math.floor(word / 16) === 0x184d2a5) {
      if (!(await skip(take, le(await exactly(take, 4)))))
        throw new Error("zstd: the data ends inside a skippable frame");
    } else if (word === 0xfd2fb528) yield* unpackFrame(take, magic, moves);
    else throw new Error(`zstd: no frame starts with ${word.toString(16).padStart(8, "0")}`);
  }
}

async function* unpackFrame(take: Take, magic: Uint8Array, moves: { left: number }): AsyncGenerator<Uint8Array> {
  const [descriptor = 0] = await exactly(take, 1);
  const isSingle = (descriptor & 32) !== 0;
  const [window = 0] = isSingle ? [] : await exactly(take, 1);
  const dictionary = await exactly(take, [0, 1, 2, 4][descriptor & 3] ?? 0);
  if (le(dictionary) !== 0) throw new Error("zstd: a frame that needs a dictionary");
  const size = await exactly(take, [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0);
  const bytes = isSingle ? le(size) : 2 ** (10 + (window >> 3)) * (1 + (window & 7) / 8);
  if (bytes > LARGEST_WINDOW) throw new Error(`zstd: a window of ${bytes} bytes; at most ${LARGEST_WINDOW} are kept`);
  const out: Uint8Array[] = [];
  const unpacker = new Decompress((piece) => out.push(piece));
  for (const part of [
    magic,
    Uint8Array.of(descriptor),
    ...(isSingle ? [] : [Uint8Array.of(window)]),
    dictionary,
    size,
  ]) {
    unpacker.push(part);
  }
  for (let isLast = false; !isLast; ) {
    const head = await exactly(take, 3);
    const word = le(head);
    const type = (word >> 1) & 3;
    const length = word >> 3;
    if (type === RESERVED || length > LARGEST_BLOCK)
      throw new Error(`zstd: a block of type ${type} and ${length} bytes`);
    isLast = (word & 1) !== 0;
    moves.left -= bytes;
    if (moves.left < 0) throw new Error(`zstd: the blocks are too small for a window of ${bytes} bytes`);
    unpacker.push(head);
    unpacker.push(await exactly(take, type === REPEATED ? 1 : length));
    for (const piece of out.splice(0)) {
      moves.left += MOVES_PER_BYTE * piece.length;
      yield piece;
    }
  }
  if ((descriptor & 4) !== 0) unpacker.push(await exactly(take, 4));
  unpacker.push(new Uint8Array(0), true);
  yield* out.splice(0);
}
