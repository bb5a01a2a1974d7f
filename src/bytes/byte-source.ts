/** Sources of bytes: a File, a Buffer, a file handle, a pipe. All readers read from this interface only. */
export interface ByteSource {
  /** Bytes in all; of a stream, those that came so far. */
  readonly byteLength: number;
  /** Bytes [start, end), fewer only at the end. `start` never falls below that of the call before. */
  slice(start: number, end: number): Promise<Uint8Array>;
  /** Streams only: loads bytes [start, end), and returns the number of available bytes. */
  ahead?(start: number, end: number): Promise<number>;
  /** Sources that can be read in any order only: bytes [start, end), in memory that the caller may give away. */
  peek?(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Streams only: keeps all bytes from `start` on, so that a reader may return to them; null releases them. The stream
   * stops keeping when it would need more than `limit` bytes, and `keeps` becomes false.
   */
  hold?(start: number | null, limit?: number): void;
  /** Streams only: false if it no longer keeps the bytes that `hold` requested. */
  readonly keeps?: boolean;
  /** Streams only, after their end: makes the last bytes available again, from `offset` on. */
  unread?(offset: number, bytes: Uint8Array): void;
  /** Fills `target` from `start`; spares the copy where the platform can. Returns how many bytes there were. */
  readInto?(start: number, target: Uint8Array): Promise<number>;
  /** The file that has these bytes, for other threads. Without it they are sent the bytes. */
  readonly place?: FilePlace;
  /** Change of the file since it was opened; null if it is unchanged. */
  change?(): Promise<Fault | null>;
}

/** A file as it was when it was opened. A file that has any of these different is another one. */
export interface FilePlace {
  path: string;
  device: bigint;
  inode: bigint;
  bytes: bigint;
  changedNanos: bigint;
}

/** Why an input could not be read as a whole. */
export interface Fault {
  code: "source.unreadable" | "source.changed" | "source.grown";
  message: string;
  /** Byte of the input. */
  offset: number;
}

/** A source of bytes that are in memory. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    byteLength: bytes.length,
    slice: async (start, end) => bytes.subarray(start, end),
    peek: async (start, end) => new Uint8Array(bytes.subarray(start, end)),
  };
}

/** A source of the bytes of a `Blob` or `File`, read part by part. */
export function blobSource(blob: Blob): ByteSource {
  const read = async (start: number, end: number) => new Uint8Array(await blob.slice(start, end).arrayBuffer());
  return {
    byteLength: blob.size,
    slice: read,
    peek: read,
  };
}

/** The bytes of a source in pieces, to its end. */
export async function* piecesOf(source: ByteSource, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const piece = await source.slice(at, at + size);
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}

/** How many of the `n` bytes from `start` there are. */
export async function available(source: ByteSource, start: number, n: number): Promise<number> {
  if (source.ahead !== undefined) return source.ahead(start, start + n);
  return Math.max(0, Math.min(n, source.byteLength - start));
}

/**
 * The outermost source of an input. Reading it never throws: an input that cannot be read on, or that has become
 * shorter, ends there, so that the bytes before are read like a file that was cut off. `faults` has the causes.
 */
export class InputSource implements ByteSource {
  /** The furthest requested byte. */
  position = 0;
  readonly faults: Fault[] = [];
  /** Notes no fault: a later read does. */
  readonly peek?: (start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>;
  /** A stream stays one. */
  readonly ahead?: (start: number, end: number) => Promise<number>;
  readonly hold?: (start: number | null, limit?: number) => void;
  readonly unread?: (offset: number, bytes: Uint8Array) => void;
  readonly place?: FilePlace;
  private readonly source: ByteSource;
  /** Awaited before each read, so that the event loop gets turns. What it throws ends the reading. */
  rest: () => Promise<void>;
  private end = Number.POSITIVE_INFINITY;

  constructor(source: ByteSource, rest: () => Promise<void> = async () => {}) {
    this.source = source;
    this.rest = rest;
    const { peek } = source;
    if (peek !== undefined) {
      this.peek = async (start, end) => {
        await this.rest();
        return peek.call(source, start, end).catch(() => new Uint8Array(0));
      };
    }
    if (source.place !== undefined) this.place = source.place;
    const { ahead } = source;
    if (ahead !== undefined) {
      this.ahead = async (start, end) => {
        await this.rest();
        return ahead.call(source, start, end);
      };
    }
    if (source.hold !== undefined) this.hold = source.hold.bind(source);
    if (source.unread !== undefined) this.unread = source.unread.bind(source);
  }

  get byteLength(): number {
    return Math.min(this.end, this.source.byteLength);
  }

  get keeps(): boolean {
    return this.source.keeps !== false;
  }

  async slice(start: number, end: number): Promise<Uint8Array> {
    await this.rest();
    const stop = this.stopOf(end);
    if (stop <= start) return new Uint8Array(0);
    const bytes = await this.guarded(start, () => this.source.slice(start, stop), new Uint8Array(0));
    this.position = Math.max(this.position, start + bytes.length);
    if (this.source.ahead !== undefined || bytes.length === stop - start) return bytes;
    const all = new Uint8Array(stop - start);
    all.set(bytes);
    return all.subarray(0, await this.complete(start, all, bytes.length));
  }

  async readInto(start: number, target: Uint8Array): Promise<number> {
    await this.rest();
    const wanted = target.subarray(0, Math.max(0, this.stopOf(start + target.length) - start));
    if (this.source.ahead === undefined) return this.complete(start, wanted, 0);
    const read = await this.guarded(start, () => fill(this.source, start, target), 0);
    this.position = Math.max(this.position, start + read);
    return read;
  }

  private stopOf(end: number): number {
    return this.source.ahead === undefined ? Math.min(end, this.byteLength) : end;
  }

  /** Fills the rest of `target`, of which `there` bytes are filled; a source that gives nothing more has ended. */
  private async complete(start: number, target: Uint8Array, there: number): Promise<number> {
    let done = there;
    while (done < target.length) {
      const at = start + done;
      const read = await this.guarded(at, () => fill(this.source, at, target.subarray(done)), 0);
      if (read === 0) {
        const { byteLength } = this.source;
        const fact = `the file ends at byte ${at} of ${byteLength}: it became shorter while it was read`;
        if (at < byteLength) this.endAt(at, { code: "source.changed", message: fact, offset: at });
        break;
      }
      done += read;
    }
    this.position = Math.max(this.position, start + done);
    return done;
  }

  /** Notes how the file changed until now, unless its end was found to be missing already. */
  async inspect(): Promise<void> {
    if (this.faults.length > 0) return;
    const fault = await this.source.change?.();
    if (fault) this.faults.push(fault);
  }

  private async guarded<T>(at: number, read: () => Promise<T>, nothing: T): Promise<T> {
    try {
      return await read();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const before = at === 0 ? "" : `; the ${at} bytes before that were read`;
      const message = `the input cannot be read at byte ${at}: ${reason}${before}`;
      this.endAt(at, { code: "source.unreadable", message, offset: at });
      return nothing;
    }
  }

  /** The input ends here. Of several faults the first one is the cause. */
  private endAt(end: number, fault: Fault): void {
    if (end >= this.end) return;
    this.end = end;
    this.faults.push(fault);
  }
}

/** Fills as much of `target` as the source has from `start`; returns how much that is. */
export async function fill(source: ByteSource, start: number, target: Uint8Array): Promise<number> {
  if (source.readInto !== undefined) return source.readInto(start, target);
  const bytes = await source.slice(start, start + target.length);
  target.set(bytes);
  return bytes.length;
}
