/** `spanflame symbolize`: files by their bytes and build ids, addresses, exit codes. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pprofOf } from "../../../test/kit/otlp/pprof-message.ts";
import { buildCli, callCli, ROOT } from "../../../test/kit/run-cli.ts";

const ELF = join(ROOT, "fixtures", "elf");
const fixture = (name: string) => join(ELF, name);
const DEBUG = fixture("stripped.so.debug");
const STRIPPED = fixture("stripped.so");
/** In Basket::total, after a call of weigh that is inlined into nothing. */
const ADDRESS = "0x1123";
const BUILD_ID = readBuildId(readFileSync(DEBUG));

interface Answer {
  module: { buildId: string; name: string; base: string; files: { path: string; symbols: string }[] };
  results: { address: string; lookup: string; why?: string; frames: { function: string; line: number }[] }[];
  diagnostics: { code: string; message: string; file: string }[];
}

/** The note of a debug file, by its owner and type. */
function readBuildId(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes);
  const at = buffer.indexOf(Buffer.from([20, 0, 0, 0, 3, 0, 0, 0, 0x47, 0x4e, 0x55, 0])) + 12;
  return buffer.toString("hex", at, at + 20);
}

let folder: string;
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "spanflame-symbolize-"));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

async function ask(...args: string[]): Promise<Answer & { code: number | null }> {
  const { code, out, err } = await callCli(["symbolize", ...args, "--json"]);
  if (code === 2) throw new Error(err);
  return { code, ...(JSON.parse(out.toString()) as Answer) };
}

const found = ({ results }: Answer) => results.map(({ frames }) => frames.map((frame) => frame.function).join(" < "));
const TOTAL = "kiosk::Basket::total(unsigned long) const";

/** A copy of the fixture whose note of 20 bytes has another owner, type and text; the file's path. */
function withNote(name: string, owner: string, type: number, text: string): string {
  const bytes = Buffer.from(readFileSync(DEBUG));
  const at = bytes.indexOf(BUILD_ID, 0, "hex") - 8;
  bytes.writeUInt32LE(type, at);
  bytes.write(owner.padEnd(4, "\0"), at + 4, "latin1");
  bytes.write(text, at + 8, 20, "latin1");
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

describe("a file without a build id of GNU", () => {
  const GO_ID = "4LVp2Bb_C/LR6_x-/wLr";
  let without: string;
  let ofGo: string;
  beforeAll(() => {
    without = withNote("without.debug", "XYZ", 1, "nothing");
    ofGo = withNote("of-go.debug", "Go", 4, GO_ID);
  });

  it("names the addresses that are asked of it", async () => {
    const answer = await ask("--symbols", without, ADDRESS);
    expect([answer.code, found(answer)]).toEqual([0, [TOTAL]]);
    expect(answer.module).toMatchObject({ buildId: "", name: "without.debug" });
  });

  it("is not chosen among several, one of which has to be named", async () => {
    const other = withNote("other.debug", "XYZ", 1, "nothing");
    const { code, err } = await callCli(["symbolize", "--symbols", without, "--symbols", other, ADDRESS]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("none of the 2 files has a build id; choose one with --module FILE"),
    ]);
    expect(found(await ask("--module", other, "--symbols", without, ADDRESS))).toEqual([TOTAL]);
  });

  it("is no file of a build id that is asked for, and only then the answer mentions one", async () => {
    const asked = await callCli(["symbolize", "--symbols", without, "--module", "abcd", ADDRESS]);
    expect([asked.code, asked.out.toString()]).toEqual([1, `${ADDRESS}: no file of this build id\n`]);
    const text = join(folder, "text");
    writeFileSync(text, "no library");
    const named = await callCli(["symbolize", "--symbols", text, ADDRESS]);
    expect([named.code, named.out.toString()]).toEqual([1, `${ADDRESS}: no file of symbols\n`]);
  });

  it("has the build id of Go as text, in the case of its letters", async () => {
    const answer = await ask("--symbols", ofGo, "--symbols", without, "--module", GO_ID, ADDRESS);
    expect(found(answer)).toEqual([TOTAL]);
    expect(answer.module).toMatchObject({ buildId: GO_ID, name: "of-go.debug" });
    const lower = await ask("--symbols", ofGo, "--module", GO_ID.toLowerCase(), ADDRESS);
    expect(lower.results[0]?.why).toBe("no-file");
  });

  it("belongs to the library of a pprof profile with its id", async () => {
    const path = join(folder, "go.pprof");
    const profile = (buildId: string) =>
      pprofOf({ types: [["cpu", "nanoseconds"]], samples: [{ stack: [[]], values: [1] }], buildId });
    const filesOf = async (buildId: string) => {
      writeFileSync(path, profile(buildId));
      const { out } = await callCli(["symbols", path, "--symbols", ofGo, "--json"]);
      const { files, libraries } = JSON.parse(out.toString()) as {
        files: { buildId: string; status: string }[];
        libraries: { buildId: string; status: string }[];
      };
      return [files.map((file) => [file.buildId, file.status]), libraries.map(({ status }) => status)];
    };
    expect(await filesOf(GO_ID)).toEqual([[[GO_ID, "used"]], ["resolved"]]);
    expect(await filesOf(`${GO_ID}x`)).toEqual([[[GO_ID, "not-needed"]], ["missing"]]);
  });

  it.each([
    ["escapes", "\u001b[31mred/a"],
    ["one part", "abcdefghijklmnopqrst"],
    ["empty parts", "///"],
  ])("has none with %s in the note of Go", async (_, text) => {
    const answer = await ask("--symbols", withNote("odd.debug", "Go", 4, text), ADDRESS);
    expect([answer.module.buildId, found(answer)]).toEqual(["", [TOTAL]]);
  });
});

