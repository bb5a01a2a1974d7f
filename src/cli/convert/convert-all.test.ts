/** `convert --out-dir`: an output for each input, failures, and runs that continue earlier ones. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCli, callCli, ROOT, startCli } from "../../../test/kit/run-cli.ts";

const fixture = (...path: string[]) => join(ROOT, "fixtures", ...path);
const SHOP = fixture("shop.jfr");
const CHUNKS = fixture("shop-chunks.jfr");

interface Answer {
  outputs: { input: string; outputs: string[]; result: string; bytes: number; problem: string | null }[];
  written: number;
  kept: number;
  failed: number;
}

let folder: string;
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "spanflame-out-"));
  for (const host of ["host1", "host2"]) mkdirSync(join(folder, "in", host), { recursive: true });
  copyFileSync(SHOP, join(folder, "in", "host1", "rec.jfr"));
  copyFileSync(CHUNKS, join(folder, "in", "host2", "rec.jfr"));
  copyFileSync(fixture("recorded", "jdk17-profile.jfr"), join(folder, "in", "z.jfr"));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

const at = (...path: string[]) => join(folder, ...path);

async function convert(...args: string[]): Promise<{ code: number | null; err: string; answer: Answer }> {
  const { code, out, err } = await callCli(["convert", ...args, "--json"], { cwd: folder });
  return { code, err, answer: out.length === 0 ? (null as never) : JSON.parse(out.toString()) };
}

const results = ({ outputs }: Answer) => Object.fromEntries(outputs.map(({ input, result }) => [input, result]));

/** What `convert -o` writes of an input. */
async function alone(path: string, ...args: string[]): Promise<Buffer> {
  return (await callCli(["convert", path, "-o", "-", ...args])).out;
}

