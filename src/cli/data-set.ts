/**
 * The folder of a data set, and the protocol of its writers. Any number of processes may write to it at a time, also
 * from several machines; each may be killed at any moment.
 *
 *   DIR/spanflame.json             what the folder is
 *   DIR/TABLE/date=…/PART.parquet  complete files only
 *   DIR/_spanflame/
 *     writers/WRITER               a running writer: machine and process; its time says when it was last alive
 *     claims/SHA256                the writer that is reading this recording
 *     files/WRITER/…               files that are being written
 *     commits/BATCH                recordings of a batch, the files to move into place, and those to remove
 *     done/BATCH                   the same, after that: the manifest
 *
 * A batch counts from the moment at which its record is among the commits, by one rename. A writer that finds another
 * one gone completes its commits, and then removes everything else of it. Moving and removing can be repeated.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { FORMAT_NAME, FORMAT_VERSION, MARKER, STATE_FOLDER } from "../parquet/schema.ts";
import { UsageError } from "./exit.ts";

/** A writer of another machine is gone when it was not alive for so long. */
const GONE_AFTER_MS = 10 * 60 * 1000;
const FOLDERS = ["writers", "claims", "files", "commits", "done"] as const;

export interface TakenRecording {
  sha256: string;
  file: string;
  bytes: number;
  /** Why nothing of it could be read. */
  unreadable?: string;
}

/** A batch: what it adds, and what it replaces. Paths are relative to the data set. */
export interface Batch {
  recordings: TakenRecording[];
  /** In this order: a file that was written to `from` is moved to `to`, or `to` is removed where `from` is null. */
  files: { from: string | null; to: string }[];
}

interface WriterFacts {
  host: string;
  pid: number;
  /** Start of the process in ticks, on Linux: another process may get the number. */
  start: string;
}

function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")")).split(" ")[20] ?? "";
  } catch {
    return "";
  }
}

function isAlive({ host, pid, start }: WriterFacts, lastAlive: number): boolean {
  if (host !== hostname()) return Date.now() - lastAlive < GONE_AFTER_MS;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return start === startOf(pid);
}

