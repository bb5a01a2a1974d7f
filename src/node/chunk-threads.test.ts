/** Threads of Node beside the reading one: with them, and with threads that fail, the recording is that of one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { buildCli, ROOT } from "../../test/kit/run-cli.ts";
import type { ByteSource } from "../bytes/byte-source.ts";
import { Core } from "../core/core.ts";
import { readInputs } from "../input/open.ts";
import { ChunkThreads } from "./chunk-threads.ts";
import { fileSource } from "./file-source.ts";

const CHUNKS = ["shop-chunks.jfr", "recorded/ap46-jdk17-all.jfr", "shop.jfr", "recorded/ddagent-jdk17.jfr"];

let folder: string;
let module: WebAssembly.Module;
let alone: unknown;
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "spanflame-threads-"));
  const chunks = CHUNKS.map((name) => readFileSync(join(ROOT, "fixtures", name)));
  writeFileSync(join(folder, "all.jfr"), Buffer.concat([...chunks, ...chunks]));
  writeFileSync(join(folder, "fails.mjs"), "throw new Error('no thread');");
  writeFileSync(
    join(folder, "ends.mjs"),
    "import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => process.exit());",
  );
  module = await WebAssembly.compile(readFileSync(join(ROOT, "build/core.wasm")));
  alone = (await read(null)).result;
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

const entryOf = (path: string) => pathToFileURL(path);
const built = () => entryOf(join(ROOT, "dist-lib/chunk-thread.js"));

/** What a core has of the file, and the number of chunks that threads read of it. */
async function read(entry: URL | null, change = (source: ByteSource) => source, signal?: AbortSignal) {
  const path = join(folder, "all.jfr");
  const handle = await open(path);
  const core = await Core.instantiate(module);
  const merging = vi.spyOn(core, "mergeChunk");
  const threads = entry === null ? undefined : new ChunkThreads(entry, 3);
  threads?.use(module);
  try {
    const source = change(await fileSource(handle, path));
    await readInputs(core, [{ name: "all.jfr", source }], { others: threads, signal });
    const bytes = Buffer.from(core.write(null, {}, { format: "otlp" }).bytes).toString("latin1");
    const merged = merging.mock.results.filter(({ value }) => value !== null).length;
    return { merged, result: [core.files(), core.diagnostics(), core.profiles(), bytes] };
  } finally {
    threads?.close();
    await handle.close();
  }
}

describe("threads of Node", () => {
  it("read chunks of the file", async () => {
    const { merged, result } = await read(built());
    expect(merged).toBeGreaterThan(0);
    expect(result).toEqual(alone);
  });

  it("are sent the bytes of a source that has no file", async () => {
    const { merged, result } = await read(built(), ({ place: _, ...source }) => source);
    expect(merged).toBeGreaterThan(0);
    expect(result).toEqual(alone);
  });

  it.each([
    ["another file has the name now", (source: ByteSource) => ({ ...source, place: { ...source.place!, inode: 1n } })],
    ["the file is gone", (source: ByteSource) => ({ ...source, place: { ...source.place!, path: "/there/is/none" } })],
  ])("leave all chunks to the reading core where %s", async (_, change) => {
    const { merged, result } = await read(built(), change);
    expect(merged).toBe(0);
    expect(result).toEqual(alone);
  });

  it.each(["fails.mjs", "ends.mjs"])("leave all chunks to the reading core where the thread %s", async (name) => {
    const { merged, result } = await read(entryOf(join(folder, name)));
    expect(merged).toBe(0);
    expect(result).toEqual(alone);
  });

  it("end with the reading", async () => {
    const abort = new AbortController();
    abort.abort(new Error("no longer wanted"));
    await expect(read(built(), undefined, abort.signal)).rejects.toThrow("no longer wanted");
  });
});
