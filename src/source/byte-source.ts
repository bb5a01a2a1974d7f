/** Where bytes come from: a File, a Buffer, a file handle. Everything that reads takes this, and nothing else. */
export interface ByteSource {
  readonly byteLength: number;
  /** Bytes [start, end), fewer only behind the end. */
  slice(start: number, end: number): Promise<Uint8Array>;
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

/** Fills as much of `target` as the source has from `start`; returns how much that is. */
export async function fill(source: ByteSource, start: number, target: Uint8Array): Promise<number> {
  if (source.readInto !== undefined) return source.readInto(start, target);
  const bytes = await source.slice(start, start + target.length);
  target.set(bytes);
  return bytes.length;
}
