/** Detection of the byte order mark, which some editors and shells put in front of text in UTF-8. */

export const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];

export function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return bytes.length >= start.length && start.every((byte, i) => bytes[i] === byte);
}
