/**
 * Output files that replace the former ones once all of them are complete. Until then the bytes are in temporary files
 * in the same folders:
 *
 *   out.json                            the former file, if there was one
 *   .spanflame-0f2c…(16 digits).tmp     the new file while it is written
 *
 * However the process ends, except by SIGKILL or a crash of Node, the temporary files are removed and the former files
 * are kept.
 */
import { randomBytes } from "node:crypto";
import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  readlinkSync,
  statSync,
} from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { OUTPUT } from "./disk.ts";
import { UsageError } from "./exit.ts";
import { beside, isOfDataSet, isSameFile } from "./same-file.ts";
import { OutputError } from "./write-all.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Links followed from one name; the system gives up at about as many. */
const MOST_LINKS = 40;

/** Temporary files that may exist. While there are any, signals are caught. */
const temporary = new Set<string>();
let isWatching = false;

function remove(path: string): void {
  try {
    OUTPUT.remove(path);
  } catch {
    // The folder no longer allows removing it; its name identifies it as temporary.
  }
  temporary.delete(path);
}

function removeTemporary(): void {
  for (const path of temporary) remove(path);
  watchSignals();
}

/** Ends the process by the signal, as it would have ended without us. */
function onSignal(signal: NodeJS.Signals): void {
  removeTemporary();
  process.kill(process.pid, signal);
}

/** Catches signals from the first temporary file to the last, without a gap between two of them. */
function watchSignals(): void {
  if (isWatching === temporary.size > 0) return;
  isWatching = !isWatching;
  const change = isWatching ? "on" : "off";
  for (const signal of SIGNALS) process[change](signal, onSignal);
  process[change]("exit", removeTemporary);
}

/**
 * Resolves when the handlers of signals that came before have run: the event loop has polled between two immediates.
 */
export async function signalsServed(): Promise<void> {
  for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** The file that a path leads to through symbolic links, whether it exists or not. */
function throughLinks(path: string): string {
  let at = path;
  for (let i = 0; lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink(); i++) {
    if (i === MOST_LINKS) throw new Error("too many symbolic links");
    const link = readlinkSync(at);
    at = isAbsolute(link) ? link : beside(at, link);
  }
  return at;
}

/** A temporary file for `path`, with the owner and the permissions of the former file as far as the system lets us. */
function createTemporary(path: string, former: BigIntStats | undefined): { temporaryPath: string; file: number } {
  // A file that must not be written must not be replaced either.
  if (former !== undefined) accessSync(path, constants.W_OK);
  const temporaryPath = beside(path, `.spanflame-${randomBytes(8).toString("hex")}.tmp`);
  const mode = former === undefined ? 0o666 : Number(former.mode) & 0o777;
  // Signals are caught before the file exists, so that no signal leaves it.
  temporary.add(temporaryPath);
  watchSignals();
  let file: number;
  try {
    file = OUTPUT.create(temporaryPath, mode);
  } catch (error) {
    temporary.delete(temporaryPath);
    watchSignals();
    throw error;
  }
  if (former !== undefined) {
    const owner = [Number(former.uid), Number(former.gid)] as const;
    for (const keep of [() => fchownSync(file, ...owner), () => fchmodSync(file, mode)]) {
      try {
        keep();
      } catch {
        // Not the owner, or a file system without owners and modes.
      }
    }
  }
  return { temporaryPath, file };
}

/** An open output. */
export interface Target {
  /** For messages. */
  name: string;
  file: number;
  close(): void;
}

/** Runs `write` with the output files of a command, and puts them in place when it has returned. */
export async function replacing<T>(write: (files: Replacements) => T | Promise<T>): Promise<T> {
  const files = new Replacements();
  try {
    const result = await write(files);
    await files.commit();
    return result;
  } finally {
    files.discard();
  }
}

/** The output files of one command. */
class Replacements {
  private readonly waiting: { temporaryPath: string; path: string; target: Target }[] = [];

  /**
   * Opens an output; `-` is standard output. A device, a pipe or a terminal is written directly. Throws OutputError.
   */
  open(name: string): Target {
    if (name === "-") return { name: "standard output", file: 1, close: () => {} };
    try {
      return this.openFile(name);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw new OutputError(name, error, "", missingFolder(name, error));
    }
  }

  private openFile(name: string): Target {
    const former = statSync(name, { bigint: true, throwIfNoEntry: false });
    // /dev/stdout and its like: others write to this file too, before and after.
    if (former?.isFile() === true && isSameFile(former, fstatSync(1, { bigint: true }))) {
      return { name, file: 1, close: () => {} };
    }
    const path = throughLinks(name);
    const there = statSync(path, { bigint: true, throwIfNoEntry: false });
    // The links of /proc/self/fd lead to files that their text does not name.
    const isNamed = former === undefined || (former.isFile() && there !== undefined && isSameFile(former, there));
    if (!isNamed) return targetOf(name, OUTPUT.openDevice(name));
    if (isOfDataSet(path)) throw new UsageError(`-o: ${name} is a file of a data set; choose another output`);
    const { temporaryPath, file } = createTemporary(path, former);
    const target = targetOf(name, file);
    this.waiting.push({ temporaryPath, path, target });
    return target;
  }

  /**
   * Puts all files in place; they must be closed. Where one cannot be, those before it are in place and the rest is as
   * it was.
   */
  async commit(): Promise<void> {
    await signalsServed();
    const all = this.waiting.length;
    for (let done = 0; this.waiting[0] !== undefined; done++) {
      const { temporaryPath, path, target } = this.waiting[0];
      try {
        OUTPUT.move(temporaryPath, path);
      } catch (error) {
        const consequence = all === 1 ? "" : `; ${done} of ${all} files were replaced, the others are unchanged`;
        throw new OutputError(target.name, error, consequence);
      }
      temporary.delete(temporaryPath);
      this.waiting.shift();
    }
    watchSignals();
  }

  /** Removes the temporary files that have not replaced a file. */
  discard(): void {
    for (const { temporaryPath, target } of this.waiting.splice(0)) {
      try {
        target.close();
      } catch {
        // Its content is not wanted.
      }
      remove(temporaryPath);
    }
    watchSignals();
  }
}

/** The folder that an output needs and that does not exist. */
function missingFolder(name: string, error: unknown): string | undefined {
  const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT" && !existsSync(dirname(name));
  return isMissing ? `there is no folder ${dirname(name)}` : undefined;
}

function targetOf(name: string, file: number): Target {
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    try {
      closeSync(file);
    } catch (error) {
      // Some file systems report only here that they are full.
      throw new OutputError(name, error);
    }
  };
  return { name, file, close };
}
