/** Split block bloom filters of Parquet over values of 64 bits. */
import { hashWord, result } from "./hash64.ts";
import { Sink } from "./sink.ts";
import { Thrift } from "./thrift.ts";

const BLOCK_BYTES = 32;
const WORDS = 8;
/** Of the format's specification. */
const SALT = [0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31];
/** About one of a hundred ids that are not there seems to be there. */
const BITS_PER_VALUE = 10;

/** Header and filter of the values, whose halves follow each other, the lower one first. */
export function bloomFilter(words: Uint32Array): Uint8Array {
  const values = words.length / 2;
  const blocks = Math.max(1, Math.ceil((values * BITS_PER_VALUE) / 8 / BLOCK_BYTES));
  const bits = new Uint32Array(blocks * WORDS);
  for (let i = 0; i < words.length; i += 2) {
    hashWord(words[i + 1]!, words[i]!);
    const [low, high] = [result[0]!, result[1]!];
    const block = Math.floor((high * blocks) / 2 ** 32) * WORDS;
    for (let w = 0; w < WORDS; w++) bits[block + w]! |= 1 << (Math.imul(low, SALT[w]!) >>> 27);
  }
  const header = new Thrift();
  header.body(() => {
    header.i32(1, bits.byteLength);
    // Algorithm, hash, compression: the only ones that there are.
    for (const field of [2, 3, 4]) header.struct(field, () => header.struct(1, () => {}));
  });
  const all = new Sink();
  all.put(header.sink.taken());
  all.put(new Uint8Array(bits.buffer));
  return all.taken();
}
