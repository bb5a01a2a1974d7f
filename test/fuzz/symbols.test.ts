/**
 * The fuzzer of native symbols (docs/fuzzing.md): libraries and debug files of fixtures/elf, damaged blindly, at their
 * headers, and inside the sections that are read, also compressed ones; libraries by hand (libraries.ts); and, in
 * `npm run fuzz`, libraries of the compilers that are here. Every address gets an answer of bounded size,
 * in bounded memory, and two readers, whose hash tables have different keys, give the same.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync, inflateSync } from "node:zlib";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { Demangler } from "../../src/symbols/demangle.ts";
import { identify } from "../../src/symbols/identify.ts";
import { Library, type OtherFile, type SymbolTools } from "../../src/symbols/library.ts";
import { Random } from "../kit/random.ts";
import { damageBlindly } from "./damage.ts";
import { randomLibrary } from "./libraries.ts";
import { type FuzzCase, fuzz } from "./runner.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string) => new Uint8Array(readFileSync(new URL(path, ROOT)));
const module = await WebAssembly.compile(read("build/symbols.wasm"));
const demangler = await Demangler.create(read("build/demangle.wasm"));
const tools: SymbolTools = { module, readable: (linkage) => demangler.readable(linkage) };

const FOLDER = "fixtures/elf/";
const SOUND = readdirSync(new URL(FOLDER, ROOT))
  .filter((name) => !/\.(cpp|h|c|s|rs|mjs|json|md)$/.test(name))
  .map((name) => ({ name, bytes: read(FOLDER + name) }));
/** The source of the fixtures by other compilers and settings: only where time is given, as machines differ. */
function compiled(): typeof SOUND {
  if (process.env.FUZZ_SECONDS === undefined) return [];
  const folder = mkdtempSync(join(tmpdir(), "spanflame-fuzz-elf-"));
  const flags = ["-gdwarf-5 -O2", "-gdwarf-4 -O1 -gz", "-gdwarf-3 -O2 -fdebug-types-section", "-g3 -Os -gz=zlib-gnu"];
  const made = ["g++", "clang++"].flatMap((compiler) =>
    flags.map((words, i) => ({ compiler, words, path: join(folder, `${compiler}-${i}.so`) })),
  );
  const source = fileURLToPath(new URL(`${FOLDER}kiosk.cpp`, ROOT));
  const there = made.filter(({ compiler, words, path }) => {
    const args = [...words.split(" "), "-shared", "-fPIC", "-o", path, source];
    return spawnSync(compiler, args, { stdio: "ignore" }).status === 0;
  });
  const files = there.map(({ path }) => ({ name: basename(path), bytes: new Uint8Array(readFileSync(path)) }));
  rmSync(folder, { recursive: true });
  return files;
}
SOUND.push(...compiled());
/** Code of all fixtures, and what is around it. */
const STARTS = [0n, 0xff0n, 0x401000n, 0x7000001000n, 0xffff_ffff_ffff_0000n];
const STEP = 5;
const ADDRESSES = STARTS.flatMap((start) =>
  Array.from({ length: 220 }, (_, i) => BigInt.asUintN(64, start + BigInt(STEP * i))),
);
/** Bytes of memory beside those that grow with the file. */
const FREE_MEMORY = 48 << 20;
const MOST_PER_BYTE = 128;
const LONGEST = 4096;
const MOST_FRAMES = 64;

/** Fields of the header and of the tables that it leads to are where damage matters most. */
function damageHeaders(bytes: Uint8Array, random: Random): Uint8Array {
  const out = bytes.slice();
  const view = new DataView(out.buffer);
  // Mach-O has something else there.
  const sections = Math.min(out.length, Number(view.getBigUint64(40, true) & 0xffff_ffffn));
  const places = [random.below(64), 64 + random.below(56 * 8), sections + random.below(64 * 40)];
  for (let n = random.below(4); n >= 0; n--) {
    const at = random.pick(places) & ~3;
    if (at + 8 > out.length) continue;
    const value = random.pick([0n, 1n, 0xffff_ffffn, 2n ** 63n, 2n ** 64n - 1n, BigInt(random.small(out.length))]);
    view.setBigUint64(at, value, true);
  }
  return out;
}

