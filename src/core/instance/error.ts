/**
 * Error for a request that cannot be served. Messages are neutral: page and command line add advice by `code`. Problems
 * of an input, and their offsets, are diagnostics.
 */

/**
 * Codes of a `SpanflameError`; docs/library.md, "Errors", has their meanings. A minor version may add codes; only a
 * major version removes one or changes its meaning.
 */
export type ErrorCode =
  | "attribute.unknown"
  | "builder.row"
  | "builder.shape"
  | "core.busy"
  | "core.load"
  | "core.memory"
  | "core.samples"
  | "download.large"
  | "filter.pattern"
  | "format.unknown"
  | "input.unknown"
  | "option.id"
  | "option.unknown"
  | "option.value"
  | "profile.missing"
  | "profile.unknown"
  | "record.running"
  | "record.stopped"
  | "recording.closed"
  | "worker.call"
  | "worker.failed"
  | "write.profiles"
  | "write.resource";

/** A request that cannot be served. The `message` is one sentence for people, `code` is for programs. */
export class SpanflameError extends Error {
  /** One of the codes of docs/library.md, "Errors". */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SpanflameError";
    this.code = code;
  }
}
