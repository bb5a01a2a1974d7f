/** An input or a request that cannot be served. Messages are neutral: page and command line add advice by `code`. */
export class SpanflameError extends Error {
  readonly code: string;
  /** Byte offset in the input, where one is known. */
  readonly offset: number | null;
  readonly chunk: number | null;

  constructor(code: string, message: string, offset: number | null = null, chunk: number | null = null) {
    super(message);
    this.name = "SpanflameError";
    this.code = code;
    this.offset = offset;
    this.chunk = chunk;
  }
}
