/** `convert` and the viewer's server as processes: messages on disk and in pipes, filters, exit codes. */
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { later } from "../../../test/kit/jfr/later.ts";
import {
  dictionaryFaults,
  type FlatProfile,
  flatten,
  type ProfilesData,
  readOtlp,
  readOtlpJson,
} from "../../../test/kit/otlp/otlp-schema.ts";
import { findingsOf } from "../../../test/kit/otlp/valid.ts";
import { buildCli, callCli, ROOT, startCli } from "../../../test/kit/run-cli.ts";

const SHOP = join(ROOT, "fixtures", "shop.jfr");
const SAMPLES = { cpu: 150, wall: 87, "alloc-samples": 66 };
const { profiles: expected } = JSON.parse(readFileSync(join(ROOT, "fixtures", "shop.expected.json"), "utf8"));

let folder: string;
beforeAll(() => buildCli(), 120_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanflame-cli-"));
  return () => rm(folder, { recursive: true });
});

const path = (name: string) => join(folder, name);
const counts = (profiles: FlatProfile[]) =>
  Object.fromEntries(profiles.map((p) => [p.type, p.samples.reduce((sum, s) => sum + s.values.length, 0)]));

function valid(bytes: Uint8Array, form: "protobuf" | "json" = "protobuf"): ProfilesData {
  expect(findingsOf(bytes, form)).toEqual([]);
  return form === "json" ? readOtlpJson(new TextDecoder().decode(bytes)) : readOtlp(new Uint8Array(bytes));
}
function sound(bytes: Uint8Array, form: "protobuf" | "json" = "protobuf"): FlatProfile[] {
  const data = valid(bytes, form);
  expect(dictionaryFaults(data)).toEqual([]);
  return flatten(data);
}
const protobuf = (name: string) => sound(readFileSync(path(name)));

