/**
 * Files and folders: no circle of imports between files, nor between folders at any depth; few enough files in a folder
 * to read its list; no file that is only a paragraph of another one.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { importsOf, resolveFrom } from "../test/kit/imports.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MOST_FILES = 40;

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

/** Files below a folder as paths from the root with forward slashes. */
function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path.split(sep).join("/")];
    return entry.name.startsWith(".") || entry.name === "node_modules" ? [] : filesIn(path);
  });
}

/** TypeScript and AssemblyScript below a folder. */
function codeIn(folder: string): string[] {
  return filesIn(folder).filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"));
}

/** Each file with those of `files` that it imports, types included. AssemblyScript leaves the extension out. */
function importGraph(files: string[]): Map<string, string[]> {
  const known = new Set(files);
  const targets = (file: string) =>
    importsOf(read(file))
      .map(({ specifier }) => resolveFrom(file, specifier))
      .map((target) => (known.has(target) ? target : `${target}.ts`))
      .filter((target) => known.has(target));
  return new Map(files.map((file) => [file, targets(file)]));
}

/** Product files below this number of lines without a test and with one importer, which loads them at once. */
const ROOM_LINES = 40;
/** Entries of threads, and the second file of src/offline. */
const ENDS = ["src/cli/convert/convert-worker.ts", "src/fleet/export-worker.ts", "src/offline/install.ts"];
/** Files that the library's reference describes, and one that a test runs as a process. */
const CITED = ["src/library/formats.ts", "src/library/json.ts", "src/node/settle.ts"];
const APART = [...ENDS, ...CITED].sort();

function paragraphs(files: string[]): string[] {
  const known = new Set(files);
  const users = new Map<string, Set<string>>();
  for (const file of files) {
    for (const { specifier, isLazy } of importsOf(read(file))) {
      const target = resolveFrom(file, specifier);
      const found = known.has(target) ? target : `${target}.ts`;
      const names = isLazy ? [file, `${file} when it is used`] : [file];
      users.set(found, new Set([...(users.get(found) ?? []), ...names]));
    }
  }
  const isTest = (file: string) => file.includes(".test.") || !/^(src|assembly)\//.test(file);
  return files.filter((file) => {
    const [first = "", ...others] = users.get(file) ?? [];
    if (isTest(file)) return false;
    return first !== "" && others.length === 0 && !isTest(first) && read(file).split("\n").length <= ROOM_LINES;
  });
}

/** The files of each circle of imports, sorted: the strongly connected components, found as Tarjan does. */
function circles(graph: Map<string, string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string) => {
    const own = order.size;
    order.set(file, own);
    lowest.set(file, own);
    open.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(file) !== own) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1) found.push(circle.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found;
}

/**
 * The graph of files seen from a folder: its folders and files are the nodes, an import between two of them is an edge.
 * Tests import what they like.
 */
function seenFrom(folder: string, graph: Map<string, string[]>): Map<string, string[]> {
  const childOf = (file: string) =>
    file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).replace(/\/.*/, "") : undefined;
  const seen = new Map<string, string[]>();
  for (const [file, targets] of graph) {
    const from = childOf(file);
    if (from === undefined || file.includes(".test.")) continue;
    const others = targets.map(childOf).filter((to) => to !== undefined && to !== from) as string[];
    seen.set(from, [...(seen.get(from) ?? []), ...others]);
  }
  return seen;
}

function foldersOf(files: Iterable<string>): string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let folder = posix.dirname(file); folder !== "."; folder = posix.dirname(folder)) folders.add(folder);
  }
  return [...folders];
}

/** The circles in each folder, as "FOLDER: ITEM ITEM". */
function circlesOfFolders(graph: Map<string, string[]>): string[] {
  return foldersOf(graph.keys()).flatMap((folder) =>
    circles(seenFrom(folder, graph)).map((circle) => `${folder}: ${circle.join(" ")}`),
  );
}

describe("the files", () => {
  it.each(["src", "assembly", "test"])("of %s do not import each other in a circle", (folder) => {
    expect(circles(importGraph(codeIn(folder)))).toEqual([]);
  });

  it("in a circle are found by this test", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c", "d"]],
      ["c", ["b"]],
      ["d", ["d"]],
      ["e", ["a"]],
    ]);
    expect(circles(graph)).toEqual([["b", "c"]]);
  });

  it(`have ${ROOM_LINES} lines, two importers, a test, or a reason to be loaded later`, () => {
    const files = ["src", "assembly", "test", "e2e", "bench", "scripts"].flatMap(codeIn);
    expect(paragraphs(files).sort()).toEqual(APART);
  });
});

