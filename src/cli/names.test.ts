/** Generated names on the command line: normalised in views, as recorded in files; options for both. */
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";
import { FORMATS } from "../core/tables/formats.ts";

const RECORDING = join(ROOT, "fixtures", "recorded", "ap46-jdk17-all.jfr");
const NORMALISED = "demo.Shop$$Lambda.run";
const RAW = /demo\.Shop\$\$Lambda\$\d+\.0x[0-9a-f]{16}\.run/;

beforeAll(() => buildCli(), 120_000);

const said = async (...args: string[]) => (await callCli(args)).out.toString();
const top = (...args: string[]) => said("top", RECORDING, "--type", "cpu", "--limit", "1000", ...args);
const convert = (format: string, ...args: string[]) => {
  return said("convert", RECORDING, "-o", "-", "--format", format, "--type", "cpu", ...args);
};

it("top and svg show normalised names, and raw ones with --raw-names", async () => {
  for (const show of [top, (...args: string[]) => convert("svg", ...args)]) {
    expect(await show()).toContain(NORMALISED);
    expect(await show()).not.toMatch(RAW);
    expect(await show("--raw-names")).toMatch(RAW);
    expect(await show("--raw-names")).not.toContain(NORMALISED);
  }
});

it("--frame looks for the names that are shown", async () => {
  const pattern = "Shop\\$\\$Lambda\\$\\d";

  expect(await top("--frame", pattern)).not.toContain("demo.");
  expect(await top("--frame", pattern, "--raw-names")).toContain("demo.");
});

it("files have names as recorded, and normalised ones with --normalise-names", async () => {
  for (const { name: format } of FORMATS.filter(({ mediaType }) => /text|json/.test(mediaType))) {
    expect(await convert(format)).toMatch(RAW);
    expect(await convert(format, "--normalise-names")).toContain(NORMALISED);
    expect(await convert(format, "--normalise-names")).not.toMatch(RAW);
  }
});

it("a report cannot be asked for normalised names: it has them", async () => {
  const { code, err } = await callCli(["convert", RECORDING, "-o", "-", "--format", "html", "--normalise-names"]);

  expect(code).toBe(2);
  expect(err).toContain("--normalise-names: is not for --format html");
});
