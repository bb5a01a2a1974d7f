/**
 * The symbol reader around its wasm module (assembly/symbols.ts): opens files, gives the module the pages that it asks
 * for, and reads its answers. One reader is for one library and its debug files.
 */

import * as DwarfPlace from "../../assembly/abi/dwarf-place.ts";
import * as ElfImage from "../../assembly/abi/elf-image.ts";
import * as Kind from "../../assembly/abi/elf-kind.ts";
import * as Section from "../../assembly/abi/elf-section.ts";
import * as Found from "../../assembly/abi/faults/dwarf-fault.ts";
import * as Status from "../../assembly/abi/faults/symbol-status.ts";
import * as CalledRow from "../../assembly/abi/rows/called-row.ts";
import * as ElsewhereRow from "../../assembly/abi/rows/elsewhere-row.ts";
import * as LookupRow from "../../assembly/abi/rows/lookup-row.ts";
import * as NeedRow from "../../assembly/abi/rows/need-row.ts";
import * as QualifierRow from "../../assembly/abi/rows/qualifier-row.ts";
import * as TextRow from "../../assembly/abi/rows/text-row.ts";
import * as Packing from "../../assembly/abi/section-packing.ts";
import { instantiate } from "../../build/symbols.js";
import type { ByteSource } from "../bytes/byte-source.ts";
import { Memory } from "../core/instance/memory.ts";
import { buildIdsOf, type FileIds } from "./build-id.ts";
import {
  PackedStream,
  partOf,
  plainStream,
  type SectionPacking,
  type Stream,
  UNPACKERS,
  type Unpackers,
} from "./streams.ts";
import { readAlternateLink, readSupplement, type Supplement } from "./supplement.ts";

type Wasm = Awaited<ReturnType<typeof instantiate>>;

/** Streams of an image (assembly/read/elf/pages.ts). */
const STREAMS_PER_IMAGE = 32;
/** Files that one reader can have open (assembly/read/elf/pages.ts). */
export const MOST_IMAGES = 10;
/** No supplement (assembly/read/dwarf/unit.ts). */
const NO_IMAGE = 0xffffffff;
/** Neighbouring pages are read at once up to this size. */
const MOST_AT_ONCE = 1 << 20;

/** `readable`: ELF or Mach-O. */
export type ElfKind = "readable" | "not-elf" | "big-endian" | "universal" | "pe" | "damaged";

const KINDS: Record<number, ElfKind> = {
  [Kind.Elf]: "readable",
  [Kind.Unknown]: "not-elf",
  [Kind.BigEndian]: "big-endian",
  [Kind.MachO]: "readable",
  [Kind.Fat]: "universal",
  [Kind.Pe]: "pe",
  [Kind.BadHeader]: "damaged",
};

const PACKINGS: Record<number, SectionPacking> = { [Packing.Zlib]: "zlib", [Packing.Zstd]: "zstd" };

/** A file that the reader has opened. */
export interface Image extends FileIds {
  /** Its number in the reader. */
  number: number;
  kind: ElfKind;
  /** Address of an offset 0. */
  base: bigint;
  /** Bits of assembly/abi/faults/image-fault.ts. */
  faults: number;
}

/** A part of a file that is loaded. */
export interface Segment {
  address: bigint;
  isWritable: boolean;
  bytes: ByteSource;
}

/** A unit whose functions are in another file. */
export interface SplitUnit {
  id: bigint;
  /** Name of the file, and where it was when the unit was compiled. */
  file: string;
  folder: string;
}

/** A function at an address. */
export interface RawFrame {
  linkage: string;
  name: string;
  /** Namespaces and classes around a function without a linkage name: `kiosk::(anonymous namespace)`. */
  scope: string;
  base: string;
  folder: string;
  file: string;
  line: number;
  column: number;
}

/** What is known of an address. */
export interface Lookup {
  address: bigint;
  /** Whether it is in a segment of a file. */
  isMapped: boolean;
  /** Names at the start of the symbol around it, the preferred one first. */
  symbols: string[];
  /** Innermost first; empty if DWARF has neither function nor line for it. */
  frames: RawFrame[];
}

/** Findings about the DWARF of a file. */
export type DwarfFault = keyof typeof Found;

/** Where something was found: the number of a section, and an offset in it. */
export interface Place {
  section: number;
  offset: number;
}

/** A packed section whose bytes are not those that it states. */
export interface BrokenSection extends Place {
  /** Number of the image. */
  image: number;
  reason: string;
}

