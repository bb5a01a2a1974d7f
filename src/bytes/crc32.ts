/** CRC-32 as gzip, zip and .gnu_debuglink use it. */
const ONE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** Four bytes at a time: what a byte becomes when one, two or three others follow it. */
const [TWO, THREE, FOUR] = [1, 2, 3].map((others) =>
  ONE.map((first) => {
    let crc = first;
    for (let i = 0; i < others; i++) crc = (crc >>> 8) ^ (ONE[crc & 255] as number);
    return crc;
  }),
) as [Uint32Array, Uint32Array, Uint32Array];

/** The checksum of bytes after others, whose checksum is `before`: 0 for none. */
export function crc32(bytes: Uint8Array, before: number): number {
  let crc = ~before;
  let i = 0;
  for (; i + 4 <= bytes.length; i += 4) {
    crc ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    crc = FOUR[crc & 255]! ^ THREE[(crc >>> 8) & 255]! ^ TWO[(crc >>> 16) & 255]! ^ ONE[crc >>> 24]!;
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ ONE[(crc ^ bytes[i]!) & 255]!;
  return ~crc >>> 0;
}
