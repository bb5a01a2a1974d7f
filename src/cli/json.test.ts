/** JSON answers of all commands against the schemas of docs/schema/. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { limitedChunk } from "../../test/kit/jfr/losses.ts";
import { buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";
import { COMMANDS } from "../node/usage/commands.ts";
import { optionsOf } from "../node/usage/rows.ts";

const FOLDER = join(ROOT, "docs", "schema");
const fixture = (name: string) => join(ROOT, "fixtures", name);
const SHOP = fixture("shop.jfr");
const CHUNKS = fixture("shop-chunks.jfr");
const RECORDED = fixture("recorded/dd152-jdk17-all.jfr");
const REMOTE = fixture("recorded/dd152-jdk17-remotesym.jfr");
const TRACED = fixture("traces/ddctx-jdk17.jfr");
const TRACE = fixture("traces/ddctx-jdk17.captured.datadog.json.gz");
const OUT = mkdtempSync(join(tmpdir(), "spanflame-json-"));
afterAll(() => rmSync(OUT, { recursive: true }));
const ROOT_ID = "0x3b2f5e1d7c9a8e1f";
const LIMITED = join(OUT, "limited.jfr");
writeFileSync(LIMITED, buildChunk(limitedChunk(1000n)).bytes);

/** The schema without room for members that it does not describe. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  return "properties" in inner ? { additionalProperties: false, ...inner } : inner;
}

const schemas = new Map<string, ValidateFunction>();
beforeAll(async () => {
  await buildCli();
  const ajv = new Ajv2020({ allErrors: true, strict: true });
  for (const file of readdirSync(FOLDER)) {
    const schema = JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
    schemas.set(file.replace(".schema.json", ""), ajv.compile(strict(schema) as object));
  }
}, 120_000);

/** Faults of an answer. */
async function faults(name: string, args: string[], input?: Uint8Array): Promise<unknown> {
  const { out, err } = await callCli([...args, "--json"], input === undefined ? {} : { input });
  expect(err).not.toContain("unknown option");
  const validate = schemas.get(name);
  const isValid = validate?.(JSON.parse(out.toString()));
  return isValid ? null : (validate?.errors ?? "no schema");
}

const ANSWERING = Object.entries(COMMANDS).flatMap(([name, row]) =>
  optionsOf(row).some((option) => option.name === "json" && option.about.includes("answer")) ? [name] : [],
);
const schemaOf = (name: string) => (name === "gate" ? "diff" : name);

