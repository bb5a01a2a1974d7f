/** Libraries with damage or lies: a finding names the file, the section and the byte, and what is sound is read. */
import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { bytes, CODE, elfOf, type SectionContent, unitOf } from "../../test/kit/elf-writer.ts";
import { bytesSource } from "../bytes/byte-source.ts";
import { Demangler } from "./demangle.ts";
import { Library, type SymbolTools } from "./library.ts";

let tools: SymbolTools;
beforeAll(async () => {
  const module = await WebAssembly.compile(readFileSync(new URL("../../build/symbols.wasm", import.meta.url)));
  const demangler = await Demangler.create(readFileSync(new URL("../../build/demangle.wasm", import.meta.url)));
  tools = { module, readable: (linkage) => demangler.readable(linkage) };
});

const declared = (...numbers: number[]) => bytes(...numbers.map((byte) => [1, byte] as const));
const ABBREVIATIONS = declared(
  // 1: a unit with low_pc, high_pc; 2: a function with low, high and a name in .debug_str; 3: one with ranges alone;
  ...[1, 0x11, 1, 0x11, 0x01, 0x12, 0x06, 0, 0],
  ...[2, 0x2e, 0, 0x11, 0x01, 0x12, 0x06, 0x03, 0x0e, 0, 0],
  ...[3, 0x2e, 0, 0x55, 0x17, 0, 0],
  // 4: a function with low, high and an origin; 5: an entry with an origin alone; 6: an entry with a name here;
  ...[4, 0x2e, 0, 0x11, 0x01, 0x12, 0x06, 0x31, 0x13, 0, 0],
  ...[5, 0x2e, 0, 0x31, 0x13, 0, 0],
  ...[6, 0x2e, 0, 0x03, 0x08, 0, 0],
  // 7: a unit with a line table
  ...[7, 0x11, 1, 0x11, 0x01, 0x12, 0x06, 0x10, 0x17, 0, 0],
  0,
);
const ROOT = bytes([1, 1], [8, CODE], [4, 0x1000]);
const ROOT_AT = 11;
const CHILDREN_AT = ROOT_AT + ROOT.length;
const info = (...entries: Uint8Array[]) => ({ name: ".debug_info", content: unitOf(bytes(ROOT, ...entries, [1, 0])) });
const abbrev = { name: ".debug_abbrev", content: ABBREVIATIONS };
const texts = { name: ".debug_str", content: bytes("named") };
const FUNCTION = bytes([1, 2], [8, CODE], [4, 0x100], [4, 0]);
const SYMBOL = bytes([4, 1], [1, 0x12], [1, 0], [2, 1], [8, CODE], [8, 0x1000]);
const symtab = (link: number, symbol = SYMBOL): SectionContent[] => [
  { name: ".symtab", content: symbol, type: 2, link, entry: 24 },
  { name: ".strtab", content: bytes("\0symbol"), type: 3 },
];

const packed = (content: Uint8Array, promised = content.length) => {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(promised));
  return bytes(new TextEncoder().encode("ZLIB"), size, deflateSync(content));
};
/** The file with another number in the row of a section. */
function changed(file: Uint8Array, section: number, place: number, value: bigint): Uint8Array {
  const out = new Uint8Array(file);
  const view = new DataView(out.buffer);
  view.setBigUint64(Number(view.getBigUint64(40, true)) + 64 * section + place, value, true);
  return out;
}

const sound = [info(FUNCTION), abbrev, texts, ...symtab(5)];
const unit = info(FUNCTION).content;
/** A chain of origins as long as there are entries, then a name. */
function origins(length: number): Uint8Array[] {
  const first = CHILDREN_AT + 17;
  const links = Array.from({ length }, (_, i) => bytes([1, 5], [4, first + 5 * (i + 1)]));
  return [bytes([1, 4], [8, CODE], [4, 0x100], [4, first]), ...links, bytes([1, 6], "deep")];
}
const line = (body: Uint8Array) => {
  const root = bytes([1, 7], [8, CODE], [4, 0x1000], [4, 0]);
  return [
    { name: ".debug_info", content: unitOf(bytes(root, FUNCTION, [1, 0])) },
    abbrev,
    texts,
    { name: ".debug_line", content: body },
  ];
};

