/** A static host behind a slow network: each answer waits for the round trip, and all share the bandwidth. */
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** What a link carries before the next answer has its turn. */
const CHUNK = 1 << 14;

/** Serves a folder on this machine. `taken` counts bytes and requests until it is reset. */
export async function slowHost(folder, { roundTripMs, megabits }) {
  const bytesPerMs = (megabits * 1e6) / 8 / 1000;
  const taken = { bytes: 0, requests: 0 };
  let free = 0;
  const send = async (response, bytes) => {
    for (let at = 0; at < bytes.length; at += CHUNK) {
      const chunk = bytes.subarray(at, at + CHUNK);
      free = Math.max(performance.now(), free) + chunk.length / bytesPerMs;
      await wait(Math.max(0, free - performance.now()));
      response.write(chunk);
    }
    response.end();
  };
  const server = createServer(async (request, response) => {
    const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "range" };
    await wait(roundTripMs);
    if (request.method === "OPTIONS")
      return response.writeHead(204, { ...cors, "access-control-max-age": "600" }).end();
    const path = join(folder, decodeURIComponent(request.url ?? ""));
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return response.writeHead(404, cors).end();
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const bytes = first === undefined ? readFileSync(path) : rangeOf(path, Number(first), Number(last) + 1);
    taken.bytes += bytes.length;
    taken.requests++;
    response.writeHead(first === undefined ? 200 : 206, { ...cors, "content-length": bytes.length });
    await send(response, bytes);
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, taken, close: () => server.close() };
}

export function rangeOf(path, from, to) {
  const bytes = Buffer.alloc(to - from);
  const file = openSync(path, "r");
  readSync(file, bytes, 0, to - from, from);
  closeSync(file);
  return bytes;
}

/** A file whose ranges are there after `arrived`, which gets their number of bytes; `taken` adds them up. */
export function countedFile(path, byteLength, taken, arrived) {
  return {
    byteLength,
    async slice(from, to = byteLength) {
      taken.requests++;
      taken.bytes += to - from;
      await arrived(to - from);
      const { buffer, byteOffset, length } = rangeOf(path, from, to);
      return buffer.slice(byteOffset, byteOffset + length);
    },
  };
}
