/** Libraries of the profiled program by the paths of their code, as a list beside the recording states them. */

export interface CodeLibrary {
  /** `library`, `standard library`, or another word of the profiler. */
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
    if (this.byPath.size === 0) return null;
    for (
      let end = file.length;
      end > 0;
      end = Math.max(file.lastIndexOf("/", end - 1), file.lastIndexOf("\\", end - 1))
    ) {
      const library = this.byPath.get(file.slice(0, end));
      if (library !== undefined) return library;
    }
    return null;
  }
}