type Case = [file: () => Uint8Array, code: string, section: string, offset: number | null, name: string];
const CASES: Record<string, Case> = {
  "a section outside of the file": [
    () => changed(elfOf(sound), 1, 24, 2n ** 40n),
    "elf.section-data",
    ".debug_info",
    null,
    "symbol",
  ],
  "a section that is longer than the file": [
    () => changed(elfOf(sound), 3, 32, 2n ** 62n),
    "elf.section-data",
    ".debug_str",
    null,
    "symbol",
  ],
  "a section that states what no packing can reach": [
    () => elfOf([{ ...info(FUNCTION), isCompressed: true, promised: 2 ** 45 }, ...sound.slice(1)]),
    "elf.section-size",
    ".debug_info",
    null,
    "symbol",
  ],
  "a section that states more than it has": [
    () => elfOf([{ ...info(FUNCTION), isCompressed: true, promised: 5000 }, ...sound.slice(1)]),
    "elf.packed",
    ".debug_info",
    unit.length,
    "symbol",
  ],
  "a section that has more than it states": [
    () => elfOf([{ ...info(FUNCTION), isCompressed: true, promised: unit.length - 1 }, ...sound.slice(1)]),
    "elf.packed",
    ".debug_info",
    unit.length - 1,
    "symbol",
  ],
  "an old packed section that states more": [
    () => elfOf([{ name: ".zdebug_info", content: packed(unit, 4000) }, ...sound.slice(1)]),
    "elf.packed",
    ".debug_info",
    unit.length,
    "symbol",
  ],
  "an old packed section that is not packed": [
    () => elfOf([{ name: ".zdebug_info", content: unit }, ...sound.slice(1)]),
    "elf.packing",
    ".debug_info",
    null,
    "symbol",
  ],
  "a packed section whose packing is unknown": [
    () => {
      const file = elfOf([{ ...info(FUNCTION), isCompressed: true }, ...sound.slice(1)]);
      file.set([9], file.indexOf(0x78, 120) - 24);
      return file;
    },
    "elf.packing",
    ".debug_info",
    null,
    "symbol",
  ],
  "a packed section with other bytes": [
    () => {
      const file = elfOf([{ ...info(FUNCTION), isCompressed: true }, ...sound.slice(1)]);
      return file.fill(0xff, file.indexOf(0x78, 120) + 2, file.indexOf(0x78, 120) + 8);
    },
    "elf.packed",
    ".debug_info",
    0,
    "symbol",
  ],
  "a packed section that states no bytes": [
    () => elfOf([{ ...info(FUNCTION), isCompressed: true, promised: 0 }, ...sound.slice(1)]),
    "elf.packed-empty",
    ".debug_info",
    null,
    "symbol",
  ],
  "an old packed section that states no bytes": [
    () => elfOf([{ name: ".zdebug_info", content: packed(unit, 0) }, ...sound.slice(1)]),
    "elf.packed-empty",
    ".debug_info",
    null,
    "symbol",
  ],
  "names of sections in a section that is not there": [
    () => Uint8Array.from(elfOf(sound), (byte, at) => (at === 62 ? 200 : byte)),
    "elf.section-names",
    "",
    null,
    "symbol",
  ],
  "an ELF file of a header": [
    () => elfOf(sound).fill(0, 32, 48).fill(0, 56, 58).fill(0, 60, 64).subarray(0, 64),
    "elf.empty",
    "",
    null,
    "",
  ],
  "a Mach-O file of a header": [
    () => bytes([4, 0xfeedfacf], [4, 0x0100_000c], [4, 0], [4, 6], [4, 0], [4, 0], [4, 0], [4, 0]),
    "elf.empty",
    "",
    null,
    "",
  ],
  "symbols without a table of names": [() => elfOf([...symtab(77)]), "elf.symbol-names", ".symtab", null, ""],
  "a symbol whose name is outside": [
    () => elfOf(symtab(2, bytes([4, 4000], SYMBOL.subarray(4)))),
    "elf.symbol-names",
    ".symtab",
    null,
    "",
  ],
  "small symbols that are no xz": [
    () => elfOf([{ name: ".gnu_debugdata", content: new Uint8Array(99) }, info(FUNCTION), abbrev, texts]),
    "elf.packed",
    ".gnu_debugdata",
    null,
    "named",
  ],
  "a unit that is longer than its section": [
    () => elfOf([{ name: ".debug_info", content: bytes([4, 9999], unit.subarray(4)) }, ...sound.slice(1)]),
    "dwarf.unit",
    ".debug_info",
    0,
    "symbol",
  ],
  "the second unit of an unknown version": [
    () => {
      const other = bytes([4, 7], [2, 77], [4, 0], [1, 8]);
      return elfOf([{ name: ".debug_info", content: bytes(unit, other) }, ...sound.slice(1)]);
    },
    "dwarf.version",
    ".debug_info",
    unit.length,
    "symbol",
  ],
  "abbreviations that end early": [
    () => elfOf([info(FUNCTION), { ...abbrev, content: ABBREVIATIONS.subarray(0, 14) }, texts, ...symtab(5)]),
    "dwarf.abbreviations",
    ".debug_abbrev",
    0,
    "symbol",
  ],
  "a name outside of the texts": [
    () => elfOf([info(bytes([1, 2], [8, CODE], [4, 0x100], [4, 999])), ...sound.slice(1)]),
    "dwarf.texts",
    ".debug_str",
    999,
    "symbol",
  ],
  "a list of ranges without an end": [
    () => {
      const ranges = { name: ".debug_ranges", content: bytes([8, CODE], [8, CODE + 9]) };
      return elfOf([info(bytes([1, 3], [4, 0])), abbrev, texts, ...symtab(5), ranges]);
    },
    "dwarf.ranges",
    ".debug_ranges",
    0,
    "symbol",
  ],
  "ranges behind their section": [
    () => elfOf([info(bytes([1, 3], [4, 4444])), ...sound.slice(1)]),
    "dwarf.ranges",
    ".debug_ranges",
    4444,
    "symbol",
  ],
  "an index of addresses that lies": [
    () => elfOf([...sound, { name: ".debug_aranges", content: bytes([4, 5000], [2, 2], [4, 0]) }]),
    "dwarf.aranges",
    ".debug_aranges",
    0,
    "symbol",
  ],
  "a line table that is longer than its section": [
    () => elfOf(line(bytes([4, 5000], [2, 4]))),
    "dwarf.lines",
    ".debug_line",
    0,
    "named",
  ],
  "a long chain of origins": [
    () => elfOf([info(...origins(40)), abbrev]),
    "dwarf.effort",
    ".debug_info",
    expect.any(Number) as unknown as number,
    `0x${(CODE + 1).toString(16)}`,
  ],
  "an origin that is itself": [
    () => elfOf([info(bytes([1, 4], [8, CODE], [4, 0x100], [4, CHILDREN_AT])), abbrev]),
    "dwarf.effort",
    ".debug_info",
    CHILDREN_AT,
    `0x${(CODE + 1).toString(16)}`,
  ],
};

