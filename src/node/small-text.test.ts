/** Short files that options name: their limit, and what is no file. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LINUX, POSIX } from "../../test/kit/needs.ts";
import { buildCli, CLI, ROOT, runCli } from "../../test/kit/run-cli.ts";
import { smallText } from "./small-text.ts";

const SHOP = join(ROOT, "fixtures", "shop.jfr");
const cwd = mkdtempSync(join(tmpdir(), "spanflame-small-text-"));
const at = (name: string) => join(cwd, name);
beforeAll(async () => {
  await buildCli();
  writeFileSync(at("limit.txt"), "a".repeat(4 * 2 ** 20));
  writeFileSync(at("long.txt"), "a".repeat(4 * 2 ** 20 + 1));
  writeFileSync(at("parts.txt"), `\ufeff${"ä€𝄞".repeat(30_000)}`);
  mkdirSync(at("folder"));
}, 120_000);
afterAll(() => rmSync(cwd, { recursive: true }));

describe("a small text", () => {
  it("is read whole, also characters that lie in two pieces", async () => {
    expect(await smallText("--x", at("parts.txt"))).toBe("ä€𝄞".repeat(30_000));
    expect((await smallText("--x", at("limit.txt"))).length).toBe(4 * 2 ** 20);
  });

  it.each([
    ["long.txt", "it has more than 4 MiB, the most for such a file"],
    ["missing.txt", "there is no such file"],
    ["folder", "it is a folder"],
    ["limit.txt/x", "a part of the path is a file, not a folder"],
  ])("%s is refused", async (name, words) => {
    await expect(smallText("--x", at(name))).rejects.toThrow(`--x: ${at(name)}: ${words}`);
  });

  LINUX.it("of the system is read, though its size is 0", async () => {
    expect(await smallText("--x", "/proc/self/status")).toContain("Name:");
  });

  POSIX.it("of a device is refused", async () => {
    for (const path of ["/dev/zero", "/dev/null"]) {
      await expect(smallText("--x", path)).rejects.toThrow(`${path}: it is a device, neither a file nor a pipe`);
    }
  });

  POSIX.it("of a pipe is read; one that nobody writes to is given up", async () => {
    execFileSync("mkfifo", [at("silent"), at("written")]);
    await expect(smallText("--x", at("silent"), 20)).rejects.toThrow("nothing was written to the pipe for 0.02 s");
    const text = smallText("--x", at("written"));
    execFileSync("sh", ["-c", `printf 'a b' > "${at("written")}" &`]);
    expect(await text).toBe("a b");
  });
});

const OPTIONS: [option: string, args: string[]][] = [
  ["--rules", ["why", SHOP, "--rules"]],
  ["--conditions", ["gate", SHOP, SHOP, "--conditions"]],
  ["--header-file", ["push", SHOP, "--to", "http://127.0.0.1:9", "--header-file"]],
];

describe.each(OPTIONS)("%s", (option, args) => {
  it("refuses what is no small file", async () => {
    for (const name of ["long.txt", "missing.txt", "folder", ...(POSIX.isMissing ? [] : ["/dev/zero"])]) {
      const { code, err, out } = await runCli([...args, name], { cwd });
      expect([code, out.toString()]).toEqual([2, ""]);
      expect(err).toMatch(new RegExp(`^spanflame: ${option}: ${name}: (it|there) .*\n$`));
    }
  });

  POSIX.it("reads a pipe without end up to the limit", () => {
    const script = `yes | "${process.execPath}" "${CLI}" ${args.join(" ")} /dev/stdin 2>&1; echo $?`;
    const words = `spanflame: ${option}: /dev/stdin: it has more than 4 MiB, the most for such a file\n2\n`;
    expect(execFileSync("sh", ["-c", script], { cwd, encoding: "utf8" })).toBe(words);
  });
});

it("OTEL_EXPORTER_OTLP_CERTIFICATE refuses them, too", async () => {
  const env = { OTEL_EXPORTER_OTLP_CERTIFICATE: at("long.txt") };
  const { code, err } = await runCli(["push", SHOP, "--to", "https://127.0.0.1:9"], { env });
  expect(code).toBe(2);
  expect(err).toMatch(/^spanflame: OTEL_EXPORTER_OTLP_CERTIFICATE(: .*long\.txt: it has more than 4 MiB| needs Node)/);
});

it("a thousand conditions are checked, and not one more", async () => {
  const line = "self(x*) > +5%\n";
  writeFileSync(at("most.txt"), line.repeat(1000));
  writeFileSync(at("more.txt"), line.repeat(20_000));
  const gate = (...more: string[]) =>
    runCli(["gate", SHOP, SHOP, "--type", "cpu", "--json", "--allow-empty", ...more], { cwd });
  const most = await gate("--conditions", "most.txt");
  expect([most.code, JSON.parse(most.out.toString()).conditions.length]).toEqual([0, 1000]);
  const more = await gate("--conditions", "more.txt");
  expect([more.code, more.err]).toEqual([2, "spanflame: there are 20000 conditions, more than 1000\n"]);
  const both = await gate("--conditions", "most.txt", "--fail-if", "self(y) > 5%");
  expect([both.code, both.err]).toEqual([2, "spanflame: there are 1001 conditions, more than 1000\n"]);
});
