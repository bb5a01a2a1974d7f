/** Where bytes come from: a File, a Buffer, a file handle. Everything that reads takes this, and nothing else. */
export interface ByteSource {
  /** Bytes in all; of a stream, those that came so far. */
  readonly byteLength: number;
  /** Bytes [start, end), fewer only behind the end. `start` never falls below that of the call before. */
  slice(start: number, end: number): Promise<Uint8Array>;
  /** Of a stream: sees to it that bytes [start, end) are there, and returns how many there are. */
  ahead?(start: number, end: number): Promise<number>;
  /** Of a stream: keeps everything from `start` on, so that reading may come back to it; null lets go of it. */
  hold?(start: number | null): void;
  /** Fills `target` from `start`; spares the copy where the platform can. Returns how many bytes there were. */
  readInto?(start: number, target: Uint8Array): Promise<number>;
}

export function bytesSource(bytes: Uint8Array): ByteSource {
  return { byteLength: bytes.length, slice: async (start, end) => bytes.subarray(start, end) };
}

export function blobSource(blob: Blob): ByteSource {
  return {
    byteLength: blob.size,
    slice: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
  };
}

/** How many of the `n` bytes from `start` there are. */
export async function available(source: ByteSource, start: number, n: number): Promise<number> {
  if (source.ahead !== undefined) return source.ahead(start, start + n);
  return Math.max(0, Math.min(n, source.byteLength - start));
}

/** A source that knows how far it was read. */
export class CountedSource implements ByteSource {
  /** The furthest byte that was asked for. */
  position = 0;
  /** A stream stays one. */
  readonly ahead?: (start: number, end: number) => Promise<number>;
  readonly hold?: (start: number | null) => void;
  private readonly source: ByteSource;

  constructor(source: ByteSource) {
    this.source = source;
    if (source.ahead !== undefined) this.ahead = source.ahead.bind(source);
    if (source.hold !== undefined) this.hold = source.hold.bind(source);
  }

  get byteLength(): number {
    return this.source.byteLength;
  }

  slice(start: number, end: number): Promise<Uint8Array> {
    this.position = Math.max(this.position, Math.min(end, this.byteLength));
    return this.source.slice(start, end);
  }
}

/** Fills as much of `target` as the source has from `start`; returns how much that is. */
export async function fill(source: ByteSource, start: number, target: Uint8Array): Promise<number> {
  if (source.readInto !== undefined) return source.readInto(start, target);
  const bytes = await source.slice(start, start + target.length);
  target.set(bytes);
  return bytes.length;
}
