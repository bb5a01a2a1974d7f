/** Errors of the session: refusals, and the words for a decoder that trapped. */
import { SpanflameError } from "../core/error.ts";

/** A failed answer on its way out. */
export class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** An error of a core that is being read concerns that core only, not the one that answers questions. */
export function ofUnfinishedReading(error: unknown): unknown {
  if (error instanceof SpanflameError) return new Refusal(error.code, error.message);
  return error instanceof WebAssembly.RuntimeError ? new Refusal("core.trap", trapWords(error)) : error;
}

export function trapWords({ message }: WebAssembly.RuntimeError): string {
  return `The decoder stopped on this input (${message}) and was shut down; none of it is kept.`;
}
