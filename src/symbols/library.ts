/**
 * Names for the addresses of one library, from all files with its build id: lines and inlined functions of the first
 * file that has DWARF, symbols of the best symbol table.
 */
import * as Section from "../../assembly/abi/elf-section.ts";
import type { ByteSource } from "../bytes/byte-source.ts";
import { baseName } from "./archive-path.ts";
import type { FileIds } from "./build-id.ts";
import { chainOf, type SymbolFrame } from "./chain.ts";
import { type DebugLink, readDebugLink } from "./debug-link.ts";
import {
  alternateDiagnostic,
  dwarfDiagnostics,
  imageDiagnostics,
  kindDiagnostic,
  packedDiagnostic,
  type SymbolDiagnostic,
  sectionDiagnostics,
  sectionName,
  splitDiagnostic,
  symbolDiagnostic,
} from "./diagnostics.ts";
import { GoTable } from "./go-table.ts";
import { type Image, type Lookup, MOST_IMAGES, type SplitUnit, SymbolReader } from "./reader.ts";
import type { Unpackers } from "./streams.ts";
import { unpackXz } from "./streams.ts";

/** A file of a library. */
export interface LibraryFile {
  path: string;
  source: ByteSource;
}

/** A file that can be opened. */
export interface ClosedFile {
  path: string;
  open(): Promise<{ source: ByteSource; close(): Promise<void> }>;
}

/** Files that may have parts of the library's debug information. */
export type OtherFile = ClosedFile & FileIds;

export type SymbolTable = ".symtab" | ".gnu_debugdata" | ".dynsym" | "";

/** What a file of a library has. */
export interface FileSummary {
  path: string;
  symbols: SymbolTable;
  lines: boolean;
  inlines: boolean;
}

/** What is known of an address. */
export interface Resolved {
  frames: SymbolFrame[];
  /** Why there are no frames. */
  why?: "out-of-range" | "no-symbol";
}

export interface SymbolTools {
  /** The compiled module of the reader. */
  module: WebAssembly.Module;
  /** The readable name of a linkage name. */
  readable(linkage: string): string;
  /** For packed sections, where the platform has faster ones than browsers have. */
  unpackers?: Unpackers;
}

/** Files of a library beyond which others are left out; .gnu_debugdata, a supplement and split units are images. */
const MOST_FILES = MOST_IMAGES - 3;
/** Files of one name that are looked through for a split unit. */
const MOST_NAMESAKES = 16;

/** No file could be read to its end. */
const UNREAD: Resolved = { frames: [], why: "no-symbol" };

/** A finding about a file that is in a section of another. */
function inside(within: string, one: SymbolDiagnostic): SymbolDiagnostic {
  return within === "" ? one : { ...one, message: `${within}: ${one.message}`, section: within };
}

/** A library whose files are open. */
export class Library {
  readonly files: FileSummary[] = [];
  readonly diagnostics: SymbolDiagnostic[] = [];
  private readonly reader: SymbolReader;
  private readonly tools: SymbolTools;
  private readonly closing: (() => Promise<void>)[] = [];
  private readonly others: readonly OtherFile[];
  /** `within`: the section that has the file; "" of a separate file. */
  private readonly opened: { file: LibraryFile; image: Image; within: string }[] = [];

  private constructor(reader: SymbolReader, tools: SymbolTools, others: readonly OtherFile[]) {
    this.reader = reader;
    this.tools = tools;
    this.others = others;
  }

  /**
   * Opens the files, which all have the same build id, in the order in which they are preferred. `others`: where split
   * units and supplements are looked for.
   */
  static async open(
    files: readonly LibraryFile[],
    tools: SymbolTools,
    others: readonly OtherFile[] = [],
  ): Promise<Library> {
    const library = new Library(await SymbolReader.create(tools.module, tools.unpackers), tools, others);
    for (const file of files) await library.add(file);
    return library;
  }

  /** Opens closed files; a finding says which cannot be opened. `close` closes them. */
  static async openAll(
    files: readonly ClosedFile[],
    tools: SymbolTools,
    others: readonly OtherFile[] = [],
  ): Promise<Library> {
    const library = await Library.open([], tools, others);
    for (const file of files) await library.addClosed(file);
    return library;
  }

  /** Closes the files that `openAll` and `addClosed` opened. */
  async close(): Promise<void> {
    for (const close of this.closing) await close();
  }

  /** Bytes of the reader's memory that are in use. */
  get bytes(): number {
    return this.reader.bytes;
  }

  /** Address of an offset 0. */
  get base(): bigint {
    return this.opened[0]?.image.base ?? 0n;
  }