/** Names in a folder; none if there is no such folder. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Whether a rename or a removal was done before. */
function unlessGone(change: () => void): void {
  try {
    change();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function writeWhole(path: string, text: string): void {
  const file = openSync(path, "wx");
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A step of a commit, for tests that kill the process at one of them. */
export type Step = (name: string) => void;

export class DataSet {
  readonly folder: string;
  readonly writer: string;
  private readonly taken = new Set<string>();
  /** Why recordings could not be read, by hash. */
  private readonly reasons = new Map<string, string>();
  private readonly seen = new Set<string>();
  private readonly step: Step;
  private batches = 0;

  /** `writer`: of another thread of this process, which has registered it. */
  private constructor(folder: string, writer: string, step: Step) {
    this.folder = folder;
    this.writer = writer;
    this.step = step;
  }

  /** A writer of a data set, which is created where there is none. Throws UsageError. */
  static open(folder: string, step: Step = () => {}): DataSet {
    const marker = join(folder, MARKER);
    if (!existsSync(marker)) {
      // Another writer may have created the data set since.
      if (namesIn(folder).some((name) => !name.startsWith(".")) && !existsSync(marker))
        throw new UsageError(`${folder} is no data set: it has files, but no ${MARKER}`);
      mkdirSync(folder, { recursive: true });
      const own = join(folder, `.${MARKER}.${randomBytes(4).toString("hex")}`);
      writeWhole(own, `${JSON.stringify({ format: FORMAT_NAME, version: FORMAT_VERSION })}\n`);
      renameSync(own, marker);
    }
    checkMarker(folder);
    for (const name of FOLDERS) mkdirSync(join(folder, STATE_FOLDER, name), { recursive: true });
    const facts: WriterFacts = { host: hostname(), pid: process.pid, start: startOf(process.pid) };
    const set = new DataSet(folder, randomBytes(8).toString("hex"), step);
    writeWhole(set.state("writers", set.writer), JSON.stringify(facts));
    set.recover();
    return set;
  }

  /** The same writer in another thread. */
  static sharing(folder: string, writer: string, step: Step = () => {}): DataSet {
    return new DataSet(folder, writer, step);
  }

  private state(kind: (typeof FOLDERS)[number], ...path: string[]): string {
    return join(this.folder, STATE_FOLDER, kind, ...path);
  }

  private at(path: string): string {
    return join(this.folder, path);
  }

  /** To be called now and then: shows writers on other machines that this one is alive. */
  touch(): void {
    const now = new Date();
    unlessGone(() => utimesSync(this.state("writers", this.writer), now, now));
  }

  /** Completes the commits of writers that are gone, and removes their other files. */
  recover(): void {
    for (const name of namesIn(this.state("writers"))) {
      const [owner = ""] = name.split("~");
      if (owner === this.writer || this.lives(owner)) continue;
      const victim = name.split("~").at(-1)!;
      const own = `${this.writer}~${victim}`;
      try {
        // One writer alone succeeds.
        renameSync(this.state("writers", name), this.state("writers", own));
      } catch {
        continue;
      }
      this.completeCommits(victim);
      this.release(victim);
      rmSync(this.state("writers", own), { force: true });
    }
  }

  private lives(writer: string): boolean {
    const path = this.state("writers", writer);
    try {
      const facts = JSON.parse(readFileSync(path, "utf8")) as WriterFacts;
      return isAlive(facts, statSync(path).mtimeMs);
    } catch (error) {
      if (error instanceof SyntaxError) return Date.now() - statSync(path).mtimeMs < GONE_AFTER_MS;
      return false;
    }
  }

  private completeCommits(writer: string): void {
    for (const name of namesIn(this.state("commits"))) {
      if (name.startsWith(`${writer}-`)) this.apply(name);
    }
  }

  /** Removes files and claims of a writer whose commits are complete. */
  private release(writer: string): void {
    rmSync(this.state("files", writer), { recursive: true, force: true });
    for (const name of namesIn(this.state("claims"))) {
      if (this.claimant(name) === writer) rmSync(this.state("claims", name), { force: true });
    }
  }

  private claimant(claim: string): string | null {
    try {
      return readFileSync(this.state("claims", claim), "utf8");
    } catch {
      return null;
    }
  }

  /**
   * Reserves work for this writer: `mine`, or `done` by an earlier batch, or `busy` with another writer. The claim is
   * made before the manifest is read, so that no other writer can have finished in between.
   */
  claim(key: string): "mine" | "done" | "busy" {
    if (this.has(key)) return "done";
    for (let tries = 0; tries < 3; tries++) {
      try {
        this.link(key);
        if (!this.has(key)) return "mine";
        this.unclaim(key);
        return "done";
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const other = this.claimant(key);
      if (other === this.writer) return "busy";
      if (other !== null && (other === "" || this.lives(other))) return this.has(key) ? "done" : "busy";
      this.recover();
    }
    return "busy";
  }

  /** Makes a claim that has its content from the first moment on. Throws EEXIST. */
  private link(key: string): void {
    const own = this.state("files", this.writer, "claim");
    mkdirSync(dirname(own), { recursive: true });
    if (!existsSync(own)) {
      const name = `${own}-${randomBytes(4).toString("hex")}`;
      writeWhole(name, this.writer);
      renameSync(name, own);
    }
    linkSync(own, this.state("claims", key));
  }

  unclaim(key: string): void {
    rmSync(this.state("claims", key), { force: true });
  }

  /** Whether a batch has a recording with this hash. */
  has(sha256: string): boolean {
    if (this.taken.has(sha256)) return true;
    // A record moves from the first folder to the second: in this order none is missed.
    for (const kind of ["commits", "done"] as const) {
      for (const name of namesIn(this.state(kind))) this.readRecord(kind, name);
    }
    return this.taken.has(sha256);
  }

  /** Why a recording that a batch has could not be read; null if it could. */
  unreadable(sha256: string): string | null {
    return this.reasons.get(sha256) ?? null;
  }

  private take({ sha256, unreadable }: TakenRecording): void {
    this.taken.add(sha256);
    if (unreadable !== undefined) this.reasons.set(sha256, unreadable);
  }

  private readRecord(kind: "commits" | "done", name: string): void {
    if (this.seen.has(name)) return;
    try {
      const { recordings } = JSON.parse(readFileSync(this.state(kind, name), "utf8")) as Batch;
      for (const recording of recordings) this.take(recording);
      this.seen.add(name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }

  /** Path in the data set of a file that is to be written. */
  newFile(): { path: string; write: (bytes: Uint8Array) => void; close: () => void } {
    const path = join(STATE_FOLDER, "files", this.writer, randomBytes(8).toString("hex"));
    mkdirSync(dirname(this.at(path)), { recursive: true });
    const file = openSync(this.at(path), "wx");
    const write = (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    };
    const close = () => {
      fsyncSync(file);
      closeSync(file);
      this.step("file");
    };
    return { path, write, close };
  }

  /** Takes a batch into the data set, whole or not at all. */
  commit(batch: Batch): void {
    // Files of a writer that was taken for gone are no longer there.
    if (!existsSync(this.state("writers", this.writer)))
      throw new Error("another writer took this one for dead: it was not alive for 10 minutes");
    this.touch();
    const name = `${this.writer}-${randomBytes(4).toString("hex")}${this.batches++}`;
    const own = this.state("files", this.writer, `record-${name}`);
    mkdirSync(dirname(own), { recursive: true });
    writeWhole(own, JSON.stringify(batch));
    this.step("record");
    renameSync(own, this.state("commits", name));
    this.step("commit");
    this.apply(name);
    for (const recording of batch.recordings) {
      this.take(recording);
      this.unclaim(recording.sha256);
    }
    this.step("done");
  }

  /** Moves the files of a commit into place, and removes those that they replace. */
  private apply(name: string): void {
    let text: string;
    try {
      text = readFileSync(this.state("commits", name), "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      throw error;
    }
    for (const { from, to } of (JSON.parse(text) as Batch).files) {
      if (from === null) rmSync(this.at(to), { force: true });
      else {
        mkdirSync(dirname(this.at(to)), { recursive: true });
        unlessGone(() => renameSync(this.at(from), this.at(to)));
      }
      this.step("move");
    }
    unlessGone(() => renameSync(this.state("commits", name), this.state("done", name)));
  }

  /** Ends the writer: everything of it is complete. */
  close(): void {
    this.release(this.writer);
    rmSync(this.state("writers", this.writer), { force: true });
  }
}

function checkMarker(folder: string): void {
  const path = join(folder, MARKER);
  let marker: { format?: unknown; version?: unknown };
  try {
    marker = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`${path}: ${error instanceof Error ? error.message : error}`);
  }
  if (marker.format !== FORMAT_NAME) throw new UsageError(`${path}: the format is not ${FORMAT_NAME}`);
  if (marker.version !== FORMAT_VERSION)
    throw new UsageError(
      `${path}: version ${marker.version} is not ${FORMAT_VERSION}, the one that this program writes`,
    );
}
