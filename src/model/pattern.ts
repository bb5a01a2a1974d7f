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
  return name.length > LOOKED_AT ? `^${escaped(name.slice(0, LOOKED_AT))}` : `^${escaped(name)}$`;
}

/** The name that a pattern of `exactPattern` is of, as far as it was looked at; null for any other pattern. */
export function exactName(pattern: string): string | null {
  const end = pattern.endsWith("$") ? "$" : "";
  const name = pattern.slice(1, pattern.length - end.length).replace(/\\(?=[\\^$.*+?()[\]{}|])/g, "");
  const isExact = pattern === `^${escaped(name)}${end}` && (end !== "" || name.length === LOOKED_AT);
  return isExact ? name : null;
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** A pattern as it is shown: the name it is of, or `/pattern/`. */
export function patternWords(pattern: string): string {
  return exactName(pattern) ?? `/${pattern}/`;
}
