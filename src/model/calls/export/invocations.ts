/** Outputs that have every invocation of calls, in place of samples. */
import type { Filter } from "../../../core/types.ts";
import { shapeKey } from "../../query/shape.ts";

const INVOCATION_FORMATS = ["speedscope", "firefox"] as const;
export type InvocationFormat = (typeof INVOCATION_FORMATS)[number];

interface Wanted {
  format: string;
  /** Calls are named by their ids. */
  isNamed: boolean;
  /** Profile type; null for all profiles. */
  type: string | null;
  filter: Pick<Filter, "frames">;
  shape: Parameters<typeof shapeKey>[0];
}

/**
 * The format if the output has invocations: calls are named, and nothing is requested that only samples have (another
 * profile, functions left out, a changed tree). Else null.
 */
export function invocationFormat({ format, isNamed, type, filter, shape }: Wanted): InvocationFormat | null {
  const isPlain = (type === null || type === "wall") && filter.frames === undefined && shapeKey(shape) === "";
  return isNamed && isPlain ? (INVOCATION_FORMATS.find((each) => each === format) ?? null) : null;
}

/** Whether a filter names calls. */
export function namesCalls({ calls = [] }: Filter): boolean {
  return calls.some(({ part }) => part === "ids");
}
