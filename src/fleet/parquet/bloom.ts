/** Split block bloom filters of Parquet over values of 64 bits. */
import type { Kernels } from "./kernels.ts";
import { Sink } from "./sink.ts";
import { Thrift } from "./thrift.ts";

const BLOCK_BYTES = 32;
const BLOCK_WORDS = 8;
/** About one of a hundred ids that are not there seems to be there. */
const BITS_PER_VALUE = 10;

/** Header and filter of the values, whose halves follow each other, the lower one first. */
export function bloomFilter(kernels: Kernels, words: Uint32Array): Uint8Array {
  const values = words.length / 2;
  const blocks = Math.max(1, Math.ceil((values * BITS_PER_VALUE) / 8 / BLOCK_BYTES));
  const size = blocks * BLOCK_BYTES;
  const header = new Thrift();
  header.body(() => {
    header.i32(1, size);
    // Algorithm, hash, compression: the only ones that there are.
    for (const field of [2, 3, 4]) header.struct(field, () => header.struct(1, () => {}));
  });
  const all = new Sink();
  all.put(header.sink.taken());
  kernels.within(() => {
    const bits = kernels.zeros(blocks * BLOCK_WORDS);
    kernels.wasm.bloom(kernels.put(words), values, bits, blocks);
    all.put(kernels.bytes(bits, size));
  });
  return all.taken();
}
