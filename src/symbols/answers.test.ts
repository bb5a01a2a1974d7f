/**
 * Chains of the libraries in fixtures/elf against the answers of llvm-symbolizer, and the choices among symbols and
 * files that are ours.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesSource } from "../bytes/byte-source.ts";
import type { SymbolFrame } from "./chain.ts";
import { Demangler } from "./demangle.ts";
import { identify } from "./identify.ts";
import { Library, type LibraryFile, type Resolved, type SymbolTools } from "./library.ts";

const FOLDER = fileURLToPath(new URL("../../fixtures/elf/", import.meta.url));
const fixture = (name: string): Uint8Array => readFileSync(join(FOLDER, name));
const file = (name: string, bytes = fixture(name)): LibraryFile => ({ path: name, source: bytesSource(bytes) });

/** Innermost first: linkage name, file, line, column. */
type Chain = [linkage: string, file: string, line: number, column: number][];
const ANSWERS = JSON.parse(readFileSync(join(FOLDER, "answers.json"), "utf8")) as Record<string, Record<string, Chain>>;

let tools: SymbolTools;
beforeAll(async () => {
  const module = await WebAssembly.compile(readFileSync(new URL("../../build/symbols.wasm", import.meta.url)));
  const demangler = await Demangler.create(readFileSync(new URL("../../build/demangle.wasm", import.meta.url)));
  tools = { module, readable: (linkage) => demangler.readable(linkage) };
});

