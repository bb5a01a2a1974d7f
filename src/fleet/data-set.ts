/**
 * The folder of a data set, and the protocol of its writers. Any number of processes may write to it at a time, also
 * from several machines; each may be killed at any moment.
 *
 *   DIR/spanflame.json             what the folder is
 *   DIR/parts.json                 the lists of parts (parquet/part-lists.ts), written last; DIR/parts/ has them
 *   DIR/TABLE/date=…/PART.parquet  complete files only
 *   DIR/_spanflame/
 *     writers/WRITER               a running writer: machine and process; its time says when it was last alive
 *     claims/SHA256                the writer that is reading this recording
 *     claims/commit                the writer that is moving files: one at a time
 *     files/WRITER/…               files that are being written
 *     commits/BATCH                recordings of a batch, the files to move into place, and those to remove
 *     done/BATCH                   the same, after that: the manifest
 *
 * A batch counts from the moment at which its record is among the commits, by one rename. A writer that finds another
 * one gone completes its commits, and then removes everything else of it. Moving and removing can be repeated. A commit
 * that cannot be completed, as on a full disk, keeps its writer's files: a later writer tries again.
 *
 * A commit moves new files into place, then lists the parts, then removes old ones. So the parts of a list are there
 * from the moment at which `parts.json` names it, in a copy of the folder as well.
 *
 * The folder may come from elsewhere, so files of other writers are claims of a stranger: data-set-names.ts has the
 * names that they may contain, disk.ts refuses links. A commit can therefore move files that its own writer wrote into
 * the tables, and remove parts of them; it is checked as a whole before its first step.
 */

import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { MARKER, STATE_FOLDER, TABLE_NAMES } from "../core/tables/data-sets.ts";
import { Folder, isMissing, type NewFile, OutsideError } from "../node/disk.ts";
import { UsageError } from "../node/exit.ts";
import { say } from "../node/terminal.ts";
import { changeLists, damagedLists, hasLists, listFolder, partsOf, registeredIn } from "./data-set-files.ts";
import {
  type Batch,
  Begins,
  COMMIT_CLAIM,
  type Forgotten,
  forgottenBy,
  isClaim,
  isWriter,
  MOST_MANIFEST_BYTES,
  movesOf,
  recordingsOf,
  runningOf,
  sealed,
  type TakenRecording,
  writerOfBatch,
} from "./data-set-names.ts";
import { isAlive, isRecent, ownFacts, type WriterFacts } from "./data-set-writers.ts";
import { pathOf } from "./parquet/parts.ts";
import { FORMAT_NAME, FORMAT_VERSION } from "./parquet/schema.ts";

const FOLDERS = ["writers", "claims", "files", "commits", "done"] as const;

/** Pause between two tries to be the one that moves files. After so many, a claim without a writer is removed. */
const PAUSE_MS = 5;
const STALE_TRIES = 200;

/** Claimed while a batch with chunks is committed. That takes milliseconds, so waiting writers try again after 5 ms. */
const LOCK = "compact-0000-00-00";
const LOCK_MS = 5;

/** Bytes of a writer's facts, of a claim, and of the marker, at most. */
const MOST_FACTS_BYTES = 1 << 12;

export class DataSet {
  readonly folder: string;
  readonly writer: string;
  private readonly disk: Folder;
  /** Files by the SHA-256 of their contents, and of themselves; "" for a copy. */
  readonly taken = new Map<string, string>();
  /** What files state of their process, and which of them have chunks of others. */
  readonly facts = new Map<string, Readonly<Record<string, string>>>();
  readonly links: [file: string, others: readonly string[]][] = [];
  /** Why recordings could not be read, by hash. */
  private readonly reasons = new Map<string, string>();
  /** Chunks that are in a part. */
  readonly begins = new Begins();
  private readonly seen = new Set<string>();
  /** For each part that a manifest names, the parts in whose place it is. */
  private readonly sources = new Map<string, readonly string[]>();
  private readonly warned = new Set<string>();
  private batches = 0;

  /** `writer`: of another thread of this process, which has registered it. */
  private constructor(folder: string, writer: string) {
    this.folder = folder;
    this.disk = new Folder(folder);
    this.writer = writer;
  }

