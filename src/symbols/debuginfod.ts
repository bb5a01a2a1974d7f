/**
 * Client of debuginfod's HTTP interface (debuginfod(8) of elfutils): debug files and libraries by build id.
 *
 *   GET SERVER/buildid/2de3…/debuginfo     the debug file
 *   GET SERVER/buildid/2de3…/executable    the library or program
 *
 * It asks the servers that a user has named and no others. A server learns the build id and nothing else: no cookies,
 * no referrer, no headers. The caller checks that a file has the build id.
 */
export type DebugFileKind = "debuginfo" | "executable";

/** The platform, or a substitute in tests. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface DebugFileRequest {
  /** Lower-case hex. */
  buildId: string;
  kind: DebugFileKind;
  fetch: Fetch;
  /** Bytes beyond which a file is refused. */
  mostBytes: number;
  /** Milliseconds without an answer, or without further bytes of one. */
  patience?: number;
  signal?: AbortSignal;
  /** `total`: null if the server does not state it. */
  onProgress?(received: number, total: number | null): void;
}

/**
 *   address     not an address of a server, or not a build id
 *   not-found   the server has no such file
 *   refused     the server answers with another status
 *   redirected  the server leads to an address that is less safe than its own
 *   too-large   the file has more bytes than allowed
 *   cut         the connection ended, or no bytes came, before the end of the file
 *   hidden      no answer; browsers do not tell pages whether there is a server that does not allow the page (CORS)
 *   stopped     ended by the caller
 */
export type DebuginfodCode =
  | "address"
  | "not-found"
  | "refused"
  | "redirected"
  | "too-large"
  | "cut"
  | "hidden"
  | "stopped";

export class DebuginfodError extends Error {
  readonly code: DebuginfodCode;

  constructor(code: DebuginfodCode, message: string) {
    super(message);
    this.name = "DebuginfodError";
    this.code = code;
  }
}

/** A server may have to unpack a package first. */
const PATIENCE = 90_000;
/** Bytes after which received pieces become a Blob, which browsers can write to disk. */
const PART = 2 ** 23;
const MOST_SERVERS = 16;
const SIZE_HEADER = "x-debuginfod-size";

/** The servers of a list as in DEBUGINFOD_URLS: addresses separated by white space. */
export function debuginfodServers(text: string): URL[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) throw new DebuginfodError("address", "no server is given");
  if (words.length > MOST_SERVERS) throw new DebuginfodError("address", `more than ${MOST_SERVERS} servers are given`);
  return words.map(serverOf);
}

