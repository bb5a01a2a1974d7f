/** The option `symbols` of `open` names the frames that `--symbols` names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as Comlink from "comlink";
import { zipSync } from "fflate";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { loadCore, openRecording } from "../../../test/kit/open-recording.ts";
import { askCli, buildCli, ROOT } from "../../../test/kit/run-cli.ts";
import { openInWorker } from "../worker.ts";
import { WorkerHost } from "../worker-host.ts";

// The sources have no modules beside them.
vi.mock("../load-core.ts", async (original) => {
  const { readFileSync: read } = await import("node:fs");
  const bytesAt = async ({ href }: URL) => read(`build/${href.slice(href.lastIndexOf("/"))}`);
  return { ...(await original<object>()), bytesAt };
});

const path = (name: string) => join(ROOT, "fixtures", "recorded", name);
const RECORDING = path("dd152-jdk17-remotesym.jfr");
const DEBUG = path("elf/libdemonative.so.debug");
const fileOf = (name: string) => ({ name, data: readFileSync(name) });

beforeAll(() => buildCli(), 120_000);

describe("files with symbols", () => {
  it.each([
    ["as a file", () => fileOf(DEBUG)],
    ["in an archive", () => ({ name: "a.zip", data: zipSync({ "lib/libdemonative.so.debug": readFileSync(DEBUG) }) })],
  ])("%s name the frames that the command line names", async (_, symbols) => {
    const recording = await openRecording(fileOf(RECORDING), { symbols: symbols() });
    const plain = await openRecording(fileOf(RECORDING));
    let named = 0;
    for (const { type } of recording.profiles) {
      type Told = { frames: { name: string; self: string; total: string }[] };
      const told = await askCli<Told>("top", RECORDING, "--symbols", DEBUG, "--type", type, "--limit", "1000000");
      const rows = recording.select(type).top({ limit: Number.POSITIVE_INFINITY }).rows;
      const lines = rows.map(({ name, self, total }) => `${name} ${self} ${total}`);
      const found = told.frames.filter(({ name }) => name !== "(no stack)");
      expect(found.map(({ name, self, total }) => `${name} ${self} ${total}`).sort()).toEqual(lines.sort());
      const before = new Set(
        plain
          .select(type)
          .top({ limit: Number.POSITIVE_INFINITY })
          .rows.map(({ name }) => name),
      );
      named += rows.filter(({ name }) => !before.has(name)).length;
    }
    expect(named).toBeGreaterThan(3);
    expect(recording.diagnostics).toEqual(plain.diagnostics);
  });

  it("name the frames in a worker, too", async () => {
    const { port1, port2 } = new MessageChannel();
    Comlink.expose(new WorkerHost(), port1 as unknown as Comlink.Endpoint);
    const worker = Object.assign(port2, { terminate: () => port1.close() }) as unknown as Worker;
    const wasm = await loadCore();
    const far = await openInWorker(fileOf(RECORDING), { worker, wasm, symbols: [fileOf(DEBUG)] });
    const near = await openRecording(fileOf(RECORDING), { symbols: fileOf(DEBUG) });
    expect(await far.select("wall").top()).toEqual(near.select("wall").top());
    far.close();
    port1.close();
  });

  it("that are none are diagnostics", async () => {
    const zip = zipSync({ "a.so": readFileSync(DEBUG) }, { level: 0 });
    const symbols = [
      { name: "a.txt", data: new TextEncoder().encode("text") },
      { name: "b.zip", data: zip.slice(0, zip.length >> 1) },
    ];
    const recording = await openRecording(fileOf(RECORDING), { symbols });
    const found = recording.diagnostics.filter(({ code }) => code.startsWith("symbols."));
    expect(found.map(({ file, code }) => [file, code])).toContainEqual(["a.txt", "symbols.not-elf"]);
    expect(found.map(({ file }) => file)).toContainEqual(expect.stringMatching(/^b\.zip/));
    expect(recording.profiles.length).toBeGreaterThan(0);
  });
});
