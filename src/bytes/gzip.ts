/**
 * gzip (RFC 1952): members, each with its own head and tail, one after the other.
 *
 *   member := head · deflate stream · CRC-32 u32 · size mod 2³² u32
 *
 * The platform's decompressor is fast. Node's takes all members; those of browsers take one, fail at the next, and lose
 * the bytes that they have not delivered. After a failure fflate decompresses the file again from its start: it takes
 * all members.
 */
import { Gunzip } from "fflate";
import type { ByteSource } from "./byte-source.ts";
import { crc32 } from "./crc32.ts";
import { iterate } from "./stream-source.ts";

/** Compressed bytes are requested in pieces of this size. */
const PIECE = 1 << 18;
/** And handed to the platform in these: a byte may become a thousand, and browsers keep all that one piece becomes. */
const PLATFORM_PIECE = 1 << 16;
/** And to fflate in these: it calls itself for every member of a piece. */
const SECOND_PIECE = 1 << 13;
const TAIL = 8;
/** fflate's code of an error for bytes that are no head. */
const NO_HEAD = 6;
/** Bytes of a head that fflate needs to refuse it. */
const LEAST_HEAD = 4;

/** The last member has no end. */
export class GzipCut extends Error {
  /** Bytes of its tail that are missing; null if its data goes on. */
  readonly missingTail: number | null;

  constructor(missingTail: number | null) {
    super("the file is cut");
    this.missingTail = missingTail;
  }
}

async function* piecesOf(source: ByteSource, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const piece = await source.slice(at, at + (source.ahead === undefined ? PIECE : size));
    if (piece.length === 0) return;
    for (let i = 0; i < piece.length; i += size) yield piece.subarray(i, i + size);
    at += piece.length;
  }
}

/** The decompressed bytes. Throws what the platform reports if the file is damaged. */
export async function* unpackGzip(source: ByteSource): AsyncGenerator<Uint8Array> {
  let given = 0;
  try {
    for await (const piece of byPlatform(source)) {
      given += piece.length;
      yield piece;
    }
  } catch (error) {
    // A stream cannot be read again. A platform that takes all members failed at damage.
    if (source.ahead !== undefined || (await takesMembers())) throw error;
    try {
      yield* unpackMembers(source, given);
    } catch {
      throw error;
    }
  }
}

/** A member without content: head, an empty stored block, CRC-32 and size. */
const EMPTY_MEMBER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0];
let known: Promise<boolean> | undefined;

/** Whether the platform's decompressor takes a second member. */
function takesMembers(): Promise<boolean> {
  known ??= new Response(
    new Blob([Uint8Array.from([...EMPTY_MEMBER, ...EMPTY_MEMBER])])
      .stream()
      .pipeThrough(new DecompressionStream("gzip")),
  )
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
  return known;
}

function byPlatform(source: ByteSource): AsyncIterable<Uint8Array> {
  const pieces = piecesOf(source, PLATFORM_PIECE);
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value as Uint8Array<ArrayBuffer>);
    },
  });
  return iterate(packed.pipeThrough(new DecompressionStream("gzip")));
}

/** All members, without the first `skip` decompressed bytes. Throws where one is damaged. */
export async function* unpackMembers(source: ByteSource, skip: number): AsyncGenerator<Uint8Array> {
  yield* unpackInPieces(source, skip, Number.POSITIVE_INFINITY);
}

/** All members, as `unpackMembers`, but throws only after all bytes before the damage. */
export async function* unpackMembersFinely(source: ByteSource, skip: number): AsyncGenerator<Uint8Array> {
  let given = skip;
  let packed = 0;
  try {
    for await (const piece of unpackInPieces(source, skip, Number.POSITIVE_INFINITY, (at) => (packed = at))) {
      given += piece.length;
      yield piece;
    }
  } catch {
    // fflate drops what a piece decompresses to before its damage: the same again, from that piece on byte by byte.
    yield* unpackInPieces(source, given, packed);
  }
}

/** `fineFrom`: compressed bytes from there on are decompressed one by one. `onPiece` gets the offset of each piece. */
async function* unpackInPieces(
  source: ByteSource,
  skip: number,
  fineFrom: number,
  onPiece: (at: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const out: Uint8Array[] = [];
  let member = { crc: 0, size: 0 };
  /** Members that ended, with the offset after the tail of each. */
  let ended: { end: number; crc: number; size: number }[] = [];
  let packedBytes = 0;
  const gunzip = new Gunzip((piece) => {
    member = { crc: crc32(piece, member.crc), size: (member.size + piece.length) % 2 ** 32 };
    out.push(piece);
  });
  gunzip.onmember = (end) => {
    ended.push({ end, ...member });
    member = { crc: 0, size: 0 };
  };
  function* taken(): Generator<Uint8Array> {
    for (const bytes of out.splice(0)) {
      if (bytes.length > skip) yield bytes.subarray(skip);
      skip = Math.max(0, skip - bytes.length);
    }
  }
  for await (const large of piecesOf(source, SECOND_PIECE)) {
    const size = packedBytes < fineFrom ? large.length : 1;
    for (let i = 0; i < large.length; i += size) {
      onPiece(packedBytes);
      // A copy, because fflate keeps its input, and pieces are views.
      const piece = large.slice(i, i + size);
      gunzip.push(piece);
      packedBytes += piece.length;
      yield* taken();
    }
    for (const each of ended) if (!(await isTail(source, each))) throw wrongSum();
    ended = [];
  }
  const missing = missingTail(gunzip);
  if (missing === null || missing > 0) throw new GzipCut(missing);
  if (missing < 0 || !(await isTail(source, { end: packedBytes, ...member }))) throw wrongSum();
}

/**
 * How many bytes of its tail the last member lacks; negative if bytes are after it, null if its data goes on. fflate
 * does not report the end of the data, but it refuses zeros where the next head should be, and is of no use after that.
 */
function missingTail(gunzip: Gunzip): number | null {
  for (let zeros = 1; zeros <= TAIL + LEAST_HEAD; zeros++) {
    try {
      gunzip.push(Uint8Array.of(0));
    } catch (error) {
      const isHead = typeof error === "object" && error !== null && "code" in error && error.code === NO_HEAD;
      return isHead ? zeros - LEAST_HEAD : null;
    }
  }
  return null;
}

interface Tail {
  /** Offset after it. */
  end: number;
  crc: number;
  size: number;
}

async function isTail(source: ByteSource, { end, crc, size }: Tail): Promise<boolean> {
  if (end < TAIL) return false;
  const tail = await source.slice(end - TAIL, end);
  const view = new DataView(tail.buffer, tail.byteOffset, tail.length);
  return view.getUint32(0, true) === crc && view.getUint32(4, true) === size;
}

function wrongSum(): Error {
  return new Error("the checksum is wrong");
}
