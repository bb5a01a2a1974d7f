/** Recordings → OTLP → store: the second store equals the first, and writes the same bytes. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import type { OutputFormat } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";

const FIXTURES = new URL("../../../fixtures/", import.meta.url);
const named = (folder: string) =>
  readdirSync(new URL(folder, FIXTURES))
    .filter((name) => name.endsWith(".jfr"))
    .map((name) => folder + name);
const RECORDINGS = [...named(""), ...named("recorded/")];

const module = await WebAssembly.compile(
  new Uint8Array(readFileSync(new URL("../../../build/core.wasm", import.meta.url))),
);

async function read(name: string, bytes: Uint8Array): Promise<Core> {
  const core = await Core.instantiate(module);
  await readInputs(core, [{ name, source: bytesSource(bytes) }]);
  return core;
}

/**
 * What the viewer and the command line ask a store. Without names: frames known by their address only are called by the
 * recorded offset, and the message has the address of the call before it.
 */
function answers(core: Core, names: boolean) {
  const profiles = core.profiles();
  // Messages have neither the settings nor the losses of a recorder.
  return profiles.map(({ settings: _, loss: ___, measures, ...profile }) => {
    const ranks = (["local-root", "span"] as const).map((kind) => {
      core.select(profile.id, {});
      return core.views.rank({ kind }, 0, 100_000);
    });
    const { frames, ...drawn } = core.views.frames({ focus: 0, width: 100_000 });
    // Ids of names are the store's own.
    const { nameIds: __, ...columns } = frames;
    const threads = core.views.rank({ kind: "attribute", key: "thread.name" }, 0, 1000);
    const own = { profile, value: measures[0]?.value, ranks, threads };
    return names ? { ...own, top: core.views.top("self", 0, 1000), drawn, columns } : own;
  });
}

describe.each(RECORDINGS)("%s", (path) => {
  it.each<OutputFormat>(["otlp", "otlp-json"])("comes back from %s as it went", async (format) => {
    const recording = await read(path, new Uint8Array(readFileSync(new URL(path, FIXTURES))));
    const { bytes } = recording.write(null, {}, { format });
    const back = await read("message", bytes);
    expect(back.diagnostics()).toEqual([]);
    const names = !path.includes("remotesym");
    expect(answers(back, names)).toEqual(answers(recording, names));
    expect(Buffer.compare(back.write(null, {}, { format }).bytes, bytes)).toBe(0);
  });
});
