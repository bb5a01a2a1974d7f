/**
 * What someone types to find frames, as a regular expression. As in the core, capitals matter once there is one, or where it
 * is for a whole name.
 */
export function patternOf(pattern: string): { expression: RegExp | null; error: string | null } {
  if (pattern === "") return { expression: null, error: null };
  try {
    return { expression: new RegExp(pattern, /\p{Lu}|^\^.*\$$/u.test(pattern) ? "" : "i"), error: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /, "") : String(error);
    return { expression: null, error: reason };
  }
}

/** Of a name only so much is looked at; the pattern of a longer one is for its beginning. */
const LOOKED_AT = 1900;

/** The pattern of this very name. */
export function exactPattern(name: string): string {
  const escaped = name.slice(0, LOOKED_AT).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return name.length > LOOKED_AT ? `^${escaped}` : `^${escaped}$`;
}

/** The name that a pattern of `exactPattern` is of, null for any other. */
export function exactName(pattern: string): string | null {
  if (!pattern.startsWith("^")) return null;
  const name = pattern.slice(1, pattern.endsWith("$") ? -1 : undefined).replace(/\\(?=[\\^$.*+?()[\]{}|])/g, "");
  return exactPattern(name) === pattern ? name : null;
}

/** A pattern as it is shown: the name it is of, or `/pattern/`. */
export function patternWords(pattern: string): string {
  return exactName(pattern) ?? `/${pattern}/`;
}