export class SymbolReader {
  private readonly wasm: Wasm;
  private readonly memory: Memory;
  private readonly unpackers: Unpackers;
  private readonly streams = new Map<number, Stream>();
  private readonly sources: ByteSource[] = [];
  private texts: string[] = [];
  private readonly broken = new Map<number, BrokenSection>();
  /** Neighbouring pages as they are read. */
  private readonly piece = new Uint8Array(MOST_AT_ONCE);

  private constructor(wasm: Wasm, unpackers: Unpackers) {
    this.wasm = wasm;
    this.unpackers = unpackers;
    this.memory = new Memory(wasm.memory);
  }

  /** `unpackers`: for packed sections, where the platform has faster ones than browsers have. */
  static async create(module: WebAssembly.Module, unpackers: Unpackers = UNPACKERS): Promise<SymbolReader> {
    const reader = new SymbolReader(await instantiate(module, {}), unpackers);
    await reader.renew();
    return reader;
  }

  /** Forgets all files. */
  async renew(): Promise<void> {
    await this.close();
    this.sources.length = 0;
    this.broken.clear();
    const [seed = 0n] = crypto.getRandomValues(new BigUint64Array(1));
    this.wasm.reset(seed);
  }

  /** Bytes of wasm memory that are in use. */
  get bytes(): number {
    return this.wasm.arenaBytes();
  }

  /** Opens a file; at most MOST_IMAGES. */
  async open(source: ByteSource): Promise<Image> {
    const number = this.wasm.openImage(source.byteLength);
    if (number === MOST_IMAGES) throw new RangeError(`more than ${MOST_IMAGES} files are for one library`);
    return this.readImage(number, source);
  }

  /** Opens another file in place of one, of which only copies are needed. */
  async reopen({ number }: Image, source: ByteSource): Promise<Image> {
    for (let i = 0; i < STREAMS_PER_IMAGE; i++) {
      const stream = this.streams.get(number * STREAMS_PER_IMAGE + i);
      if (stream instanceof PackedStream) await stream.close();
      this.streams.delete(number * STREAMS_PER_IMAGE + i);
    }
    this.wasm.reopenImage(number, source.byteLength);
    return this.readImage(number, source);
  }

  private async readImage(number: number, source: ByteSource): Promise<Image> {
    this.sources[number] = source;
    this.streams.set(number * STREAMS_PER_IMAGE + Section.File, plainStream(source));
    await this.run();
    const { memory } = this;
    const row = this.wasm.imageRow(number);
    const gnu = memory.bytes(row + ElfImage.ID, memory.u32(row + ElfImage.ID_SIZE));
    const go = memory.bytes(row + ElfImage.GO_ID, memory.u32(row + ElfImage.GO_ID_SIZE));
    return {
      number,
      kind: KINDS[memory.u32(row + ElfImage.KIND)] ?? "not-elf",
      ...buildIdsOf(gnu, go),
      ...(await this.companionOf(number)),
      base: memory.u64(row + ElfImage.BASE),
      faults: memory.u32(row + ElfImage.FAULTS),
    };
  }

  has(image: Image, section: number): boolean {
    return this.memory.u32(this.sectionRow(image.number, section) + ElfImage.SECTION_THERE) !== 0;
  }

  /** A section as it is in the file; null if there is none, or if it is packed. */
  section(image: Image, section: number): ByteSource | null {
    const row = this.sectionRow(image.number, section);
    const isPlain = this.memory.u32(row + ElfImage.SECTION_PACKING) === Packing.Plain;
    return this.has(image, section) && isPlain ? this.part(image.number, section) : null;
  }

  private part(number: number, section: number): ByteSource {
    const row = this.sectionRow(number, section);
    const start = Number(this.memory.u64(row + ElfImage.SECTION_OFFSET));
    return partOf(this.sources[number]!, start, Number(this.memory.u64(row + ElfImage.SECTION_SIZE)));
  }

  /** Address of the section .text; 0n without one. */
  textAddress({ number }: Image): bigint {
    return this.memory.u64(this.wasm.imageRow(number) + ElfImage.TEXT_ADDRESS);
  }

