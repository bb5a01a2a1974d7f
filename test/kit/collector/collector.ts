/** A real Collector on a loopback port, and its output for the messages that it received. */
import { spawn } from "node:child_process";
import { closeSync, existsSync, fstatSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { COLLECTOR, whyNot } from "../../../scripts/build-collector.mjs";
import { profilesUrl } from "../../../src/push/endpoint.ts";
import { isSkipped } from "../needs.ts";

const CONFIGURATION = fileURLToPath(new URL("collector.yaml", import.meta.url));
const PATIENCE_MS = 20_000;
/** Between two looks at the files, which the Collector writes every 10 ms (collector.yaml). */
const PAUSE_MS = 10;
const LENGTH_BYTES = 4;

/** Ends the process that it starts when its input ends, also if the writer of the input was killed. */
const GUARDED = '"$0" "$@" & cat; kill $!; wait';

/** Why there is no Collector on this machine; null when there is. */
export async function missing(): Promise<string | null> {
  if (isSkipped("collector")) return "SPANFLAME_SKIP";
  if (existsSync(COLLECTOR)) return null;
  return (await whyNot()) ?? "no Collector; node scripts/build-collector.mjs builds it";
}

export interface Collector {
  url: string;
  /** The messages written since the last call, by each of the two exporters; waits for `count` of them. */
  written: (count: number) => Promise<{ lines: string[]; frames: Uint8Array[] }>;
  stop: () => Promise<void>;
}

/** A free port; the Collector cannot report which port it chose. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** `text`: another configuration, of the environment's ENDPOINT and OUT, which writes `out.jsonl` only. */
export async function startCollector(text?: string): Promise<Collector> {
  const folder = mkdtempSync(join(tmpdir(), "spanflame-collector-"));
  const configuration = text === undefined ? CONFIGURATION : join(folder, "collector.yaml");
  if (text !== undefined) writeFileSync(configuration, text);
  const address = `127.0.0.1:${await freePort()}`;
  const args = [COLLECTOR, "--config", configuration, "--feature-gates=service.profilesSupport"];
  const child = spawn("sh", ["-c", GUARDED, ...args], {
    env: { ...process.env, ENDPOINT: address, OUT: folder },
    stdio: ["pipe", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (part: Buffer) => {
    log += part;
  });
  const closed = new Promise((resolve) => child.on("close", resolve));
  const stop = async () => {
    child.stdin.end();
    await closed;
    rmSync(folder, { recursive: true });
  };
  const url = profilesUrl(`http://${address}`);
  try {
    await until(() => answers(url), "the Collector answers");
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message}; its log ends in\n${log.slice(-2000)}`);
  }
  const [lineFile, frameFile] = [join(folder, "out.jsonl"), join(folder, "out.bin")];
  // The files grow with every test, so bytes that were returned are not read again.
  let [lineStart, frameStart] = [0, 0];
  const written = async (count: number) => {
    const read = () => ({
      lines: linesOf(bytesFrom(lineFile, lineStart)),
      frames: framesOf(bytesFrom(frameFile, frameStart)),
    });
    let found = { lines: [] as string[], frames: [] as Uint8Array[] };
    const isWritten = () => {
      found = read();
      return found.lines.length >= count && (text !== undefined || found.frames.length >= count);
    };
    await until(isWritten, `${count} messages are written`);
    for (const line of found.lines) lineStart += Buffer.byteLength(line) + 1;
    for (const frame of found.frames) frameStart += LENGTH_BYTES + frame.length;
    return found;
  };
  return { url, written, stop };
}

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !(await holds()); await sleep(PAUSE_MS)) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
  }
}

/** An empty message is accepted, and nothing written of it. */
async function answers(url: string): Promise<boolean> {
  try {
    const headers = { "content-type": "application/x-protobuf" };
    return (await fetch(url, { method: "POST", headers, body: "" })).ok;
  } catch {
    return false;
  }
}

/** Bytes of a file behind its first `start`; none as long as it does not exist. */
function bytesFrom(path: string, start: number): Buffer {
  if (!existsSync(path)) return Buffer.alloc(0);
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(fstatSync(file).size - start);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
  } finally {
    closeSync(file);
  }
}

/** Whole lines: the last one may still be in writing. */
function linesOf(bytes: Buffer): string[] {
  return bytes
    .subarray(0, bytes.lastIndexOf(10) + 1)
    .toString("utf8")
    .split("\n")
    .slice(0, -1);
}

/** Whole messages after their lengths. */
function framesOf(bytes: Buffer): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at + LENGTH_BYTES <= bytes.length; ) {
    const end = at + LENGTH_BYTES + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    frames.push(bytes.subarray(at + LENGTH_BYTES, end));
    at = end;
  }
  return frames;
}
