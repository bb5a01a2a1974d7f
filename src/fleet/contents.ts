/**
 * The contents of an input: chunks of recordings, messages, and runs of dumps. Each counts once in a data set, whatever
 * file it is in: dumps of a running recording overlap, and copies have other names or are compressed.
 */
import { createHash } from "node:crypto";
import { beginOf } from "../bytes/chunk-begin.ts";
import type { Dumps } from "../core/dumps/dump.ts";
import type { DataSet } from "./data-set.ts";
import type { TakenRecording } from "./data-set-names.ts";

/** What tells a call from all others: the place of its record and its time. */
const RUN_NUMBERS = ["file", "offset", "ordinal"] as const;
const RUN_FIGURES = ["start", "duration"] as const;

const BEGIN_DIGITS = 16;

interface Piece {
  /** Hash of the beginning of a chunk: the same before and after the chunk is complete. */
  begin?: string;
  isCut?: boolean;
  sha256: string;
  bytes: number;
  /** No file has brought it before. */
  isNew: boolean;
}

export class Contents {
  private readonly set: DataSet;
  /** SHA-256 of the file, which this writer has claimed. A recording of one chunk is the same content. */
  private readonly file: string;
  /** Bytes of a recording that is not packed, else 0. A chunk with all of them is the file. */
  private readonly size: number;
  private readonly pieces: Piece[] = [];
  /** Observations in the core before some of a piece, in order. */
  private readonly runs: { first: number; piece: number }[] = [];
  /** Another writer is reading some of it. */
  isBusy = false;
  /** Number of chunks of which the data set has only the beginning. */
  cutBefore = 0;
  /** Calls of runs that the data set has. */
  knownCalls = 0;

  constructor(set: DataSet, file: string, size: number) {
    this.set = set;
    this.file = file;
    this.size = size;
  }

  /** Claims the content that is read next. */
  take(content: Uint8Array, first: number): void {
    const isFile = content.length === this.size;
    this.runs.push({ first, piece: this.pieces.length });
    this.add(isFile ? this.file : createHash("sha256").update(content).digest("hex"), content.length);
    const last = this.pieces.at(-1)!;
    Object.assign(last, ofChunk(content));
    if (!last.isNew || last.begin === undefined) return;
    const isCutBefore = this.set.begins.get(last.begin);
    if (isCutBefore === undefined) this.set.begins.set(last.begin, last.isCut === true);
    if (isCutBefore !== true && (isCutBefore === undefined || last.isCut !== true)) return;
    // Its samples would count twice. Of two cut ones, nobody knows which is longer.
    if (last.isCut !== true) this.cutBefore++;
    delete last.begin;
    this.leaveLast();
  }

  /** Of a piece more observations come, at the end of its file. */
  settled(piece: number, first: number): void {
    this.runs.push({ first, piece });
  }

  /** Claims a run of a dump; false if the data set has it. */
  takeRun({ columns }: Dumps, run: number): boolean {
    const runs = columns.numbers("run");
    const own = Array.from(runs.keys()).filter((call) => call > 0 && runs[call] === run);
    if (own.length === 0) return true;
    const hash = createHash("sha256");
    for (const name of RUN_NUMBERS) hash.update(Uint32Array.from(own, (call) => columns.numbers(name)[call]!));
    for (const name of RUN_FIGURES) hash.update(Float64Array.from(own, (call) => columns.figures(name)[call]!));
    const isNew = this.add(hash.digest("hex"), 0);
    if (!isNew) this.knownCalls += own.length;
    return isNew;
  }

  private add(sha256: string, bytes: number): boolean {
    const former = this.pieces.find((piece) => piece.sha256 === sha256);
    const claim = former !== undefined || sha256 === this.file ? "mine" : this.set.claim(sha256);
    if (claim === "busy") this.isBusy = true;
    const isNew = claim === "mine" && former?.isNew !== false;
    // If a file has a content twice, the later one counts: it has the list of live objects that is kept.
    if (former !== undefined) former.isNew = false;
    this.pieces.push({ sha256, bytes, isNew });
    return isNew;
  }

  /** Leaves the last one to a later export. */
  leaveLast(): void {
    const last = this.pieces.at(-1);
    if (last?.isNew !== true) return;
    last.isNew = false;
    this.releaseOne(last);
  }

  private releaseOne({ sha256, begin }: Piece): void {
    if (begin !== undefined) this.set.begins.delete(begin);
    if (sha256 !== this.file) this.set.unclaim(sha256);
  }

  /** Bytes of the longest cut chunk that it brings; 0 if there is none. */
  get cutBytes(): number {
    return Math.max(0, ...this.pieces.map(({ isCut, isNew, bytes }) => (isCut === true && isNew ? bytes : 0)));
  }

  /** There is content, and the data set has all of it. */
  get isKnown(): boolean {
    return this.pieces.length > 0 && this.pieces.every(({ isNew }) => !isNew);
  }

  /** Observations [first, last) that count, of those from `from` on. */
  counted(from: number, end: number): [first: number, last: number][] {
    const runs = [{ first: from, piece: -1 }, ...this.runs];
    return runs.flatMap(({ first, piece }, i) => {
      const last = runs[i + 1]?.first ?? end;
      return first < last && this.pieces[piece]?.isNew !== false ? [[first, last] as [number, number]] : [];
    });
  }

  /** Numbers of the pieces that the data set has, from 0 on. */
  get known(): number[] {
    return this.pieces.flatMap(({ isNew }, i) => (isNew ? [] : [i]));
  }

  /** Those that a batch takes, for its manifest. */
  takenAs(file: string): TakenRecording[] {
    const own = this.pieces.filter(({ sha256, isNew }) => isNew && sha256 !== this.file);
    return own.map((piece) => ({
      ...{ sha256: piece.sha256, file, bytes: piece.bytes, isContent: true, of: this.file },
      ...beginIn(piece),
    }));
  }

  /** What the manifest has of the file, if it is one chunk. */
  get ofFile(): Pick<TakenRecording, "begin" | "isCut"> {
    const own = this.pieces.find(({ sha256, isNew }) => isNew && sha256 === this.file);
    return own === undefined ? {} : beginIn(own);
  }

  release(): void {
    for (const piece of this.pieces) if (piece.isNew) this.releaseOne(piece);
  }
}

function beginIn({ begin, isCut }: Piece): Pick<TakenRecording, "begin" | "isCut"> {
  return begin === undefined ? {} : { begin, ...(isCut && { isCut }) };
}

/** The beginning of a chunk of a recording; {} if the content is another one, or too short to be recognised. */
function ofChunk(content: Uint8Array): Pick<Piece, "begin" | "isCut"> {
  const begin = beginOf(content);
  if (begin === null) return {};
  const hash = createHash("sha256");
  for (const part of begin.parts) hash.update(part);
  return { begin: hash.digest("hex").slice(0, BEGIN_DIGITS), isCut: begin.isCut };
}