/** Sections by which addresses get names. */
const READ =
  /^\.(?:z?debug_(?:abbrev|info|line|ranges|rnglists|aranges|addr|str_offsets|line_str|str|types|cu_index|sup)(?:\.dwo)?|symtab|strtab|dynsym|gnu_debugdata|gnu_debugaltlink)$/;
const COMPRESSED = 0x800n;
const COMPRESSION_HEAD = 24;

interface SectionHead {
  /** Place of its row in the table of sections. */
  at: number;
  name: string;
  flags: bigint;
  offset: number;
  size: number;
}

/** Sections of a sound 64-bit file. */
function sectionsOf(bytes: Uint8Array): SectionHead[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes[4] !== 2) return [];
  const table = Number(view.getBigUint64(40, true));
  const number = (at: number) => Number(view.getBigUint64(at, true));
  const texts = number(table + 64 * view.getUint16(62, true) + 24);
  return Array.from({ length: view.getUint16(60, true) }, (_, i) => {
    const at = table + 64 * i;
    const start = texts + view.getUint32(at, true);
    const name = Buffer.from(bytes.subarray(start, bytes.indexOf(0, start))).toString("latin1");
    return { at, name, flags: view.getBigUint64(at + 8, true), offset: number(at + 24), size: number(at + 32) };
  }).filter(({ name }) => READ.test(name));
}

function inflated(packed: Uint8Array): Uint8Array | null {
  try {
    return new Uint8Array(inflateSync(packed));
  } catch {
    return null;
  }
}

/** A section with damaged content: in place, or at the end of the file if it grew or has to be compressed again. */
function damageSection(bytes: Uint8Array, random: Random): [what: string, damaged: Uint8Array] {
  const sections = sectionsOf(bytes);
  if (sections.length === 0) return ["headers", damageHeaders(bytes, random)];
  const { at, name, flags, offset, size } = random.pick(sections);
  const packed = bytes.subarray(offset, offset + size);
  const zlib = (flags & COMPRESSED) !== 0n && packed[0] === 1 && random.one(2);
  const content = (zlib && inflated(packed.subarray(COMPRESSION_HEAD))) || packed.slice();
  const [what, damaged] = random.one(2) ? damageBlindly(content, random, content) : damageNumbers(content, random);
  let section = damaged;
  if (zlib) {
    const deflated = deflateSync(damaged);
    section = new Uint8Array(COMPRESSION_HEAD + deflated.length);
    section.set(packed.subarray(0, COMPRESSION_HEAD));
    section.set(deflated, COMPRESSION_HEAD);
    const promised = random.one(4) ? random.pick([0n, 1n, 2n ** 31n, 2n ** 40n]) : BigInt(damaged.length);
    new DataView(section.buffer).setBigUint64(8, promised, true);
  }
  const out = new Uint8Array(bytes.length + section.length);
  out.set(bytes);
  out.set(section, bytes.length);
  const view = new DataView(out.buffer);
  view.setBigUint64(at + 24, BigInt(bytes.length), true);
  view.setBigUint64(at + 32, BigInt(section.length), true);
  return [`${name}: ${what}`, out];
}

/** Numbers of one, two, four or eight bytes replaced by near or absurd ones. */
function damageNumbers(bytes: Uint8Array, random: Random): [what: string, damaged: Uint8Array] {
  const out = bytes.slice();
  const places: number[] = [];
  for (let n = random.below(6); n >= 0; n--) {
    const width = random.pick([1, 1, 2, 4, 8]);
    if (out.length < width) continue;
    const at = random.below(out.length - width + 1);
    const before = out.slice(at, at + width).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
    const near = before + BigInt(random.below(9) - 4);
    let value = random.pick([near, near, 0n, 1n, 0x7fn, 0x80n, 2n ** 32n - 1n, 2n ** 64n - 1n, BigInt(out.length)]);
    for (let i = 0; i < width; i++, value >>= 8n) out[at + i] = Number(value & 0xffn);
    places.push(at);
  }
  return [`numbers at ${places.join(", ")}`, out];
}

