/** The body of a request: limited in bytes before and after decompression, and in what all requests hold together. */
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip, inflate } from "node:zlib";
import { bytesSource } from "../../bytes/byte-source.ts";
import { joined } from "../../bytes/joined.ts";
import { takeFrom } from "../../bytes/take.ts";
import { unpackZstd } from "../../bytes/zstd.ts";
import { Refused } from "./answers.ts";

/** As the specification of OTLP recommends for receivers, before and after decompression. */
const MOST_BODY = 1 << 26;
/** Bytes of bodies that arrive at the same time. */
const MOST_ARRIVING = 1 << 26;
let arriving = 0;

const tooLarge = () => new Refused(413, `the body is larger than ${MOST_BODY} bytes`);
const limits = { maxOutputLength: MOST_BODY };

/** Decompression by the name in Content-Encoding. */
const ENCODINGS: ReadonlyMap<string, (bytes: Uint8Array) => Promise<Uint8Array>> = new Map([
  ["", async (bytes) => bytes],
  ["identity", async (bytes) => bytes],
  ["none", async (bytes) => bytes],
  ["gzip", (bytes) => promisify(gunzip)(bytes, limits)],
  ["deflate", (bytes) => promisify(inflate)(bytes, limits)],
  ["zlib", (bytes) => promisify(inflate)(bytes, limits)],
  ["zstd", unzstd],
]);
const KNOWN = "gzip, deflate, zstd";

async function unzstd(bytes: Uint8Array): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of unpackZstd(takeFrom(bytesSource(bytes)))) {
    size += piece.length;
    if (size > MOST_BODY) throw tooLarge();
    pieces.push(piece.slice());
  }
  return joined(pieces);
}

/** The bytes as they arrive. Throws Refused if they are too many, or if others arrive and there is no room. */
async function arrived(request: IncomingMessage): Promise<Uint8Array> {
  const stated = Number(request.headers["content-length"] ?? 0);
  if (stated > MOST_BODY) throw tooLarge();
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of request as AsyncIterable<Uint8Array>) {
      size += piece.length;
      arriving += piece.length;
      if (size > MOST_BODY) throw tooLarge();
      if (arriving > MOST_ARRIVING) throw new Refused(503, "other requests arrive; send it again");
      pieces.push(piece);
    }
    return joined(pieces);
  } finally {
    arriving -= size;
  }
}

let last: Promise<unknown> = Promise.resolve();

/** Calls `take` with the decompressed body. One body is decompressed and read at a time, which limits the memory. */
export async function withBody<T>(request: IncomingMessage, take: (body: Uint8Array) => Promise<T>): Promise<T> {
  const name = (request.headers["content-encoding"] ?? "").trim().toLowerCase();
  const unpack = ENCODINGS.get(name);
  if (unpack === undefined)
    throw new Refused(415, `the content encoding ${JSON.stringify(name)} is not read; ${KNOWN} are`, {
      "accept-encoding": KNOWN,
    });
  const packed = await arrived(request);
  const turn = last.then(async () => take(await unpacked(name, packed, unpack)));
  last = turn.catch(() => {});
  return turn;
}

async function unpacked(
  name: string,
  packed: Uint8Array,
  unpack: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  // Some senders state the encoding of a body that they did not send.
  if (packed.length === 0) return packed;
  try {
    return await unpack(packed);
  } catch (error) {
    if (error instanceof Refused) throw error;
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new Refused(400, `the body is not ${name}: ${(error as Error).message}`);
  }
}
