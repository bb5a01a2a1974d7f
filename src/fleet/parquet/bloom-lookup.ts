/**
 * Row groups that may have an id. Of a bloom filter one block of 32 bytes decides, so only the piece around it that has
 * a checksum is read: whole filters would be most of what a trace needs of a large file.
 */
import { BLOOM_PIECE, checksum } from "./checks.ts";
import { Damaged } from "./damage.ts";
import type { Opened } from "./file-reader.ts";
import type { ChunkShape, Group } from "./footer.ts";
import type { Piece } from "./ranges-ahead.ts";

const BLOCK_BYTES = 32;
const BLOCK_WORDS = 8;
/** Of the format: each word of a block has the bit that the hash times its number says. */
const SALTS = [0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31];

/** Those of some row groups that may have one of the values. `column` has signed numbers of 64 bits. */
export async function groupsWith(
  opened: Opened,
  groups: readonly Group[],
  column: string,
  values: Iterable<bigint>,
): Promise<Group[]> {
  const hashes = Array.from(values, hashOf);
  const places = groups.map((group) => {
    const [chunk] = opened.chunksOf(group, [column]);
    return hashes.map((hash) => (chunk?.bloom == null ? null : blockOf(chunk, chunk.bloom, hash)));
  });
  opened.file.fetch(places.flat().flatMap((place) => place?.read ?? []));
  const has = await Promise.all(
    places.map(async (blocks) => {
      for (const [i, place] of blocks.entries()) {
        if (place === null) return true;
        const { read, block, check } = place;
        const bytes = await opened.file.slice(read.from, read.to);
        if (check !== null && checksum(bytes) !== check)
          throw new Damaged("the checksum of the bloom filter is wrong", { column, at: read.from });
        if (hasBits(bytes.subarray(block - read.from), hashes[i]!)) return true;
      }
      return false;
    }),
  );
  return groups.filter((_, i) => has[i]);
}

/** The block of a hash, and what is read. A header is before the blocks; a filter without blocks says nothing. */
function blockOf({ checks }: ChunkShape, bloom: Piece, hash: bigint) {
  const first = bloom.from + ((bloom.to - bloom.from) % BLOCK_BYTES);
  const count = (bloom.to - first) / BLOCK_BYTES;
  if (count === 0) return null;
  const start = BLOCK_BYTES * Number(((hash >> 32n) * BigInt(count)) >> 32n);
  const block = first + start;
  if (checks === null) return { read: { from: block, to: block + BLOCK_BYTES }, block, check: null };
  const piece = Math.floor(start / BLOOM_PIECE);
  const from = first + piece * BLOOM_PIECE;
  return { read: { from, to: Math.min(bloom.to, from + BLOOM_PIECE) }, block, check: checks[2 + piece] ?? -1 };
}

function hasBits(block: Uint8Array, hash: bigint): boolean {
  const view = new DataView(block.buffer, block.byteOffset, BLOCK_BYTES);
  const low = Number(hash & 0xffffffffn);
  for (let i = 0; i < BLOCK_WORDS; i++) {
    const bit = Math.imul(low, SALTS[i]!) >>> 27;
    if ((view.getUint32(4 * i, true) & (1 << bit)) === 0) return false;
  }
  return true;
}

const U64 = (value: bigint) => BigInt.asUintN(64, value);
const rotated = (value: bigint, by: bigint) => U64((value << by) | (value >> (64n - by)));
const PRIMES = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
] as const;

/** xxHash64 with seed 0 of the 8 bytes of a number, as the format has it. */
function hashOf(value: bigint): bigint {
  const [p1, p2, p3, p4, p5] = PRIMES;
  const round = U64(rotated(U64(U64(value) * p2), 31n) * p1);
  let hash = U64(p5 + 8n) ^ round;
  hash = U64(rotated(hash, 27n) * p1 + p4);
  hash = U64((hash ^ (hash >> 33n)) * p2);
  hash = U64((hash ^ (hash >> 29n)) * p3);
  return hash ^ (hash >> 32n);
}
