/** The part of a call tree's shape that files with shown stacks have: what the command line has options for. */
import { type Shape, WHOLE } from "./shape.ts";
import { TRUNCATED_PATTERN } from "./truncated.ts";

export function writtenShape({ merged, roots, runs, opened }: Shape): Shape {
  return { ...WHOLE, merged: merged.filter((pattern) => pattern === TRUNCATED_PATTERN), roots, runs, opened };
}
