/** Files of symbols that --symbols names: files, folders and zip archives, each file by its bytes. */
import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { ByteSource } from "../../bytes/byte-source.ts";
import { isBinary, isZip, MAGIC_SIZE } from "../../bytes/magic.ts";
import { elfEntries, piecesSource } from "../../symbols/archive.ts";
import { type FileIds, idsOf, NO_BUILD_ID } from "../../symbols/build-id.ts";
import { kindDiagnostic, type SymbolDiagnostic, symbolDiagnostic } from "../../symbols/diagnostics.ts";
import { type ElfKind, type Image, identify } from "../../symbols/identify.ts";
import { partOf } from "../../symbols/streams.ts";
import { universalParts } from "../../symbols/universal.ts";
import { openInput } from "../node-source.ts";
import { systemWords } from "../system-error.ts";

/** A file that --symbols leads to. */
export interface SymbolFile extends FileIds {
  /** As named; in an archive `a.zip!inner/path`. */
  path: string;
  kind: ElfKind | "unreadable";
  bytes: number;
  open(): Promise<{ source: ByteSource; close(): Promise<void> }>;
}

export interface FoundFiles {
  files: SymbolFile[];
  diagnostics: SymbolDiagnostic[];
}

/** All files, in the order named; those of a folder by name. */
export async function findSymbolFiles(paths: readonly string[], module: WebAssembly.Module): Promise<FoundFiles> {
  const finder = new Finder(module);
  for (const path of paths) await finder.visit(path);
  return finder;
}

class Finder implements FoundFiles {
  readonly files: SymbolFile[] = [];
  readonly diagnostics: SymbolDiagnostic[] = [];
  private readonly module: WebAssembly.Module;

  constructor(module: WebAssembly.Module) {
    this.module = module;
  }

  async visit(path: string): Promise<void> {
    const stats = this.statOf(path);
    if (stats === null) return;
    if (stats?.isDirectory() === true) await this.visitFolder(path);
    else if (stats?.isFile() === true) await this.visitFile(path, true);
    else this.unreadable(path, stats === undefined ? "there is no such file" : "it is neither a file nor a folder");
  }

  /** Links to files are followed, links to folders are not. */
  private async visitFolder(folder: string): Promise<void> {
    for (const entry of this.entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await this.visitFolder(path);
      else if (entry.isFile()) await this.visitFile(path, false);
      else if (entry.isSymbolicLink() && this.statOf(path)?.isFile() === true) await this.visitFile(path, false);
    }
  }

  /** undefined: there is nothing. null: a finding says why that is unknown, as of links in a circle. */
  private statOf(path: string): Stats | undefined | null {
    try {
      return statSync(path, { throwIfNoEntry: false });
    } catch (error) {
      this.unreadable(path, systemWords(error));
      return null;
    }
  }

  private entriesOf(folder: string): Dirent[] {
    try {
      return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      this.unreadable(folder, systemWords(error));
      return [];
    }
  }

  /** `isNamed`: on the command line; other files of a folder are passed unless they are ELF files or archives. */
  private async visitFile(path: string, isNamed: boolean): Promise<void> {
    let input: Awaited<ReturnType<typeof openInput>>;
    try {
      input = await openInput(path);
    } catch (error) {
      this.unreadable(path, systemWords(error));
      return;
    }
    try {
      const { source } = input;
      const head = await source.slice(0, MAGIC_SIZE);
      if (isZip(head)) await this.visitArchive(path, source);
      else if (isBinary(head) || isNamed) await this.add(path, source, () => openInput(path));
    } catch (error) {
      this.unreadable(path, systemWords(error));
    } finally {
      await input.close();
    }
  }

  private async visitArchive(path: string, archive: ByteSource): Promise<void> {
    for await (const { name, pieces, fault } of elfEntries(archive)) {
      const inner = `${path}!${name}`;
      if (fault !== null) this.unreadable(inner, fault);
      else {
        const source = piecesSource(pieces);
        await this.add(inner, source, async () => ({ source, close: async () => {} }));
      }
    }
  }

  private async add(path: string, source: ByteSource, open: SymbolFile["open"], isPart = false): Promise<void> {
    const parts = isPart ? [] : await universalParts(source);
    for (const { name, start, end } of parts) {
      const part = (whole: ByteSource) => partOf(whole, start, end - start);
      const openPart = async () => {
        const { source: whole, close } = await open();
        return { source: part(whole), close };
      };
      await this.add(`${path}!${name}`, part(source), openPart, true);
    }
    if (parts.length > 0) return;
    const image: Image = await identify(this.module, source);
    const { kind } = image;
    if (kind !== "readable") this.diagnostics.push(kindDiagnostic(path, kind));
    this.files.push({ path, kind, ...idsOf(image), bytes: source.byteLength, open });
  }

  private unreadable(path: string, reason: string): void {
    this.diagnostics.push(symbolDiagnostic(["symbols.unreadable", reason], path, {}, "error"));
    const open = () => Promise.reject(new Error(reason));
    this.files.push({ path, kind: "unreadable", ...NO_BUILD_ID, bytes: 0, open });
  }
}
