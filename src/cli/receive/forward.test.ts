/** What arrives at the receiver, sent on to a real HTTP server that takes it, refuses it, or is away for a moment. */
import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeAll, expect, it } from "vitest";
import { read } from "../../../test/kit/core/read-store.ts";
import { answer, reset, serve, type TestServer } from "../../../test/kit/http/server.ts";
import { logsProtobuf } from "../../../test/kit/otlp/logs-writer.ts";
import { buildCli, CLI, startCli } from "../../../test/kit/run-cli.ts";

const fixture = (name: string) => readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url));
const PROFILE = fixture("received/ap46.otlp.pb");
const TRACE = gunzipSync(fixture("traces/apctx-jdk17.whole.otlp.json.gz"));
const PROTOBUF = "application/x-protobuf";

beforeAll(buildCli, 120_000);

let server: TestServer;
afterEach(() => server.close());

async function forwarding(to: string): Promise<{ own: ChildProcess; origin: string; said: () => string }> {
  const own = startCli(["receive", "--port", "0", "--no-open", "--json", "--forward", to]);
  const said: Buffer[] = [];
  own.stderr?.on("data", (part: Buffer) => void said.push(part));
  const [line] = (await once(own.stdout!, "data")) as [Buffer];
  own.stdout?.resume();
  return { own, origin: JSON.parse(line.toString()).url, said: () => Buffer.concat(said).toString() };
}

async function send(url: string, type: string, body: Uint8Array): Promise<void> {
  const packed = new Uint8Array(gzipSync(body));
  const headers = { "content-type": type, "content-encoding": "gzip" };
  expect((await fetch(url, { method: "POST", headers, body: packed })).status).toBe(200);
}

/** Ends the receiver, which first sends on what waits. */
async function ended(own: ChildProcess): Promise<number> {
  own.kill("SIGINT");
  const [code] = await once(own, "exit");
  return code;
}

it("sends profiles as OTLP, traces and logs as they came, each to its path", async () => {
  // The first connection breaks: the receiver is away for a moment.
  server = await serve(reset, answer(200));
  const { own, origin } = await forwarding(`${server.url}/v1development/profiles`);
  const pprof = (await read(fixture("shop.jfr"))).write(null, {}, { format: "pprof" }).bytes.slice();
  const logs = logsProtobuf({ records: [{ type: "cpu", pprof }] });
  const spans = fixture("received/dd168.v04.msgpack");
  await send(`${origin}/otlp/v1/traces`, "application/json", TRACE);
  await send(`${origin}/v1/logs`, PROTOBUF, logs);
  await send(`${origin}/v1development/profiles`, PROTOBUF, PROFILE);
  await send(`${origin}/v0.4/traces`, "application/msgpack", spans);
  expect(await ended(own)).toBe(0);
  const got = server.received.map(({ path, headers, body }) => ({ path, type: headers["content-type"], body }));
  expect(got).toEqual([
    { path: "/v1/traces", type: "application/json", body: TRACE },
    { path: "/v1/traces", type: "application/json", body: TRACE },
    { path: "/v1/logs", type: PROTOBUF, body: Buffer.from(logs) },
    { path: "/v1development/profiles", type: PROTOBUF, body: expect.any(Buffer) },
    { path: "/v0.4/traces", type: "application/msgpack", body: spans },
  ]);
}, 60_000);

it("says what was refused or rejected, goes on, and ends with a failure", async () => {
  const rejected = JSON.stringify({ partialSuccess: { rejectedSpans: "3", errorMessage: "too old" } });
  server = await serve(
    answer(200, rejected),
    answer(400, JSON.stringify({ code: 3, message: "no such tenant" })),
    answer(503, "", { "retry-after": "0" }),
  );
  const { own, origin, said } = await forwarding(server.url);
  for (let n = 0; n < 3; n++) await send(`${origin}/v1/traces`, "application/json", TRACE);
  expect(await ended(own)).toBe(1);
  expect(said()).toContain("accepted except for 3 rejected traces: too old");
  expect(said()).toContain("refused: 400 Bad Request no such tenant (code 3)");
  // As often as a message is tried.
  expect(said()).toMatch(/again in 0.0 s \(4 of 5\)\n.*refused: 503 Service Unavailable/);
  expect(server.received).toHaveLength(7);
}, 60_000);

it("ends before it listens where the address is none", () => {
  const args = [CLI, "receive", "--port", "0", "--no-open", "--for", "1s", "--forward", "ftp://a"];
  expect(() => execFileSync(process.execPath, args, { stdio: "pipe" })).toThrow(/--forward: "ftp:\/\/a" is not/);
});
