import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { buildCli, callCli, ROOT, runCli } from "./run-cli.ts";

const SHOP = join(ROOT, "fixtures", "shop.jfr");

beforeAll(buildCli, 120_000);

it("commands of one process answer, fail and print as commands of their own", async () => {
  const commands = [
    ["info", SHOP, "--json"],
    ["info", "missing.jfr", "--json"],
    ["top", SHOP, "--type", "cpu", "--quiet"],
    ["convert", SHOP, "--format", "otlp", "-o", "-", "-q"],
    ["info", "missing.jfr"],
    ["inof"],
    ["info", "also-missing.jfr", "--json"],
  ];
  const cwd = tmpdir();
  // All at once: they wait for each other.
  const called = await Promise.all(commands.map((args) => callCli(args, { cwd })));
  for (const [i, args] of commands.entries()) expect([args, called[i]]).toEqual([args, await runCli(args, { cwd })]);
});
