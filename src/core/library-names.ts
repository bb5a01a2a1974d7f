/** Functions of libraries by the names of the views. All functions of such a name have files of libraries. */
import type { Access } from "./access.ts";
import type { LibraryPaths } from "./library-paths.ts";

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
    const isLibrary = new Map<number, boolean>();
    const names = new Set<number>();
    const others = new Set<number>();
    for (let i = 1; i < count; i++) {
      const file = wasm.functionFile(i) >>> 0;
      if (file === 0) continue;
      let found = isLibrary.get(file);
      if (found === undefined) {
        found = this.libraries.of(this.core.string(file)) !== null;
        isLibrary.set(file, found);
      }
      (found ? names : others).add(wasm.functionShown(i) >>> 0);
    }
    for (const name of others) names.delete(name);
    this.names = names;
    this.made = key;
    return names;
  }
}
