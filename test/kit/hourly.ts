/** A recording of a day that is made of copies of a chunk. */

const HOUR = 3_600_000_000_000n;
/** Of the chunk's header. */
const START = 32;

/** Three copies of a recording of one chunk, an hour apart. Only the second one has the id. */
export function hourly(chunk: Buffer, id: bigint): Buffer {
  const needle = varintOf(id);
  return Buffer.concat(
    [0, 1, 2].map((hour) => {
      const copy = Buffer.from(chunk);
      copy.writeBigInt64BE(copy.readBigInt64BE(START) + BigInt(hour) * HOUR, START);
      if (hour === 1) return copy;
      for (let at = copy.indexOf(needle); at >= 0; at = copy.indexOf(needle, at + 1)) copy[at + 1]! ^= 1 + hour;
      return copy;
    }),
  );
}

/** Nine bytes of 7 bits, of which the last one has 8. */
function varintOf(id: bigint): Buffer {
  return Buffer.from(
    Array.from({ length: 9 }, (_, i) => Number((id >> BigInt(7 * i)) & (i < 8 ? 0x7fn : 0xffn)) | (i < 8 ? 0x80 : 0)),
  );
}
