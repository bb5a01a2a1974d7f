/** What someone types to find frames, as a regular expression. Capitals matter once there is one, as in the core. */
export function patternOf(pattern: string): { expression: RegExp | null; error: string | null } {
  if (pattern === "") return { expression: null, error: null };
  try {
    return { expression: new RegExp(pattern, /\p{Lu}/u.test(pattern) ? "" : "i"), error: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /, "") : String(error);
    return { expression: null, error: reason };
  }
}