describe("convert", () => {
  it("writes protobuf, and says on standard error what it did", async () => {
    const { code, out, err } = await callCli(["convert", SHOP, "-o", path("a.pb")]);
    expect([code, out.length]).toEqual([0, 0]);
    expect(counts(protobuf("a.pb"))).toMatchObject(SAMPLES);
    expect(err).toMatch(/events.*observations.*samples.*ms/);
  });

  it("takes the format from --format, else from the name of the output", async () => {
    await callCli(["convert", SHOP, "-o", path("a.json")]);
    await callCli(["convert", SHOP, "-o", path("b.bin"), "--format", "otlp-json"]);
    await callCli(["convert", SHOP, "-o", path("c.json"), "--format", "otlp"]);
    const json = readFileSync(path("a.json"));
    expect(counts(sound(json, "json"))).toMatchObject(SAMPLES);
    expect(readFileSync(path("b.bin")).equals(json)).toBe(true);
    expect(counts(protobuf("c.json"))).toMatchObject(SAMPLES);
  });

  it("indents with --pretty what is on one line without", async () => {
    await callCli(["convert", SHOP, "-o", path("a.json")]);
    await callCli(["convert", SHOP, "-o", path("b.json"), "--pretty"]);
    const [plain, pretty] = ["a.json", "b.json"].map((name) => readFileSync(path(name), "utf8"));
    expect(JSON.parse(pretty ?? "")).toEqual(JSON.parse(plain ?? ""));
    expect([plain?.trimEnd().split("\n").length, (pretty?.split("\n").length ?? 0) > 1000]).toEqual([1, true]);
  });

  it("reads standard input and writes standard output for -", async () => {
    const { code, out } = await callCli(["convert", "-", "-o", "-"], { input: readFileSync(SHOP) });
    expect(code).toBe(0);
    expect(counts(sound(out))).toMatchObject(SAMPLES);
    const json = await callCli(["convert", SHOP, "-o", "-", "--format", "otlp-json"]);
    expect(counts(sound(json.out, "json"))).toMatchObject(SAMPLES);
  });

  it("reads several files, compressed ones too, into one message", async () => {
    await writeFile(path("shop.jfr.gz"), gzipSync(later(readFileSync(SHOP))));
    const { code } = await callCli(["convert", SHOP, path("shop.jfr.gz"), "-o", path("a.pb"), "--type", "cpu"]);
    expect([code, counts(protobuf("a.pb"))]).toEqual([0, { cpu: 300 }]);
  });

  it.each([
    ["a type", ["--type", "wall"], { wall: expected.wall.samples }],
    ["an attribute beyond Latin-1", ["--type", "cpu", "--attr", "tenant=東京書店"], { cpu: 46 }],
    ["an attribute beyond 16 bits", ["--type", "cpu", "--attr", "tenant=café-☕🔥"], { cpu: 14 }],
    ["an attribute that is a number", ["--type", "cpu", "--attr", "retries=3"], { cpu: 11 }],
    [
      "attributes that all must hold",
      ["--type", "cpu", "--attr", "operation=servlet.request", "--attr", "tenant=nobody"],
      { cpu: 0 },
    ],
  ])("writes what %s leaves", async (_, filter, wanted) => {
    const { code } = await callCli(["convert", SHOP, "-o", path("a.pb"), ...filter]);
    expect(code).toBe(0);
    expect(counts(flatten(valid(readFileSync(path("a.pb")))))).toEqual(wanted);
  });

  it("of a filter without samples is a message with a profile without any, and a word", async () => {
    const both = [
      ["--span", "12345"],
      ["--type", "cpu", "--local-root", "0xabc"],
    ];
    for (const filter of both) {
      const { code, out, err } = await callCli(["convert", SHOP, "-o", "-", ...filter]);
      expect(code).toBe(0);
      expect(flatten(valid(out))).toEqual([expect.objectContaining({ type: "cpu", samples: [] })]);
      expect(err).toContain("no samples");
      const json = await callCli(["convert", SHOP, "-o", "-", "--format", "otlp-json", ...filter]);
      expect(flatten(valid(json.out, "json"))).toEqual(flatten(valid(out)));
    }
  });

  it("of a known type that the recording has none of is empty; an unknown one is wrong usage", async () => {
    const recorded = join(ROOT, "fixtures", "recorded", "dd152-jdk17-all.jfr");
    const none = await callCli(["convert", recorded, "-o", path("a.pb"), "--type", "lock-contention"]);
    expect([none.code, none.err]).toEqual([0, expect.stringContaining("no samples")]);
    const [profile] = flatten(valid(readFileSync(path("a.pb"))));
    expect(profile).toMatchObject({ type: "lock-contention", unit: "nanoseconds", samples: [] });
    const unknown = await callCli(["convert", SHOP, "-o", path("b.pb"), "--type", "gpu"]);
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('"gpu"')]);
    expect(await readdir(folder)).toEqual(["a.pb"]);
  });

  it("fails with 1 and writes nothing where no input can be read", async () => {
    await writeFile(path("notes.txt"), "nothing to see");
    await writeFile(path("empty.jfr"), "");
    for (const input of ["notes.txt", "empty.jfr", "missing.jfr"]) {
      const { code, err } = await callCli(["convert", path(input), "-o", path("a.pb")]);
      expect([input, code]).toEqual([input, 1]);
      expect(err).toContain(input);
      expect(err).not.toContain("    at ");
    }
    expect(await readdir(folder)).not.toContain("a.pb");
  });

  it("ends with 3 when one of two inputs can be read, and names the other", async () => {
    await writeFile(path("notes.txt"), "nothing to see");
    const { code, err } = await callCli(["convert", path("notes.txt"), SHOP, "-o", path("a.pb")]);
    expect([code, counts(protobuf("a.pb")).cpu]).toEqual([3, SAMPLES.cpu]);
    expect(err).toMatch(/error: notes\.txt: .*plain text/);
  });

  it("fails with 1 where the output cannot be written", async () => {
    const { code, err } = await callCli(["convert", SHOP, "-o", path("no/such/folder/a.pb")]);
    expect([code, err]).toEqual([1, expect.stringContaining("there is no folder")]);
  });

  it.each([
    ["no output", [SHOP]],
    ["no input", ["-o", "x.pb"]],
    ["a format that there is not", [SHOP, "-o", "x.pb", "--format", "svgs"]],
    ["an id that is none", [SHOP, "-o", "x.pb", "--span", "xyz"]],
  ])("with %s is wrong usage", async (_, args) => {
    const { code, err } = await callCli(["convert", ...args], { cwd: folder });
    expect([code, await readdir(folder)]).toEqual([2, []]);
    expect(err).toContain("spanflame");
  });
});

describe("without a command", () => {
  it("prints help and version", async () => {
    const help = await callCli(["--help"]);
    expect([help.code, help.out.toString()]).toEqual([0, expect.stringMatching(/^ {2}convert {2}/m)]);
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect((await callCli(["--version"])).out.toString()).toBe(`${version}\n`);
  });

  it("refuses a file that is not there, and an option that there is not", async () => {
    expect((await callCli([path("missing.jfr"), "--no-open"])).code).toBe(1);
    expect((await callCli(["--no-such-option"])).code).toBe(2);
  });

  it.each(["SIGTERM", "SIGINT"] as const)("serves at an address with a secret until %s", async (signal) => {
    const child = startCli([SHOP, "--no-open"]);
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    try {
      const url = await new Promise<URL>((resolve, reject) => {
        let said = "";
        child.stdout?.on("data", (part: Buffer) => {
          said += part.toString();
          const address = /http:\/\/\S+/.exec(said)?.[0];
          if (address !== undefined) resolve(new URL(address));
        });
        child.on("close", () => reject(new Error("ended before it served")));
      });
      expect(url.hostname).toMatch(/^(127\.0\.0\.1|localhost)$/);
      // 128 bits at least, in the path or in the query.
      expect(`${url.pathname}${url.search}`).toMatch(/[\w-]{22,}/);
      const without = await fetch(url.origin);
      expect(without.status).toBeGreaterThanOrEqual(400);
      await without.arrayBuffer();
    } finally {
      child.kill(signal);
    }
    expect(await ended).toBe(0);
  });
});
