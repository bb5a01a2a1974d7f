/** Terminal output, as processes: texts from recordings and arguments cannot forge lines, move text or hide it. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";
import { visible } from "../model/words/text.ts";

const SHOP = join(ROOT, "fixtures", "shop.jfr");
/** A line break of every kind, then a forged row; C1 and bidi controls, and characters of no width. */
const HOSTILE =
  "a\n  999 samples 100 % forged\r\u0085b\u2028c\u2029d\u009b2Je\u001b[2Kf\u202eg\u200fh\u061ci\u200bj\ufeffk\u{e0041}l\td";

let folder: string;
let hostile: string;

/** shop.jfr as OTLP/JSON, with HOSTILE as the name of its heaviest function, of a thread and of the service. */
beforeAll(async () => {
  await buildCli();
  folder = await mkdtemp(join(tmpdir(), "spanflame-terminal-"));
  hostile = join(folder, "a\nspanflame: error: forged\u202e.json");
  const { out } = await callCli(["top", SHOP, "--type", "cpu", "--limit", "1", "--json"]);
  const [{ name }] = JSON.parse(out.toString()).frames;
  const json = join(folder, "shop.json");
  await callCli(["convert", SHOP, "-o", json, "--resource", "service.name=SHOP", "--resource", "key.KEY=1"]);
  let text = readFileSync(json, "utf8");
  for (const part of [name, "http-1", "SHOP", "key.KEY"]) {
    expect(text.includes(JSON.stringify(part))).toBe(true);
    text = text.replaceAll(JSON.stringify(part), JSON.stringify(HOSTILE));
  }
  await writeFile(hostile, text);
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

/** Lines that are as many as the tool wrote, and of which every character has a shape. */
function expectPlain(text: string): string[] {
  const lines = text.split("\n");
  expect(lines.pop()).toBe("");
  for (const line of lines) {
    expect(line).toBe(visible(line, Number.POSITIVE_INFINITY));
    expect(line).not.toMatch(/^\s*(999|spanflame: error: forged)/);
  }
  return lines;
}

it("top, info and spans show names in one line each", async () => {
  const top = await callCli(["top", hostile, "--type", "cpu", "--limit", "3"]);
  expect(expectPlain(top.out.toString())).toHaveLength(1 + 3);
  // The heaviest row has the widest figures, so it does not begin with blanks, as the row inside its name does.
  expect(top.out.toString().split("\n")[1]).toMatch(/^\d/);
  expect(top.out.toString()).toContain("a\\u000a  999 samples 100 % forged\\u000d\\u0085b\\u2028c");
  const info = await callCli(["info", hostile]);
  expect(expectPlain(info.out.toString())[0]).toContain("a\\u000aspanflame: error: forged\\u202e.json: ");
  const spans = await callCli(["spans", hostile, "--type", "cpu", "--by", "attr:thread.name"]);
  expect(expectPlain(spans.out.toString()).join()).toContain("\\u000a");
});

it("a row has the first thousand characters of a name, --json all of it", async () => {
  const long = join(folder, "long.json");
  const { out } = await callCli(["top", SHOP, "--type", "cpu", "--limit", "1", "--json"]);
  const [{ name }] = JSON.parse(out.toString()).frames;
  await callCli(["convert", SHOP, "-o", long]);
  const text = readFileSync(long, "utf8").replaceAll(JSON.stringify(name), JSON.stringify("n".repeat(100_000)));
  await writeFile(long, text);
  const args = ["top", long, "--type", "cpu", "--limit", "1"];
  expect((await callCli(args)).out.toString()).toMatch(/ {2}n{1000}…\n$/);
  expect(JSON.parse((await callCli([...args, "--json"])).out.toString()).frames[0].name).toHaveLength(100_000);
});

it("--json has the same values in characters that a terminal shows", async () => {
  for (const args of [
    ["info", hostile],
    ["top", hostile, "--type", "cpu"],
    ["spans", hostile, "--type", "cpu", "--by", "attr:thread.name"],
  ]) {
    const { out } = await callCli([...args, "--json"]);
    expectPlain(out.toString());
    expect(JSON.stringify(JSON.parse(out.toString()))).toContain(JSON.stringify(HOSTILE));
  }
});

it("messages about files and arguments are one line each", async () => {
  const missing = await callCli(["info", `${hostile}.not there`]);
  expect(missing.code).toBe(1);
  expect(expectPlain(missing.err)[0]).toMatch(/^spanflame: error: .*\\u000aspanflame: error: forged/);
  const wrong = await callCli(["top", SHOP, "--type", HOSTILE]);
  expect(wrong.code).toBe(2);
  expectPlain(wrong.err);
  expectPlain((await callCli(["info", SHOP, `--${HOSTILE}`])).err);
  expectPlain((await callCli(["--help"])).out.toString());
});

it("a port that there is not is wrong usage", async () => {
  const { code, err } = await callCli(["--no-open", "--port", "99999"]);
  expect([code, err]).toEqual([2, expect.stringContaining("--port: 99999 is more than 65535")]);
});

describe("a file with thousands of broken chunks", () => {
  const CHUNKS = 1500;
  const broken = () => join(folder, "broken.jfr");
  beforeAll(async () => {
    const header = new DataView(new ArrayBuffer(68));
    header.setUint32(0, 0x464c5200);
    header.setUint16(4, 2);
    header.setUint16(6, 1);
    header.setBigUint64(8, 68n);
    header.setBigUint64(56, 1_000_000_000n);
    await writeFile(broken(), Buffer.concat(Array(CHUNKS).fill(Buffer.from(header.buffer))));
  });

  it("has a bounded number of lines, which count the rest", async () => {
    const { code, out, err } = await callCli(["info", broken(), SHOP, "-q"]);
    expect(code).toBe(3);
    const errors = expectPlain(err);
    expect(errors.filter((line) => line.includes("no metadata event"))).toHaveLength(20);
    expect(errors.at(-1)).toContain("… and 980 more of jfr.metadata.missing");
    expect(errors).toHaveLength(22);
    const lines = expectPlain(out.toString());
    expect(lines.filter((line) => line.startsWith("  JFR 2.1"))).toHaveLength(100 + 1);
    expect(lines).toContain("  … and 1,400 more chunks; --json lists all");
  });

  it("has a bounded number of diagnostics, which count the rest", async () => {
    const { out } = await callCli(["info", broken(), SHOP, "--json"]);
    const { files, diagnostics } = JSON.parse(out.toString());
    expect(files[0].chunks).toHaveLength(CHUNKS);
    expect(diagnostics).toHaveLength(1000 + 1);
    expect(diagnostics.at(-1)).toMatchObject({
      code: "jfr.metadata.missing.more",
      severity: "error",
      message: "500 more of jfr.metadata.missing, the first of them in this file",
    });
  });
});
