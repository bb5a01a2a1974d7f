/** Collapsed stacks as an input of the command line, as processes: from files, from a pipe, and back. */
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";

const SHOP = join(ROOT, "fixtures", "shop.jfr");

let folder: string;
beforeAll(() => buildCli(), 120_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanflame-cli-"));
  writeFileSync(join(folder, "a.txt"), "main;work 2\nmain;idle 1\n");
  writeFileSync(join(folder, "b.folded"), "main;work 40\n");
  return () => rm(folder, { recursive: true });
});

describe("collapsed stacks", () => {
  it("of several files become one", async () => {
    const { code, out, err } = await callCli(["convert", "a.txt", "b.folded", "-o", "-", "--format", "collapsed"], {
      cwd: folder,
    });
    expect([code, out.toString()]).toEqual([0, "main;work 42\nmain;idle 1\n"]);
    expect(err).toContain("3 samples → 3 observations in 2 samples of 1 profile");
  });

  it("come through a pipe, and damaged lines make the exit code 3 with --strict", async () => {
    const input = new TextEncoder().encode("a;b 1\nlost\nc 2\n");
    const { code, out, err } = await callCli(["convert", "-", "-o", "-", "--format", "collapsed", "--strict"], {
      input,
    });
    expect([code, out.toString()]).toEqual([3, "a;b 1\nc 2\n"]);
    expect(err).toContain("collapsed: line 2 without a number after the last blank; left out (block 0, offset 6)");
  });

  it("that were written of a recording are written the same again", async () => {
    const first = join(folder, "first.collapsed");
    const second = join(folder, "second.collapsed");
    await callCli(["convert", SHOP, "-o", first, "--type", "cpu"]);
    const { code } = await callCli(["convert", first, "-o", second]);
    expect([code, readFileSync(second, "utf8")]).toEqual([0, readFileSync(first, "utf8")]);
  });

  it("are described by info", async () => {
    const { code, out } = await callCli(["info", "a.txt"], { cwd: folder });
    expect([code, out.toString()]).toEqual([
      0,
      expect.stringMatching(/1 block of collapsed stacks, 2 samples\nsamples: 2 /),
    ]);
  });

  it("have one name for a class with slashes and with dots", async () => {
    const stacks = (slashed: boolean) =>
      [
        [
          "com.shop.Web.run",
          "com.shop.Cart.total",
          "java.util.regex.Pattern.matcher",
          "java.util.regex.Pattern$Loop.match",
        ],
        ["com.shop.Web.run", "com.shop.Json.read"],
      ]
        .map((names) => names.map((name) => (slashed ? name.replace(/\.(?=.*\.)/g, "/") : name)).join(";"))
        .map((stack, i) => `${stack} ${[350, 650][i]}\n`)
        .join("");
    writeFileSync(join(folder, "dots.txt"), stacks(false));
    writeFileSync(join(folder, "slashes.txt"), stacks(true));
    expect(readFileSync(join(folder, "slashes.txt"), "utf8")).toContain("java/util/regex/Pattern$Loop.match 350");
    const ask = async (...args: string[]) => (await callCli(args, { cwd: folder })).out.toString();
    expect(await ask("diff", "dots.txt", "slashes.txt", "--type", "samples")).toContain("No function changed");
    const tops = await Promise.all(["dots.txt", "slashes.txt"].map((file) => ask("top", file, "--type", "samples")));
    expect(tops[1]).toBe(tops[0]);
    const collapse = ["--format", "collapsed", "--collapse", "jdk"];
    expect(await ask("convert", "slashes.txt", "-o", "-", ...collapse)).toContain(
      "com.shop.Web.run;com.shop.Cart.total;JDK 350\n",
    );
  });

  it("begin below the border of carried threads, and the truncated ones are counted", async () => {
    const lines = [
      "T.run;jdk.internal.vm.Continuation.enter;V.run;A.get 5",
      "[truncated];A.get 3",
      "T.run;A.get 2",
      "",
    ];
    writeFileSync(join(folder, "carried.txt"), lines.join("\n"));
    for (const more of [[], ["--truncated", "at-root"]]) {
      const { out, err } = await callCli(
        ["convert", "carried.txt", "-o", "-", "--format", "collapsed", "--collapse", "carrier", ...more],
        { cwd: folder },
      );
      const cut = more.length === 0 ? "[truncated];A.get 3" : "A.get 3";
      expect(out.toString().trimEnd().split("\n").sort()).toEqual([cut, "T.run;A.get 2", "V.run;A.get 5"].sort());
      expect(err).toContain("stacks truncated before the border of Carrier: 1 of 3 samples\n");
    }
  });

  it("are told from OTLP by the validator", async () => {
    const { code, out } = await callCli(["validate", "a.txt"], { cwd: folder });
    expect([code, out.toString()]).toEqual([
      1,
      expect.stringContaining("this is collapsed stacks, of which `convert` makes"),
    ]);
  });
});
