import type { Access } from "../instance/access.ts";
import { LIBRARY_CODE, PROGRAM_CODE, UNKNOWN_CODE } from "../tables/code-owners.ts";
import { ownerOf } from "../tables/language-files.ts";

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

/** Names of functions without one, as languages write them: `(anonymous)`, `<module>`. */
const NAMELESS = /^[(<].*[)>]$/;

/** Functions of libraries and of the program by the names of the views. */
export class LibraryNames {
  private readonly core: Access;
  private readonly libraries: LibraryPaths;
  private names: ReadonlyMap<number, number> = new Map();
  /** What the names were made of. */
  private made = "";

  constructor(core: Access, libraries: LibraryPaths) {
    this.core = core;
    this.libraries = libraries;
  }

  /** Whose code each name is; null where no name tells. */
  of(names: Iterable<number>): Uint8Array | null {
    const known = this.known();
    if (known.size === 0) return null;
    const { wasm } = this.core;
    return Uint8Array.from(names, (name) => known.get(wasm.functionOf(name) >>> 0) ?? UNKNOWN_CODE);
  }

  private known(): ReadonlyMap<number, number> {
    const { wasm } = this.core;
    const count = wasm.functionCount();
    const key = `${wasm.frameGeneration.value} ${count} ${this.libraries.size}`;
    if (key === this.made) return this.names;
    const bySource = new Map<number, number>();
    for (let i = 1; i < count; i++) {
      const source = wasm.functionSource(i);
      if (!bySource.has(source))
        bySource.set(source, source === 0 ? UNKNOWN_CODE : this.codeOf(this.core.string(source)));
    }
    this.names = [...bySource.values()].some((code) => code !== UNKNOWN_CODE) ? this.named(count, bySource) : new Map();
    this.made = key;
    return this.names;
  }

  private named(count: number, bySource: ReadonlyMap<number, number>): Map<number, number> {
    const { wasm } = this.core;
    wasm.functionNames();
    const names = new Map<number, number>();
    for (let i = 1; i < count; i++) {
      const source = wasm.functionSource(i);
      if (source === 0) continue;
      const code = bySource.get(source) ?? UNKNOWN_CODE;
      const name = wasm.functionShown(i) >>> 0;
      const before = names.get(name) ?? code;
      names.set(name, before === code ? code : this.ofBoth(name, before, code));
    }
    for (const [name, code] of names) if (code === UNKNOWN_CODE) names.delete(name);
    return names;
  }

  /** A list of libraries counts before the rules of languages. */
  private codeOf(file: string): number {
    const library = this.libraries.of(file);
    if (library !== null) return library.kind === "module" ? UNKNOWN_CODE : LIBRARY_CODE;
    const owner = ownerOf(file);
    if (owner === null) return UNKNOWN_CODE;
    return owner === "program" ? PROGRAM_CODE : LIBRARY_CODE;
  }

  /** Of files of several owners: the program's, where it is a name at all. */
  private ofBoth(name: number, one: number, other: number): number {
    const isProgram = one === PROGRAM_CODE || other === PROGRAM_CODE;
    return isProgram && !NAMELESS.test(this.core.frameName(name)) ? PROGRAM_CODE : UNKNOWN_CODE;
  }
}
