/** The commands of the CI example, each read from its file and run. docs-commands.test.ts runs those of docs/ci.md. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildCli, ROOT, runCli } from "../../test/kit/run-cli.ts";

const read = (...path: string[]) => readFileSync(join(ROOT, ...path), "utf8");

let folder: string;
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "spanflame-ci-"));
  const fixture = (name: string) => join(ROOT, "fixtures", name);
  for (const name of ["before.jfr", "after.jfr"])
    copyFileSync(fixture("recorded/dd152-jdk17-all.jfr"), join(folder, name));
  for (const name of ["baseline", "current"]) {
    mkdirSync(join(folder, name));
    for (const run of ["1.jfr", "2.jfr"]) copyFileSync(fixture("shop-chunks.jfr"), join(folder, name, run));
  }
  // The application of the recordings is another one than the example's: a condition that selects nothing is an error.
  const limits = read("examples", "ci-gate", "perf-limits.txt").replace("com.acme.*", "*");
  writeFileSync(join(folder, "perf-limits.txt"), limits);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** Arguments of the invocations of spanflame in a text, as a shell splits them. */
function invocations(text: string): string[][] {
  return text.split("\n").flatMap((line) => {
    const command = /^\s*(?:npx (?:--(?:yes|no) )?)?spanflame ((?:diff|gate) .*)/.exec(line)?.[1];
    if (command === undefined) return [];
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)];
    const end = words.findIndex(([word]) => [">", "|", "#"].includes(word));
    return [words.slice(0, end < 0 ? words.length : end).map(([, quoted, word]) => quoted ?? word ?? "")];
  });
}

it.each([
  [["examples", "ci-gate", "workflow.yml"], 1],
  [["examples", "ci-gate", "README.md"], 1],
])("the commands of %j run", async (path, count) => {
  const found = invocations(read(...path));
  expect(found).toHaveLength(count);
  for (const args of found) {
    const ended = await runCli(args, { cwd: folder });
    expect([args, ended.code, ended.err]).toEqual([args, 0, expect.not.stringContaining("unknown")]);
    expect(ended.out.toString()).not.toBe("");
  }
});

it("docs/ci.md shows the steps of the workflow", () => {
  const steps = /```yaml\n([\s\S]*?)```/.exec(read("docs", "ci.md"))?.[1] ?? "";
  const workflow = new Set(
    read("examples", "ci-gate", "workflow.yml")
      .split("\n")
      .map((line) => line.trim()),
  );
  const lines = steps
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  expect(lines.length).toBeGreaterThan(8);
  expect(lines.filter((line) => !workflow.has(line))).toEqual([]);
});
