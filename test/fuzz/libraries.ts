/**
 * Libraries by hand for the fuzzer of symbols: units, functions, origins, ranges and line tables that refer to each
 * other at random, in sections that are packed in every way, some with a size that lies.
 */
import { deflateSync } from "node:zlib";
import { bytes, CODE, elfOf, type SectionContent } from "../kit/elf-writer.ts";
import type { Random } from "../kit/random.ts";
import { storedXz, storedZstd } from "../kit/stored.ts";

type Part = Parameters<typeof bytes>[number];

const TAGS = [0x2e, 0x2e, 0x1d, 0x39, 0x13, 0x0b];
/** Attributes, and the forms that they have in files. */
const ATTRIBUTES: readonly (readonly [attribute: number, forms: readonly number[]])[] = [
  [0x03, [0x08, 0x0e, 0x1a, 0x25, 0x1f]],
  [0x6e, [0x08, 0x0e, 0x0e]],
  [0x11, [0x01, 0x1b, 0x29]],
  [0x12, [0x06, 0x07, 0x01]],
  [0x55, [0x17, 0x23]],
  [0x31, [0x13, 0x10, 0x11]],
  [0x47, [0x13, 0x10]],
  [0x58, [0x0b, 0x05]],
  [0x59, [0x0b, 0x05]],
  [0x10, [0x17]],
  [0x1b, [0x08]],
  [0x3f, [0x19]],
  [0x49, [0x13, 0x20]],
];
/** Bytes of the fixed forms. */
const WIDTHS: Record<number, 1 | 2 | 4 | 8> = {
  1: 8,
  5: 2,
  6: 4,
  7: 8,
  11: 1,
  14: 4,
  16: 4,
  19: 4,
  23: 4,
  31: 4,
  32: 8,
  37: 1,
  41: 1,
};

function uleb(value: number): Uint8Array {
  const out: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    out.push(rest < 128 ? rest : (rest & 127) | 128);
    if (rest < 128) return Uint8Array.from(out);
  }
}

interface Declaration {
  hasChildren: boolean;
  attributes: (readonly [attribute: number, form: number])[];
}

/** A number for an attribute: near, in the code, or absurd. */
function numberOf(attribute: number, random: Random): number {
  if (attribute === 0x11) return CODE + random.below(0x3000);
  if (attribute === 0x12) return random.pick([1, 0x10, 0x200, CODE + random.below(0x4000)]);
  return random.one(12) ? random.next() : random.small(400);
}

function form(attribute: number, code: number, random: Random): Part {
  const width = WIDTHS[code];
  if (width !== undefined) return [width, numberOf(attribute, random)];
  if (code === 0x08) return random.pick(["", "name", "_ZN1a1bEv", "x".repeat(5000)]);
  return code === 0x19 ? new Uint8Array(0) : uleb(numberOf(attribute, random));
}

function declarations(random: Random): Declaration[] {
  return Array.from({ length: 3 + random.below(6) }, (_, i) => ({
    hasChildren: i === 0 || random.one(2),
    attributes: Array.from({ length: 1 + random.below(6) }, () => {
      const [attribute, forms] = random.pick(ATTRIBUTES);
      return [attribute, random.pick(forms)] as const;
    }),
  }));
}

function unit(list: readonly Declaration[], version: number, random: Random): Uint8Array {
  const entries: Part[] = [];
  let depth = 0;
  for (let n = random.small(300); n >= 0; n--) {
    const code = depth === 0 ? 0 : random.below(list.length + (random.one(40) ? 9 : 0));
    const { hasChildren, attributes } = list[code] ?? { hasChildren: false, attributes: [] };
    entries.push(uleb(code + 1), ...attributes.map(([attribute, kind]) => form(attribute, kind, random)));
    if (hasChildren) depth++;
    for (; depth > 1 && random.one(3); depth--) entries.push([1, 0]);
  }
  while (depth-- > 0) entries.push([1, 0]);
  const content = bytes(...entries);
  const head = version === 5 ? bytes([2, 5], [1, 1], [1, 8], [4, 0]) : bytes([2, version], [4, 0], [1, 8]);
  const length = head.length + content.length + (random.one(12) ? random.small(99) - 40 : 0);
  return bytes([4, length], head, content);
}