  /** A writer of a data set, which is created where there is none. Throws UsageError. */
  static open(folder: string): DataSet {
    const marker = join(folder, MARKER);
    const disk = new Folder(folder);
    if (!existsSync(marker)) {
      // Another writer may have created the data set since.
      if (filesIn(folder).length > 0 && !existsSync(marker))
        throw new UsageError(`${folder} is no data set: it has files, but no ${MARKER}`);
      disk.make();
      disk.replace(MARKER, `${JSON.stringify({ format: FORMAT_NAME, version: FORMAT_VERSION })}\n`);
    }
    const version = versionOf(folder);
    if (version !== FORMAT_VERSION)
      throw new UsageError(
        `${marker}: version ${version} is not ${FORMAT_VERSION}, the one that this program writes; export the recordings into a new folder`,
      );
    for (const name of FOLDERS) disk.makeFolder(`${STATE_FOLDER}/${name}`);
    const set = new DataSet(folder, randomBytes(8).toString("hex"));
    disk.write(set.state("writers", set.writer), JSON.stringify(ownFacts()));
    try {
      set.recover();
      set.begin();
    } catch (error) {
      set.close();
      throw error;
    }
    return set;
  }

  /**
   * Lists the parts of a data set that has no lists, or those of an earlier version. Where writers are, its folder has
   * its parts; in a copy it may have some of them, and others. Throws UsageError for a copy.
   */
  private begin(): void {
    if (hasLists(this.folder)) return;
    const [reason = ""] = damagedLists(this.folder);
    const parts = filesIn(this.folder).filter((name) => TABLE_NAMES.some((table) => table === name));
    if (parts.length > 0 && this.names("done").length === 0) throw new UsageError(reason);
    if (parts.length > 0 && reason !== "")
      say(`spanflame: warning: ${reason}; the parts of the folder are listed again`);
    this.alone(null, () => {
      if (!hasLists(this.folder)) listFolder(this.folder);
    });
  }

