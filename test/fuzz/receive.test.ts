/**
 * The fuzzer of the receiver (docs/fuzzing.md): bodies of real senders, damaged blindly, on paths and with encodings of
 * others or their own, to `spanflame receive` as a process. Each is answered as its sender expects, a sound one is
 * taken afterwards, and the process stays below 300 MiB.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect } from "vitest";
import { Random } from "../kit/random.ts";
import { buildCli, startCli } from "../kit/run-cli.ts";
import { damageBlindly } from "./damage.ts";
import { type FuzzCase, fuzz } from "./runner.ts";

const MOST_KB = 300 * 1024;
const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url)));
const FORM = "multipart/form-data; boundary=x";
const TRACE = new Uint8Array(gunzipSync(fixture("traces/apctx-jdk17.whole.otlp.json.gz")));
const SEEDS: { path: string; type: string; bytes: Uint8Array }[] = [
  { path: "/v1development/profiles", type: "application/x-protobuf", bytes: fixture("received/ap46.otlp.pb") },
  { path: "/v1/traces", type: "application/json", bytes: TRACE },
  { path: "/v0.4/traces", type: "application/msgpack", bytes: fixture("received/dd168.v04.msgpack") },
  { path: "/v0.5/traces", type: "application/msgpack", bytes: fixture("received/dd168.v05.msgpack") },
  { path: "/profiling/v1/input", type: FORM, bytes: fixture("traces/market.upload") },
  { path: "/ingest?name=web{a=b}&format=jfr", type: FORM, bytes: fixture("received/pyroscope29.multipart") },
  { path: "/v1/logs", type: "application/x-protobuf", bytes: fixture("received/ap46.otlp.pb") },
];
/** Of any body: what a receiver answers. */
const STATUSES = [200, 202, 400, 413, 415];

interface ReceiveCase extends FuzzCase {
  path: string;
  headers: Record<string, string>;
}

let receiver: ChildProcess;
let origin = "";
let peakKb = 0;

beforeAll(async () => {
  await buildCli();
  receiver = startCli(["receive", "--port", "0", "--no-open", "--json"]);
  const [line] = (await once(receiver.stdout!, "data")) as [Buffer];
  origin = (JSON.parse(line.toString()) as { url: string }).url;
  receiver.stdout?.resume();
}, 120_000);

afterAll(() => receiver.kill());

function make(seed: number, index: number): ReceiveCase {
  const random = new Random(seed, index);
  const { path, type, bytes: whole } = random.pick(SEEDS);
  const other = random.pick(SEEDS);
  let bytes = whole;
  const said = [path];
  for (let n = random.below(4); n > 0 && bytes.length > 0; n--) {
    const [what, damaged] = damageBlindly(bytes, random, other.bytes);
    bytes = damaged;
    said.push(what);
  }
  const headers: Record<string, string> = { "content-type": random.one(6) ? other.type : type };
  if (random.one(4)) {
    bytes = new Uint8Array(gzipSync(bytes));
    headers["content-encoding"] = random.one(6) ? "zstd" : "gzip";
    said.push(headers["content-encoding"]);
  }
  return { path, headers, inputs: [{ name: "body", bytes }], said };
}

async function send(path: string, headers: Record<string, string>, bytes: Uint8Array): Promise<number> {
  const response = await fetch(`${origin}${path}`, { method: "POST", headers, body: new Uint8Array(bytes) });
  await response.arrayBuffer();
  return response.status;
}

async function check({ path, headers, inputs: [body] }: ReceiveCase): Promise<void> {
  expect(STATUSES).toContain(await send(path, headers, body!.bytes));
  const [sound] = SEEDS;
  expect(await send(sound!.path, { "content-type": sound!.type }, sound!.bytes)).toBe(200);
  if (process.platform !== "linux") return;
  const status = readFileSync(`/proc/${receiver.pid}/status`, "utf8");
  peakKb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
  expect(peakKb).toBeLessThan(MOST_KB);
}

fuzz({
  of: "receive",
  cases: 200,
  fresh: 20,
  make,
  check,
  renew: async () => {},
  summary: () => `the receiver had ${Math.round(peakKb / 1024)} MiB`,
});
