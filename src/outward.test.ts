/** All that leaves the machine is in one table: each request of the code has a row, and docs/hosting.md prints them. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { formatBytes } from "./model/words/format.ts";
import { OUTWARD, type Outward } from "./model/words/outward.ts";

/** A request, or a module by which one can be made; members called `fetch` and imports of types are none. */
const REQUEST =
  /(?<![.\w"`])(?:fetch|crossOriginFetch|fetchDebugFile)\((?!\w*:|\))|: (?:fetch|crossOriginFetch)\b|\b(?:WebSocket|WebTransport|EventSource|XMLHttpRequest|RTCPeerConnection|sendBeacon|importScripts)\b|^import (?!type).*"(?:node:)?(?:https?|http2|net|tls|dgram|dns|undici)(?:\/promises)?"/m;

/** Modules for connections that are used for something else, with the reason. */
const NO_REQUESTS: Readonly<Record<string, string>> = {
  "src/cli/serve/server.ts": "it listens on the loopback interface",
  "src/node/small-text.ts": "it reads a pipe",
};

const FILES = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((path) => `src/${path.replaceAll("\\", "/")}`)
  .filter((path) => /\.tsx?$/.test(path) && !/\.(?:test|d)\.tsx?$/.test(path));

it("finds requests, and no declarations of members", () => {
  const found = (line: string) => REQUEST.test(line);
  const requests = [
    "await fetch(url)",
    "{ fetch: fetch }",
    "new WebSocket(url)",
    'import { request } from "node:https";',
  ];
  const others = [
    "  fetch(url: string): void;",
    "  async fetch() {",
    "this.fetch(a)",
    'import type { A } from "node:http";',
  ];
  expect([requests.map(found), others.map(found)]).toEqual([requests.map(() => true), others.map(() => false)]);
});

it("every request of the code has a row, and every file of a row makes requests", () => {
  const found = FILES.filter((path) => REQUEST.test(readFileSync(path, "utf8")) && !Object.hasOwn(NO_REQUESTS, path));
  const listed = new Set(OUTWARD.flatMap(({ at }) => at));
  // DuckDB makes them.
  listed.delete("src/fleet/duckdb.ts");
  expect(found.sort()).toEqual([...listed].sort());
});

it("workers of rows are workers of the page", () => {
  const started = readFileSync("src/worker/task-workers.ts", "utf8");
  for (const { worker } of OUTWARD) if (worker !== undefined) expect(started).toContain(`new URL("./${worker}.ts"`);
});

const FILE = "../docs/hosting.md";
const START = "<!-- Printed from src/model/words/outward.ts by `npm run docs`. -->";
const END = "<!-- Printed until here. -->";

function cells({ from, worker, to, when, learns, most }: Outward): string[] {
  const what = worker === undefined ? from : `${from}, worker \`${worker}\``;
  return [what, to, when, learns, most === undefined ? "" : formatBytes(most)];
}

it("docs/hosting.md has the table of the rows", async () => {
  const text = readFileSync(new URL(FILE, import.meta.url), "utf8");
  const [before = "", rest = ""] = text.split(START);
  const [, after = ""] = rest.split(END);
  expect(after).not.toBe("");
  const table = [
    "| from | to | when | what the receiver learns | read of its answer, at most |",
    "|---|---|---|---|---|",
    ...OUTWARD.map((row) => `| ${cells(row).join(" | ")} |`),
  ].join("\n");
  await expect(`${before}${START}\n\n${table}\n\n${END}${after}`).toMatchFileSnapshot(FILE);
});