async function resolve(files: LibraryFile[], addresses: bigint[]): Promise<Resolved[]> {
  const library = await Library.open(files, tools);
  const resolved = await library.resolve(addresses);
  expect(library.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return addresses.map((address) => resolved.get(address)!);
}

/** A path without `.` parts, as far as answers differ in them. */
const plain = (path: string) => path.replace(/(^|\/)(?:\.\/)+/g, "$1");

/** The part of a frame that llvm-symbolizer has, too. It names the outermost one by any symbol at its start. */
function rowOf({ linkageName, file: path, line, column }: SymbolFrame, isOutermost: boolean) {
  return [isOutermost ? "" : linkageName, line === 0 ? "" : plain(path), line, line === 0 ? 0 : column];
}

describe("chains", () => {
  it.each(Object.keys(ANSWERS))("of %s are those of llvm-symbolizer", async (name) => {
    const chains = ANSWERS[name]!;
    const addresses = Object.keys(chains).map(BigInt);
    const resolved = await resolve([file(name)], addresses);
    const got = resolved.map(({ frames }) => frames.map((frame, i) => rowOf(frame, i === frames.length - 1)));
    const want = Object.values(chains).map((chain) =>
      chain.map(([linkage, path, line, column], i) => [
        i === chain.length - 1 ? "" : linkage,
        line === 0 ? "" : plain(path),
        line,
        line === 0 ? 0 : column,
      ]),
    );
    expect(got).toEqual(want);
    expect(addresses.length).toBeGreaterThan(30);
  });

  it.each([
    ["package.so", "package.so.dwp", "clang-dwarf5.so"],
    ["dwz.so", "dwz.so.alt", "gcc-dwarf4.so"],
  ])("of %s with %s are those of %s", async (name, companion, whole) => {
    const addresses = Object.keys(ANSWERS[whole]!).map(BigInt);
    const source = bytesSource(fixture(companion));
    const ids = await identify(tools.module, source);
    const other = { path: companion, ...ids, open: async () => ({ source, close: async () => {} }) };
    const library = await Library.open([file(name)], tools, [other]);
    const resolved = await library.resolve(addresses);
    expect(library.diagnostics).toEqual([]);
    expect(library.files.map(({ path }) => path)).toEqual([name, companion]);
    // The length of the folder differs where it was compiled.
    const neutral = (each: (Resolved | undefined)[]) => JSON.stringify(each).replaceAll(/_+\/gate/g, "gate");
    const got = addresses.map((address) => resolved.get(address));
    expect(neutral(got)).toEqual(neutral(await resolve([file(whole)], addresses)));
    const alone = await Library.open([file(name)], tools);
    await alone.resolve(addresses);
    expect(alone.diagnostics).toHaveLength(1);
  });

  it("are of every kind that compilers make", () => {
    const all = Object.values(ANSWERS).flatMap((chains) => Object.values(chains));
    expect(Math.max(...all.map(({ length }) => length))).toBeGreaterThan(2);
    for (const name of ["gcc-dwarf2.so", "clang-dwarf5.so", "lld.so", "gcc-lto.so", "rust-v0.so", "zstd.so", "fixed"])
      expect(Object.keys(ANSWERS)).toContain(name);
  });
});

const names = (resolved: Resolved[]) => resolved.map(({ frames }) => frames.map((frame) => frame.function).join(" < "));

/** Addresses of gate.s in gcc-dwarf5.so, by its symbols (`nm`). */
async function gate(...offsets: number[]): Promise<string[]> {
  const start = 0x1310n;
  return names(
    await resolve(
      [file("minidebug.so")],
      offsets.map((offset) => start + BigInt(offset)),
    ),
  );
}

describe("a unit larger than the pages that are kept", () => {
  /** Bytes of zeros after the entries of the last unit of .debug_info, whose length then has them. */
  const MORE = 40 << 20;

  it("is read once all of its pages are there", async () => {
    const sound = fixture("gcc-o0.so");
    const view = new DataView(sound.buffer, sound.byteOffset, sound.length);
    const sections = Number(view.getBigUint64(40, true));
    const names = sections + 64 * view.getUint16(62, true);
    const textAt = Number(view.getBigUint64(names + 24, true));
    const head = Array.from({ length: view.getUint16(60, true) }, (_, i) => sections + 64 * i).find((at) => {
      const start = textAt + view.getUint32(at, true);
      return new TextDecoder().decode(sound.subarray(start, start + 12)) === ".debug_info\0";
    })!;
    const [from, size] = [Number(view.getBigUint64(head + 24, true)), Number(view.getBigUint64(head + 32, true))];
    const info = new Uint8Array(size + MORE);
    info.set(sound.subarray(from, from + size));
    const units = new DataView(info.buffer);
    let last = 0;
    for (let at = 0; at < size; at += 4 + units.getUint32(at, true)) last = at;
    units.setUint32(last, units.getUint32(last, true) + MORE, true);
    const bytes = new Uint8Array(sound.length + info.length);
    bytes.set(sound);
    bytes.set(info, sound.length);
    new DataView(bytes.buffer).setBigUint64(head + 24, BigInt(sound.length), true);
    new DataView(bytes.buffer).setBigUint64(head + 32, BigInt(info.length), true);
    const addresses = Object.keys(ANSWERS["gcc-o0.so"]!).map(BigInt);
    expect(await resolve([file("large.so", bytes)], addresses)).toEqual(await resolve([file("gcc-o0.so")], addresses));
  });
});

describe("symbols", () => {
  it("are the innermost sized one around the address, and none between them", async () => {
    expect(await gate(0x10, 0x11, 0x12, 0x13, 0x14)).toEqual([
      "gate_outer",
      "gate_inner",
      "gate_inner",
      "gate_outer",
      "gate_outer",
    ]);
  });

  it("without a size reach to the next one", async () => {
    expect(await gate(0, 2, 5)).toEqual(["gate_open", "gate_open", "gate_open"]);
  });

  it("at one start are chosen by their binding", async () => {
    expect(await gate(0x15, 0x16, 0x17)).toEqual(["gate_b", "gate_b", "gate_label"]);
  });

  it("come from .gnu_debugdata if the library is stripped", async () => {
    const [weigh] = await resolve([file("minidebug.so")], [0x10c0n]);
    expect(weigh?.frames).toMatchObject([
      { linkageName: expect.stringMatching(/^_ZN5kiosk.*isra\.0$/), file: "", line: 0, column: 0 },
    ]);
    const [stripped, outside] = await resolve([file("stripped.so")], [0x10c0n, 0x7f0000n]);
    expect(stripped).toEqual({ frames: [], why: "no-symbol" });
    expect(outside).toEqual({ frames: [], why: "out-of-range" });
  });

  it("of several files are the best ones, whatever their order", async () => {
    const addresses = Object.keys(ANSWERS["stripped.so.debug"]!).map(BigInt);
    const [library, debug] = [file("stripped.so"), file("stripped.so.debug")];
    const alone = await resolve([debug], addresses);
    expect(await resolve([library, debug], addresses)).toEqual(alone);
    expect(await resolve([debug, library], addresses)).toEqual(alone);
  });
});

describe("functions without a linkage name", () => {
  it.each(["gcc-scopes.so", "gcc-scopes-lto.so"])(
    "of %s have the names of their namespaces and classes",
    async (name) => {
      const resolved = await resolve([file(name)], Object.keys(ANSWERS[name]!).map(BigInt));
      const frames = resolved.flatMap((each) => each.frames);
      const plain = frames.filter(({ linkageName }) => !linkageName.startsWith("_Z"));
      expect(Object.fromEntries(plain.map((frame) => [frame.linkageName, frame.function]))).toEqual({
        add: "shop::v1::add",
        get: "Local::get",
        run: "Local::Deep::run",
        "operator()<int>": "(anonymous class)::operator()<int>",
        // In a namespace, but of C.
        shop_c: "shop_c",
        scopes: "scopes",
      });
      expect(frames.map((frame) => frame.function)).toContain("shop::v1::Desk::Drawer::open<long>(long)");
    },
  );
});
