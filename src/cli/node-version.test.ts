/** An old version of Node gets one line from the command line and from `npm start`, not a stack. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { NEEDED, oldNode } from "../../scripts/node-version.mjs";
import { buildCli, CLI, ROOT } from "../../test/kit/run-cli.ts";

const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
  await buildCli();
  folder = await mkdtemp(join(tmpdir(), "spanflame-old-node-"));
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

it("the check knows the version of package.json", async () => {
  const { engines } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  expect(engines.node).toBe(`>=${NEEDED.join(".")}`);
});

it.each([
  ["16.20.2", true],
  ["18.20.8", true],
  ["20.9.0", true],
  ["20.19.0", false],
  ["22.0.0", false],
  ["26.10.0", false],
])("%s is too old: %s", (version, isOld) => {
  const line = `spanflame needs Node 20.19 or newer; this is ${version}`;
  expect(oldNode(version)).toBe(isOld ? line : null);
});

it.each([
  ["the command line", CLI],
  ["npm start", join(ROOT, "scripts", "start.mjs")],
])("%s refuses an old version in one line", async (_, script) => {
  const pretend = join(folder, "pretend.cjs");
  await writeFile(
    pretend,
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });',
  );
  const refused = run(process.execPath, ["-r", pretend, script, "info"]);
  await expect(refused).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: "spanflame needs Node 20.19 or newer; this is 18.20.8\n",
  });
});

it("nothing is imported before the check", async () => {
  // Static imports are linked before any code runs, so an old Node would stop at them.
  expect(await readFile(CLI, "utf8")).not.toMatch(/^\s*(import|export)\b[^(]*\bfrom\b|^import "/m);
  const start = await readFile(join(ROOT, "scripts", "start.mjs"), "utf8");
  const imported = [...start.matchAll(/^import .* from "(.*)";$/gm)].map(([, name]) => name);
  expect(imported).toEqual(["node:path", "./end-with-parent.mjs", "./node-version.mjs"]);
});
