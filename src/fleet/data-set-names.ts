/**
 * The names that writers of a data set use below its folder. Whatever another writer's file names is one of these, or
 * is refused: a received data set says nothing about other places.
 *
 *   TABLE/date=YYYY-MM-DD/PART.parquet        PART   YYYY-MM-DD-16 hex digits, of the same date
 *   _spanflame/files/WRITER/FILE              WRITER, FILE   16 hex digits
 *   _spanflame/writers/WRITER[~VICTIM]        VICTIM is a writer whose work WRITER completes
 *   _spanflame/claims/KEY                     KEY    SHA-256 in hex, compact-YYYY-MM-DD (0000-00-00: chunks), or commit
 *   _spanflame/commits/BATCH, …/done/BATCH    BATCH  WRITER-8 hex digits and a number
 */
import { crc32 } from "../bytes/crc32.ts";
import { TABLE_NAMES } from "../core/tables/data-sets.ts";

const WRITER = /^[0-9a-f]{16}$/;
const RUNNING = /^([0-9a-f]{16})(?:~([0-9a-f]{16}))?$/;
const BATCH = /^([0-9a-f]{16})-[0-9a-f]{8}\d{0,9}$/;
const SHA256 = /^[0-9a-f]{64}$/;
/** The claim of the one writer that is moving files and writing lists. */
export const COMMIT_CLAIM = "commit";
const CLAIM = /^(?:[0-9a-f]{64}|compact-\d{4}-\d\d-\d\d|commit)$/;
const PART = /^([a-z]+)\/date=(\d{4}-\d\d-\d\d)\/(\d{4}-\d\d-\d\d)-[0-9a-f]{16}\.parquet$/;
const WRITTEN = /^_spanflame\/files\/([0-9a-f]{16})\/[0-9a-f]{16}$/;

/** More bytes are no manifest: a batch has some thousand recordings. */
export const MOST_MANIFEST_BYTES = 64 << 20;

export interface TakenRecording {
  sha256: string;
  file: string;
  bytes: number;
  /** Why nothing of it could be read. */
  unreadable?: string;
  /** A chunk or message of a file of this name, and not the file itself. */
  isContent?: boolean;
  /** Of a chunk: hash of what it has before it is complete. `isCut`: it was not. */
  begin?: string;
  isCut?: boolean;
  /** Of a cut chunk: its rows are listed as a separate recording. */
  isApart?: boolean;
  /** Of a content: SHA-256 of its file. */
  of?: string;
  /** Files that have a chunk of it, or such chunks; and what it states of its process. */
  with?: string[];
  facts?: Record<string, string>;
  /** All that it has was in the data set before. */
  isCopy?: boolean;
}

/** A chunk that counts. `isApart`: its rows are no others' recording, so that they can go. */
export interface Begun {
  sha256: string;
  bytes: number;
  isCut: boolean;
  isApart: boolean;
}

/** Whether a chunk is more of the one that begins as it does. */
export function isMore({ isCut, bytes }: Begun, known: Begun): boolean {
  return known.isCut && (!isCut || bytes > known.bytes);
}

/** Chunks by their beginnings: of each the one with most of it. */
export class Begins {
  private readonly all = new Map<string, Begun>();

  get(begin: string): Begun | undefined {
    return this.all.get(begin);
  }

  add(begin: string, { sha256, bytes, isCut, isApart }: Begun): void {
    const own = { sha256, bytes, isCut, isApart };
    const known = this.all.get(begin);
    if (known === undefined || isMore(own, known)) this.all.set(begin, own);
  }

  drop(begin: string, sha256: string): void {
    if (this.all.get(begin)?.sha256 === sha256) this.all.delete(begin);
  }

  clear(): void {
    this.all.clear();
  }
}

/** A batch: what it adds, and what it replaces. Paths are relative to the data set. */
export interface Batch {
  recordings: TakenRecording[];
  /** In this order: a file that was written to `from` is moved to `to`, or `to` is removed where `from` is null. */
  files: { from: string | null; to: string }[];
  /** Recordings that are in no part any more, by the manifest that has them. */
  forgotten?: Forgotten[];
}

export interface Forgotten {
  batch: string;
  sha256: string[];
}

const CRC = ',"crc":';
const crcOf = (text: string) => crc32(new TextEncoder().encode(text), 0);

