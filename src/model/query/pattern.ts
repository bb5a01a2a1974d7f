/** Patterns of function names, and their words. What a pattern is and finds: src/pattern/. */
export {
  type Checked,
  isReady,
  loadedPattern,
  loadPatterns,
  Pattern,
  patternOf,
} from "../../pattern/pattern.ts";
export { type Finder, plainText } from "../../pattern/plain.ts";

/** The pattern of a longer name is for its beginning; with a backslash before each character it is still a pattern. */
const LOOKED_AT = 1900;

/** The pattern of this very name. */
export function exactPattern(name: string): string {
  return name.length > LOOKED_AT ? `^${escaped(name.slice(0, LOOKED_AT))}` : `^${escaped(name)}$`;
}

/** The pattern of names that contain this text. */
export function partPattern(text: string): string {
  return escaped(text.slice(0, LOOKED_AT));
}

/** The inverse of `exactPattern`: the function name of its pattern; null for any other pattern. */
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
