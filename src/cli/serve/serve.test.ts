/** The viewer's server as a process: it ends with npm, and offers files of symbols and uploads. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { POSIX } from "../../../test/kit/needs.ts";
import { buildCli, CLI } from "../../../test/kit/run-cli.ts";

beforeAll(buildCli, 120_000);

/** Starts the server and stays, as the shell of npx does. */
const PARENT = `
  const { spawn } = require("node:child_process");
  spawn(process.execPath, [${JSON.stringify(CLI)}, "--no-open"], { stdio: "inherit" });
`;

async function startedBy(env: Record<string, string | undefined>) {
  const parent = spawn(process.execPath, ["-e", PARENT], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const url = /http:\S+/.exec(line.toString())?.[0] ?? "";
  expect((await fetch(url)).status).toBe(200);
  return { parent, url };
}

POSIX.it("ends with npx", async () => {
  const { parent, url } = await startedBy({ npm_lifecycle_event: "npx" });
  // The server has the same standard output, which is closed when both have ended.
  const closed = once(parent.stdout, "close");
  parent.kill("SIGKILL");
  await closed;
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

/** Starts the viewer with these arguments; `url` is its address. */
async function started(...args: string[]) {
  const server = spawn(process.execPath, [CLI, "--no-open", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const said: Buffer[] = [];
  server.stderr.on("data", (part: Buffer) => void said.push(part));
  const [line] = (await once(server.stdout, "data")) as [Buffer];
  return { server, url: /http:\S+/.exec(line.toString())?.[0] ?? "", said: () => Buffer.concat(said).toString() };
}

it("offers the files of --symbols that have a build id, and those that such files may need", async () => {
  const fixture = (path: string) => fileURLToPath(new URL(`../../../fixtures/${path}`, import.meta.url));
  const named = [fixture("recorded/elf"), fixture("elf/linked.so"), fixture("README.md")];
  named.push(fixture("elf/package.so.dwp"), fixture("elf/dwz.so"));
  const { server, url, said } = await started(...named.flatMap((path) => ["--symbols", path]));
  try {
    expect(new URL(url).search).toBe("?symbols");
    type Listed = { name: string; buildId: string; split: string; needs: string };
    const list = (await (await fetch(new URL("symbols.json", url))).json()) as Listed[];
    expect(list.map(({ name, split, needs }) => [basename(name), split, needs !== ""])).toEqual([
      ["libdemonative.so", "", false],
      ["libdemonative.so.debug", "", false],
      ["package.so.dwp", "package", false],
      ["dwz.so", "", true],
    ]);
    expect(list[0]?.buildId).toBe(list[1]?.buildId);
    const bytes = Buffer.from(await (await fetch(new URL("symbols/1", url))).arrayBuffer());
    expect(bytes.equals(readFileSync(list[1]!.name))).toBe(true);
    expect(said()).toContain("README.md: ");
  } finally {
    server.kill();
  }
});

it("states the upload of the files in a folder, and offers its list of libraries", async () => {
  const folder = await mkdtemp(join(tmpdir(), "spanflame-upload-"));
  const libraries = JSON.stringify({ v1: [] });
  const event = JSON.stringify({ attachments: ["auto", "gone.jfr"], tags_profiler: "service:till" });
  await writeFile(join(folder, "event.json"), event);
  await writeFile(join(folder, "auto"), "main;work 1");
  await writeFile(join(folder, "code-provenance.json"), libraries);
  const { server, url } = await started(folder);
  try {
    const name = `${basename(folder)}/auto`;
    const facts = { endpoints: {}, figures: {} };
    const stated = { resource: { "service.name": "till" }, missing: ["gone.jfr"], facts, start: "" };
    const upload = { number: 0, ...stated, hasLibraries: true };
    expect(await (await fetch(new URL("files.json", url))).json()).toEqual([{ name, bytes: 11, upload }]);
    expect(await (await fetch(new URL("libraries/0", url))).text()).toBe(libraries);
    expect((await fetch(new URL("libraries/1", url))).status).toBe(404);
  } finally {
    server.kill();
    await rm(folder, { recursive: true });
  }
});
