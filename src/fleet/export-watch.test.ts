/** `spanflame export --watch`: exports files that appear while it runs, and ends on a signal. */
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect } from "vitest";
import { asFolder, type WrittenCall, writeStreams } from "../../test/kit/cdt/cdt-writer.ts";
import { rowsOf } from "../../test/kit/data-set.ts";
import { recordingOf } from "../../test/kit/jfr/fleet.ts";
import { POSIX } from "../../test/kit/needs.ts";
import { askCli, buildCli, callCli, ROOT, startCli } from "../../test/kit/run-cli.ts";
import { stateOf } from "./export-inputs.ts";

const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;

const folder = mkdtempSync(join(tmpdir(), "spanflame-watch-"));
const input = join(folder, "in");
const set = join(folder, "set");
const CALL: WrittenCall = {
  threadId: 1,
  thread: "main",
  at: Date.UTC(2024, 1, 3),
  root: { method: "void a.B.run() (B.java:1)", before: 0, after: 10, children: [] },
  isRecorded: true,
  reactive: 0,
  params: {},
};
/** Of two chunks. */
const whole = recordingOf(3);
const DUMP = writeStreams({ start: CALL.at, calls: [CALL] }).streams;
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

function manifests(of = set): number {
  const done = join(of, "_spanflame", "done");
  return existsSync(done) ? readdirSync(done).length : 0;
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
    // Its profiler is still writing the second chunk.
    const first = Number(Buffer.from(whole).readBigInt64BE(8));
    writeFileSync(join(input, "growing.jfr"), whole.subarray(0, (first + whole.length) / 2));
    writeFileSync(join(input, "later.jfr"), recordingOf(0));
    for (const [path, bytes] of Object.entries(asFolder(DUMP, "dump"))) {
      mkdirSync(dirname(join(input, path)), { recursive: true });
      writeFileSync(join(input, path), bytes);
    }
    await until(() => existsSync(join(set, "calls")) && manifests() >= 2, "new parts");
    const later = parts();
    expect(later).toEqual(expect.arrayContaining(before));
    writeFileSync(join(input, "growing.jfr"), whole);
    await until(() => parts().length > later.length, "the part of a recording that is complete");
  } finally {
    watcher.kill("SIGTERM");
  }
  expect(await ended).toEqual([0, null]);
  const { recordings, written, failed, calls } = JSON.parse(out);
  const names = recordings.map(({ input: name }: { input: string }) => name);
  expect([names[0], names.slice(1, 4).sort(), names.slice(4)]).toEqual([
    "in/shop.jfr",
    ["in/dump", "in/growing.jfr", "in/later.jfr"],
    ["in/growing.jfr"],
  ]);
  expect([written, failed, calls]).toEqual([5, 0, 1]);
  const grown = recordings.filter(({ input: name }: { input: string }) => name === "in/growing.jfr");
  const samples = grown.map((each: { samples: number }) => each.samples);
  const atOnce = await askCli<{ samples: number }>("export", join(input, "growing.jfr"), "--parquet", `${set}-at-once`);
  expect([Math.min(...samples) > 0, samples[0] + samples[1]]).toEqual([true, atOnce.samples]);
  const again = await askCli<object>("export", input, "--parquet", set);
  expect(again).toMatchObject({ written: 0, known: 4 });
  for (const state of ["writers", "claims", "files", "commits"])
    expect(readdirSync(join(set, "_spanflame", state))).toEqual([]);
});

POSIX.it("takes a packed file whole that was there in part first, a recording or a message", async () => {
  const [inbox, own] = [join(folder, "packed"), join(folder, "packed-set")];
  mkdirSync(inbox);
  const jfr = join(folder, "whole.jfr");
  writeFileSync(jfr, whole);
  await callCli(["convert", jfr, "-o", join(folder, "whole.json.gz")]);
  const packed = { "a.jfr.gz": gzipSync(whole), "b.otlp.gz": readFileSync(join(folder, "whole.json.gz")) };
  const put = (share: number) => {
    for (const [name, bytes] of Object.entries(packed))
      writeFileSync(join(inbox, name), bytes.subarray(0, bytes.length * share));
  };
  put(0.8);
  const watcher = startCli(["export", inbox, "--parquet", own, "--watch", "--json"]);
  let [out, err] = ["", ""];
  watcher.stdout?.on("data", (part) => (out += part));
  watcher.stderr?.on("data", (part) => (err += part));
  const ended = once(watcher, "close");
  try {
    await until(() => err.includes("watching for new recordings"), "the first export");
    const before = manifests(own);
    put(1);
    await until(() => manifests(own) > before, "the rest");
    await sleep(PAUSE_MS);
  } finally {
    watcher.kill("SIGTERM");
  }
  await ended;
  const { failed } = JSON.parse(out);
  const sum = "select sum(samples)::int as n from recordings";
  await askCli("export", inbox, "--parquet", `${own}-once`);
  expect([failed, await rowsOf(own, sum)]).toEqual([0, await rowsOf(`${own}-once`, sum)]);
});

