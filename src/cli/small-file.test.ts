/** Files that are read whole: whatever an option names, the answer comes at once, in words, with little memory. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POSIX } from "../../test/kit/needs.ts";
import { buildCli, CLI, runCli } from "../../test/kit/run-cli.ts";
import { readSmallFile } from "./small-file.ts";

const MIB = 1 << 20;
let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "spanflame-small-"));
  mkdirSync(at("folder"));
  writeFileSync(at("most"), "x".repeat(MIB));
  writeFileSync(at("more"), "x".repeat(MIB + 1));
  writeFileSync(at("sparse"), "");
  truncateSync(at("sparse"), 2 ** 36);
  writeFileSync(at("marked"), "\ufeffself() > +5%\n");
  writeFileSync(at("a.collapsed"), "Main.main;Work.run 10\n");
  writeFileSync(at("many"), "self(com.acme.*) > +5%\n".repeat(1001));
  if (POSIX.isMissing) return;
  execFileSync("mkfifo", [at("pipe")]);
  symlinkSync("/dev/zero", at("endless"));
  symlinkSync("pipe", at("to-pipe"));
  symlinkSync("round", at("round"));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

const read = (name: string, mostMiB?: number) =>
  readSmallFile("--rules", at(name), mostMiB).catch((error: Error) => error.message.replace(folder, "…"));

describe("a small file", () => {
  it("is read whole up to its limit, without a byte order mark", async () => {
    expect(await read("most")).toHaveLength(MIB);
    expect(await read("more", 2)).toHaveLength(MIB + 1);
    expect(await read("marked")).toBe("self() > +5%\n");
  });

  it.each([
    ["more", /cannot be read: it has more than 1 MiB$/],
    ["sparse", /cannot be read: it has more than 1 MiB$/],
    ["folder", /cannot be read: it is a folder$/],
    ["missing", /cannot be read: there is no such file$/],
  ])("is refused in words: %s", async (name, words) => {
    expect(await read(name)).toMatch(words);
  });

  POSIX.it("is neither a device nor a named pipe", async () => {
    expect(await Promise.all(["endless", "pipe", "to-pipe", "round"].map((name) => read(name)))).toEqual([
      expect.stringMatching(/it is a device or a socket, no file$/),
      expect.stringMatching(/it is a named pipe, no file$/),
      expect.stringMatching(/it is a named pipe, no file$/),
      expect.stringMatching(/ELOOP/),
    ]);
  });
});

describe("the command line", () => {
  const both = () => [at("a.collapsed"), at("a.collapsed")];
  const commands: Record<string, (path: string) => string[]> = {
    "--rules": (path) => ["why", at("a.collapsed"), "--rules", path],
    "--conditions": (path) => ["gate", ...both(), "--conditions", path],
    "--header-file": (path) => ["push", at("a.collapsed"), "--endpoint", "http://127.0.0.1:9", "--header-file", path],
  };
  const kinds = ["sparse", "folder", "missing", ...(POSIX.isMissing ? [] : ["endless", "pipe"])];

  it.each(Object.keys(commands))("refuses such files for %s", async (option) => {
    for (const kind of kinds) {
      const { code, err } = await runCli(commands[option]!(at(kind)));
      expect([kind, code, err]).toEqual([kind, 2, expect.stringContaining(`${option}: ${at(kind)} cannot be read: `)]);
    }
  });

  POSIX.it("reads a pipe that a shell opened", () => {
    const command = `echo 'total() > +500%' | "$0" "$1" gate "$2" "$2" --conditions /dev/stdin`;
    const args = ["-c", command, process.execPath, CLI, at("a.collapsed")];
    expect(execFileSync("sh", args, { encoding: "utf8" })).toContain("total() > +500%");
  });

  it("refuses more conditions than it compares", async () => {
    const { code, err } = await runCli(["gate", ...both(), "--conditions", at("many")]);
    expect([code, err]).toEqual([2, expect.stringContaining("1001 conditions are more than 1000")]);
  });

  it("refuses a list of finished inputs that is none, and skips lines that are damaged", async () => {
    const out = at("out");
    mkdirSync(join(out, ".spanflame-convert.jsonl"), { recursive: true });
    const args = ["convert", at("a.collapsed"), "--out-dir", out, "--format", "otlp"];
    const refused = await runCli(args);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("cannot be read: it is no regular file")]);
    rmSync(out, { recursive: true });
    mkdirSync(out);
    const damage = ["null", "1", "{}", '{"input":1}', '{"input":"a.collapsed"}', "{"];
    writeFileSync(join(out, ".spanflame-convert.jsonl"), damage.join("\n"));
    const { code, err } = await runCli(args);
    expect([code, err]).toEqual([0, expect.any(String)]);
  });
});