  /** Parts of the file that are loaded. */
  segments({ number }: Image): Segment[] {
    const { memory } = this;
    const row = this.wasm.imageRow(number);
    const rows = memory.u32(row + ElfImage.LOAD_ROWS);
    return Array.from({ length: memory.u32(row + ElfImage.LOADS) }, (_, i) => {
      const at = rows + i * ElfImage.LOAD_BYTES;
      const start = Number(memory.u64(at + ElfImage.LOAD_OFFSET));
      return {
        address: memory.u64(at + ElfImage.LOAD_ADDRESS),
        isWritable: (memory.u64(at + ElfImage.LOAD_FLAGS) & 2n) !== 0n,
        bytes: partOf(this.sources[number]!, start, Number(memory.u64(at + ElfImage.LOAD_STORED))),
      };
    });
  }

  /** Sections with damage: bits of assembly/abi/faults/section-fault.ts, and where they are in the file. */
  damaged(image: Image): (Place & { faults: number })[] {
    return Object.values(Section).flatMap((section) => {
      const row = this.sectionRow(image.number, section);
      const faults = this.memory.u32(row + ElfImage.SECTION_FAULTS);
      return faults === 0 ? [] : [{ section, faults, offset: Number(this.memory.u64(row + ElfImage.SECTION_OFFSET)) }];
    });
  }

  /** Sets the addresses, which are ascending and different. */
  begin(addresses: BigUint64Array): void {
    const rows = this.wasm.newLookups(addresses.length);
    const view = new DataView(this.memory.bytes(rows, 0).buffer);
    addresses.forEach((address, i) => {
      view.setBigUint64(rows + i * LookupRow.BYTES + LookupRow.ADDRESS, address, true);
    });
    this.wasm.beginLookups();
  }

  /** Reads the symbol table of a file, `Section.Symtab` or `Section.Dynsym`. */
  async readSymbols(image: Image, table: number): Promise<void> {
    this.wasm.beginSymbolTable(image.number, table);
    await this.run();
  }

  /** What an image is beside a library: split units, or a supplement that dwz made. */
  private async companionOf(number: number): Promise<Pick<FileIds, "needs" | "split" | "supplement">> {
    const has = (section: number) => this.memory.u32(this.sectionRow(number, section) + ElfImage.SECTION_THERE) !== 0;
    const isSplit = this.memory.u32(this.wasm.imageRow(number) + ElfImage.IS_SPLIT) !== 0;
    const ofUnit = isSplit && has(Section.DebugInfo) ? "unit" : "";
    const split = has(Section.DebugCuIndex) ? "package" : ofUnit;
    const sup = has(Section.DebugSup) ? await readSupplement(this.part(number, Section.DebugSup)) : null;
    const supplement = sup?.isSupplement === true ? sup.id : "";
    return { split, supplement, needs: (await this.movedFrom(number))?.named.id ?? "" };
  }

  /** The file that dwz moved parts of this one to, and the section that names it; null if there is none. */
  async movedFrom(number: number): Promise<{ section: number; named: Supplement } | null> {
    const parts = [
      [Section.GnuDebugaltlink, readAlternateLink],
      [Section.DebugSup, readSupplement],
    ] as const;
    for (const [section, read] of parts) {
      const isThere = this.memory.u32(this.sectionRow(number, section) + ElfImage.SECTION_THERE) !== 0;
      const named = isThere ? await read(this.part(number, section)) : null;
      if (named !== null && !named.isSupplement) return { section, named };
    }
    return null;
  }

  /**
   * Reads functions and lines. Without the lines if functions are in other files: those follow by `openSplit` and
   * `readSplit`, and then `readLines`.
   */
  async readDwarf(image: Image, supplement?: Image): Promise<SplitUnit[]> {
    this.wasm.beginDwarf(image.number, supplement?.number ?? NO_IMAGE);
    await this.run();
    const [rows, texts] = [this.wasm.splitRows(), this.wasm.textBytes()];
    const { memory } = this;
    return Array.from({ length: this.wasm.splitCount() }, (_, i) => {
      const at = rows + i * ElsewhereRow.BYTES;
      const text = (start: number, size: number) => memory.text(texts + memory.u32(at + start), memory.u32(at + size));
      return {
        id: BigInt.asUintN(64, memory.i64(at + ElsewhereRow.ID)),
        file: text(ElsewhereRow.FILE_AT, ElsewhereRow.FILE_SIZE),
        folder: text(ElsewhereRow.FOLDER_AT, ElsewhereRow.FOLDER_SIZE),
      };
    });
  }

  /** Looks for split units in this file from now on. */
  openSplit(image: Image): void {
    this.wasm.beginSplits(image.number);
  }