  /** What the section .gnu_debuglink of the first file states; null if it has none. */
  async debugLink(): Promise<DebugLink | null> {
    const [first] = this.opened;
    if (first === undefined || !this.reader.has(first.image, Section.GnuDebuglink)) return null;
    const section = this.reader.section(first.image, Section.GnuDebuglink);
    const link = section === null ? null : await readDebugLink(section);
    if (link === null) {
      const words = ["elf.debug-link", "the section is damaged; the debug file that it names is unknown"] as const;
      this.diagnostics.push(symbolDiagnostic(words, first.file.path, { section: ".gnu_debuglink" }));
    }
    return link;
  }

  /** Looks addresses up, once. */
  async resolve(addresses: Iterable<bigint>): Promise<Map<bigint, Resolved>> {
    const sorted = BigUint64Array.from(new Set(addresses)).sort();
    const dwarf = this.opened.find(({ image }) => this.hasLines(image));
    const path = this.opened[0]?.file.path ?? "";
    let lookups: Lookup[] = [];
    this.reader.begin(sorted);
    await this.attempt(path, () => this.readSymbols());
    if (dwarf !== undefined) await this.attempt(dwarf.file.path, () => this.readDwarf(dwarf));
    await this.attempt(path, async () => {
      lookups = await this.reader.finish();
    });
    const go = lookups.some(({ frames }) => frames.length === 0) ? await this.goTable() : null;
    this.report(dwarf?.file.path ?? "");
    await this.reader.close();
    if (lookups.length === 0) return new Map(Array.from(sorted, (address) => [address, UNREAD]));
    return new Map(lookups.map((lookup) => [lookup.address, this.resolvedOf(lookup, go)]));
  }