  /** Runs while no other writer moves files. `victim`: a dead writer, under whose claim its commits are completed. */
  private alone<T>(victim: string | null, run: () => T): T {
    const key = COMMIT_CLAIM;
    let last: string | null = null;
    for (let tries = 0; ; tries++) {
      try {
        this.link(key);
        break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const other = this.claimant(key);
      if (other !== null && other === victim) return run();
      if (other !== last) tries = 0;
      last = other;
      if (other !== null && other !== this.writer && !this.lives(other)) {
        this.recover();
        // A writer that ended has no claim: no writer made this one, or it was received.
        const isOf = (name: string) => runningOf(name)?.victim === other;
        if (tries > STALE_TRIES && !this.names("writers").some(isOf)) this.unclaim(key);
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
      this.touch();
    }
    try {
      return run();
    } finally {
      this.unclaim(key);
    }
  }

  /** The writer of that name, in another thread. */
  static sharing(folder: string, writer: string): DataSet {
    return new DataSet(folder, writer);
  }

  /** Throws UsageError, about an option, if its files are those of a catalogue: moving them would break its tables. */
  checkUnregistered(option = ""): void {
    const by = registeredIn(this.folder);
    if (by === null) return;
    throw new UsageError(
      `${option}${this.folder} is registered in ${by.place}, which merges, removes and keeps its rows now`,
    );
  }

  /** A path below the data set. */
  private state(kind: (typeof FOLDERS)[number], ...path: string[]): string {
    return [STATE_FOLDER, kind, ...path].join("/");
  }

  private names(kind: (typeof FOLDERS)[number]): string[] {
    return this.disk.names(this.state(kind));
  }

  /** To be called now and then: shows writers on other machines that this one is alive. */
  touch(): void {
    this.disk.touch(this.state("writers", this.writer));
  }

  /** Completes the commits of writers that are gone, and removes their other files. */
  recover(): void {
    for (const name of this.names("writers")) {
      const running = runningOf(name);
      if (running === null || running.owner === this.writer || this.lives(name)) continue;
      const { victim } = running;
      const own = this.state("writers", `${this.writer}~${victim}`);
      // One writer alone succeeds.
      if (!this.takeOver(name, own)) continue;
      if (this.completeCommits(victim)) {
        this.release(victim);
        this.disk.remove(own);
      } else {
        if (this.claimant(COMMIT_CLAIM) === victim) this.unclaim(COMMIT_CLAIM);
        this.disk.move(own, this.state("writers", name));
      }
    }
  }

  private takeOver(name: string, own: string): boolean {
    try {
      return this.disk.move(this.state("writers", name), own);
    } catch (error) {
      this.warn(`writers/${name}`, error);
      return false;
    }
  }

  /** Whether the owner of a file in `writers` is alive. */
  private lives(name: string): boolean {
    const path = this.state("writers", runningOf(name)?.owner ?? name);
    let lastAlive = 0;
    try {
      const text = this.disk.read(path, MOST_FACTS_BYTES);
      if (text === null) return false;
      lastAlive = statSync(this.disk.at(path)).mtimeMs;
      return isAlive(JSON.parse(text) as WriterFacts, lastAlive);
    } catch {
      // Its file is being written, or damaged.
      return isRecent(lastAlive);
    }
  }

  /** Whether the commits of a writer are complete, or can never be. */
  private completeCommits(writer: string): boolean {
    let isOver = true;
    for (const name of this.names("commits")) {
      if (writerOfBatch(name) !== writer) continue;
      try {
        this.alone(writer, () => this.apply(name, writer));
      } catch (error) {
        // The system refused a step, or a link is in the way.
        if (error instanceof OutsideError || (error as NodeJS.ErrnoException).code !== undefined) isOver = false;
        this.warn(`commits/${name}`, error);
      }
    }
    return isOver;
  }

  /** A file of another writer that is not as writers make them: it is named, and has no effect. */
  private warn(name: string, error: unknown, consequence = "it was left as it is"): void {
    if (this.warned.has(name)) return;
    this.warned.add(name);
    const reason = error instanceof Error ? error.message : String(error);
    say(`spanflame: warning: ${join(this.folder, STATE_FOLDER, name)}: ${reason}; ${consequence}`);
  }

  /** Whether a commit can still be completed: no file of other programs, and no commit without its writer. */
  private isOpen(name: string): boolean {
    const writer = writerOfBatch(name);
    return writer !== null && this.names("writers").some((own) => runningOf(own)?.victim === writer);
  }

  /** Removes files and claims of a writer whose commits are complete. */
  private release(writer: string): void {
    this.disk.removeFolder(this.state("files", writer));
    for (const name of this.names("claims")) {
      if (isClaim(name) && this.claimant(name) === writer) this.disk.remove(this.state("claims", name));
    }
  }

  /** The writer that a claim names; "" if it names none, null if there is no such claim. */
  private claimant(claim: string): string | null {
    try {
      const text = this.disk.read(this.state("claims", claim), MOST_FACTS_BYTES);
      return text === null || isWriter(text) ? text : "";
    } catch {
      return "";
    }
  }

  /**
   * Reserves work for this writer: `mine`, or `own` if it has reserved it before, or `done` by an earlier batch, or
   * `busy` with another writer. The claim is made before the manifest is read, so that no other writer can have
   * finished in between.
   */
  claim(key: string): "mine" | "own" | "done" | "busy" {
    // Batches that are not known yet are looked for below.
    if (this.taken.has(key)) return "done";
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
      if (other === this.writer) return "own";
      // Claims have their content from the first moment on: no writer made this one.
      if (other === "") this.unclaim(key);
      else if (other !== null && this.lives(other)) return this.has(key) ? "done" : "busy";
      else if (other !== null && !this.names("writers").includes(other)) this.unclaim(key);
      else this.recover();
    }
    return "busy";
  }

  /** Waits until no other writer or thread has the lock; gives the claim that is to be given back. */
  async lock(): Promise<string> {
    while (this.claim(LOCK) !== "mine") await new Promise((resolve) => setTimeout(resolve, LOCK_MS));
    return LOCK;
  }

  /** Makes a claim that has its content from the first moment on. Throws EEXIST. */
  private link(key: string): void {
    const own = this.state("files", this.writer, "claim");
    // Whatever is there, the link is made below the folder, or not at all.
    if (!existsSync(join(this.disk.path, own))) this.disk.replace(own, this.writer);
    this.disk.link(own, this.state("claims", key));
  }

  unclaim(key: string): void {
    // No writer makes a folder of it, but a received data set may have one.
    this.disk.removeFolder(this.state("claims", key));
  }

  /** Whether a batch has a recording with this hash. */
  has(sha256: string): boolean {
    if (!this.taken.has(sha256)) this.update();
    return this.taken.has(sha256);
  }

  /** Learns what others have written. */
  update(): void {
    // A record moves from the first folder to the second: in this order none is missed.
    for (const kind of ["commits", "done"] as const) {
      for (const name of this.names(kind)) this.readRecord(kind, name);
    }
  }

  /** Why a recording that a batch has could not be read; null if it could. */
  unreadable(sha256: string): string | null {
    return this.reasons.get(sha256) ?? null;
  }

  private take(recording: TakenRecording): void {
    const { sha256, bytes, unreadable, begin, isCut, isContent, isApart, of = sha256, isCopy, facts } = recording;
    this.taken.set(sha256, isCopy === true ? "" : of);
    if (recording.with !== undefined) this.links.push([sha256, recording.with]);
    if (facts !== undefined) this.facts.set(of, { ...this.facts.get(of), ...facts });
    if (unreadable !== undefined) this.reasons.set(sha256, unreadable);
    const isAlone = isApart === true || isContent !== true;
    if (begin !== undefined) this.begins.add(begin, { sha256, bytes, isCut: isCut === true, isApart: isAlone });
  }

  private readRecord(kind: "commits" | "done", name: string): void {
    if (this.seen.has(name)) return;
    try {
      const writer = writerOfBatch(name);
      if (writer === null) throw new Error("it has no name of a manifest");
      const text = this.disk.read(this.state(kind, name), MOST_MANIFEST_BYTES);
      if (text === null) return;
      const moves = movesOf(text, writer);
      // What will never be moved into the tables is not there. Its writer may have moved the record since.
      if (kind === "commits" && !this.isOpen(name)) return;
      const sources = moves.flatMap(({ from, to }) => (from === null && to.startsWith("recordings/") ? [to] : []));
      for (const { from, to } of moves) if (from !== null) this.sources.set(to, sources);
      // Until they are forgotten they count: their removal may be repeated.
      for (const { sha256 } of kind === "commits" ? forgottenBy(text) : [])
        for (const each of sha256) this.taken.set(each, each);
      for (const recording of recordingsOf(text)) this.take(recording);
    } catch (error) {
      const lost = "recordings of its parts are known by these, but copies that are packed otherwise may count twice";
      this.warn(`${kind}/${name}`, error, kind === "done" ? lost : undefined);
    }
    this.seen.add(name);
  }

  /** Tables of recordings that no manifests explain, because one is damaged or gone, or after `remove`. */
  unlisted(): string[] {
    const paths = partsOf(this.folder, "recordings").map(pathOf);
    this.update();
    const seen = new Set<string>();
    const isNamed = (path: string): boolean => {
      if (seen.has(path)) return false;
      seen.add(path);
      return this.sources.get(path)?.every(isNamed) === true;
    };
    return paths.filter((path) => !isNamed(path));
  }

  /** Recordings of a part count as those of a manifest. */
  takeAll(recordings: readonly string[]): void {
    for (const sha256 of recordings) if (!this.taken.has(sha256)) this.taken.set(sha256, sha256);
  }

  /** Path in the data set of a file that is to be written. */
  newFile(): NewFile & { path: string } {
    const path = this.state("files", this.writer, randomBytes(8).toString("hex"));
    return { path, ...this.disk.create(path) };
  }

  /** Removes a file that was written and is of no use. */
  discard(path: string): void {
    this.disk.remove(path);
  }

  /** Takes a batch into the data set, whole or not at all. */
  commit(batch: Batch): void {
    this.alone(null, () => this.commitAlone(batch));
  }

  private commitAlone(batch: Batch): void {
    // Files of a writer that was taken for gone are no longer there.
    if (!existsSync(this.disk.at(this.state("writers", this.writer))))
      throw new Error("another writer took this one for dead: it was not alive for 10 minutes");
    this.touch();
    const name = `${this.writer}-${randomBytes(4).toString("hex")}${this.batches++}`;
    const own = this.state("files", this.writer, `record-${name}`);
    const text = sealed(batch);
    this.check(movesOf(text, this.writer));
    forgottenBy(text);
    this.disk.write(own, text);
    this.disk.move(own, this.state("commits", name));
    this.apply(name, this.writer);
    for (const recording of batch.recordings) {
      this.take(recording);
      this.unclaim(recording.sha256);
    }
  }

  /**
   * Moves the files of a commit into place, lists them, and removes those that they replace. Throws before the first
   * step if one of them may not be done.
   */
  private apply(name: string, writer: string): void {
    const commit = this.state("commits", name);
    const text = this.disk.read(commit, MOST_MANIFEST_BYTES);
    if (text === null) return;
    const moves = movesOf(text, writer);
    recordingsOf(text);
    const forgotten = forgottenBy(text);
    this.check(moves);
    for (const { from, to } of moves) {
      if (from !== null) this.disk.move(from, to);
    }
    // Else the next writer lists the folder.
    if (hasLists(this.folder)) changeLists(this.folder, moves);
    const added = new Set(moves.flatMap(({ from, to }) => (from === null ? [] : [to])));
    for (const { to } of moves) if (!added.has(to)) this.disk.remove(to);
    for (const each of forgotten) this.forget(each);
    if (forgotten.length > 0 && recordingsOf(text).length === 0) this.disk.remove(commit);
    else this.disk.move(commit, this.state("done", name));
  }

  /** Takes recordings out of a manifest, which is removed with its last one. */
  private forget({ batch, sha256 }: Forgotten): void {
    const path = this.state("done", batch);
    const text = this.disk.read(path, MOST_MANIFEST_BYTES);
    if (text === null) return;
    const gone = new Set(sha256);
    const all = recordingsOf(text);
    const recordings = all.filter((each) => !gone.has(each.sha256));
    for (const { sha256: each, begin = "" } of all) {
      if (gone.has(each) && this.taken.delete(each)) this.begins.drop(begin, each);
    }
    if (recordings.length === 0) this.disk.remove(path);
    else {
      const own = this.state("files", this.writer, `manifest-${batch}`);
      this.disk.replace(own, sealed({ ...JSON.parse(text), recordings }));
      this.disk.move(own, path);
    }
  }

  /**
   * What manifests have of recordings that are in no part any more: files and contents, and with `copies` these, too,
   * which may be of them. Earlier versions did not say of which file a content is, but for its name.
   */
  forgotten(gone: ReadonlySet<string>, copies = true): Forgotten[] {
    return this.manifests().flatMap(({ batch, recordings }) => {
      const names = new Set(recordings.flatMap(({ sha256, file }) => (gone.has(sha256) ? [file] : [])));
      const own = recordings.filter(
        ({ sha256, file, of, isContent, isCopy }) =>
          (copies && isCopy === true) ||
          gone.has(sha256) ||
          (isContent === true && (of === undefined ? names.has(file) : gone.has(of))),
      );
      return own.length > 0 ? [{ batch, sha256: own.map(({ sha256 }) => sha256) }] : [];
    });
  }

  /** SHA-256 of files and contents of manifests that are wanted. */
  known(isWanted: (recording: TakenRecording) => boolean): string[] {
    return this.manifests().flatMap(({ recordings }) => recordings.filter(isWanted).map(({ sha256 }) => sha256));
  }

  private manifests(): { batch: string; recordings: TakenRecording[] }[] {
    return this.names("done").flatMap((batch) => {
      try {
        return [
          { batch, recordings: recordingsOf(this.disk.read(this.state("done", batch), MOST_MANIFEST_BYTES) ?? "{}") },
        ];
      } catch (error) {
        this.warn(`done/${batch}`, error);
        return [];
      }
    });
  }

  /** Throws where a step of a commit would meet a folder, or a link above its files. */
  private check(moves: Batch["files"]): void {
    for (const { from, to } of moves) for (const path of from === null ? [to] : [from, to]) this.disk.checkFile(path);
  }

  /** Ends the writer. A commit that could not be completed is left to a later writer, with its files. */
  close(): void {
    if (this.names("commits").some((name) => writerOfBatch(name) === this.writer)) return;
    this.release(this.writer);
    this.disk.remove(this.state("writers", this.writer));
  }
}

/** Manifests and journals that are not as they were written. */
export function damagedRecords(folder: string): string[] {
  const disk = new Folder(folder);
  const paths = (["commits", "done"] as const).flatMap((kind) =>
    disk.names(`${STATE_FOLDER}/${kind}`).map((name) => `${STATE_FOLDER}/${kind}/${name}`),
  );
  return paths.flatMap((path) => {
    try {
      const text = disk.read(path, MOST_MANIFEST_BYTES);
      if (text !== null) recordingsOf(text);
      return [];
    } catch (error) {
      return [`${path}: ${error instanceof Error ? error.message : error}`];
    }
  });
}

/** Names in a folder that are not hidden; none if there is no such folder. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The version of a data set. Throws UsageError if the marker is none. */
export function versionOf(folder: string): unknown {
  const path = join(folder, MARKER);
  let marker: { format?: unknown; version?: unknown } | null;
  try {
    marker = JSON.parse(new Folder(folder).read(MARKER, MOST_FACTS_BYTES) ?? "");
  } catch (error) {
    throw new UsageError(`${path}: ${error instanceof Error ? error.message : error}`);
  }
  if (marker?.format !== FORMAT_NAME) throw new UsageError(`${path}: the format is not ${FORMAT_NAME}`);
  return marker.version;
}
