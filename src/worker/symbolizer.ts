/**
 * Entry of the worker that reads symbols: it finds ELF files among the files of the user, and the names of addresses in
 * them. Files are made by others and may take long or for ever; this worker can be ended while the recording stays open
 * in another one.
 */
import * as Comlink from "comlink";
import demanglerUrl from "../../build/demangle.wasm.gz?url&no-inline";
import readerUrl from "../../build/symbols.wasm?url&no-inline";
import { blobSource } from "../bytes/byte-source.ts";
import { isBinary, isZip, MAGIC_SIZE } from "../bytes/magic.ts";
import { isProfileName } from "../model/recording/folder-files.ts";
import type {
  FoundSymbols,
  NamedLibrary,
  SymbolInput,
  SymbolProgress,
  SymbolSearch,
} from "../requests/api/symbols-api.ts";
import { throttled } from "../requests/asking.ts";
import { FileSource } from "../requests/file-source.ts";
import { elfEntries } from "../symbols/archive.ts";
import { idsOf, NO_BUILD_ID } from "../symbols/build-id.ts";
import { Demangler } from "../symbols/demangle.ts";
import { kindDiagnostic, symbolDiagnostic } from "../symbols/diagnostics.ts";
import { identify } from "../symbols/identify.ts";
import type { SymbolTools } from "../symbols/library.ts";
import { namesOfLibrary } from "../symbols/name-core.ts";
import { universalParts } from "../symbols/universal.ts";
import { answered, errorWords } from "./answered.ts";
import type { Result } from "./api.ts";

export interface SymbolizerWorker {
  /** ELF files among files and archives. */
  find(files: SymbolInput[], onProgress: (progress: SymbolProgress) => void): Promise<Result<SymbolSearch>>;
  /** Names of the addresses of a library, from all of its files; split units and supplements are in the others. */
  names(addresses: readonly bigint[], files: FoundSymbols[], others: FoundSymbols[]): Promise<Result<NamedLibrary>>;
}

async function fetched(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`a part of the page could not be loaded: ${response.status} ${url}`);
  return new Uint8Array(await response.arrayBuffer());
}

const compiledReader = async () => WebAssembly.compile((await fetched(readerUrl)) as BufferSource);
let reader: Promise<WebAssembly.Module> | null = null;
let demangler: Promise<Demangler> | null = null;

function readerModule(): Promise<WebAssembly.Module> {
  reader ??= compiledReader();
  return reader;
}

async function tools(): Promise<SymbolTools> {
  demangler ??= fetched(demanglerUrl).then((bytes) => Demangler.createPacked(bytes));
  const [module, names] = await Promise.all([readerModule(), demangler]);
  return { module, readable: (linkage) => names.readable(linkage) };
}

/** The files of the user sorted: their ELF files, and archives without any. */
class Search implements SymbolSearch {
  readonly files: FoundSymbols[] = [];
  readonly others: number[] = [];
  readonly diagnostics: SymbolSearch["diagnostics"] = [];

  async visit(file: SymbolInput, index: number): Promise<void> {
    try {
      const source = new FileSource(file.blob);
      const head = await source.slice(0, MAGIC_SIZE);
      if (isZip(head)) await this.visitArchive(file, source, index);
      else if (isBinary(head)) await this.add(file);
      else this.others.push(index);
    } catch (error) {
      this.unreadable(file, error);
    }
  }

  private async visitArchive(file: SymbolInput, source: FileSource, index: number): Promise<void> {
    const before = this.files.length;
    try {
      for await (const { name, pieces, fault } of elfEntries(source, isProfileName)) {
        const entry = { path: `${file.path}!${name}`, blob: new Blob(pieces as BlobPart[]) };
        if (fault === null) await this.add(entry);
        else this.unreadable(entry, fault);
      }
    } catch (error) {
      // An archive that holds recordings is read, and its damage reported, by their reader.
      if (this.files.length > before) this.unreadable(file, error);
    }
    if (this.files.length === before) this.others.push(index);
  }

  private async add({ path, blob }: SymbolInput, isPart = false): Promise<void> {
    const parts = isPart ? [] : await universalParts(blobSource(blob));
    for (const { name, start, end } of parts)
      await this.add({ path: `${path}!${name}`, blob: blob.slice(start, end) }, true);
    if (parts.length > 0) return;
    const image = await identify(await readerModule(), blobSource(blob));
    const { kind } = image;
    if (kind !== "readable") this.diagnostics.push(kindDiagnostic(path, kind));
    this.files.push({ path, blob, kind, ...idsOf(image) });
  }

  private unreadable({ path, blob }: SymbolInput, error: unknown): void {
    this.diagnostics.push(symbolDiagnostic(["symbols.unreadable", errorWords(error)], path, {}, "error"));
    this.files.push({ path, blob, kind: "unreadable", ...NO_BUILD_ID });
  }
}

const symbolizer: SymbolizerWorker = {
  find(files, onProgress) {
    const report = throttled(onProgress);
    const find = async () => {
      const search = new Search();
      for (const [done, file] of files.entries()) {
        report({ done, total: files.length });
        await search.visit(file, done);
      }
      const { files: found, others, diagnostics } = search;
      return { files: found, others, diagnostics };
    };
    return answered("symbols", find, onProgress);
  },

  names: (addresses, files, others) =>
    answered("symbols", async () => {
      const closed = ({ blob, ...file }: FoundSymbols) => ({
        ...file,
        open: async () => ({ source: new FileSource(blob), close: async () => {} }),
      });
      return namesOfLibrary(addresses, files.map(closed), await tools(), others.map(closed));
    }),
};

Comlink.expose(symbolizer);
