/** Files of web servers: which parts are fetched, and what happens where a server does not answer with parts. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { ByteSource } from "../bytes/byte-source.ts";
import { openUrl } from "./url-source.ts";

const SIZE = 5 << 20;
const FILE = Uint8Array.from({ length: SIZE }, (_, i) => (i * 2654435761) >>> 24);

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let close = () => {};
afterEach(() => close());

/** The address of a server, and the ranges that it was asked for. */
async function serve(answer: Answer): Promise<{ address: string; ranges: (string | undefined)[] }> {
  const ranges: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    ranges.push(request.headers.range);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => void server.close();
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a%20b.jfr?c`, ranges };
}

function answerRange(request: IncomingMessage, response: ServerResponse, headers: Record<string, string> = {}): void {
  const [, start = 0, end = 0] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
  const part = FILE.subarray(Number(start), Math.min(SIZE, Number(end) + 1));
  const range = `bytes ${start}-${Number(start) + part.length - 1}/${SIZE}`;
  response.writeHead(206, { "content-range": range, ...headers }).end(part);
}

async function readAll(source: ByteSource, step: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(SIZE);
  for (let at = 0; at < SIZE; at += step) bytes.set(await source.slice(at, at + step), at);
  return bytes;
}

describe("a file on a server", () => {
  it("is fetched in parts, each once", async () => {
    const { address, ranges } = await serve(answerRange);
    const { name, data } = await openUrl(address);
    const source = data as ByteSource;
    expect(name).toBe("a b.jfr");
    expect(source.byteLength).toBe(SIZE);
    expect(Buffer.from(await readAll(source, 1000)).equals(FILE)).toBe(true);
    // A part is as large as a megabyte, and a little is fetched again where one begins inside of a slice.
    expect(ranges).toHaveLength(6);
  });

  it("is fetched as far as it is read", async () => {
    const { address, ranges } = await serve(answerRange);
    const source = (await openUrl(address)).data as ByteSource;
    const large = await source.slice(2 << 20, 5 << 20);
    expect(Buffer.from(large).equals(FILE.subarray(2 << 20))).toBe(true);
    expect(ranges).toEqual(["bytes=0-1048575", `bytes=${2 << 20}-${SIZE - 1}`]);
  });

  it("whose parts have no end is read as far as it was asked for", async () => {
    let sent = 0;
    const { address } = await serve((request, response) => {
      const start = Number(/=(\d+)/.exec(request.headers.range ?? "")?.[1]);
      response.writeHead(206, { "content-range": `bytes ${start}-${SIZE - 1}/${SIZE}` });
      response.write(FILE.subarray(start));
      const more = () => {
        sent++;
        if (!response.destroyed) response.write(FILE, more);
      };
      more();
    });
    const source = (await openUrl(address)).data as ByteSource;
    expect(Buffer.from(await readAll(source, 1 << 20)).equals(FILE)).toBe(true);
    expect(sent).toBeLessThan(100);
  });

  it("is read once where the server knows no parts", async () => {
    const { address, ranges } = await serve((_, response) => response.end(FILE));
    const source = (await openUrl(new URL(address), { headers: { accept: "application/x-jfr" } })).data as ByteSource;
    expect(Buffer.from(await readAll(source, 4096)).equals(FILE)).toBe(true);
    expect(ranges).toEqual(["bytes=0-1048575"]);
  });

  it("is read as a whole where the part is encoded", async () => {
    const { address, ranges } = await serve((request, response) => {
      if (request.headers.range === undefined) response.end(FILE);
      else answerRange(request, response, { "content-encoding": "identity" });
    });
    const source = (await openUrl(address)).data as ByteSource;
    expect(Buffer.from(await readAll(source, 4096)).equals(FILE)).toBe(true);
    expect(ranges).toEqual(["bytes=0-1048575", undefined]);
  });

  it("that changes is noticed", async () => {
    let version = 0;
    const { address } = await serve((request, response) => answerRange(request, response, { etag: `"${version++}"` }));
    const source = (await openUrl(address)).data as ByteSource;
    await source.slice(0, 10);
    await expect(source.slice(3 << 20, 4 << 20)).rejects.toThrow("changed while it was read");
  });

  it("that is not there is an error", async () => {
    const { address } = await serve((_, response) => response.writeHead(404, "Not Found").end());
    await expect(openUrl(address)).rejects.toThrow("the server answered 404 Not Found");
  });
});