describe("findings about libraries", () => {
  it.each(Object.keys(CASES))("%s", async (title) => {
    const [file, code, section, offset, name] = CASES[title]!;
    const library = await Library.open([{ path: "a/hostile.so", source: bytesSource(file()) }], tools);
    const resolved = await library.resolve([BigInt(CODE + 1)]);
    expect(library.diagnostics).toContainEqual({
      code,
      severity: "warning",
      message: expect.stringContaining(section),
      file: "a/hostile.so",
      section,
      offset,
    });
    expect(resolved.get(BigInt(CODE + 1))?.frames[0]?.function ?? "").toBe(name);
  });

  it("has none about sound sections, packed in any way", async () => {
    const old = { name: ".zdebug_info", content: packed(unit) };
    for (const first of [info(FUNCTION), { ...info(FUNCTION), isCompressed: true }, old]) {
      const library = await Library.open(
        [{ path: "a.so", source: bytesSource(elfOf([first, ...sound.slice(1)])) }],
        tools,
      );
      const resolved = await library.resolve([BigInt(CODE + 1)]);
      expect(library.diagnostics).toEqual([]);
      expect(resolved.get(BigInt(CODE + 1))?.frames[0]?.function).toBe("symbol");
    }
  });

  it("follows a chain of origins that real compilers write", async () => {
    const file = elfOf([info(...origins(6)), abbrev]);
    const library = await Library.open([{ path: "a.so", source: bytesSource(file) }], tools);
    expect((await library.resolve([BigInt(CODE)])).get(BigInt(CODE))?.frames[0]?.function).toBe("deep");
    expect(library.diagnostics).toEqual([]);
  });

  it("tells of files that are left out, and of those that cannot be opened", async () => {
    const open = async () => ({ source: bytesSource(elfOf(sound)), close: async () => {} });
    const files = Array.from({ length: 9 }, (_, i) => ({ path: `${i}.so`, open }));
    const gone = { path: "gone.so", open: () => Promise.reject(new Error("it went away")) };
    const library = await Library.openAll([gone, ...files], tools);
    expect((await library.resolve([BigInt(CODE)])).get(BigInt(CODE))?.frames[0]?.function).toBe("symbol");
    expect(library.diagnostics.map(({ code, file }) => [code, file])).toEqual([
      ["symbols.unreadable", "gone.so"],
      ["symbols.left-out", "7.so"],
    ]);
    await library.close();
  });
});