POSIX.it("sees a file in whose place is another of the same size and time", async () => {
  const [path, other] = ["replaced.jfr", "other.jfr"].map((name) => join(folder, name)) as [string, string];
  for (const each of [path, other]) {
    writeFileSync(each, "x");
    utimesSync(each, 1, 1);
  }
  const before = stateOf({ path, name: path });
  expect(stateOf({ path, name: path })).toBe(before);
  renameSync(other, path);
  expect(stateOf({ path, name: path })).not.toBe(before);
});

POSIX.it(
  "of several processes on one inbox loses and doubles nothing when one is killed; a status file has counts",
  async () => {
    const [inbox, shared] = [join(folder, "inbox"), join(folder, "shared")];
    mkdirSync(inbox);
    writeFileSync(join(inbox, "old.jfr"), recordingOf(1));
    utimesSync(join(inbox, "old.jfr"), new Date("2020-01-01"), new Date("2020-01-01"));
    const status = (n: number) => join(folder, `status-${n}.json`);
    const start = (n: number) =>
      startCli(["export", inbox, "--parquet", shared, "--watch", "--keep", "1000d", "--status", status(n)]);
    const watchers = [0, 1, 2].map(start);
    const ended = watchers.map((watcher) => once(watcher, "close"));
    const counts = (n: number) => JSON.parse(readFileSync(status(n), "utf8"));
    const NAMES = Array.from({ length: 12 }, (_, i) => `${i + 10}.jfr`);
    try {
      await until(() => [0, 1, 2].every((n) => existsSync(status(n))), "the status of each process");
      for (const [i, name] of NAMES.entries()) writeFileSync(join(inbox, name), recordingOf(i + 10));
      await until(() => manifests(shared) > 0, "the first batch");
      watchers[0]!.kill("SIGKILL");
      writeFileSync(join(inbox, "last.jfr"), recordingOf(40));
      const sum = (of: string) => counts(1)[of] + counts(2)[of];
      await until(
        () => counts(1).waiting + counts(2).waiting === 0 && sum("written") + sum("known") >= NAMES.length + 1,
        "all",
      );
      expect(counts(1)).toMatchObject({ failed: 0, lagSeconds: 0, pid: watchers[1]!.pid });
    } finally {
      for (const watcher of watchers) watcher.kill("SIGTERM");
    }
    await Promise.all(ended);
    rmSync(join(inbox, "old.jfr"));
    const again = await askCli<{ samples: number; known: number }>("export", inbox, "--parquet", shared);
    expect([again.samples, again.known]).toEqual([0, NAMES.length + 1]);
    const files = `select file, sum(samples)::int as samples from recordings group by all order by all`;
    await askCli("export", inbox, "--parquet", `${shared}-once`);
    expect(await rowsOf(shared, files)).toEqual(await rowsOf(`${shared}-once`, files));
  },
  120_000,
);

POSIX.it(
  "merges the parts of a date when it has many new ones, unless --no-compact is given",
  async () => {
    const [inbox, own] = [join(folder, "many"), join(folder, "many-set")];
    mkdirSync(inbox);
    const one = (i: number) => {
      const path = join(inbox, `${i}.collapsed`);
      writeFileSync(path, `a;b ${i + 1}\n`);
      utimesSync(path, 1_700_000_000, 1_700_000_000);
      return path;
    };
    for (let i = 0; i < 31; i++) await callCli(["export", one(i), "--parquet", own]);
    const count = () => readdirSync(join(own, "samples/date=2023-11-14")).length;
    expect(count()).toBe(31);
    for (const [i, more, expected] of [
      [31, ["--no-compact"], 32],
      [32, [], 1],
    ] as const) {
      one(i);
      const watcher = startCli(["export", inbox, "--parquet", own, "--watch", ...more]);
      let err = "";
      watcher.stderr?.on("data", (part) => (err += part));
      await until(() => err.includes("watching"), "the first look");
      watcher.kill("SIGTERM");
      await once(watcher, "close");
      expect(count()).toBe(expected);
    }
    const sum = "select count(*)::int as n, sum(value)::int as sum from samples";
    expect(await rowsOf(own, sum)).toEqual([{ n: 33, sum: (33 * 34) / 2 }]);
  },
  120_000,
);
