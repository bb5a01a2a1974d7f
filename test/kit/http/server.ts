/** A receiver on a loopback port that answers as a test tells it to, and keeps the requests. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export type Answer = (response: ServerResponse, received: Received) => void;

/** The body in the encoding that a receiver of OTLP would choose, unless the headers say another. */
export function answer(status: number, body: string | Uint8Array = "", headers: Record<string, string> = {}): Answer {
  return (response, received) => {
    response.writeHead(status, { "content-type": String(received.headers["content-type"]), ...headers });
    response.end(body);
  };
}

/** No answer: the connection breaks. */
export const reset: Answer = (response) => response.socket?.resetAndDestroy();

/** No answer, as long as anybody waits. */
export const silence: Answer = () => {};

/** The beginning of an answer. */
export const stall: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
  response.write("{");
};

/** A body that is not in the encoding that its header names, ended by the connection's end. */
export const garbled: Answer = (response) => {
  response.useChunkedEncodingByDefault = false;
  response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip", connection: "close" });
  response.end(Uint8Array.of(0x1f, 0x8b, ...new Array(40).fill(0x41)));
};

export interface TestServer {
  url: string;
  received: Received[];
  close: () => Promise<void>;
}

/** Gives the answers in turn, the last of them to everybody who comes later. */
export async function serve(...answers: Answer[]): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("error", () => {});
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      const one = { method, path, headers, body: Buffer.concat(parts) };
      received.push(one);
      answers[Math.min(received.length, answers.length) - 1]?.(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close };
}