  /** Reads the functions of a unit of `readDwarf`, by its index; whether the file has it. */
  async readSplit(split: number, image: Image): Promise<boolean> {
    this.wasm.beginSplit(split, image.number);
    await this.run();
    return this.memory.u32(this.wasm.splitRows() + split * ElsewhereRow.BYTES + ElsewhereRow.IS_READ) !== 0;
  }

  async readLines(): Promise<void> {
    this.wasm.beginLines();
    await this.run();
  }

  /** What is wrong with the DWARF that was read, and where that was found first. */
  dwarfFaults(): (Place & { fault: DwarfFault })[] {
    const { memory } = this;
    const [faults, places] = [this.wasm.dwarfFaults(), this.wasm.dwarfPlaces()];
    const found = Object.entries(Found) as [DwarfFault, number][];
    return found
      .filter(([, bit]) => (faults & bit) !== 0)
      .map(([fault, bit]) => {
        const row = places + Math.log2(bit) * DwarfPlace.BYTES;
        const offset = Number(memory.u64(row + DwarfPlace.OFFSET));
        return { fault, section: memory.u32(row + DwarfPlace.SECTION), offset };
      });
  }

  /** Reads all names. What is known of each address, in their order. */
  async finish(): Promise<Lookup[]> {
    this.wasm.beginTexts();
    await this.run();
    const { memory, wasm } = this;
    const [rows, bytes] = [wasm.textRows(), wasm.textBytes()];
    this.texts = Array.from({ length: wasm.textCount() }, (_, i) => {
      const row = rows + i * TextRow.BYTES;
      return memory.text(bytes + memory.u32(row + TextRow.AT), memory.u32(row + TextRow.SIZE));
    });
    const lookups = wasm.lookupRows();
    return Array.from({ length: wasm.lookupCount.value }, (_, i) => this.lookup(lookups + i * LookupRow.BYTES));
  }

  async close(): Promise<void> {
    for (const stream of this.streams.values()) if (stream instanceof PackedStream) await stream.close();
    this.streams.clear();
  }

  /** Packed sections that broke off, or that have more than they state. */
  brokenSections(): BrokenSection[] {
    return [...this.broken.values()];
  }

  private lookup(row: number): Lookup {
    const { memory } = this;
    const count = memory.u32(row + LookupRow.CANDIDATES);
    const rows = memory.u32(row + LookupRow.CANDIDATE_ROWS);
    const symbols = Array.from({ length: count }, (_, i) => {
      const at = rows + i * LookupRow.CANDIDATE_BYTES;
      return { name: this.text(at + LookupRow.CANDIDATE_NAME), rank: memory.u32(at + LookupRow.CANDIDATE_RANK) };
    });
    symbols.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
    return {
      address: memory.u64(row + LookupRow.ADDRESS),
      isMapped: memory.u32(row + LookupRow.MAPPED) !== 0,
      symbols: symbols.map(({ name }) => name).filter((name, i, all) => name !== "" && name !== all[i - 1]),
      frames: this.frames(row),
    };
  }

  private frames(row: number): RawFrame[] {
    const { memory } = this;
    let scope = memory.u32(row + LookupRow.SCOPE);
    if (scope === 0 && memory.u32(row + LookupRow.HAS_LINE) === 0) return [];
    const frames: RawFrame[] = [];
    let place = {
      base: this.text(row + LookupRow.BASE),
      folder: this.text(row + LookupRow.FOLDER),
      file: this.text(row + LookupRow.FILE),
      line: memory.u32(row + LookupRow.LINE),
      column: memory.u32(row + LookupRow.COLUMN),
    };
    if (scope === 0) return [{ linkage: "", name: "", scope: "", ...place }];
    const scopes = this.wasm.scopeRows();
    while (scope !== 0) {
      const at = scopes + scope * CalledRow.BYTES;
      frames.push({
        linkage: this.text(at + CalledRow.LINKAGE),
        name: this.text(at + CalledRow.NAME),
        scope: this.scopeText(memory.u32(at + CalledRow.QUALIFIER)),
        ...place,
      });
      place = {
        base: this.text(at + CalledRow.BASE),
        folder: this.text(at + CalledRow.FOLDER),
        file: this.text(at + CalledRow.FILE),
        line: memory.u32(at + CalledRow.CALL_LINE),
        column: memory.u32(at + CalledRow.CALL_COLUMN),
      };
      scope = memory.u32(at + CalledRow.PARENT);
    }
    return frames;
  }

