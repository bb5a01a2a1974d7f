/** Real dumps of ../shared, where that is: figures that were counted by a separate reader. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { callsOf, codesOf, readFile, readFolder, sumOf } from "../kit/cdt/cdt-reading.ts";
import { emptyCore } from "../kit/core/read-store.ts";
import { need } from "../kit/needs.ts";

const DUMPS = fileURLToPath(new URL("../../../shared/recordings/cdt/", import.meta.url));

function filesOf(folder: string): Record<string, Uint8Array> {
  const paths = readdirSync(join(DUMPS, folder), { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    paths
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(DUMPS.length).replaceAll("\\", "/"), new Uint8Array(readFileSync(path))]),
  );
}

need(existsSync(DUMPS), "no ../shared/recordings/cdt").describe("real dumps", () => {
  it.each(["test-service", "tcp-capture.protocol"])("%s: calls, roots, events, and sums that close", async (name) => {
    const core = await emptyCore();
    const isFolder = !name.includes(".");
    const runs = isFolder
      ? await readFolder(core, filesOf(name))
      : await readFile(core, name, new Uint8Array(readFileSync(join(DUMPS, name))));
    const calls = [...(await callsOf(core, runs)).values()];
    const dumps = await core.dumps();
    expect(dumps.counts(0)).toMatchObject({
      linked: 45,
      roots: 85,
      unrecorded: 40,
      blocks: 69,
      events: 3521,
      words: 942,
      pauses: 504,
    });
    expect(calls.filter(({ recorded }) => recorded).length).toBe(45);
    expect([sumOf(core, "wall"), sumOf(core, "suspension"), sumOf(core, "net")]).toEqual([
      115_655e6, 42_981e6, 72_674e6,
    ]);
    for (const { treeWall, frames } of calls) expect(frames[0]?.total).toBe(Number(treeWall));
  });

  it("local-dump: four runs of two calls", async () => {
    const core = await emptyCore();
    const runs = await readFolder(core, filesOf("local-dump"));
    const calls = [...(await callsOf(core, runs)).values()];
    expect(runs.length).toBe(4);
    expect(calls.map(({ recorded, tree }) => [recorded, tree])).toEqual(Array(8).fill([true, "whole"]));
  });

  // The parameters of the 14th are damaged, but possible.
  it("corrupt.calls.bin: the records before its damage", async () => {
    const core = await emptyCore();
    const runs = await readFolder(core, {
      "x.calls.0.bin": new Uint8Array(readFileSync(join(DUMPS, "corrupt.calls.bin"))),
    });
    expect((await callsOf(core, runs)).size).toBe(14);
    expect(codesOf(core)).toContain("cdt.calls.implausible");
  });
});
