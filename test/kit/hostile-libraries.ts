/** Libraries that are small and ask for much: units and lists that are shared, cycles, depths, sizes that lie. */
import { bytes, CODE, elfOf, times, unitOf } from "./elf-writer.ts";
import { storedXz } from "./stored.ts";

/** All code of the files. */
const [LOW, SIZE] = [CODE, 0x1f_f000];

/** Each: code, tag, has children, pairs of attribute and form. */
const abbreviations = bytes(
  // The unit: low_pc addr, high_pc data4, stmt_list sec_offset.
  ...[1, 0x11, 1, 0x11, 0x01, 0x12, 0x06, 0x10, 0x17, 0, 0].map((byte) => [1, byte] as const),
  // 2: a function with low and high, 3: one with ranges, 4: one with ranges and an origin.
  ...[2, 0x2e, 0, 0x11, 0x01, 0x12, 0x06, 0, 0].map((byte) => [1, byte] as const),
  ...[3, 0x2e, 0, 0x55, 0x17, 0, 0].map((byte) => [1, byte] as const),
  ...[4, 0x2e, 0, 0x55, 0x17, 0x31, 0x13, 0, 0].map((byte) => [1, byte] as const),
  // 5: a namespace with a name and children, 6: an inlined function with all code, a name and children.
  ...[5, 0x39, 1, 0x03, 0x08, 0, 0].map((byte) => [1, byte] as const),
  ...[6, 0x1d, 1, 0x11, 0x01, 0x12, 0x06, 0x03, 0x08, 0, 0].map((byte) => [1, byte] as const),
  [1, 0],
);
const root = bytes([1, 1], [8, LOW], [4, SIZE], [4, 0]);
const abbrev = { name: ".debug_abbrev", content: abbreviations };
const info = (...entries: Uint8Array[]) => {
  return { name: ".debug_info", content: unitOf(bytes(root, ...entries)), isCompressed: true };
};
/** Steps of one byte each, without an end. */
const program = (steps: number) => {
  const lengths = [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1].map((length) => [1, length] as const);
  const head = bytes([1, 1], [1, 1], [1, 0xfb], [1, 14], [1, 13], ...lengths, [1, 0], [1, 0]);
  const start = bytes([1, 0], [1, 9], [1, 2], [8, LOW]);
  const body = bytes([2, 3], [4, head.length], head, start, times(steps, bytes([1, 1])));
  return bytes([4, body.length], body);
};

/** LZMA2: a chunk of 128 KiB of zeros, which needs no chunk before it. */
const ZEROS = Buffer.from(
  "4f//AFhdAABv/f//o7f/Rz5IFXI5YVG4kijmo4YH+e7kHoLTL8U6PAFLsX7JiopNL6MN2X+m44wjEVPgWRjFdYrid/i2lH8MasDedElk4ulcU7IE2PdEDKtZ5D8eAAA=",
  "base64",
);
/** The heads of a stream and of its block. */
const XZ_HEADS = storedXz(new Uint8Array(0)).subarray(0, 24);

export const HOSTILE_LIBRARIES: Record<string, () => Uint8Array> = {
  "functions that all have all code": () => elfOf([info(times(500_000, bytes([1, 2], [8, LOW], [4, SIZE]))), abbrev]),
  "functions that share one long list of ranges": () =>
    elfOf([
      info(times(100_000, bytes([1, 3], [4, 0]))),
      abbrev,
      { name: ".debug_ranges", content: bytes(times(25_000, bytes([8, LOW], [8, LOW + SIZE])), [8, 0], [8, 0]) },
    ]),
  "functions whose origins are a circle": () => {
    const first = 11 + root.length;
    const entries = Array.from({ length: 50_000 }, (_, i) => {
      return bytes([1, 4], [4, 0], [4, first + 9 * ((i + 1) % 50_000)]);
    });
    const ranges = { name: ".debug_ranges", content: bytes([8, LOW], [8, LOW + SIZE], [8, 0], [8, 0]) };
    return elfOf([info(...entries), abbrev, ranges]);
  },
  "units that share one long line program": () => {
    const units = Array.from({ length: 2000 }, (_, i) =>
      unitOf(bytes([1, 1], [8, LOW + 0x100 * i], [4, 0x100], [4, 0])),
    );
    return elfOf([
      { name: ".debug_info", content: bytes(...units) },
      abbrev,
      { name: ".debug_line", content: program(5_000_000), isCompressed: true },
    ]);
  },
  "namespaces inside namespaces, with a function at each depth": () => {
    const level = bytes([1, 5], "space", [1, 6], [8, LOW], [4, SIZE], "f");
    return elfOf([info(times(100_000, level)), abbrev]);
  },
  "symbols that all have all code": () => {
    const one = bytes([4, 1], [1, 2], [1, 0], [2, 1], [8, LOW], [8, SIZE]);
    const names = { name: ".strtab", content: bytes(`\0${"a".repeat(500_000)}`), type: 3 };
    return elfOf([
      { name: ".symtab", content: times(500_000, one), type: 2, link: 2, entry: 24, isCompressed: true },
      names,
    ]);
  },
  "a section that promises much": () =>
    elfOf([{ ...info(), promised: 2 ** 45 }, abbrev, { name: ".debug_str", content: bytes("a"), promised: 2 ** 50 }]),
  "packed symbols that unpack to much": () =>
    elfOf([{ name: ".gnu_debugdata", content: bytes(XZ_HEADS, times(1 << 13, ZEROS)) }, info(), abbrev]),
};
