/** Two digits for each byte. */
export function hexOf(bytes: Iterable<number>, between = ""): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(between);
}
