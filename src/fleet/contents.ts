/**
 * The contents of an input: chunks of recordings, messages, and runs of dumps. Each counts once in a data set, whatever
 * file it is in: dumps of a running recording overlap, and copies have other names or are compressed.
 */
import { createHash } from "node:crypto";
import { beginOf } from "../bytes/chunk-begin.ts";
import type { Core } from "../core/core.ts";
import type { Dumps } from "../core/dumps/dump.ts";
import type { DataSet } from "./data-set.ts";
import { registeredIn } from "./data-set-files.ts";
import { type Begins, isMore, type TakenRecording } from "./data-set-names.ts";
import { dictionaryHash, readHash } from "./read-hash.ts";

/** What tells a call from all others: the place of its record and its time. */
const RUN_NUMBERS = ["file", "offset", "ordinal"] as const;
const RUN_FIGURES = ["start", "duration"] as const;

const BEGIN_DIGITS = 16;

type Ranges = [first: number, last: number][];

interface Piece {
  /** Hash of the beginning of a chunk: the same before and after the chunk is complete. */
  begin?: string;
  isCut?: boolean;
  isChunk?: boolean;
  sha256: string;
  bytes: number;
  /** Of a message of OTLP: hash of its dictionary, then that of what was read. */
  dictionary?: string | null;
  read?: string | null;
  /** No file has brought it before. */
  isNew: boolean;
  /** Chunk of another file that is this one, or begins as it does. */
  same: string | null;
}

export class Contents {
  private readonly set: DataSet;
  /** Chunks of the batch by their beginnings. */
  private readonly batch: Begins;
  /** SHA-256 of the file, which this writer has claimed. A recording of one chunk is the same content. */
  private readonly file: string;
  /** Bytes of a recording that is not packed, else 0. A chunk with all of them is the file. */
  private readonly size: number;
  private readonly pieces: Piece[] = [];
  /** Observations in the core before some of a piece, in order. */
  private readonly runs: { first: number; piece: number }[] = [];
  /** Another writer is reading some of it. */
  isBusy = false;
  /** Number of chunks of which the data set has only the beginning, among rows of other ones. */
  cutBefore = 0;
  /** Calls of runs that the data set has. */
  knownCalls = 0;

  constructor(set: DataSet, batch: Begins, file: string, size: number) {
    this.set = set;
    this.batch = batch;
    this.file = file;
    this.size = size;
  }

  /** Claims the content that is read next. */
  take(content: Uint8Array, first: number, isOtlp: boolean): void {
    const isFile = content.length === this.size;
    this.runs.push({ first, piece: this.pieces.length });
    this.add(isFile ? this.file : createHash("sha256").update(content).digest("hex"), content.length);
    const last = this.pieces.at(-1)!;
    if (isOtlp && last.isNew) last.dictionary = dictionaryHash(content);
    Object.assign(last, ofChunk(content));
    if (!last.isNew || last.begin === undefined) return;
    const known = this.set.begins.get(last.begin);
    const own = { ...last, isCut: last.isCut === true, isApart: true };
    const others = [known, this.batch.get(last.begin)].filter((each) => each?.sha256 !== last.sha256);
    last.same = others.find((each) => each !== undefined)?.sha256 ?? null;
    const isKnown = others.some((each) => each !== undefined && !isMore(own, each));
    if (isKnown && !own.isCut) return;
    // Its samples would count twice.
    const isStuck = known !== undefined && !isKnown && !(known.isApart && registeredIn(this.set.folder) === null);
    if (isStuck && !own.isCut) this.cutBefore++;
    if (!isKnown && !isStuck) this.batch.add(last.begin, own);
    else {
      delete last.begin;
      this.leaveLast();
    }
  }

  /** Claims what was read of messages of OTLP, which came in another encoding, too. `base`: number of the first one. */
  takeRead(core: Core, base: number, from: number, end: number): void {
    for (const [i, piece] of this.pieces.entries()) {
      if (!piece.isNew || typeof piece.dictionary !== "string") continue;
      const [own] = this.ranges((_, number) => number === i, from, end);
      const hash = own === undefined ? null : readHash(core, base + i, piece.dictionary, ...own);
      const claim = hash === null ? "mine" : this.set.claim(hash);
      piece.read = claim === "mine" ? hash : null;
      if (claim === "busy") this.isBusy = true;
      if (claim !== "mine") this.leave(piece);
    }
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
    this.pieces.push({ sha256, bytes, isNew, same: claim === "done" || claim === "own" ? sha256 : null });
    return isNew;
  }

