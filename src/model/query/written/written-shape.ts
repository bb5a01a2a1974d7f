/** The part of a call tree's shape that applies to files with stacks: the transforms with command line options. */
import { type Shape, WHOLE } from "../shape.ts";
import { TRUNCATED_PATTERN } from "../truncated.ts";

export function writtenShape({ merged, roots, runs, opened }: Shape): Shape {
  return { ...WHOLE, merged: merged.filter((pattern) => pattern === TRUNCATED_PATTERN), roots, runs, opened };
}