function lines(random: Random): Uint8Array {
  const lengths = [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1].map((length) => [1, length] as const);
  const range = random.one(12) ? random.below(2) : 14;
  const head = bytes([1, 1], [1, 1], [1, 1], [1, 0xfb], [1, range], [1, 13], ...lengths, [1, 0], "a.c", [1, 0], [2, 0]);
  const start = bytes([1, 0], [1, 9], [1, 2], [8, CODE + random.below(0x1000)]);
  const steps = Uint8Array.from({ length: random.small(2000) }, () => random.below(256));
  const end = bytes([1, 0], [1, 1], [1, 1]);
  const body = bytes([2, random.pick([2, 3, 4])], [4, head.length], head, start, steps, end);
  return bytes([4, body.length], body);
}

function symbols(random: Random): SectionContent[] {
  const rows = Array.from({ length: random.small(200) }, () =>
    bytes(
      [4, random.small(60)],
      [1, random.pick([0x12, 0x02, 0x22, 0x10, 0x1a])],
      [1, 0],
      [2, random.below(4)],
      [8, CODE + random.below(0x3000)],
      [8, random.pick([0, 1, 0x40, 0x4000, 2 ** 53])],
    ),
  );
  return [
    { name: ".symtab", content: bytes(...rows), type: 2, link: 2, entry: random.pick([24, 24, 24, 0, 25, 2 ** 31]) },
    { name: ".strtab", content: bytes("\0first\0second\0_ZN1a1bEv\0$x"), type: 3 },
  ];
}

/** The section in one of the ways to pack it. */
function packed(section: SectionContent, random: Random): SectionContent {
  const { name, content } = section;
  const stated = random.one(3)
    ? random.pick([0, 1, content.length - 1, content.length + 1, 2 ** 31, 2 ** 45])
    : content.length;
  const promised = Math.max(0, stated);
  switch (random.below(5)) {
    case 0:
      return { ...section, isCompressed: true, promised };
    case 1: {
      const size = Buffer.alloc(8);
      size.writeBigUInt64BE(BigInt(promised));
      return {
        ...section,
        name: name.replace(".debug", ".zdebug"),
        content: bytes(Buffer.from("ZLIB"), size, deflateSync(content)),
      };
    }
    case 2:
      return {
        ...section,
        isCompressed: true,
        promised,
        packing: [random.pick([2, 2, 2, 1, 3, 0]), storedZstd(content)],
      };
    default:
      return section;
  }
}

export function randomLibrary(random: Random): Uint8Array {
  const list = declarations(random);
  const version = random.pick([2, 3, 4, 4, 5, 5]);
  const abbreviations = list.map(({ hasChildren, attributes }, i) =>
    bytes(
      uleb(i + 1),
      uleb(i === 0 ? 0x11 : random.pick(TAGS)),
      [1, Number(hasChildren)],
      ...attributes.flatMap(([attribute, kind]) => [uleb(attribute), uleb(kind)]),
      [2, 0],
    ),
  );
  const noise = (length: number) => Uint8Array.from({ length: random.small(length) }, () => random.below(9));
  const pairs = Array.from({ length: random.small(60) }, () => [8, CODE + random.below(0x2000)] as const);
  const units = Array.from({ length: 1 + random.below(4) }, () => unit(list, version, random));
  const debug: SectionContent[] = [
    { name: ".debug_info", content: bytes(...units) },
    { name: ".debug_abbrev", content: bytes(...abbreviations, random.one(9) ? noise(9) : [1, 0]) },
    { name: ".debug_str", content: bytes("", "named", "_ZN1c1dEi") },
    { name: ".debug_line_str", content: bytes("folder", "file.c") },
    { name: ".debug_str_offsets", content: noise(99) },
    { name: ".debug_addr", content: bytes([8, 0], ...pairs) },
    { name: ".debug_ranges", content: bytes(...pairs, [8, 0], [8, 0]) },
    { name: ".debug_rnglists", content: noise(300) },
    { name: ".debug_line", content: bytes(lines(random), lines(random)) },
    { name: ".debug_aranges", content: noise(60) },
  ];
  const kept = debug.filter(() => !random.one(12)).map((section) => packed(section, random));
  const sections = [...symbols(random), ...kept];
  if (!random.one(3)) return elfOf(sections);
  // Symbols in a file inside the file.
  const inner = storedXz(elfOf(symbols(random)), random.one(6) ? random.below(41) : 0x16);
  if (random.one(3)) inner[random.below(inner.length)] = random.below(256);
  return elfOf([{ name: ".gnu_debugdata", content: inner }, ...kept]);
}
