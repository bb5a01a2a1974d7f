/** The recordings themselves, for the message made of them (`original_payload`). */
import { closeSync, openSync, readSync } from "node:fs";
import { type ByteSource, piecesOf } from "../../bytes/byte-source.ts";
import { Expansion } from "../../bytes/expansion.ts";
import { classified } from "../../input/classify.ts";
import { UsageError } from "../../node/exit.ts";
import { openInput } from "../../node/node-source.ts";

/** A multiple of 3, so that pieces in base64 join without padding. */
const PIECE = 3 << 18;

/** Bytes of a file unchanged, or decompressed in memory. */
type Part = { path: string; bytes: number } | { content: Uint8Array };

/** Several recordings in a row are one: chunks follow each other. */
export class RecordingPayload {
  readonly format = "jfr";
  readonly bytes: number;
  private readonly parts: Part[];

  private constructor(parts: Part[]) {
    this.parts = parts;
    this.bytes = parts.reduce((sum, part) => sum + ("content" in part ? part.content.length : part.bytes), 0);
  }

  /** Inputs that are no recordings, and archives of several files, are wrong usage: there is nothing to include. */
  static async of(paths: readonly string[]): Promise<RecordingPayload> {
    const parts: Part[] = [];
    for (const path of paths) {
      if (path === "-") throw new UsageError("--include-payload: standard input cannot be read twice");
      const input = await openInput(path);
      try {
        if (input.isPipe)
          throw new UsageError(`--include-payload: ${JSON.stringify(path)} is a pipe, which is read once`);
        parts.push(await partOf(path, input.source));
      } finally {
        await input.close();
      }
    }
    return new RecordingPayload(parts);
  }

  *pieces(): Generator<Uint8Array> {
    for (const part of this.parts) {
      if ("content" in part) yield part.content;
      else yield* piecesOfFile(part.path, part.bytes);
    }
  }

  /** The payload in base64, with padding at its end only. */
  *base64(): Generator<Uint8Array> {
    let rest: Uint8Array = new Uint8Array(0);
    for (const piece of this.pieces()) {
      const bytes = Buffer.concat([rest, piece]);
      const whole = bytes.length - (bytes.length % 3);
      yield Buffer.from(bytes.subarray(0, whole).toString("base64"), "latin1");
      rest = Uint8Array.from(bytes.subarray(whole));
    }
    yield Buffer.from(Buffer.from(rest).toString("base64"), "latin1");
  }
}

async function partOf(path: string, input: ByteSource): Promise<Part> {
  const { source, sniffed, packings } = await classified(input, new Expansion(input));
  if (packings.length === 0) {
    if (sniffed.kind === "jfr") return { path, bytes: input.byteLength };
    throw new UsageError(`--include-payload: ${JSON.stringify(path)} is not a plain recording`);
  }
  const pieces: Uint8Array[] = [];
  if (sniffed.kind === "jfr") for await (const piece of piecesOf(source, PIECE)) pieces.push(piece.slice());
  if (sniffed.kind !== "jfr" || packings.some(({ stream }) => stream.fault !== null)) {
    throw new UsageError(`--include-payload: ${JSON.stringify(path)} contains no intact recording`);
  }
  return { content: Buffer.concat(pieces) };
}

function* piecesOfFile(path: string, bytes: number): Generator<Uint8Array> {
  const file = openSync(path, "r");
  try {
    for (let at = 0; at < bytes; ) {
      const piece = new Uint8Array(Math.min(PIECE, bytes - at));
      const n = readSync(file, piece, 0, piece.length, at);
      // The message states its length, so the file must not have become shorter.
      if (n === 0) throw new Error(`${path}: ends at byte ${at} of ${bytes}: it changed while it was read`);
      yield piece.subarray(0, n);
      at += n;
    }
  } finally {
    closeSync(file);
  }
}
