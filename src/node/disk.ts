/**
 * Everything that the command line changes on the disk. `Folder` is a folder and what is below it: names come from the
 * program or out of files, and no name leads elsewhere. `OUTPUT` has the operations for files that the user named
 * (replacement.ts). No other file of src/ may import a function of node:fs that writes (src/hostile.test.ts).
 */
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { OutputError } from "./write-all.ts";

/** A part of a path below a folder: neither a step up or to the folder itself, nor several parts on any system. */
const NAME = /^(?!\.{1,2}$)[^/\\\0]{1,255}$/;

/** A name or a link would lead out of a folder. */
export class OutsideError extends Error {}

/** Errors of a file that is open have no path. */
function written(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new OutputError(path, error);
  }
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

/** A file that is being written. */
export interface NewFile {
  write(bytes: Uint8Array): void;
  /** The bytes are on the disk. */
  close(): void;
}

export class Folder {
  readonly path: string;
  /** Folders that are no links, as this run of the program up to its next pause found them. */
  private readonly known = new Set<string>();

  /** The folder that the user named; it may be a link. */
  constructor(path: string) {
    this.path = path;
  }

  /** An empty folder of this process. */
  static temporary(prefix: string): Folder {
    return new Folder(mkdtempSync(join(tmpdir(), prefix)));
  }

  /** Makes the folder and those above it. */
  make(): void {
    mkdirSync(this.path, { recursive: true });
  }

  /** Removes the folder with everything in it. */
  removeAll(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  /**
   * The path of `below`, parts separated by `/`. Throws OutsideError unless its parts are names and the folders above
   * it are no links.
   */
  at(below: string): string {
    const parts = below.split("/");
    if (!parts.every((part) => NAME.test(part))) throw new OutsideError(`${JSON.stringify(below)} is no path below it`);
    let path = this.path;
    for (const part of parts.slice(0, -1)) {
      path = join(path, part);
      if (this.known.has(path)) continue;
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) continue;
      if (!stats.isDirectory()) throw new OutsideError(`${path} is no folder but a link or a file`);
      if (this.known.size === 0) queueMicrotask(() => this.known.clear());
      this.known.add(path);
    }
    return join(path, parts.at(-1)!);
  }

  /** Throws OutsideError where `at` does, or if it is a folder. */
  checkFile(below: string): void {
    const path = this.at(below);
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new OutsideError(`${path} is a folder`);
  }

  /** Makes a folder below this one, and those above it. */
  makeFolder(below: string): void {
    // Also the last part: no link.
    this.at(`${below}/x`);
    mkdirSync(this.at(below), { recursive: true });
  }

  private makeParent(below: string): string {
    const end = below.lastIndexOf("/");
    if (end > 0) this.makeFolder(below.slice(0, end));
    return this.at(below);
  }

  /** Names in a folder below this one; none if there is no such folder. */
  names(below: string): string[] {
    try {
      return readdirSync(dirname(this.at(`${below}/x`))).sort();
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** A text of at most `most` bytes; null if there is no such file. Throws if it is another thing than such a file. */
  read(below: string, most: number): string | null {
    const path = this.at(below);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    if (!stats.isFile()) throw new Error("it is no regular file");
    if (stats.size > most) throw new Error(`it has ${stats.size} bytes, more than ${most}`);
    try {
      return readFileSync(path, "utf8");
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** A new file, which does not exist yet. */
  create(below: string, mode = 0o666): NewFile {
    const path = this.makeParent(below);
    const file = openSync(path, "wx", mode);
    return {
      write: (bytes) =>
        written(path, () => {
          for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
        }),
      close: () =>
        written(path, () => {
          try {
            fsyncSync(file);
          } finally {
            closeSync(file);
          }
        }),
    };
  }

  /** A new file with this content. */
  write(below: string, content: string | Uint8Array, mode?: number): void {
    const file = this.create(below, mode);
    try {
      file.write(typeof content === "string" ? new TextEncoder().encode(content) : content);
    } finally {
      file.close();
    }
  }

  /** A file with this content, in place of the former one, if there was one. */
  replace(below: string, content: string | Uint8Array): void {
    const end = below.lastIndexOf("/") + 1;
    const temporary = `${below.slice(0, end)}.${below.slice(end)}.${randomBytes(8).toString("hex")}`;
    this.write(temporary, content);
    renameSync(this.at(temporary), this.at(below));
  }

  append(below: string, text: string): void {
    const path = this.at(below);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile()) throw new OutsideError(`${path} is no file`);
    written(path, () => appendFileSync(path, text));
  }

  /** Moves a regular file; false if it was moved before. */
  move(from: string, to: string): boolean {
    const source = this.at(from);
    const stats = lstatSync(source, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    if (!stats.isFile()) throw new OutsideError(`${source} is no regular file`);
    try {
      renameSync(source, this.makeParent(to));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /** A second name of a file. Throws EEXIST. */
  link(from: string, to: string): void {
    linkSync(this.at(from), this.at(to));
  }

  /** Removes a file, or a link. */
  remove(below: string): void {
    rmSync(this.at(below), { force: true });
  }

  /** Removes a folder with everything in it. A link in place of it is removed, not what it leads to. */
  removeFolder(below: string): void {
    this.known.clear();
    rmSync(this.at(below), { recursive: true, force: true });
  }

  /** Sets the times of a file to now. */
  touch(below: string): void {
    const now = new Date();
    try {
      utimesSync(this.at(below), now, now);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

/** Files that the user named: replacement.ts decides which of them may be written. */
export const OUTPUT = {
  /** Throws EEXIST. */
  create: (path: string, mode: number): number => openSync(path, "wx", mode),
  /** A device, a pipe or a terminal. */
  openDevice: (path: string): number => openSync(path, "w"),
  move: renameSync,
  remove: (path: string): void => rmSync(path, { force: true }),
  /** All at once: for the end of a process. */
  write: (path: string, bytes: Uint8Array): void => writeFileSync(path, bytes),
};