/** The text of a manifest. Its last field is the checksum of what is before it. */
export function sealed(batch: Batch): string {
  const text = JSON.stringify({ ...batch, crc: undefined }).slice(0, -1);
  return `${text}${CRC}${crcOf(text)}}`;
}

/** Whether a manifest is as it was written. Those of earlier versions end with a list. */
function isIntact(text: string): boolean {
  const at = text.lastIndexOf(CRC);
  return at < 0 ? text.endsWith("]}") : text.slice(at) === `${CRC}${crcOf(text.slice(0, at))}}`;
}

export function isWriter(name: string): boolean {
  return WRITER.test(name);
}

/** The writer that a file in `writers` is of, and the one whose work it completes, or itself. */
export function runningOf(name: string): { owner: string; victim: string } | null {
  const [, owner, victim = owner] = RUNNING.exec(name) ?? [];
  return owner === undefined ? null : { owner, victim: victim! };
}

export function writerOfBatch(name: string): string | null {
  return BATCH.exec(name)?.[1] ?? null;
}

export function isClaim(name: string): boolean {
  return CLAIM.test(name);
}

export function isPart(path: string): boolean {
  const [, table = "", folder, name] = PART.exec(path) ?? [];
  return TABLE_NAMES.some((name) => name === table) && folder === name;
}

/** A manifest's recordings. Throws an error with the first fact that is wrong. */
export function recordingsOf(text: string): TakenRecording[] {
  const { recordings } = object(text);
  if (!Array.isArray(recordings)) throw new Error("it has no list of recordings");
  return recordings.map((each: Partial<TakenRecording> | null, i) => {
    const {
      sha256,
      file,
      bytes,
      unreadable,
      isContent,
      begin,
      isCut,
      isApart,
      of,
      isCopy,
      facts,
      with: shared,
    } = each ?? {};
    if (typeof sha256 !== "string" || !SHA256.test(sha256)) throw new Error(`recording ${i} has no SHA-256`);
    return {
      sha256,
      file: typeof file === "string" ? file : "",
      bytes: Number.isSafeInteger(bytes) ? bytes! : 0,
      ...(typeof unreadable === "string" && { unreadable }),
      ...(isContent === true && { isContent }),
      ...(typeof begin === "string" && { begin }),
      ...(isCut === true && { isCut }),
      ...(isApart === true && { isApart }),
      ...(typeof of === "string" && { of }),
      ...(isCopy === true && { isCopy }),
      ...(Array.isArray(shared) && { with: shared.filter((other) => typeof other === "string") }),
      ...(facts !== null && typeof facts === "object" && { facts: textsIn(facts) }),
    };
  });
}

function textsIn(facts: object): Record<string, string> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => typeof value === "string"));
}

/** The moves and removals of a commit of `writer`. Throws an error with the first fact that is wrong. */
export function movesOf(text: string, writer: string): Batch["files"] {
  const { files } = object(text);
  if (!Array.isArray(files)) throw new Error("it has no list of files");
  return files.map((each: { from?: unknown; to?: unknown } | null, i) => {
    const { from, to } = each ?? {};
    if (typeof to !== "string" || !isPart(to)) throw new Error(`file ${i}: ${shown(to)} is no part of a data set`);
    const isOwn = from === null || (typeof from === "string" && WRITTEN.exec(from)?.[1] === writer);
    if (!isOwn) throw new Error(`file ${i}: ${shown(from)} is no file of writer ${writer}`);
    return { from: from as string | null, to };
  });
}

/** What a commit forgets. Throws an error with the first fact that is wrong. */
export function forgottenBy(text: string): Forgotten[] {
  const { forgotten = [] } = object(text);
  if (!Array.isArray(forgotten)) throw new Error("it has no list of what is forgotten");
  return forgotten.map((each: Partial<Forgotten> | null, i) => {
    const { batch, sha256 } = each ?? {};
    if (typeof batch !== "string" || writerOfBatch(batch) === null)
      throw new Error(`forgotten ${i}: ${shown(batch)} is no manifest`);
    if (!Array.isArray(sha256) || !sha256.every((hash) => typeof hash === "string" && SHA256.test(hash)))
      throw new Error(`forgotten ${i} has no SHA-256`);
    return { batch, sha256 };
  });
}

function object(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
  if (value === null || typeof value !== "object") throw new Error("it is no JSON object");
  if (!isIntact(text)) throw new Error("its checksum is wrong");
  return value as Record<string, unknown>;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 200);
}
