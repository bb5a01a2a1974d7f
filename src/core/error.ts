/**
 * Error for a request that cannot be served. Messages are neutral: page and command line add advice by `code`. Problems
 * of an input, and their offsets, are diagnostics.
 */
export class SpanflameError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "SpanflameError";
    this.code = code;
  }
}
