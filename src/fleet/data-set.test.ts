/** A data set from elsewhere: its journals, writers, claims and manifests, and what they may do at most. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { POSIX } from "../../test/kit/needs.ts";
import { Folder } from "../node/disk.ts";
import { DataSet, damagedRecords } from "./data-set.ts";
import { listedParts } from "./data-set-files.ts";
import { movesOf, recordingsOf } from "./data-set-names.ts";
import { pathOf } from "./parquet/parts.ts";

const WRITER = "0123456789abcdef";
const OTHER = "fedcba9876543210";
const SHA = "ab".repeat(32);
const PART = "2026-11-23-00112233445566aa";
const path = (table: string, part = PART) => `${table}/date=${part.slice(0, 10)}/${part}.parquet`;
const written = (file: string, writer = WRITER) => `_spanflame/files/${writer}/${file}`;

let around: string;
let set: string;
const { said } = vi.hoisted(() => ({ said: [] as string[] }));
vi.mock(import("../node/terminal.ts"), async (original) => ({
  ...(await original()),
  say: (line: string) => {
    said.push(line);
  },
}));

beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), "spanflame-set-"));
  set = join(around, "fleet");
  said.length = 0;
  DataSet.open(set).close();
  put("victim/thesis.txt", "precious");
  put("victim/key", "secret");
});
afterEach(() => rmSync(around, { recursive: true }));

/** A file beside the data set, or in it. */
function put(name: string, content: string): string {
  const file = join(around, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** A writer of another machine that ended long ago. */
function deadWriter(name = WRITER): void {
  const file = put(`fleet/_spanflame/writers/${name}`, JSON.stringify({ host: "another", pid: 1, start: "" }));
  const then = new Date(Date.now() - 3 * 3600 * 1000);
  utimesSync(file, then, then);
}

function commit(files: unknown, recordings: unknown = [], name = `${WRITER}-00112233${0}`): void {
  put(`fleet/_spanflame/commits/${name}`, JSON.stringify({ recordings, files }));
}

/** Files below a folder with their content. */
function tree(folder = around): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(files.map((file) => [file.slice(folder.length + 1), readFileSync(file, "utf8")]));
}

const victims = () => tree(join(around, "victim"));
const PRECIOUS = { "thesis.txt": "precious", key: "secret" };

describe("the journal of a writer that is gone", () => {
  it("is completed", () => {
    deadWriter();
    put(`fleet/${written("00112233445566aa")}`, "rows");
    put(`fleet/${path("stacks")}`, "old");
    commit(
      [
        { from: written("00112233445566aa"), to: path("samples") },
        { from: null, to: path("stacks") },
      ],
      [{ sha256: SHA, file: "a.jfr", bytes: 7 }],
    );
    const next = DataSet.open(set);
    expect(next.has(SHA)).toBe(true);
    next.close();
    expect(said).toEqual([]);
    const own = Object.keys(tree(set)).filter((name) => !/^(spanflame|parts)\b/.test(name));
    expect(own).toEqual([`_spanflame/done/${WRITER}-001122330`, path("samples")]);
    expect(listedParts(set).map(pathOf)).toEqual([path("samples")]);
    expect(tree(set)[path("samples")]).toBe("rows");
  });

  it.each([
    ["removes a file outside", [{ from: null, to: "../victim/thesis.txt" }]],
    ["moves a file of elsewhere", [{ from: "../victim/key", to: path("samples") }]],
    ["moves a file to elsewhere", [{ from: written("00112233445566aa"), to: "../victim/key" }]],
    ["has an absolute path", [{ from: null, to: "/etc/passwd" }]],
    ["goes up in a table", [{ from: null, to: `samples/date=2026-11-23/../../../victim/key` }]],
    ["has backslashes", [{ from: null, to: `samples\\date=2026-11-23\\..\\${PART}.parquet` }]],
    ["has a name of no table", [{ from: null, to: path("public") }]],
    ["has a name that tables never have", [{ from: null, to: "samples/date=2026-11-23/x.parquet" }]],
    ["has a part in the folder of another date", [{ from: null, to: `samples/date=2026-11-24/${PART}.parquet` }]],
    ["removes the marker", [{ from: null, to: "spanflame.json" }]],
    ["moves a file of another writer", [{ from: written("00112233445566aa", OTHER), to: path("samples") }]],
    ["moves a manifest", [{ from: `_spanflame/done/${WRITER}-001122330`, to: path("samples") }]],
    ["has NUL in a path", [{ from: null, to: `${path("samples")}\u0000` }]],
    ["has a line break after a path", [{ from: null, to: `${path("samples")}\n` }]],
    ["has a number for a path", [{ from: 7, to: path("samples") }]],
    ["has a list for a path", [{ from: null, to: [path("samples")] }]],
    ["has nothing for a file", [null]],
    ["has no list", { length: 1 }],
  ])("that %s is named and has no effect, not even its sound steps", (_, files) => {
    deadWriter();
    put(`fleet/${path("stacks")}`, "old");
    put(`fleet/${written("00112233445566aa")}`, "rows");
    commit(Array.isArray(files) ? [{ from: null, to: path("stacks") }, ...files] : files);
    DataSet.open(set).close();
    expect(victims()).toEqual(PRECIOUS);
    expect(tree(set)[path("stacks")]).toBe("old");
    expect(said.join("")).toContain(`_spanflame/commits/${WRITER}-001122330: `);
    expect(said.join("")).toContain("it was left as it is");
  });

  it("that is not JSON, is empty or is too large is named", () => {
    for (const [i, text] of ["", "{", "null", "[]", '{"files":[]}', "7"].entries()) {
      deadWriter();
      put(`fleet/_spanflame/commits/${WRITER}-00112233${i}`, text);
      said.length = 0;
      DataSet.open(set).close();
      expect(said.join("")).toContain(`${WRITER}-00112233${i}: `);
    }
  });

  it("with a prototype for a key changes no object", () => {
    deadWriter();
    put(`fleet/_spanflame/commits/${WRITER}-001122330`, '{"__proto__":{"files":[]},"recordings":[],"files":[]}');
    DataSet.open(set).close();
    expect(({} as { files?: unknown }).files).toBeUndefined();
  });

  it("of a writer that is named as a path has no effect", () => {
    for (const name of ["x~..", "..~x", `${WRITER}~..`, "aaaa", `${WRITER}~${OTHER}~${WRITER}`]) deadWriter(name);
    put("fleet/_spanflame/done/kept", "manifest");
    put("fleet/_spanflame/files/x", "file");
    const before = tree();
    DataSet.open(set).close();
    expect(tree()).toEqual(before);
  });
});

describe("a commit that the system refuses", () => {
  const batch = { recordings: [{ sha256: SHA, file: "a", bytes: 1 }], files: [] as { from: string; to: string }[] };

  afterEach(() => vi.restoreAllMocks());

  /** A writer that has written a part, and moves as many files before the disk is full: its record, then the part. */
  function failing(moves: number): () => void {
    const writer = DataSet.open(set);
    const files = ["stacks", "samples"].map((table) => {
      const file = writer.newFile();
      file.write(new TextEncoder().encode(`rows of ${table}`));
      file.close();
      return { from: file.path, to: path(table) };
    });
    const commit = () => writer.commit({ ...batch, files });
    return () => {
      const { move } = Folder.prototype;
      let moved = 0;
      const refusing = vi.spyOn(Folder.prototype, "move").mockImplementation(function (this: Folder, from, to) {
        if (moved++ < moves) return move.call(this, from, to);
        throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
      });
      expect(commit).toThrow();
      refusing.mockRestore();
      writer.close();
      // Its process has ended.
      for (const name of readdirSync(join(set, "_spanflame/writers"))) deadWriter(name);
    };
  }

  it.each([1, 2])("after %i moves is completed by the next writer", (moves) => {
    failing(moves)();
    const next = DataSet.open(set);
    expect(next.has(SHA)).toBe(true);
    next.close();
    expect(tree(set)).toMatchObject({ [path("stacks")]: "rows of stacks", [path("samples")]: "rows of samples" });
    expect(readdirSync(join(set, "_spanflame/files"))).toEqual([]);
    expect(said).toEqual([]);
  });

  POSIX.it("since a link is in the way leaves the recording to the next export", () => {
    const run = failing(Number.POSITIVE_INFINITY);
    symlinkSync(join(around, "victim"), join(set, "samples"));
    run();
    rmSync(join(set, "samples"));
    const next = DataSet.open(set);
    expect(next.has(SHA)).toBe(false);
    next.close();
    expect([victims(), Object.keys(tree(set))]).toEqual([PRECIOUS, ["parts.json", "spanflame.json"]]);
  });

  POSIX.it("of a writer that is gone keeps its files until the way is free", () => {
    deadWriter();
    put(`fleet/${written("00112233445566aa")}`, "rows");
    commit([{ from: written("00112233445566aa"), to: path("samples") }], batch.recordings);
    mkdirSync(join(set, path("samples")), { recursive: true });
    for (let i = 0; i < 2; i++) DataSet.open(set).close();
    expect(said).toEqual(Array(2).fill(expect.stringContaining("is a folder; it was left as it is")));
    rmSync(join(set, path("samples")), { recursive: true });
    DataSet.open(set).close();
    expect(tree(set)[path("samples")]).toBe("rows");
  });

  it("never has recordings if nothing of it may be moved", () => {
    commit([{ from: null, to: "../victim/key" }], batch.recordings);
    const next = DataSet.open(set);
    expect(next.has(SHA)).toBe(false);
    next.close();
    expect(said).toEqual([expect.stringContaining(`commits/${WRITER}-001122330`)]);
  });
});

describe("links in a data set", () => {
  POSIX.it("are no folders of a table", () => {
    deadWriter();
    mkdirSync(join(set, "samples"));
    symlinkSync(join(around, "victim"), join(set, "samples", "date=2026-11-23"));
    put(`victim/${PART}.parquet`, "precious");
    put(`fleet/${written("00112233445566aa")}`, "rows");
    commit([
      { from: null, to: path("samples") },
      { from: written("00112233445566aa"), to: path("samples") },
    ]);
    DataSet.open(set).close();
    expect(victims()).toEqual({ ...PRECIOUS, [`${PART}.parquet`]: "precious" });
    expect(said.join("")).toContain("is no folder but a link");
  });

  POSIX.it("are no files that a journal moves, and no folders of writers", () => {
    deadWriter();
    mkdirSync(join(set, "_spanflame/files", WRITER), { recursive: true });
    symlinkSync(join(around, "victim/key"), join(set, written("00112233445566aa")));
    commit([{ from: written("00112233445566aa"), to: path("samples") }]);
    DataSet.open(set).close();
    expect(said.join("")).toContain("is no regular file");
    expect(Object.keys(tree(set))).not.toContain(path("samples"));

    symlinkSync(join(around, "victim"), join(set, "_spanflame/files", OTHER));
    deadWriter(OTHER);
    DataSet.open(set).close();
    expect(victims()).toEqual(PRECIOUS);
  });

  POSIX.it("in place of its state are refused", () => {
    rmSync(join(set, "_spanflame"), { recursive: true });
    symlinkSync(join(around, "victim"), join(set, "_spanflame"));
    expect(() => DataSet.open(set)).toThrow("is no folder but a link");
    expect(victims()).toEqual(PRECIOUS);
  });
});

describe("manifests", () => {
  it.each(['{"recordings":null}', "not json", "", '{"recordings":[{"sha256":7}]}', "[1]"])(
    "that are damaged (%s) are named once, and the others count",
    (text) => {
      put(`fleet/_spanflame/done/${OTHER}-aabbccdd0`, text);
      put("fleet/_spanflame/done/zz", text);
      const sound = JSON.stringify({
        recordings: [{ sha256: SHA, file: "a", bytes: 1, unreadable: "why" }],
        files: [],
      });
      put(`fleet/_spanflame/done/${WRITER}-aabbccdd0`, sound);
      const next = DataSet.open(set);
      expect([next.has(SHA), next.has(SHA.replace("a", "0")), next.unreadable(SHA)]).toEqual([true, false, "why"]);
      next.close();
      expect(said.map((line) => /done\/([^:]+): /.exec(line)?.[1])).toEqual([`${OTHER}-aabbccdd0`, "zz"]);
    },
  );

  it("of which any byte is another are found, and such a journal is not done", () => {
    const own = DataSet.open(set);
    const { path: from, write, close } = own.newFile();
    write(new Uint8Array(9));
    close();
    own.commit({ recordings: [{ sha256: SHA, file: "a", bytes: 1 }], files: [{ from, to: path("samples") }] });
    own.close();
    const [name = ""] = readdirSync(join(set, "_spanflame", "done"));
    const text = readFileSync(join(set, "_spanflame", "done", name), "utf8");
    expect(damagedRecords(set)).toEqual([]);
    for (let at = 0; at < text.length; at++) {
      const other = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
      put(`fleet/_spanflame/done/${name}`, other);
      expect([at, ...damagedRecords(set)]).toEqual([at, expect.stringContaining(`done/${name}: `)]);
      expect(() => [recordingsOf(other), movesOf(other, own.writer)]).toThrow();
    }
  });

  it("have hashes and names of recordings, and no other field counts", () => {
    expect(recordingsOf(JSON.stringify({ recordings: [{ sha256: SHA, file: 7, bytes: -0.5, more: 1 }] }))).toEqual([
      { sha256: SHA, file: "", bytes: 0 },
    ]);
    expect(movesOf(JSON.stringify({ files: [{ from: null, to: path("calls"), mode: 7 }] }), WRITER)).toEqual([
      { from: null, to: path("calls") },
    ]);
  });
});

describe("the marker", () => {
  it.each(["null", "7", "[]", '{"format":null}', ""])("that is %s is named", (text) => {
    put("fleet/spanflame.json", text);
    expect(() => DataSet.open(set)).toThrow(/spanflame\.json: /);
  });
});

describe("claims", () => {
  it("of a writer whose time is in the future, or that are folders, do not block a recording", () => {
    deadWriter();
    const future = new Date(Date.now() + 24 * 3600 * 1000);
    utimesSync(join(set, "_spanflame/writers", WRITER), future, future);
    const claims = [put(`fleet/_spanflame/claims/${SHA}`, WRITER), `${set}/_spanflame/claims/${"cd".repeat(32)}`];
    mkdirSync(join(claims[1]!, "x"), { recursive: true });
    const next = DataSet.open(set);
    for (const claim of claims) expect(next.claim(claim.slice(-64))).toBe("mine");
    next.close();
  });

  it("of writers that are gone, or that no writer made, do not block a recording", () => {
    for (const owner of [OTHER, "../../victim/key", "", "x".repeat(5000)]) {
      const file = put(`fleet/_spanflame/claims/${SHA}`, owner);
      const next = DataSet.open(set);
      expect(next.claim(SHA)).toBe("mine");
      next.close();
      expect(() => readFileSync(file)).toThrow();
    }
    expect(victims()).toEqual(PRECIOUS);
  });
});
