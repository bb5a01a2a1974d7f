/** CRC-32 as gzip, zip and .gnu_debuglink use it. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** The checksum of bytes after others, whose checksum is `before`: 0 for none. */
export function crc32(bytes: Uint8Array, before: number): number {
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[i] as number)) & 255] as number);
  return ~crc >>> 0;
}
