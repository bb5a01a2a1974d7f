#!/usr/bin/env node
/**
 * node test/producers/receive.mjs FOLDER: what a tracer sends to Datadog's agent on this machine. Prints its address,
 * listens on loopback only, and ends with its standard input or after three minutes. Then the folder has
 *
 *   trace.json     all spans, as the agent's API takes them: an array of traces, ids as decimals
 *   upload-N.body  the body of the N-th upload of a profile, as it came; upload-N.type has its Content-Type
 */
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { argv, stdin, stdout } from "node:process";
import { unpack } from "./msgpack.mjs";

const MOST_MS = 180_000;
const TRACES = /^\/v0\.[34]\/traces$/;
const PROFILES = "/profiling/v1/input";
const ANSWERS = {
  "/info": { version: "7.60.0", endpoints: ["/v0.4/traces", PROFILES], client_drop_p0s: false },
};

const [folder] = argv.slice(2);
if (folder === undefined) throw new Error("node test/producers/receive.mjs FOLDER");
await mkdir(folder, { recursive: true });
const traces = [];
let uploads = 0;

async function take(path, type, body) {
  if (TRACES.test(path)) traces.push(...unpack(body));
  if (path !== PROFILES) return;
  const name = join(folder, `upload-${++uploads}`);
  await Promise.all([writeFile(`${name}.body`, body), writeFile(`${name}.type`, type)]);
}

/** JSON with the decimals of BigInts, which may be above 2^53. */
function json(value) {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(json).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${json(each)}`)}}`;
}

const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const { pathname } = new URL(request.url, "http://localhost");
  await take(pathname, request.headers["content-type"] ?? "", Buffer.concat(parts));
  const answer = ANSWERS[pathname] ?? { rate_by_service: {} };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
});
server.listen(0, "127.0.0.1", () => stdout.write(`http://127.0.0.1:${server.address().port}\n`));

async function end() {
  server.close();
  server.closeAllConnections();
  await writeFile(join(folder, "trace.json"), json(traces));
  process.exit(0);
}
stdin.resume().on("end", end);
setTimeout(end, MOST_MS);
