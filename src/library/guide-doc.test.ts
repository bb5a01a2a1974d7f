/** The examples of docs/library.md, each run as a module, and its table of error codes. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import * as Comlink from "comlink";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { shortDump } from "../../test/kit/cdt/short-dump.ts";
import { fileInput } from "../../test/kit/open-recording.ts";
import { ERROR_CODES } from "./error-codes.ts";
import { WorkerHost } from "./worker-host.ts";

// The sources have no core beside them.
vi.mock("./load-core.ts", async () => {
  const { readFileSync: read } = await import("node:fs");
  const wasm = WebAssembly.compile(read("build/core.wasm"));
  const bytesAt = async ({ href }: URL) => read(`build/${href.slice(href.lastIndexOf("/"))}`);
  return { loadModule: () => wasm, bytesAt };
});

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FILE = join(ROOT, "docs", "library.md");
const FOLDER = join(ROOT, ".cache", "guide");
const GUIDE = readFileSync(FILE, "utf8");
const SAMPLE = join(ROOT, "public", "sample.jfr");

/** Files of the examples about other inputs than the sample. */
const RECORDINGS: Record<string, string> = {
  Traces: join(ROOT, "fixtures", "traces", "relay-dd17.jfr"),
  "Native frames": join(ROOT, "fixtures", "recorded", "dd152-jdk17-remotesym.jfr"),
};
/** Entries of the package whose source is not in the library's folder. */
const SOURCES: Record<string, string> = { record: "record/index.ts" };
const DEBUG = join(ROOT, "fixtures", "recorded", "elf", "libdemonative.so.debug");
const TRACE = join(ROOT, "fixtures", "traces", "relay-dd17.whole.otlp.json.gz");
const DUMP = join(FOLDER, "dump.zip");

const START = "<!-- Printed from src/library/error-codes.ts by `npm run docs`. -->";
const END = "<!-- Printed until here. -->";

/** A worker in the same thread. */
class NearWorker {
  constructor() {
    const { port1, port2 } = new MessageChannel();
    Comlink.expose(new WorkerHost(), port1 as unknown as Comlink.Endpoint);
    // biome-ignore lint/correctness/noConstructorReturn: the port has what the client needs of a worker
    return Object.assign(port2, { terminate: () => port1.close() });
  }
}

beforeAll(() => {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(DUMP, shortDump());
  vi.stubGlobal("Worker", NearWorker);
});
afterAll(() => {
  vi.unstubAllGlobals();
  rmSync(FOLDER, { recursive: true });
});