describe("spanflame symbolize", () => {
  it("names addresses in the order asked, also twice", async () => {
    const answer = await ask("--symbols", DEBUG, ADDRESS, "0x0", String(Number(ADDRESS)));
    expect(answer.code).toBe(0);
    expect(found(answer)).toEqual([TOTAL, "", TOTAL]);
    expect(answer.results.map(({ address, why }) => [address, why])).toEqual([
      [ADDRESS, undefined],
      ["0x0", "no-symbol"],
      [ADDRESS, undefined],
    ]);
    expect(answer.module).toMatchObject({ buildId: BUILD_ID, name: "stripped.so.debug", base: "0x0" });
  });

  it("reads addresses from standard input, as offsets of return addresses", async () => {
    const high = fixture("high-base.so");
    const { out } = await callCli(["symbolize", "--symbols", high, "--offsets", "--return", "-", "--json"], {
      input: Buffer.from(" 0x1124\n0 "),
    });
    const answer = JSON.parse(out.toString()) as Answer;
    expect(answer.module.base).toBe("0x7000000000");
    expect(answer.results.map(({ lookup }) => lookup)).toEqual(["0x7000001123", "0x7000000000"]);
    expect(found(answer)).toEqual([TOTAL, ""]);
  });

  it("finds files in folders, archives and behind links, by the whole build id", async () => {
    const tree = join(folder, "tree", ".build-id", BUILD_ID.slice(0, 2));
    mkdirSync(tree, { recursive: true });
    copyFileSync(DEBUG, join(tree, `${BUILD_ID.slice(2)}.debug`));
    copyFileSync(fixture("gcc-o0.so"), join(tree, "0000.debug"));
    writeFileSync(join(folder, "tree", "notes.txt"), "no library\n");
    writeFileSync(
      join(folder, "all.zip"),
      zipSync({ "a/lib.so": readFileSync(STRIPPED), "a/lib.debug": readFileSync(DEBUG), "a.txt": new Uint8Array(9) }),
    );
    mkdirSync(join(folder, "links"));
    symlinkSync(DEBUG, join(folder, "links", "a.debug"));
    for (const path of ["tree", "all.zip", "links"]) {
      const answer = await ask("--symbols", join(folder, path), "--module", BUILD_ID.toUpperCase(), ADDRESS);
      expect(found(answer), path).toEqual([TOTAL]);
    }
    const zipped = await ask("--symbols", join(folder, "all.zip"), ADDRESS);
    expect(zipped.module.files.map(({ path, symbols }) => [path.split("!")[1], symbols])).toEqual([
      ["a/lib.so", ".dynsym"],
      ["a/lib.debug", ".symtab"],
    ]);
    expect((await ask("--symbols", join(folder, "tree"), "--module", BUILD_ID.slice(0, 32), ADDRESS)).results).toEqual([
      { address: ADDRESS, lookup: ADDRESS, frames: [], why: "no-file" },
    ]);
  });

  it("takes a library without build id by its path, and its debug file by name and checksum", async () => {
    const linked = fixture("linked.so");
    const answer = await ask("--module", linked, "--symbols", fixture("linked.so.debug"), ADDRESS);
    expect(answer.results[0]?.frames[0]).toMatchObject({ function: TOTAL, line: 25 });
    const other = join(folder, "linked.so.debug");
    writeFileSync(other, Buffer.concat([readFileSync(fixture("linked.so.debug")), Buffer.from([0])]));
    const wrong = await ask("--module", linked, "--symbols", other, ADDRESS);
    expect(wrong.results[0]?.frames[0]?.line ?? 0).toBe(0);
    expect(wrong.diagnostics.map(({ code }) => code)).toEqual(["symbols.checksum"]);
  });

  it("reports files that cannot be used for what they are", async () => {
    const bytes = new Map<string, Uint8Array>([
      ["big-endian.so", Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 2, 2, 1, ...new Array(57).fill(0)])],
      ["power.dylib", Uint8Array.from([0xfe, 0xed, 0xfa, 0xcf, ...new Array(60).fill(0)])],
      ["both.dylib", Uint8Array.from([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 0])],
      ["windows.dll", Uint8Array.from([0x4d, 0x5a, ...new Array(62).fill(0)])],
      ["short.so", readFileSync(DEBUG).subarray(0, 40)],
      ["text.txt", Buffer.from("nothing")],
    ]);
    const paths = [...bytes].map(([name, content]) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    });
    const answer = await ask(...[...paths, join(folder, "missing")].flatMap((path) => ["--symbols", path]), "0x1");
    expect([answer.code, ...answer.diagnostics.map(({ code }) => code)]).toEqual([
      1,
      "elf.big-endian",
      "elf.big-endian",
      "symbols.universal",
      "symbols.pe",
      "elf.header",
      "symbols.not-elf",
      "symbols.unreadable",
    ]);
    const split = await ask("--symbols", fixture("split.so"), "0x1123");
    expect(split.diagnostics.map(({ code }) => code)).toEqual(["dwarf.split"]);
  });

  it.each([
    [1, "elf.not-linked"],
    [4, "elf.core-dump"],
  ])("reports ELF files of type %i, which are no libraries", async (type, diagnostic) => {
    const path = join(folder, `type-${type}`);
    const content = Buffer.from(readFileSync(DEBUG));
    content.writeUInt16LE(type, 16);
    writeFileSync(path, content);
    expect((await ask("--module", path, ADDRESS)).diagnostics.map(({ code }) => code)).toEqual([diagnostic]);
  });

  it("reads on behind links in a circle and what cannot be unpacked, and says so in JSON", async () => {
    const path = join(folder, "circle");
    mkdirSync(path);
    symlinkSync("loop", join(path, "loop"));
    symlinkSync(".", join(path, "itself"));
    symlinkSync("/dev/zero", join(path, "zero"));
    const head = readFileSync(DEBUG).subarray(0, 64);
    const zeros = Buffer.concat([head, Buffer.alloc(80 << 20)]);
    writeFileSync(
      join(path, "bomb.zip"),
      zipSync({ "a.so": readFileSync(DEBUG), "b.so": zeros, "c.so": readFileSync(STRIPPED) }),
    );
    const answer = await ask("--symbols", path, "--symbols", join(path, "loop"), ADDRESS);
    expect([answer.code, ...found(answer)]).toEqual([0, TOTAL]);
    expect(answer.module.files.map((file) => file.path.slice(path.length))).toContain("/bomb.zip!c.so");
    expect(answer.diagnostics.map(({ code, file }) => [code, file.slice(path.length)])).toEqual([
      ["symbols.unreadable", "/bomb.zip!b.so"],
      ["symbols.unreadable", "/loop"],
      ["symbols.unreadable", "/loop"],
    ]);
  });

  it("prints chains for people", async () => {
    const { code, out } = await callCli(["symbolize", "--symbols", DEBUG, ADDRESS, "0x7f0000"]);
    expect([code, out.toString().split("\n")]).toEqual([
      0,
      [ADDRESS, `  ${TOTAL}  ././kiosk.cpp:25`, "0x7f0000: outside of the library", ""],
    ]);
  });

  it.each([
    [["--symbols", DEBUG, "0xzz"], "is no address"],
    [["--symbols", DEBUG, "0x10000000000000000"], "is no address"],
    [["--symbols", DEBUG, "--symbols", fixture("gcc-o0.so"), "1"], "2 build ids"],
    [["--symbols", DEBUG, "--module", "nothing.so", "1"], "neither a build id"],
    [["--symbols", DEBUG, "--module", "ab".repeat(5000), "1"], "--module: 10000 characters are no build id"],
  ])("refuses %j", async (args, words) => {
    const { code, err } = await callCli(["symbolize", ...args]);
    expect([code, err.includes(words)]).toEqual([2, true]);
  });
});
