/** A problem with the options or the data, with a code for programs. */
import { SpanflameError } from "../core/instance/error.ts";
import type { ErrorDetail } from "./types.ts";

export class Problem extends Error {
  override name = "Problem";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function problemOf(error: unknown): ErrorDetail {
  if (error instanceof Problem || error instanceof SpanflameError) return { code: error.code, message: error.message };
  return { code: "internal", message: error instanceof Error ? error.message : String(error) };
}