  private scopeText(qualifier: number): string {
    const { memory } = this;
    const names: string[] = [];
    for (let row = qualifier; row !== 0 && names.length < QualifierRow.MOST_QUALIFIERS; ) {
      const at = this.wasm.qualifierRows() + row * QualifierRow.BYTES;
      const unnamed = memory.u32(at + QualifierRow.IS_NAMESPACE) === 0 ? "(anonymous class)" : "(anonymous namespace)";
      names.unshift(this.text(at + QualifierRow.NAME) || unnamed);
      row = memory.u32(at + QualifierRow.PARENT);
    }
    return names.join("::");
  }

  private text(at: number): string {
    return this.texts[this.memory.u32(at)] ?? "";
  }

  private sectionRow(image: number, section: number): number {
    return this.wasm.imageRow(image) + ElfImage.SECTIONS + section * ElfImage.SECTION_BYTES;
  }

  /** Runs a task of the module to its end. */
  private async run(): Promise<void> {
    while (this.wasm.advance() === Status.Needs) await this.supply();
  }

  private needs(): Need[] {
    const { memory } = this;
    const rows = this.wasm.needRows();
    const needs = Array.from({ length: this.wasm.needCount() }, (_, i) => {
      const row = rows + i * NeedRow.BYTES;
      return {
        stream: memory.u32(row + NeedRow.STREAM),
        at: memory.u32(row + NeedRow.AT),
        size: memory.u32(row + NeedRow.SIZE),
        offset: Number(memory.u64(row + NeedRow.OFFSET)),
      };
    });
    return needs.sort((a, b) => a.stream - b.stream || a.offset - b.offset);
  }

  private async supply(): Promise<void> {
    const needs = this.needs();
    for (let i = 0; i < needs.length; ) {
      const first = needs[i]!;
      const stream = this.streamOf(first.stream);
      let size = 0;
      let end = i;
      for (let need = needs[end]; need !== undefined; need = needs[++end]) {
        const follows = need.stream === first.stream && need.offset === first.offset + size;
        if (!follows || size + need.size > MOST_AT_ONCE) break;
        size += need.size;
      }
      const bytes = this.piece.subarray(0, size);
      bytes.fill(0);
      const there = await stream.read(first.offset, bytes);
      if (there < size) this.wasm.cutStream(first.stream, BigInt(first.offset + there));
      if (stream instanceof PackedStream) await this.compare(first.stream, stream, first.offset + there, there < size);
      let from = 0;
      for (const need of needs.slice(i, end)) {
        this.memory.bytes(need.at, need.size).set(bytes.subarray(from, from + need.size));
        from += need.size;
      }
      i = end;
    }
  }

  /** Compares the bytes of a packed section with the number that it states. `isShort`: `end` is where they end. */
  private async compare(number: number, stream: PackedStream, end: number, isShort: boolean): Promise<void> {
    const [image, section] = [Math.floor(number / STREAMS_PER_IMAGE), number % STREAMS_PER_IMAGE];
    const row = this.sectionRow(image, section);
    const stated = Number(this.memory.u64(row + ElfImage.SECTION_UNPACKED));
    // A number that was not believed is a finding already.
    if (!isShort && (end < stated || this.memory.u32(row + ElfImage.SECTION_FAULTS) !== 0)) return;
    const hasMore = !isShort && (await stream.hasMore(end));
    if (!isShort && !hasMore && stream.fault === null) return;
    const reason = stream.fault ?? (hasMore ? `it has more than its ${stated} bytes` : `it states ${stated} bytes`);
    if (!this.broken.has(number)) this.broken.set(number, { image, section, offset: end, reason });
  }

  /** The stream with a number, opened when it is first read. */
  private streamOf(number: number): Stream {
    const known = this.streams.get(number);
    if (known !== undefined) return known;
    const image = Math.floor(number / STREAMS_PER_IMAGE);
    const section = number % STREAMS_PER_IMAGE;
    const part = this.part(image, section);
    const packing = PACKINGS[this.memory.u32(this.sectionRow(image, section) + ElfImage.SECTION_PACKING)];
    const stream = packing === undefined ? plainStream(part) : new PackedStream(part, this.unpackers[packing]);
    this.streams.set(number, stream);
    return stream;
  }
}

interface Need {
  stream: number;
  at: number;
  size: number;
  offset: number;
}
