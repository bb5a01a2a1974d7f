import type { Access } from "../instance/access.ts";

/** Libraries of the profiled program by the paths of their code, as a list beside the recording states them. */

export interface CodeLibrary {
  /**
   * `library`, `standard library`, or another word of the profiler; `module`: a module or an archive outside the JDK.
   * It may be the application's, so its frames have the colours of their packages.
   */
  kind: string;
  name: string;
  /** "" if it is unknown. */
  version: string;
  /** Files, or folders with all files in them. */
  paths: string[];
}

export class LibraryPaths {
  private readonly byPath = new Map<string, CodeLibrary>();

  /** Number of paths. */
  get size(): number {
    return this.byPath.size;
  }

  reset(): void {
    this.byPath.clear();
  }

  /** The first library of a path counts. */
  add(libraries: readonly CodeLibrary[]): void {
    for (const library of libraries) {
      for (const path of library.paths) {
        const key = path.replace(/[\\/]+$/, "");
        if (key !== "" && !this.byPath.has(key)) this.byPath.set(key, library);
      }
    }
  }

  /** The library with the longest path that is the file or a folder of it; null if the list has none. */
  of(file: string): CodeLibrary | null {
    for (let end = file.length; end > 0; end--) {
      if (end < file.length && !"/\\".includes(file[end]!)) continue;
      const library = this.byPath.get(file.slice(0, end));
      if (library !== undefined) return library;
    }
    return null;
  }
}

/** Functions of libraries by the names of the views. All functions of such a name have files of libraries. */
export class LibraryNames {
  private readonly core: Access;
  private readonly libraries: LibraryPaths;
  private names: ReadonlySet<number> = new Set();
  /** What the names were made of. */
  private made = "";

  constructor(core: Access, libraries: LibraryPaths) {
    this.core = core;
    this.libraries = libraries;
  }

  /** 1 for each name that is of libraries; null where the recording comes without a list of libraries. */
  of(names: Iterable<number>): Uint8Array | null {
    if (this.libraries.size === 0) return null;
    const { wasm } = this.core;
    const known = this.known();
    return Uint8Array.from(names, (name) => Number(known.has(wasm.functionOf(name) >>> 0)));
  }

  private known(): ReadonlySet<number> {
    const { wasm } = this.core;
    wasm.functionNames();
    const count = wasm.functionCount();
    const key = `${wasm.frameGeneration.value} ${count} ${this.libraries.size}`;
    if (key === this.made) return this.names;
    const bySource = new Map<number, Set<number>>();
    const names = new Set<number>();
    const others = new Set<number>();
    for (let i = 1; i < count; i++) {
      const source = wasm.functionSource(i);
      if (source === 0) continue;
      let known = bySource.get(source);
      if (known === undefined) {
        const library = this.libraries.of(this.core.string(source));
        known = library === null || library.kind === "module" ? others : names;
        bySource.set(source, known);
      }
      known.add(wasm.functionShown(i) >>> 0);
    }
    for (const name of others) names.delete(name);
    this.names = names;
    this.made = key;
    return names;
  }
}