describe("convert --out-dir", () => {
  it.each(["1", "2"])("with --jobs %s writes for each input what convert writes of it alone", async (jobs) => {
    const { code, err, answer } = await convert("in", SHOP, "--out-dir", `all${jobs}`, "--jobs", jobs);
    expect([code, answer.written, answer.kept, answer.failed]).toEqual([0, 4, 0, 0]);
    expect(answer.outputs.map(({ outputs }) => outputs)).toEqual([
      [`all${jobs}/in/host1/rec.pb`],
      [`all${jobs}/in/host2/rec.pb`],
      [`all${jobs}/in/z.pb`],
      [`all${jobs}/shop.pb`],
    ]);
    expect(err).toMatch(/^spanflame: 4 outputs written, 0 kept, 0 failed; .* → .* in .*\n$/);
    expect(readFileSync(at(`all${jobs}/in/host2/rec.pb`))).toEqual(await alone(CHUNKS));
    expect(readFileSync(at(`all${jobs}/in/z.pb`))).toEqual(await alone(at("in/z.jfr")));
    expect(answer.outputs.map(({ bytes }) => bytes)).toEqual(
      answer.outputs.map(({ outputs: [path] }) => statSync(at(path!)).size),
    );
  });

  it("names outputs by their format, and writes every format with its options", async () => {
    const { answer } = await convert("in/host1", "--out-dir", "cpu", "--format", "pprof", "--type", "cpu");
    expect(answer.outputs[0]?.outputs).toEqual(["cpu/host1/rec.pb.gz"]);
    expect(readFileSync(at("cpu/host1/rec.pb.gz"))).toEqual(await alone(SHOP, "--format", "pprof", "--type", "cpu"));
    await convert("in/host1", "--out-dir", "cpu", "--format", "html", "--type", "cpu", "--gzip");
    expect(readdirSync(at("cpu/host1")).sort()).toEqual(["rec.html.gz", "rec.pb.gz"]);
    copyFileSync(at("all1/shop.pb"), at("shop.pb"));
    const { answer: other } = await convert("shop.pb", "--out-dir", "again", "--gzip");
    expect(other.outputs[0]?.outputs).toEqual(["again/shop.pb.pb.gz"]);
  });

  it("lists inputs that fail, in their order, and converts the others", async () => {
    mkdirSync(at("bad"));
    for (const name of ["a", "c"]) writeFileSync(at(`bad/${name}.jfr`), "no recording\n");
    copyFileSync(SHOP, at("bad/b.jfr"));
    writeFileSync(at("bad/d.jfr"), readFileSync(CHUNKS).subarray(0, -1000));
    const first = await convert("bad", "missing.jfr", "--out-dir", "bad-out", "--jobs", "2", "--strict");
    expect(first.code).toBe(3);
    expect(results(first.answer)).toEqual({
      "bad/a.jfr": "failed",
      "bad/b.jfr": "written",
      "bad/c.jfr": "failed",
      "bad/d.jfr": "partly",
      "missing.jfr": "failed",
    });
    expect(first.answer.outputs.map(({ problem }) => problem)).toEqual([
      expect.stringContaining("plain text"),
      null,
      expect.stringContaining("plain text"),
      expect.stringContaining("jfr"),
      "there is no such file",
    ]);
    const lines = first.err.split("\n").filter((line) => line.includes("error: "));
    const named = lines.map((line) => /error: (?:bad\/)?(\w+)/.exec(line)?.[1]);
    expect([...new Set(named)]).toEqual(["a", "c", "d", "missing"]);
    expect(first.err).toContain("spanflame: no output for bad/a.jfr, bad/c.jfr, missing.jfr\n");
    expect(readdirSync(at("bad-out/bad")).sort()).toEqual(["b.pb", "d.pb"]);
    // Failed ones are tried again; a part that is missing is still missing.
    const second = await convert("bad", "--out-dir", "bad-out", "--strict");
    expect([second.code, second.answer.kept, second.answer.failed]).toEqual([3, 2, 2]);
    const none = await convert("bad/a.jfr", "bad/c.jfr", "--out-dir", "bad-out");
    expect([none.code, none.answer.failed]).toEqual([1, 2]);
  });

  it("converts the inputs that --file names", async () => {
    const { answer } = await convert("in", "--out-dir", "one", "--file", "in/host2");
    expect(answer.outputs.map(({ outputs }) => outputs)).toEqual([["one/in/host2/rec.pb"]]);
    expect(readFileSync(at("one/in/host2/rec.pb"))).toEqual(await alone(CHUNKS));
    const { code, err } = await callCli(["convert", "in", "--out-dir", "one", "--file", "no"], { cwd: folder });
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^spanflame: --file: no input is named "no"; .* in\/z.jfr\n$/),
    ]);
  });

  it.each([
    [["in", "--out-dir", "x", "-o", "y.pb"], "--out-dir and -o exclude each other"],
    [["-", "--out-dir", "x"], "--out-dir: standard input has no name; use -o"],
    [["in", "--out-dir", "in"], "--out-dir: in is a folder of inputs; choose another, such as in/otlp"],
    [["in", "--out-dir", "x", "--jobs", "0"], "--jobs: 0 is not a number of jobs"],
    [["in", "--out-dir", "x", "--jobs", "many"], '--jobs: "many" is not a number'],
    [["in", "--out-dir", "x", "--split-bytes", "9"], "--split-bytes: with --out-dir needs --framed"],
    [["in", "--out-dir", "x", "--format", "xml"], '--format: "xml" is not one of'],
    [["in", "--out-dir", "x", "--frame", "("], "--frame: missing closing )"],
    [["same.jfr", "same", "--out-dir", "x"], "--out-dir: same.jfr and same have the same output, same.pb"],
  ])("refuses %j: %s", async (args, words) => {
    const { code, err } = await callCli(["convert", ...args], { cwd: folder });
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe("a later run", () => {
  const OUT = "later";
  const run = (...args: string[]) => convert("in", "--out-dir", OUT, ...args);
  const NAMES = ["in/host1/rec.jfr", "in/host2/rec.jfr", "in/z.jfr"];
  const expected = (result: string, others: Record<string, string> = {}) => ({
    ...Object.fromEntries(NAMES.map((name) => [name, result])),
    ...others,
  });

  it("keeps outputs that are up to date, and writes the others", async () => {
    expect(results((await run()).answer)).toEqual(expected("written"));
    const second = await run("--jobs", "2");
    expect([second.code, results(second.answer)]).toEqual([0, expected("kept")]);

    rmSync(at(OUT, "in/z.pb"));
    writeFileSync(at(OUT, "in/host1/rec.pb"), "cut");
    expect(results((await run()).answer)).toEqual(
      expected("kept", { "in/z.jfr": "written", "in/host1/rec.jfr": "written" }),
    );
    expect(readFileSync(at(OUT, "in/host1/rec.pb"))).toEqual(await alone(SHOP));

    utimesSync(at("in/z.jfr"), new Date(0), new Date(0));
    expect(results((await run()).answer)).toEqual(expected("kept", { "in/z.jfr": "written" }));

    // Other options make other outputs.
    expect(results((await run("--type", "cpu")).answer)).toEqual(expected("written"));
    expect(results((await run()).answer)).toEqual(expected("written"));
    writeFileSync(at(OUT, ".spanflame-convert.jsonl"), 'null\n{"input":"in/z.jf', { flag: "a" });
    expect(results((await run()).answer)).toEqual(expected("kept"));
  });

  it("does not read the folder of outputs, if it is in a folder of inputs", async () => {
    expect((await convert("in", "--out-dir", "in/otlp")).answer.outputs).toHaveLength(3);
    expect((await convert("in", "--out-dir", "in/otlp")).answer).toMatchObject({ written: 0, kept: 3 });
    rmSync(at("in/otlp"), { recursive: true });
  });

  it.each(["1", "2"])(
    "continues one that was ended, with --jobs %s: a part of an output never counts",
    async (jobs) => {
      const many = at(`many${jobs}`);
      const out = at(`many-out${jobs}`);
      mkdirSync(many);
      const names = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, "0"));
      for (const name of names) copyFileSync(fixture("recorded", "dd152-jdk17-all.jfr"), join(many, `${name}.jfr`));
      const args = ["convert", many, "--out-dir", out, "--jobs", jobs, "-q"];
      const child = startCli(args);
      const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
      const folderOf = join(out, `many${jobs}`);
      const isDone = () => existsSync(folderOf) && readdirSync(folderOf).some((name) => name.endsWith(".pb"));
      while (child.exitCode === null && !isDone()) await new Promise((resolve) => setTimeout(resolve, 5));
      child.kill("SIGTERM");
      await ended;

      const whole = await alone(join(many, "00.jfr"));
      const written = readdirSync(folderOf);
      expect(written.filter((name) => !name.endsWith(".pb"))).toEqual([]);
      for (const name of written) expect(readFileSync(join(folderOf, name)).equals(whole)).toBe(true);
      const { answer, code } = await convert(many, "--out-dir", out, "--jobs", jobs);
      expect([code, answer.failed, answer.kept + answer.written]).toEqual([0, 0, 60]);
      for (const name of names) expect(readFileSync(join(folderOf, `${name}.pb`)).equals(whole)).toBe(true);
    },
  );

  it("makes no folder that the attachments of an upload name", async () => {
    const upload = join(folder, "a", "upload");
    const out = join(folder, "a", "b", "out");
    for (const path of [upload, join(folder, "a", "b")]) mkdirSync(path, { recursive: true });
    copyFileSync(SHOP, join(upload, "main.jfr"));
    const paths = [
      "../../../escaped/x.jfr",
      "/escaped/y.jfr",
      "..\\escaped\\z.jfr",
      "..",
      "C:x.jfr",
      "a/../main.jfr",
      "gone.jfr",
    ];
    writeFileSync(join(upload, "event.json"), JSON.stringify({ attachments: ["main.jfr", ...paths] }));
    const before = readdirSync(folder).sort();
    const { err, code } = await callCli(["convert", upload, "--out-dir", out]);
    expect(readdirSync(folder).sort()).toEqual(before);
    expect(readdirSync(join(folder, "a")).sort()).toEqual(["b", "upload"]);
    const made = readdirSync(out, { recursive: true })
      .map(String)
      .filter((name) => !name.startsWith("."));
    expect(made).toEqual(["upload", join("upload", "main.pb")]);
    expect([code, err]).toEqual([3, expect.stringContaining('these are no names of files: "../../../escaped/x.jfr"')]);
  });
});
