/** Inputs of commands: folders, names, and the filter by file. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LINUX } from "../../test/kit/needs.ts";
import { pprofOf } from "../../test/kit/otlp/pprof-message.ts";
import { askCli, buildCli, callCli, ROOT, runCli } from "../../test/kit/run-cli.ts";
import { ExitCode } from "./exit.ts";
import { inputsOf } from "./inputs.ts";

const SHOP = join(ROOT, "fixtures", "shop.jfr");
const CHUNKS = join(ROOT, "fixtures", "shop-chunks.jfr");

let folder: string;
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "spanflame-inputs-"));
  for (const host of ["host2", "host1"]) mkdirSync(join(folder, "runs", host), { recursive: true });
  copyFileSync(SHOP, join(folder, "runs", "host1", "rec.jfr"));
  copyFileSync(CHUNKS, join(folder, "runs", "host2", "rec.jfr"));
  writeFileSync(join(folder, "runs", "notes.txt"), "no recording\n");
  symlinkSync(join(folder, "runs"), join(folder, "runs", "host2", "again"));
  mkdirSync(join(folder, "empty"));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

interface Info {
  files: { name: string; samples: number }[];
}
interface Top {
  total: string;
}

describe("a folder", () => {
  it("of an upload has the attachments that event.json names, with the process of its tags", async () => {
    const upload = join(folder, "upload");
    mkdirSync(upload);
    copyFileSync(CHUNKS, join(upload, "auto"));
    mkdirSync(join(upload, "folder"));
    const attachments = ["auto", "gone.jfr", "folder"];
    writeFileSync(join(upload, "event.json"), JSON.stringify({ attachments, tags_profiler: "env:prod,host:h1" }));
    const { out, code } = await callCli(["info", upload, "--json"]);
    const { files, diagnostics } = JSON.parse(out.toString()) as {
      files: { name: string; resource: object }[];
      diagnostics: { code: string; message: string }[];
    };
    expect(files.map(({ name }) => name)).toEqual(["upload/auto", join(upload, "gone.jfr"), join(upload, "folder")]);
    expect(files[0]?.resource).toMatchObject({ "deployment.environment.name": "prod", "host.name": "h1" });
    const message = "event.json names this attachment, which is no file of its folder";
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: "source.unreadable", message }));
    expect(code).toBe(ExitCode.Partly);
  });

  it("names the files that it leaves out, and warns once about recordings among them", async () => {
    const odd = join(folder, "others");
    mkdirSync(odd);
    for (const name of ["a.jfr", "b.jfr.1", "rec", ".c.jfr.part"]) copyFileSync(SHOP, join(odd, name));
    writeFileSync(join(odd, "cpu.out"), gzipSync(pprofOf({ types: [["cpu", "ns"]], samples: [] })));
    writeFileSync(join(odd, "broken.gz.1"), gzipSync("text").subarray(0, 12));
    writeFileSync(join(odd, "notes.txt"), "no recording\n");
    const { err, code } = await runCli(["export", odd, "--parquet", join(folder, "others.set")]);
    const names = ["b.jfr.1", "cpu.out", "rec"].map((name) => join(odd, name)).join(", ");
    const line = `${odd}: 3 recordings with other names left out, which are read if you name them: ${names}`;
    const rest = ["broken.gz.1", "notes.txt"].map((name) => join(odd, name)).join(", ");
    expect(err).toContain(
      `spanflame: ${odd}: 2 files left out, by name no recordings: ${rest}\nspanflame: warning: ${line}\n`,
    );
    expect(code).toBe(ExitCode.Done);
    const quiet = await callCli(["export", odd, "--parquet", join(folder, "quiet.set"), "-q"]);
    expect([quiet.code, quiet.err]).toEqual([ExitCode.Done, `spanflame: warning: ${line}\n`]);
  });

  it("of an upload may have attachments that are no profiles: they are listed, and nothing is wrong", async () => {
    const upload = join(folder, "whole");
    mkdirSync(upload);
    copyFileSync(CHUNKS, join(upload, "auto"));
    writeFileSync(join(upload, "metrics.json"), "[]");
    const event = { attachments: ["auto", "metrics.json"], tags_profiler: "language:jvm,runtime:x,team:core" };
    writeFileSync(join(upload, "event.json"), JSON.stringify(event));
    const { out, code, err } = await callCli(["info", upload, "--json", "-q"]);
    const { files, diagnostics } = JSON.parse(out.toString()) as {
      files: { name: string; resource: Record<string, string> }[];
      diagnostics: { code: string; severity: string }[];
    };
    expect([code, err]).toEqual([ExitCode.Done, ""]);
    expect(files.map(({ name }) => name)).toEqual(["whole/auto", "whole/metrics.json"]);
    expect(files[0]?.resource).toMatchObject({ "telemetry.sdk.language": "java", team: "core" });
    expect(diagnostics).toMatchObject([{ code: "bundle.other", severity: "info" }]);
    writeFileSync(join(upload, "auto"), "[]");
    expect((await callCli(["info", upload])).code).not.toBe(ExitCode.Done);
  });

  it("gives its recordings by name, however deep, but not through a link to itself", () => {
    const found = inputsOf([join(folder, "runs"), SHOP, "-"]);
    expect(found).toEqual([
      { path: join(folder, "runs", "host1", "rec.jfr"), name: "runs/host1/rec.jfr" },
      { path: join(folder, "runs", "host2", "rec.jfr"), name: "runs/host2/rec.jfr" },
      { path: SHOP, name: "shop.jfr" },
      { path: "-", name: "-" },
    ]);
    expect(inputsOf([join(folder, "runs")], join(folder, "runs", "host2"))).toHaveLength(1);
  });

  LINUX.it("names what it cannot read: names that are not UTF-8, and links that lead nowhere", async () => {
    const odd = join(folder, "odd");
    mkdirSync(odd);
    const bytes = (name: string) => Buffer.concat([Buffer.from(`${odd}/`), Buffer.from(name, "latin1")]);
    for (const name of ["sh\xff.jfr", "notes\xff.txt"]) copyFileSync(SHOP, bytes(name));
    mkdirSync(bytes("deep\xff"));
    symlinkSync("nowhere", join(odd, "gone.jfr"));
    symlinkSync("nowhere", join(odd, "gone.txt"));
    copyFileSync(SHOP, join(odd, "é\ufffd.jfr"));
    expect(inputsOf([odd]).map(({ name, fault }) => [name, fault])).toEqual([
      ["odd/deep\ufffd", expect.stringContaining("not UTF-8")],
      ["odd/gone.jfr", "there is no such file"],
      ["odd/sh\ufffd.jfr", expect.stringContaining("not UTF-8")],
      ["odd/é\ufffd.jfr", undefined],
    ]);
    const { code, err } = await callCli(["info", odd]);
    expect([code, err]).toEqual([ExitCode.Partly, expect.stringContaining("its name is not UTF-8")]);
  });

  it("has files of JSON with profiles, and no other JSON", () => {
    const mixed = join(folder, "mixed");
    mkdirSync(mixed);
    const texts = {
      a: '{"resourceProfiles":[]}',
      b: '\ufeff{ "dictionary": {"mappingTable":[]}}',
      c: '{"resourceSpans":[]}',
      d: "",
    };
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(mixed, `${name}.json`), text);
    writeFileSync(join(mixed, "e.JSONL"), `${texts.a}\n${texts.a}\n`);
    expect(inputsOf([mixed]).map(({ name }) => name)).toEqual(["mixed/a.json", "mixed/b.json", "mixed/e.JSONL"]);
  });

  it("is an input of a command", async () => {
    const { files } = await askCli<Info>("info", join(folder, "runs"));
    expect(files.map(({ name }) => name)).toEqual(["runs/host1/rec.jfr", "runs/host2/rec.jfr"]);
  });

  it("without a recording is an input that cannot be read", async () => {
    const { code, err } = await callCli(["info", join(folder, "empty")]);
    expect(code).toBe(1);
    expect(err).toContain("the folder contains no recording: no file name ends in .jfr");
    expect((await callCli(["info", join(folder, "empty"), SHOP])).code).toBe(3);
  });
});

describe("--file", () => {
  const cpu = ["--type", "cpu"];
  const total = async (...args: string[]) => (await askCli<Top>("top", ...args, ...cpu)).total;

  it("selects one of several inputs, or those of a folder", async () => {
    const both = [join(folder, "runs", "host1", "rec.jfr"), join(folder, "runs", "host2", "rec.jfr")];
    expect(await total(...both, "--file", "host1/rec.jfr")).toBe(await total(SHOP));
    expect(await total(...both, "--file", "host2/rec.jfr")).toBe(await total(CHUNKS));
    expect(await total(join(folder, "runs"), SHOP, "--file", "runs/host2")).toBe(await total(CHUNKS));
    expect(await total(join(folder, "runs"), SHOP, "--file", "runs")).toBe(await total(...both));
  });

  it("of a name that no input has is refused with the names", async () => {
    const { code, err } = await callCli(["top", SHOP, CHUNKS, ...cpu, "--file", "shp.jfr"]);
    expect(code).toBe(2);
    expect(err).toBe('spanflame: --file: no input is named "shp.jfr"; the inputs are shop.jfr, shop-chunks.jfr\n');
  });
});