function make(seed: number, index: number): FuzzCase {
  const random = new Random(seed, index);
  const said: string[] = [];
  const inputs = Array.from({ length: random.one(4) ? 2 : 1 }, () => {
    if (random.one(3)) {
      const bytes = randomLibrary(random);
      const isSound = random.one(2);
      said.push(`by hand${isSound ? "" : ": section"}`);
      return { name: "hand.so", bytes: isSound ? bytes : damageSection(bytes, random)[1] };
    }
    const { name, bytes } = random.pick(SOUND);
    if (random.one(4)) {
      said.push(`${name}: headers`);
      return { name, bytes: damageHeaders(bytes, random) };
    }
    if (random.one(2)) {
      const [what, damaged] = damageSection(bytes, random);
      said.push(`${name}: ${what}`);
      return { name, bytes: damaged };
    }
    const [what, damaged] = damageBlindly(bytes, random, random.pick(SOUND).bytes);
    said.push(`${name}: ${what}`);
    return { name, bytes: damaged };
  });
  return { inputs, said };
}

/** What belongs to a file: split units, a supplement. */
const companionsOf = (name: string) => SOUND.filter((other) => other.name.startsWith(`${name}.`));
/** The file that one of these belongs to. */
const ownerOf = (name: string) => SOUND.filter((other) => name.startsWith(`${other.name}.`));

async function answers({ inputs }: FuzzCase): Promise<string> {
  const files: { path: string; source: ReturnType<typeof bytesSource> }[] = [];
  const others: OtherFile[] = [];
  const owners = inputs.flatMap(({ name }) => ownerOf(name));
  const companions = inputs.flatMap(({ name }) => companionsOf(name));
  for (const { name, bytes } of [...owners, ...inputs, ...companions]) {
    const source = bytesSource(bytes);
    const image = await identify(module, source);
    if (image.kind !== "readable") continue;
    const open = async () => ({ source, close: async () => {} });
    if (ownerOf(name).length > 0) others.push({ path: name, ...image, open });
    else files.push({ path: name, source });
  }
  const library = await Library.open(files, tools, others);
  const resolved = await library.resolve(ADDRESSES);
  const size = inputs.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (library.bytes > FREE_MEMORY + MOST_PER_BYTE * size) throw new Error(`${library.bytes} bytes of memory`);
  for (const address of ADDRESSES) {
    const { frames, why } = resolved.get(address) ?? {};
    if (frames === undefined || frames.length > MOST_FRAMES) throw new Error(`${address}: ${frames?.length} frames`);
    if ((frames.length === 0) !== (why !== undefined)) throw new Error(`${address}: why is ${why}`);
    for (const frame of frames) {
      if (frame.function === "") throw new Error(`${address}: an empty name`);
      const longest = Math.max(frame.function.length, frame.linkageName.length, frame.file.length);
      if (longest > LONGEST) throw new Error(`${address}: a text of ${longest} characters`);
    }
  }
  for (const { code, message, file, section, offset } of library.diagnostics) {
    const isPlaced = section === "" || (section.startsWith(".") && message.startsWith(section));
    const isKnown = /^(elf|dwarf|symbols)\./.test(code) && code !== "symbols.unreadable";
    if (!isKnown || !isPlaced || message === "" || file === "" || (offset ?? 0) < 0)
      throw new Error(`diagnostic ${code}: ${message}`);
  }
  return JSON.stringify([...resolved.values(), library.files, library.diagnostics]);
}

fuzz({
  of: "symbols",
  cases: 350,
  fresh: 100,
  make,
  async check(one) {
    const [first, second] = [await answers(one), await answers(one)];
    if (first !== second) throw new Error("another reader, another answer");
  },
  async renew() {},
});