describe("a JSON answer", () => {
  it.each<[name: string, args: string[]]>([
    ["info", ["info", SHOP, CHUNKS]],
    ["info", ["info", SHOP, "--no-stacks"]],
    ["info", ["info", RECORDED, fixture("recorded/jdk25-cputime.jfr"), fixture("recorded/jdk17-profile.jfr")]],
    ["info", ["info", fixture("README.md"), "missing.jfr"]],
    ["symbols", ["symbols", REMOTE]],
    ["symbols", ["symbols", REMOTE, "--symbols", fixture("recorded/elf"), "--symbols", REMOTE]],
    ["info", ["info", REMOTE, "--symbols", fixture("recorded/elf")]],
    ["top", ["top", SHOP, "--type", "cpu"]],
    ["top", ["top", SHOP, "--type", "exceptions"]],
    ["spans", ["spans", RECORDED, "--type", "wall"]],
    ["spans", ["spans", RECORDED, "--type", "wall", "--by", "span"]],
    ["spans", ["spans", SHOP, "--type", "cpu", "--by", "attr:operation"]],
    ["trace", ["trace", TRACED, "--trace", TRACE]],
    ["trace", ["trace", SHOP]],
    ["spans", ["spans", TRACED, "--type", "cpu", "--by", "operation", "--trace", TRACE]],
    ["spans", ["spans", TRACED, "--type", "cpu", "--by", "operation", "--inferred"]],
    ["diff", ["diff", CHUNKS, SHOP, "--fail-if", "total() > 1%", "--fail-if", "self(shop.*) > +5%"]],
    ["diff", ["diff", CHUNKS, SHOP, "--per", "share", "--limit", "3"]],
    ["diff", ["diff", RECORDED, RECORDED, "--type", "wall", "--by", "endpoint"]],
    ["convert", ["convert", SHOP, fixture("README.md"), "--out-dir", OUT, "-q"]],
    ["waits", ["waits", fixture("waits/holders-jdk25.jfr"), "--limit", "40"]],
    ["waits", ["waits", RECORDED]],
    ["events", ["events", RECORDED, "--limit", "40"]],
    ["events", ["events", RECORDED, "--event", "datadog.ObjectSample", "--value", "size"]],
    ["why", ["why", SHOP, "--local-root", ROOT_ID]],
    ["why", ["why", RECORDED]],
    ["why", ["why", fixture("planted/jfr-monitor.jfr.gz"), "--type", "cpu"]],
    ["why", ["why", TRACED, "--trace", TRACE, "--operation", "servlet.request"]],
    ["why", ["why", TRACED, "--operation", "no such operation"]],
    ["why-span", ["why", TRACED, "--span", "7920209567237279242", "--trace", TRACE]],
    ["why-span", ["why", TRACED, "--span", "7920209567237279242"]],
    ["info", ["info", TRACED, "--inferred"]],
    ["spans", ["spans", TRACED, "--inferred", "--type", "sleep", "--by", "span"]],
    ["trace", ["trace", TRACED, "--trace", TRACE, "--inferred"]],
    [
      "symbolize",
      ["symbolize", "--symbols", fixture("elf/gcc-dwarf5.so"), "--symbols", fixture("README.md"), "0x1123", "0"],
    ],
    ["why", ["why", SHOP, "--type", "exceptions"]],
    ["info", ["info", LIMITED]],
    ["top", ["top", LIMITED, "--type", "file-read"]],
    ["spans", ["spans", LIMITED, "--type", "cpu-time"]],
    ["why", ["why", LIMITED, "--type", "exceptions"]],
    ["why-span", ["why", LIMITED, "--span", "7"]],
    ["trace", ["trace", LIMITED, "--inferred"]],
    ["diff", ["diff", LIMITED, LIMITED, "--type", "exceptions", "--fail-if", "total() > +5%"]],
    ["export", ["export", SHOP, CHUNKS, fixture("README.md"), "--parquet", join(OUT, "set"), "-q"]],
    ["export", ["export", SHOP, "--parquet", join(OUT, "set"), "-q"]],
    ["compact", ["compact", join(OUT, "set")]],
    ["verify", ["verify", join(OUT, "set")]],
    ["remove", ["remove", join(OUT, "set"), "--recording", "shop.jfr"]],
  ])("of %s fits its schema: %j", async (name, args) => {
    expect(await faults(name, args)).toBeNull();
  });

  it("of validate fits its schema", async () => {
    const message = (await callCli(["convert", SHOP, "-o", "-", "--format", "otlp-json"])).out;
    expect(await faults("validate", ["validate", "-"], message)).toBeNull();
    expect(await faults("validate", ["validate", SHOP])).toBeNull();
  });

  it("has a schema for every command with --json", () => {
    expect(ANSWERING.filter((name) => !schemas.has(schemaOf(name)))).toEqual([]);
    expect(ANSWERING.length).toBeGreaterThan(4);
  });

  it("has its schema in the package", () => {
    const { resolve } = createRequire(join(ROOT, "package.json"));
    expect(resolve("spanflame/schema/top.schema.json")).toBe(join(FOLDER, "top.schema.json"));
  });

  it("that lacks a member, or has one more, does not fit", () => {
    const top = schemas.get("top")!;
    const answer = { schema: 1, total: "1", unit: "", frames: [{ name: "a", self: "1", total: "1" }] };
    expect(top(answer)).toBe(true);
    expect(top({ ...answer, more: 1 })).toBe(false);
    expect(top({ ...answer, schema: 2 })).toBe(false);
    expect(top({ ...answer, total: 1 })).toBe(false);
  });
});