describe("the folders", () => {
  it.each(["src", "assembly", "test", "e2e"])("of %s do not import each other in a circle, at any depth", (folder) => {
    expect(circlesOfFolders(importGraph(codeIn(folder)))).toEqual([]);
  });

  it("in a circle are found by this test", () => {
    const graph = new Map([
      ["src/a/b/one.ts", ["src/a/c/two.ts", "src/d/four.ts"]],
      ["src/a/c/two.ts", []],
      ["src/a/c/three.ts", ["src/a/b/other.ts"]],
      ["src/d/four.ts", ["src/main.ts"]],
      ["src/d/four.test.ts", ["src/a/b/one.ts"]],
      ["src/main.ts", []],
    ]);
    expect(circlesOfFolders(graph)).toEqual(["src/a: b c"]);
  });

  it(`have at most ${MOST_FILES} files`, () => {
    const counts = new Map<string, number>();
    for (const file of ["src", "assembly", "test", "e2e"].flatMap(filesIn)) {
      counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
  });
});

/**
 * Lines of a room, tests apart, at most: [room, lines, what it holds]. A row that has to be raised says why in the
 * commit that raises it; one that has become smaller is lowered.
 */
const ROOMS: [string, number, string][] = [
  ["assembly/abi", 1_249, "layouts of memory that hosts know"],
  ["assembly/memory", 1_395, "memory, tables, hashes"],
  ["assembly/merge", 584, "chunks that another thread has read"],
  ["assembly/parquet", 843, "encoding of columns; micros, in place of a division in JavaScript"],
  ["assembly/read", 19_734, "readers of JFR, OTLP, pprof, collapsed stacks and CDT; states that an event implies"],
  ["assembly/store", 5_729, "samples, stacks, threads, spans, contexts"],
  ["assembly/testing", 796, "entries of the core's own tests"],
  [
    "assembly/view",
    6_254,
    "selections, call trees, lists, diffs; leaves and parents of the tree, for the states of a frame",
  ],
  ["assembly/write", 7_198, "OTLP, pprof and other formats"],
  ["src/bytes", 2_348, "sources of bytes, the wire of protobuf, interning, hex; multipart forms"],
  ["src/cli", 7_397, "commands; record; the receiver, which sends on; a watched folder; answers for assistants"],
  [
    "src/core",
    13_966,
    "the core's host: tables, reading, answers; files of other profilers as formats; messages split by time; spans by half numbers",
  ],
  ["src/fleet", 12_990, "data sets; small functions for hot loops, which V8 optimizes sooner"],
  ["src/ids", 109, "ids and maps of them"],
  [
    "src/input",
    5_773,
    "formats of files, archives, opening; chunks and ids are found in one pass; files of other profilers (others/), stackprof named",
  ],
  ["src/library", 5_509, "the package's entries; bounds of time for messages that are split"],
  [
    "src/model",
    23_555,
    "answers as Markdown of so many tokens; queries, traces, findings, senders, words; an id's card; span time; source files; prefixes of roots, callers and runs; listed endpoints",
  ],
  [
    "src/node",
    5_417,
    "files, arguments and output of Node; trace files as inputs; chunks, also of growing files; the steps of an assistant",
  ],
  ["src/offline", 93, "the service worker"],
  [
    "src/otlp",
    3_032,
    "the schema of OTLP, JSON, transcoding; tables of messages that are made; detection of msgpack, logs and records of logs",
  ],
  ["src/pattern", 297, "patterns of users"],
  ["src/push", 488, "sending to collectors and Datadog"],
  [
    "src/record",
    1_952,
    "the recorder of Node services: endpoints, names of spans, the last part on every exit, a faster AsyncLocalStorage",
  ],
  ["src/report", 2_382, "reports as HTML, which begin as Overview does, with endpoints; prefixes that open in them"],
  [
    "src/requests",
    7_473,
    "the open recording: reading, traces, calls, the page's questions; spans as samples and by id; the sentence before findings",
  ],
  ["src/symbols", 2_668, "ELF, DWARF, Mach-O, Go, names of native frames"],
  [
    "src/traces",
    2_037,
    "formats of trace files; Datadog's msgpack; spans that four SDKs print, in logs; no records of logs",
  ],
  [
    "src/ui",
    30_845,
    "the page; keys; a place beside views; a typed id's card; requests as a list with causes; spans alone; sources with samples",
  ],
  ["src/validate", 1_944, "the validator of OTLP"],
  ["src/viewer", 1_352, "the element for other pages; a frame beside its graph"],
  ["src/worker", 1_516, "the page's worker"],
];

describe("rooms", () => {
  const linesOf = (room: string) =>
    codeIn(room)
      .filter((file) => !/\.test\.tsx?$/.test(file))
      .reduce((sum, file) => sum + read(file).split("\n").length - 1, 0);

  it("are all in the table", () => {
    const folders = ["assembly", "src"].flatMap((top) =>
      readdirSync(join(ROOT, top), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${top}/${name}`),
    );
    expect(ROOMS.map(([room]) => room).sort()).toEqual(folders.sort());
  });

  it("are not larger than their rows", () => {
    const larger = ROOMS.map(([room, most]) => `${room}: ${linesOf(room)} lines, at most ${most}`);
    expect(larger.filter((_, i) => linesOf(ROOMS[i]![0]) > ROOMS[i]![1])).toEqual([]);
  });
});
