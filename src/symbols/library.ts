/**
 * Names for the addresses of one library, from all files with its build id: lines and inlined functions of the first
 * file that has DWARF, symbols of the best symbol table.
 */
import * as Section from "../../assembly/abi/elf-section.ts";
import type { ByteSource } from "../bytes/byte-source.ts";
import { chainOf, type SymbolFrame } from "./chain.ts";
import { dwarfDiagnostics, imageDiagnostics, packedDiagnostic, type SymbolDiagnostic } from "./diagnostics.ts";
import { type Image, type Lookup, MOST_IMAGES, SymbolReader } from "./reader.ts";
import type { Unpackers } from "./streams.ts";
import { unpackXz } from "./xz.ts";

/** A file of a library. */
export interface LibraryFile {
  path: string;
  source: ByteSource;
}

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

/** Files of one library beyond which others are left out: one of the module's images is for .gnu_debugdata. */
const MOST_FILES = MOST_IMAGES - 1;

/** A library whose files are open. */
export class Library {
  readonly files: FileSummary[] = [];
  readonly diagnostics: SymbolDiagnostic[] = [];
  private readonly reader: SymbolReader;
  private readonly tools: SymbolTools;
  private readonly opened: { file: LibraryFile; image: Image }[] = [];

  private constructor(reader: SymbolReader, tools: SymbolTools) {
    this.reader = reader;
    this.tools = tools;
  }

  /** Opens the files, which all have the same build id, in the order in which they are preferred. */
  static async open(files: readonly LibraryFile[], tools: SymbolTools): Promise<Library> {
    const library = new Library(await SymbolReader.create(tools.module, tools.unpackers), tools);
    for (const file of files.slice(0, MOST_FILES)) await library.add(file);
    return library;
  }

  /** Bytes of the reader's memory that are in use. */
  get bytes(): number {
    return this.reader.bytes;
  }

  /** Address of an offset 0. */
  get base(): bigint {
    return this.opened[0]?.image.base ?? 0n;
  }

  /** The section .gnu_debuglink of the first file. */
  debugLink(): ByteSource | null {
    const [first] = this.opened;
    return first === undefined ? null : this.reader.section(first.image, Section.GnuDebuglink);
  }

  /** Looks addresses up, once. */
  async resolve(addresses: Iterable<bigint>): Promise<Map<bigint, Resolved>> {
    const sorted = BigUint64Array.from(new Set(addresses)).sort();
    this.reader.begin(sorted);
    await this.readSymbols();
    const dwarf = this.opened.find(({ image }) => this.hasLines(image));
    if (dwarf !== undefined) {
      const found = await this.reader.readDwarf(dwarf.image);
      this.diagnostics.push(...dwarfDiagnostics(dwarf.file.path, found));
    }
    const lookups = await this.reader.finish();
    for (const fault of this.reader.faults()) this.diagnostics.push(packedDiagnostic(dwarf?.file.path ?? "", fault));
    await this.reader.close();
    return new Map(lookups.map((lookup) => [lookup.address, this.resolvedOf(lookup)]));
  }

  /** Adds a file of the same library, after the others. */
  async add(file: LibraryFile): Promise<void> {
    const image = await this.reader.open(file.source);
    this.opened.push({ file, image });
    this.diagnostics.push(...imageDiagnostics(file.path, image.faults));
    for (const section of [Section.GnuDebugaltlink, Section.DebugSup]) {
      if (this.reader.has(image, section)) this.diagnostics.push(...dwarfDiagnostics(file.path, ["Alternate"]));
    }
    this.files.push({
      path: file.path,
      symbols: this.tableOf(image),
      lines: this.reader.has(image, Section.DebugLine),
      inlines: this.reader.has(image, Section.DebugInfo),
    });
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
    if (packed === null) return;
    try {
      const inner = await this.reader.open(await unpackXz(packed));
      if (this.reader.has(inner, Section.Symtab)) await this.reader.readSymbols(inner, Section.Symtab);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.diagnostics.push(packedDiagnostic(path, `.gnu_debugdata: ${reason}`));
    }
  }

  private resolvedOf(lookup: Lookup): Resolved {
    const frames = chainOf(lookup, this.tools.readable);
    if (frames.length > 0) return { frames };
    return { frames, why: lookup.isMapped ? "no-symbol" : "out-of-range" };
  }
}