  /** What was read before a failure stays. */
  private async attempt(path: string, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const words = ["symbols.unreadable", `reading stopped: ${reason}; names that follow are missing`] as const;
      this.diagnostics.push(symbolDiagnostic(words, path, {}, "error"));
    }
  }

  /** Findings that reading leads to. `dwarf`: path of the file whose DWARF was read. */
  private report(dwarf: string): void {
    const { diagnostics, reader } = this;
    for (const { file, image, within } of this.opened) {
      for (const one of sectionDiagnostics(file.path, reader.damaged(image))) diagnostics.push(inside(within, one));
    }
    const isKnown = diagnostics.some(({ code }) => code === "dwarf.alternate");
    const faults = reader.dwarfFaults().filter(({ fault }) => fault !== "Alternate" || !isKnown);
    if (dwarf !== "") diagnostics.push(...dwarfDiagnostics(dwarf, faults));
    for (const { image, section, reason, offset } of reader.brokenSections()) {
      const opened = this.opened.find((one) => one.image.number === image);
      if (opened === undefined) continue;
      const one = packedDiagnostic(opened.file.path, sectionName(section), reason, offset);
      diagnostics.push(inside(opened.within, one));
    }
  }

  async addClosed({ path, open }: ClosedFile): Promise<void> {
    await this.attempt(path, async () => {
      const { source, close } = await open();
      this.closing.push(close);
      await this.add({ path, source });
    });
  }

  /** Adds a file of the same library, after the others. */
  async add(file: LibraryFile): Promise<void> {
    if (this.opened.length === MOST_FILES) {
      const message = `${MOST_FILES} files before it have its build id; files from it on were not read`;
      const one = symbolDiagnostic(["symbols.left-out", message], file.path);
      if (this.diagnostics.every(({ code }) => code !== one.code)) this.diagnostics.push(one);
      return;
    }
    const image = await this.reader.open(file.source);
    this.opened.push({ file, image, within: "" });
    this.diagnostics.push(...imageDiagnostics(file.path, image.faults));
    this.files.push({ ...this.summaryOf(file.path, image), symbols: this.tableOf(image) });
  }

  private summaryOf(path: string, image: Image): FileSummary {
    const lines = this.reader.has(image, Section.DebugLine);
    return { path, symbols: "", lines, inlines: this.reader.has(image, Section.DebugInfo) };
  }

  private async readDwarf({ file, image }: { file: LibraryFile; image: Image }): Promise<void> {
    const supplement = await this.supplementOf(file.path, image);
    const units = await this.reader.readDwarf(image, supplement);
    if (units.length === 0) return;
    await this.readSplits(file.path, units);
    await this.reader.readLines();
  }

  /** The file that dwz moved parts of this one to. */
  private async supplementOf(path: string, image: Image): Promise<Image | undefined> {
    const moved = await this.reader.movedFrom(image.number);
    if (moved === null) return undefined;
    const { section, named } = moved;
    const other = this.others.find(({ buildId, supplement }) => [buildId, supplement].includes(named.id));
    const opened = other === undefined ? null : await this.openOther(other, (source) => this.reader.open(source));
    if (opened !== null) return opened;
    this.diagnostics.push(alternateDiagnostic(path, sectionName(section), named));
    return undefined;
  }

  private async openOther(file: OtherFile, read: (source: ByteSource) => Promise<Image>): Promise<Image | null> {
    const { source, close } = await file.open();
    this.closing.push(close);
    const image = await read(source);
    if (image.kind !== "readable") return null;
    if (this.files.every(({ path }) => path !== file.path)) this.files.push(this.summaryOf(file.path, image));
    return image;
  }

  /** The functions of units that are in other files, which are read one after the other. */
  private async readSplits(path: string, units: readonly SplitUnit[]): Promise<void> {
    const { others, reader } = this;
    const missing = new Set(units.keys());
    let image: Image | null = null;
    const lookIn = async (file: OtherFile, wanted: Iterable<number>) => {
      const slot = image;
      const opened = await this.openOther(file, (source) =>
        slot === null ? reader.open(source) : reader.reopen(slot, source),
      );
      image = opened ?? image;
      if (opened === null) return;
      reader.openSplit(opened);
      for (const unit of wanted) if (await reader.readSplit(unit, opened)) missing.delete(unit);
    };
    for (const file of others) if (file.split === "package" && missing.size > 0) await lookIn(file, [...missing]);
    for (const unit of [...missing]) {
      const name = baseName(units[unit]!.file);
      const named = others.filter((file) => file.split === "unit" && baseName(file.path) === name);
      for (const file of named.slice(0, MOST_NAMESAKES)) if (missing.has(unit)) await lookIn(file, [unit]);
    }
    const [first] = missing;
    if (first !== undefined) this.diagnostics.push(splitDiagnostic(path, units[first]!.file, missing.size));
  }

  private hasLines(image: Image): boolean {
    return this.reader.has(image, Section.DebugInfo) || this.reader.has(image, Section.DebugLine);
  }

  private tableOf(image: Image): SymbolTable {
    const { reader } = this;
    if (reader.has(image, Section.Symtab)) return ".symtab";
    if (reader.has(image, Section.GnuDebugdata)) return ".gnu_debugdata";
    return reader.has(image, Section.Dynsym) ? ".dynsym" : "";
  }

  private async readSymbols(): Promise<void> {
    const { opened, reader } = this;
    const withTable = (table: SymbolTable) => opened.find(({ image }) => this.tableOf(image) === table);
    const whole = withTable(".symtab");
    if (whole !== undefined) return reader.readSymbols(whole.image, Section.Symtab);
    const small = withTable(".gnu_debugdata");
    if (small !== undefined) await this.readPackedSymbols(small.file.path, small.image);
    const dynamic = opened.find(({ image }) => reader.has(image, Section.Dynsym));
    if (dynamic !== undefined) await reader.readSymbols(dynamic.image, Section.Dynsym);
  }

  /** .gnu_debugdata: an ELF file of symbols, packed by xz. */
  private async readPackedSymbols(path: string, image: Image): Promise<void> {
    const packed = this.reader.section(image, Section.GnuDebugdata);
    const within = sectionName(Section.GnuDebugdata);
    try {
      if (packed === null) throw new Error("it is packed twice");
      const source = await unpackXz(packed);
      const inner = await this.reader.open(source);
      if (inner.kind !== "readable") this.diagnostics.push(kindDiagnostic(path, inner.kind, { section: within }));
      this.diagnostics.push(...imageDiagnostics(path, inner.faults, { section: within }));
      this.opened.push({ file: { path, source }, image: inner, within });
      if (this.reader.has(inner, Section.Symtab)) await this.reader.readSymbols(inner, Section.Symtab);
    } catch (error) {
      this.diagnostics.push(packedDiagnostic(path, within, error instanceof Error ? error.message : String(error)));
    }
  }

  /** The table of a Go program, which names what no debug information names. */
  private async goTable(): Promise<GoTable | null> {
    for (const { image } of this.opened) {
      const section = this.reader.section(image, Section.Gopclntab);
      const program = { code: this.reader.textAddress(image), segments: this.reader.segments(image) };
      const table = section === null ? null : await GoTable.open(section, program);
      if (table !== null) return table;
    }
    return null;
  }

  private resolvedOf(lookup: Lookup, go: GoTable | null): Resolved {
    const inGo = lookup.frames.length === 0 && lookup.isMapped ? (go?.framesOf(lookup.address) ?? []) : [];
    const frames = inGo.length > 0 ? inGo : chainOf(lookup, this.tools.readable);
    if (frames.length > 0) return { frames };
    return { frames, why: lookup.isMapped ? "no-symbol" : "out-of-range" };
  }
}
