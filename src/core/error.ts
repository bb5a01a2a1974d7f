/**
 * A request that cannot be served. Messages are neutral: page and command line add advice by `code`. What is wrong with
 * an input, and where, is a diagnostic.
 */
export class SpanflameError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "SpanflameError";
    this.code = code;
  }
}
