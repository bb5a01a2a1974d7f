/** `spanflame export --watch`: exports files that appear while it runs, and ends on a signal. */
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { recordingOf } from "../../test/kit/fleet.ts";
import { POSIX } from "../../test/kit/needs.ts";
import { askCli, buildCli, ROOT, startCli } from "../../test/kit/run-cli.ts";

const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;

const folder = mkdtempSync(join(tmpdir(), "spanflame-watch-"));
const input = join(folder, "in");
const set = join(folder, "set");
beforeAll(async () => {
  await buildCli();
  mkdirSync(input);
  copyFileSync(join(ROOT, "fixtures", "shop.jfr"), join(input, "shop.jfr"));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** Names of the parts with samples that readers see. */
function parts(): string[] {
  const files = readdirSync(join(set, "samples"), { recursive: true, encoding: "utf8" });
  return files.filter((name) => name.endsWith(".parquet"));
}

async function until(isTrue: () => boolean, what: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!isTrue()) {
    if (performance.now() > end) throw new Error(`waited ${PATIENCE_MS} ms for: ${what}`);
    await sleep(PAUSE_MS);
  }
}

POSIX.it("exports a file that appears, and ends on SIGTERM", async () => {
  const watcher = startCli(["export", input, "--parquet", set, "--watch", "--json"]);
  let [out, err] = ["", ""];
  watcher.stdout?.on("data", (part) => (out += part));
  watcher.stderr?.on("data", (part) => (err += part));
  const ended = once(watcher, "close");
  try {
    await until(() => err.includes("watching for new recordings"), "the first export");
    const before = parts();
    expect(before.length).toBeGreaterThan(0);
    writeFileSync(join(input, "later.jfr"), recordingOf(0));
    await until(() => parts().length > before.length, "a new part");
    expect(parts()).toEqual(expect.arrayContaining(before));
  } finally {
    watcher.kill("SIGTERM");
  }
  expect(await ended).toEqual([0, null]);
  const { recordings, written, failed } = JSON.parse(out);
  expect(recordings.map(({ input: name }: { input: string }) => name)).toEqual(["in/shop.jfr", "in/later.jfr"]);
  expect([written, failed]).toEqual([2, 0]);
  const again = await askCli<object>("export", input, "--parquet", set);
  expect(again).toMatchObject({ written: 0, known: 2 });
  for (const state of ["writers", "claims", "files", "commits"])
    expect(readdirSync(join(set, "_spanflame", state))).toEqual([]);
});