function serverOf(word: string): URL {
  const url = URL.canParse(word) ? new URL(word) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new DebuginfodError("address", `${JSON.stringify(word)} is not an http or https address`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new DebuginfodError("address", `the address of ${url.host} may have no user, query or fragment`);
  return url;
}

/** The file of the first server that has it. Throws what the first server without it, other than by 404, answers. */
export async function fetchDebugFile(servers: readonly URL[], request: DebugFileRequest): Promise<Blob> {
  if (!/^(?:[0-9a-f]{2}){2,64}$/.test(request.buildId))
    throw new DebuginfodError("address", `${JSON.stringify(request.buildId)} is not a build id`);
  let failure: DebuginfodError | null = null;
  for (const server of servers) {
    try {
      return await fetchFrom(server, request);
    } catch (error) {
      const failed = error instanceof DebuginfodError ? error : new DebuginfodError("hidden", wordsOf(error));
      if (failed.code === "stopped") throw failed;
      if (failure === null || failure.code === "not-found") failure = failed;
    }
  }
  throw failure ?? new DebuginfodError("address", "no server is given");
}

async function fetchFrom(server: URL, request: DebugFileRequest): Promise<Blob> {
  const watch = new Watch(request.patience ?? PATIENCE, request.signal);
  try {
    return await blobOf(await answerOf(server, request, watch), request, watch);
  } finally {
    watch.end();
  }
}

async function answerOf(server: URL, { buildId, kind, fetch }: DebugFileRequest, watch: Watch): Promise<Response> {
  const url = `${server.href.replace(/\/*$/, "")}/buildid/${buildId}/${kind}`;
  const init = { credentials: "omit", referrerPolicy: "no-referrer", signal: watch.signal } as const;
  let answer: Response;
  try {
    answer = await watch.limit(fetch(url, init));
  } catch (error) {
    throw watch.cause ?? new DebuginfodError("hidden", `${server.host}: ${wordsOf(error)}`);
  }
  try {
    check(answer, server);
  } catch (error) {
    await answer.body?.cancel();
    throw error;
  }
  return answer;
}

function check(answer: Response, server: URL): void {
  // Of an answer without an address, nothing was followed.
  const from = answer.url === "" ? server : new URL(answer.url);
  const isSafe = from.protocol === "https:" || (from.protocol === "http:" && server.protocol === "http:");
  if (!isSafe) throw new DebuginfodError("redirected", `${server.host} leads to ${from.protocol}//${from.host}`);
  if (answer.status === 404) throw new DebuginfodError("not-found", `${server.host} does not have the file`);
  if (answer.status !== 200)
    throw new DebuginfodError("refused", `${server.host} answers ${answer.status} ${answer.statusText}`.trim());
}

async function blobOf(answer: Response, request: DebugFileRequest, watch: Watch): Promise<Blob> {
  const most = request.mostBytes;
  const total = sizeOf(answer);
  const tooLarge = () => new DebuginfodError("too-large", `the file has more than ${most} bytes`);
  const reader = answer.body?.getReader();
  if (reader === undefined) throw new DebuginfodError("cut", "the answer has no content");
  const parts = new Parts();
  try {
    if (total !== null && total > most) throw tooLarge();
    for (;;) {
      watch.restart();
      const { done, value } = await next(reader, watch);
      if (done) break;
      parts.add(value);
      if (parts.size > most) throw tooLarge();
      request.onProgress?.(parts.size, total);
    }
  } catch (error) {
    // Not awaited: a server may keep the connection.
    reader.cancel().catch(() => {});
    throw error;
  }
  if (total !== null && parts.size < total)
    throw new DebuginfodError("cut", `the answer ended after ${parts.size} of ${total} bytes`);
  return parts.blob();
}

async function next(reader: ReadableStreamDefaultReader<Uint8Array>, watch: Watch) {
  try {
    return await watch.limit(reader.read());
  } catch (error) {
    throw watch.cause ?? new DebuginfodError("cut", `the connection ended: ${wordsOf(error)}`);
  }
}

/** Bytes of the file; Content-Length counts compressed ones, and other origins may hide both headers. */
function sizeOf({ headers }: Response): number | null {
  const text = headers.get(SIZE_HEADER) ?? (headers.has("content-encoding") ? null : headers.get("content-length"));
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Received bytes. */
class Parts {
  size = 0;
  private readonly parts: Blob[] = [];
  private pieces: Uint8Array[] = [];
  private held = 0;

  add(piece: Uint8Array): void {
    this.pieces.push(piece);
    this.held += piece.length;
    this.size += piece.length;
    if (this.held >= PART) this.close();
  }

  blob(): Blob {
    this.close();
    return new Blob(this.parts);
  }

  private close(): void {
    this.parts.push(new Blob(this.pieces as BlobPart[]));
    this.pieces = [];
    this.held = 0;
  }
}

/** Ends a request that gives nothing for some time, or that the caller stops. */
class Watch {
  /** Why the request was ended from here. */
  cause: DebuginfodError | null = null;
  private readonly abort = new AbortController();
  private readonly patience: number;
  private readonly outer: AbortSignal | undefined;
  private readonly late: Promise<never>;
  private fail: (cause: DebuginfodError) => void = () => {};
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(patience: number, outer: AbortSignal | undefined) {
    this.patience = patience;
    this.outer = outer;
    this.late = new Promise((_, reject) => {
      this.fail = reject;
    });
    // It may be rejected when nothing waits for it.
    this.late.catch(() => {});
    outer?.addEventListener("abort", this.stop);
    if (outer?.aborted) this.stop();
    else this.restart();
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  restart(): void {
    clearTimeout(this.timer);
    const words = `no bytes came for ${this.patience / 1000} s`;
    this.timer = setTimeout(() => this.endBy(new DebuginfodError("cut", words)), this.patience);
  }

  /** The promise's result, unless the request is ended first. */
  limit<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.late]);
  }

  end(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener("abort", this.stop);
  }

  private readonly stop = () => this.endBy(new DebuginfodError("stopped", "Stopped."));

  private endBy(cause: DebuginfodError): void {
    this.cause ??= cause;
    this.fail(this.cause);
    this.abort.abort();
  }
}