/** Commands on an input from which nothing can be read: the schema, and which object is printed (docs/json.md). */
const ON: [name: string, prints: "its object" | "a failure" | "its object for a file", args: string[]][] = [
  ["info", "its object", ["info", "IN"]],
  ["symbols", "its object", ["symbols", "IN"]],
  ["symbolize", "its object", ["symbolize", "--symbols", "IN", "0x1"]],
  ["convert", "its object", ["convert", "IN", "--out-dir", "converted"]],
  ["export", "its object", ["export", "IN", "--parquet", "exported"]],
  ["validate", "its object for a file", ["validate", "IN"]],
  ["spans", "a failure", ["spans", "IN", "--type", "cpu"]],
  ["spans", "a failure", ["spans", "IN", "--by", "call"]],
  ["spans", "a failure", ["spans", SHOP, "--type", "cpu", "--by", "operation", "--trace", "IN"]],
  ["trace", "a failure", ["trace", "IN"]],
  ["trace", "a failure", ["trace", SHOP, "--trace", "IN"]],
  ["calls", "a failure", ["calls", "IN"]],
  ["top", "a failure", ["top", "IN", "--type", "cpu"]],
  ["why", "a failure", ["why", "IN"]],
  ["why-span", "a failure", ["why", "IN", "--span", "5"]],
  ["why", "a failure", ["why", SHOP, "--rules", "IN"]],
  ["diff", "a failure", ["diff", SHOP, "IN"]],
  ["gate", "a failure", ["gate", "IN", SHOP, "--fail-if", "total() > 1%"]],
  ["gate", "a failure", ["gate", SHOP, SHOP, "--conditions", "IN"]],
  ["compact", "a failure", ["compact", "IN"]],
  ["verify", "a failure", ["verify", "IN"]],
  ["remove", "a failure", ["remove", "IN", "--older-than", "1d"]],
  ["query", "a failure", ["query", "IN", "SELECT 1"]],
  ["pauses", "a failure", ["pauses", "IN"]],
  ["dictionary", "a failure", ["dictionary", "IN"]],
  ["waits", "a failure", ["waits", "IN"]],
  ["events", "a failure", ["events", "IN"]],
];
const NOTHING_IN = ["empty.jfr", "notes.txt", "folder", "cut.jfr", "zeros.pb.gz"];

describe("a command that can read nothing", () => {
  const cwd = mkdtempSync(join(tmpdir(), "spanflame-json-nothing-"));
  afterAll(() => rmSync(cwd, { recursive: true }));
  beforeAll(() => {
    writeFileSync(join(cwd, "empty.jfr"), "");
    writeFileSync(join(cwd, "notes.txt"), "These are {no} samples\n");
    mkdirSync(join(cwd, "folder"));
    writeFileSync(join(cwd, "cut.jfr"), readFileSync(SHOP).subarray(0, 68));
    writeFileSync(join(cwd, "zeros.pb.gz"), new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]));
  });

  it("has a row for every command with an answer", () => {
    const rows = new Set(ON.map(([, , [command]]) => command));
    expect(ANSWERING.filter((name) => !rows.has(name))).toEqual([]);
  });

  it.each(ANSWERING)("and is called wrongly prints a failure: %s", async (name) => {
    for (const args of [[name], [name, "--no-such-option"]]) {
      const { code, out } = await callCli([...args, "--json"], { cwd });
      const answer: { exit?: number } = JSON.parse(out.toString());
      expect([args, code, answer.exit, schemas.get("failure")?.(answer)]).toEqual([args, 2, 2, true]);
    }
  });

  it.each(ON.map((row, i) => [...row, i] as const))("%s prints %s: %j", async (name, prints, args, i) => {
    for (const input of ["missing.jfr", NOTHING_IN[i % 5]!, NOTHING_IN[(i + 2) % 5]!]) {
      const asked = args.map((arg) => (arg === "IN" ? input : arg));
      const { code, out, err } = await callCli([...asked, "--json"], { cwd });
      const answer: { exit?: number; messages?: string[] } = JSON.parse(out.toString());
      expect([input, [1, 2, 3].includes(code ?? 0), err.includes("    at ")]).toEqual([input, true, false]);
      const [isFailure, isOwn] = ["failure", schemaOf(name)].map((each) => schemas.get(each)?.(answer) === true);
      if (isFailure) {
        expect([input, prints]).not.toEqual([input, "its object"]);
        const said = err.trimEnd().split("\n");
        expect(answer).toMatchObject({ exit: code, messages: said.map((line) => line.replace("spanflame: ", "")) });
      } else expect([input, isOwn, code === 3 || prints !== "a failure"]).toEqual([input, true, true]);
    }
  });
});
