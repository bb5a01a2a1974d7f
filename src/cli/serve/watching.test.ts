/** A folder that is watched: what is listed of files that appear, grow, are still written, vanish, or are no files. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { POSIX } from "../../../test/kit/needs.ts";
import { inputsOf } from "../../node/inputs.ts";
import { serveViewer } from "./server.ts";
import { Watching } from "./watching.ts";

const JFR = readFileSync(new URL("../../../fixtures/shop.jfr", import.meta.url));

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "spanflame-watching-"));
  folder = join(root, "inbox");
  mkdirSync(folder);
});
afterEach(() => rmSync(root, { recursive: true }));

const watch = () =>
  new Watching(
    () => inputsOf([folder]),
    () => {},
  );
const put = (name: string, bytes: Uint8Array | string) => writeFileSync(join(folder, name), bytes);
/** Names with their bytes; those that are removed are left out. */
const listed = (watching: Watching) =>
  watching.list().flatMap(({ name, bytes, isRemoved }) => (isRemoved ? [] : [`${name} ${bytes}`]));

it("lists what is there at once, and new files when they did not change between two looks", () => {
  put("a.pprof", "main;work 1\n");
  const watching = watch();
  watching.look();
  expect(listed(watching)).toEqual(["inbox/a.pprof 12"]);
  put("b.pprof", "main");
  watching.look();
  put("b.pprof", "main;rest 20\n");
  watching.look();
  expect(listed(watching)).toHaveLength(1);
  watching.look();
  watching.look();
  expect(listed(watching)).toEqual(["inbox/a.pprof 12", "inbox/b.pprof 13"]);
});

it("lists a recording up to its last whole chunk, again with each chunk, and whole at its end", () => {
  const watching = watch();
  watching.look();
  // A second chunk whose header has no size yet.
  const begun = Buffer.from(JFR.subarray(0, 1000));
  begun.writeBigInt64BE(0n, 8);
  put("r.jfr", begun);
  watching.look();
  watching.look();
  expect(listed(watching)).toEqual([]);
  put("r.jfr", Buffer.concat([JFR, begun]));
  watching.look();
  expect(listed(watching)).toEqual([`inbox/r.jfr ${JFR.length}`]);
  put("r.jfr", Buffer.concat([JFR, begun, begun]));
  watching.look();
  expect(watching.list()).toHaveLength(1);
  put("r.jfr", Buffer.concat([JFR, JFR]));
  watching.look();
  watching.look();
  expect(listed(watching)).toEqual([`inbox/r.jfr ${2 * JFR.length}`]);
  expect(watching.list()).toHaveLength(2);
});

it("lists a recording as it is when it has not changed for a minute", () => {
  put("r.jfr", JFR.subarray(0, JFR.length - 10));
  const watching = watch();
  for (let look = 0; look < 30; look++) watching.look();
  expect(listed(watching)).toEqual([]);
  watching.look();
  expect(listed(watching)).toEqual([`inbox/r.jfr ${JFR.length - 10}`]);
});

it("goes on when files or the folder vanish, and lists a file that comes again", () => {
  put("a.pprof", "main;work 1\n");
  const watching = watch();
  watching.look();
  unlinkSync(join(folder, "a.pprof"));
  watching.look();
  expect(listed(watching)).toEqual([]);
  rmSync(folder, { recursive: true });
  watching.look();
  mkdirSync(folder);
  put("a.pprof", "main;work 1\n");
  watching.look();
  watching.look();
  expect(listed(watching)).toEqual(["inbox/a.pprof 12"]);
});

POSIX.it("reads no pipe, no link to nothing and no circle of folders, and keeps names as they are", () => {
  execFileSync("mkfifo", [join(folder, "pipe.jfr")]);
  symlinkSync("nowhere", join(folder, "gone.jfr"));
  symlinkSync(folder, join(folder, "again"));
  const hostile = "<img src=x>\u202e\n.pprof";
  put(hostile, "main;work 1\n");
  const watching = watch();
  watching.look();
  expect(listed(watching)).toEqual([`inbox/${hostile} 12`]);
});

it("serves the listed bytes of a file that grows, and answers a page that waits", async () => {
  writeFileSync(join(root, "index.html"), "<!doctype html>");
  put("r.jfr", JFR);
  const watching = watch();
  watching.look();
  const { list, more } = watching;
  const viewer = await serveViewer({ siteDir: root, files: [], list, more, isFolder: true });
  try {
    expect(new URL(viewer.url).search).toBe("?live=folder");
    const at = (path: string) => fetch(new URL(path, viewer.url));
    expect(await (await at("files.json?after=0")).json()).toEqual([{ name: "inbox/r.jfr", bytes: JFR.length }]);
    const waiting = at("files.json?after=1");
    put("r.jfr", Buffer.concat([JFR, JFR, Buffer.from("FLR")]));
    expect((await (await at("files/0")).arrayBuffer()).byteLength).toBe(JFR.length);
    watching.look();
    expect(await (await waiting).json()).toEqual([
      { name: "inbox/r.jfr", bytes: 0, isRemoved: true },
      { name: "inbox/r.jfr", bytes: 2 * JFR.length },
    ]);
    expect((await (await at("files/1")).arrayBuffer()).byteLength).toBe(2 * JFR.length);
    expect((await at("files/0")).status).toBe(404);
  } finally {
    await viewer.close();
  }
});