const EXAMPLES = [...GUIDE.matchAll(/^## (.*)\n|```js\n([\s\S]*?)```/gm)].reduce<[string, string][]>(
  (found, [, heading, code]) => {
    if (heading !== undefined) found.push([heading, ""]);
    else found.at(-1)![1] = code ?? "";
    return found;
  },
  [],
);

/** Profiles of the sample, each a message. */
const MESSAGES = [
  ...["cpu", "wall", "alloc-samples", "live-heap", "lock-contention", "park", "queue-time", "socket-read"],
  "socket-write",
];

/** Parts of the time of a request of the sample. */
const PARTS = 6;

/** Output of each example; of the one for browsers the answers of its function. */
const PRINTED: Record<string, unknown[][]> = {
  "Read a file and ask": [
    [expect.stringMatching(/^\d+ samples$/), expect.any(String)],
    [expect.stringMatching(/^\d+ samples$/), expect.any(String)],
  ],
  "One request of many": [[360, expect.any(Number)]],
  "Requests and their time": [
    // Requests without a sample have no known duration; two are known by their samples alone.
    ["servlet.request", 350, "267 ms"],
    [expect.any(String), 2, "0 ns"],
    ...Array(PARTS).fill([expect.any(String), expect.any(BigInt), expect.any(BigInt), expect.any(BigInt)]),
  ],
  "Why, and who held it": [
    [expect.stringMatching(/% on CPU in /)],
    ...Array(10).fill([expect.any(String), expect.any(BigInt), expect.any(Array)]),
    [expect.any(Number), expect.any(Array)],
  ],
  Traces: [[494, []], ...Array(4).fill([expect.any(String), expect.any(Number), expect.any(Number)])],
  "Native frames": [[expect.any(Array)]],
  "Calls of dumps": [[1, 30, ["a.B.run1 8"]]],
  "Profiles of other events": [["bytes", 12n, 1]],
  "Every sample": [[true]],
  Columns: [[expect.any(Number)]],
  "Write, check and send": [[true, true], ...MESSAGES.map((type) => [type]), [true]],
  "Make profiles": [[2, true], [["parse", "main"]]],
  "Record a Node program": [[["cpu"]], [expect.any(Array)]],
  Errors: [["option.unknown"]],
};

/** Runs an example with the sources as its imports, and returns its output and its exports. */
async function run(heading: string, code: string) {
  const path = join(FOLDER, `${heading.replace(/\W+/g, "-")}.ts`);
  const sources = code
    .replace(
      /from "spanflame\/(\w+)"/g,
      (_, entry) => `from ${JSON.stringify(join(ROOT, "src", SOURCES[entry] ?? `library/${entry}.ts`))}`,
    )
    .replace(/from "spanflame"/g, `from ${JSON.stringify(join(ROOT, "src", "library", "index.ts"))}`)
    .replaceAll('"recording.jfr"', JSON.stringify(RECORDINGS[heading] ?? SAMPLE))
    .replaceAll('"libshop.so.debug"', JSON.stringify(DEBUG))
    .replaceAll('"trace.json"', JSON.stringify(TRACE))
    .replaceAll('"dump.zip"', JSON.stringify(DUMP));
  writeFileSync(path, sources);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    const exported = await import(/* @vite-ignore */ path);
    return { exported, printed: log.mock.calls };
  } finally {
    log.mockRestore();
  }
}

it.each(EXAMPLES.filter(([heading]) => heading in PRINTED))("the example of %s runs", async (heading, code) => {
  const { printed } = await run(heading, code);
  // A profile above the limit of the example has several messages.
  const isNew = (line: unknown, i: number) => !isDeepStrictEqual(line, printed[i - 1]);
  expect(printed.filter(isNew)).toEqual(PRINTED[heading]);
});

it("the example of the README runs", async () => {
  const [, code = ""] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, "README.md"), "utf8")) ?? [];
  const { printed } = await run("README", code);
  expect(printed).toEqual(Array(5).fill([expect.stringMatching(/^\d+ samples$/), expect.any(String)]));
});

it("the example for browsers reads small and large files", async () => {
  const [heading, code] = EXAMPLES.find(([name]) => name === "In a browser")!;
  const { exported } = await run(heading, code);
  const { data } = fileInput("public/sample.jfr");
  const small = new File([data as Uint8Array<ArrayBuffer>], "small.jfr");
  const large = new File([...Array(20).fill(data)], "large.jfr");
  expect(large.size).toBeGreaterThan(5e6);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  expect(await exported.hottest(small)).toBe(await exported.hottest(large));
  expect(log).toHaveBeenCalledWith(expect.any(Number));
  log.mockRestore();
});

it("each example is run", () => {
  expect(EXAMPLES.map(([heading]) => heading)).toEqual([
    "Read a file and ask",
    "In a browser",
    ...Object.keys(PRINTED).slice(1),
  ]);
});

it("the guide has the table of error codes", async () => {
  const [before = "", rest = ""] = GUIDE.split(START);
  const [, after = ""] = rest.split(END);
  const rows = Object.entries(ERROR_CODES).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  const table = ["| code | meaning |", "|---|---|", ...rows].join("\n");
  await expect(`${before}${START}\n\n${table}\n\n${END}${after}`).toMatchFileSnapshot(FILE);
});