  /** Leaves the last one to a later export. */
  leaveLast(): void {
    const last = this.pieces.at(-1);
    if (last?.isNew === true) this.leave(last);
  }

  private leave(piece: Piece): void {
    piece.isNew = false;
    this.releaseOne(piece);
  }

  private releaseOne({ sha256, begin, read }: Piece): void {
    if (begin !== undefined) this.batch.drop(begin, sha256);
    if (sha256 !== this.file) this.set.unclaim(sha256);
    if (typeof read === "string") this.set.unclaim(read);
  }

  get hasChunks(): boolean {
    return this.pieces.some(({ isChunk }) => isChunk);
  }

  /** Files of which it has a chunk, as far as they are known, or else the chunk. */
  get shared(): string[] {
    const chunks = this.pieces.flatMap(({ same }) => same ?? []);
    return [...new Set(chunks.map((sha256) => this.set.taken.get(sha256) ?? sha256))];
  }

  /** Bytes of the longest cut chunk that it brings; 0 if there is none. */
  get cutBytes(): number {
    return Math.max(0, ...this.pieces.map(({ isCut, isNew, bytes }) => (isCut === true && isNew ? bytes : 0)));
  }

  /** There is content, and the data set has all of it. */
  get isKnown(): boolean {
    return this.pieces.length > 0 && this.pieces.every(({ isNew }) => !isNew);
  }

  private ranges(isOf: (piece: Piece | undefined, number: number) => boolean, from: number, end: number): Ranges {
    const runs = [{ first: from, piece: -1 }, ...this.runs];
    return runs.flatMap(({ first, piece }, i): Ranges => {
      const last = runs[i + 1]?.first ?? end;
      return first < last && isOf(this.pieces[piece], piece) ? [[first, last]] : [];
    });
  }

  /**
   * Observations [first, last) from `from` on that count, and numbers of the other pieces: those of the recording, then
   * those of each cut chunk. A cut chunk is listed as a separate recording, which the whole chunk replaces.
   */
  counted(from: number, end: number): { sha256: string; ranges: Ranges; others: Set<number> }[] {
    const cut = this.pieces.filter((piece) => this.isApart(piece));
    const isRest = cut.length === 0 || this.pieces.some((piece) => piece.isNew && !cut.includes(piece));
    return [...(isRest ? [null] : []), ...cut].map((own) => {
      const isOf = (piece: Piece | undefined) =>
        own === null ? piece?.isNew !== false && !cut.includes(piece!) : piece === own;
      const others = this.pieces.flatMap((piece, i) => (isOf(piece) ? [] : [i]));
      return { sha256: own?.sha256 ?? this.file, ranges: this.ranges(isOf, from, end), others: new Set(others) };
    });
  }

  private isApart({ isNew, isCut, sha256 }: Piece): boolean {
    return isNew && isCut === true && sha256 !== this.file;
  }

  /** Those that a batch takes, for its manifest. */
  takenAs(file: string): TakenRecording[] {
    const own = this.pieces.filter(({ isNew }) => isNew);
    return own.flatMap((piece) => {
      const { sha256, bytes, read } = piece;
      const content = { file, bytes, isContent: true, of: this.file };
      return [
        ...(sha256 === this.file
          ? []
          : [{ ...content, sha256, ...beginIn(piece), ...(this.isApart(piece) && { isApart: true }) }]),
        ...(typeof read === "string" ? [{ ...content, sha256: read }] : []),
      ];
    });
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
function ofChunk(content: Uint8Array): Pick<Piece, "begin" | "isCut" | "isChunk"> {
  const begin = beginOf(content);
  if (begin === null) return {};
  const hash = createHash("sha256");
  for (const part of begin.parts) hash.update(part);
  return { begin: hash.digest("hex").slice(0, BEGIN_DIGITS), isCut: begin.isCut, isChunk: true };
}
