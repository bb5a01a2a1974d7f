/** Errors of the session as answers, and the words for a decoder that trapped. */
import { SpanflameError } from "../core/instance/error.ts";
import { PatternError } from "../pattern/pattern.ts";
import { Refusal } from "../requests/refusal.ts";
import type { Failure } from "./api.ts";

/** An error of a core that is being read concerns that core only, not the one that answers questions. */
export function ofUnfinishedReading(error: unknown): unknown {
  if (error instanceof SpanflameError) return new Refusal(error.code, error.message);
  return error instanceof WebAssembly.RuntimeError ? new Refusal("core.trap", trapWords(error)) : error;
}

function trapWords({ message }: WebAssembly.RuntimeError): string {
  return `The decoder stopped on this input (${message}) and was shut down; none of it is kept.`;
}

/** The error as an answer. `lost`: the worker has no recording any more. */
export function failureOf(error: unknown, lost: boolean): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof PatternError) return { code: "filter.pattern", message, lost };
  if (error instanceof Refusal || error instanceof SpanflameError) return { code: error.code, message, lost };
  if (error instanceof WebAssembly.RuntimeError) return { code: "core.trap", message: trapWords(error), lost };
  return { code: "internal", message, lost };
}
