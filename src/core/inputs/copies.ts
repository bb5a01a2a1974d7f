/** Contents of inputs that count elsewhere, and their diagnostics. */

/** A content that counts in another place. */
export interface Copy {
  /** Where, for a diagnostic. */
  place: string;
  /** There is less of it. */
  isLess: boolean;
  /** Its events, if it is equal to a chunk that counts. */
  events?: Record<string, number>;
}

/** The diagnostic of a content that counts elsewhere. */
export function copyWords(noun: "chunk" | "message", { place, isLess }: Copy, offset: number) {
  if (isLess) {
    const message = `this ${noun} is in ${place} too, where it is cut off: only that part counts (offset ${offset})`;
    return { code: "source.copy.cut", severity: "warning" as const, message };
  }
  const message = `this ${noun} is in ${place} too: it counts once (offset ${offset})`;
  return { code: "source.copy", severity: "info" as const, message };
}
