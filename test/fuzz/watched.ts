/** A core's reader under watch: the number of its steps and the bytes given to it are counted, and held to bounds. */

import { bytesSource } from "../../src/bytes/byte-source.ts";
import { StreamSource } from "../../src/bytes/stream-source.ts";
import type { ReadStatus } from "../../src/core/instance/capacity.ts";
import type { Diagnostic, FileFormat } from "../../src/core/types.ts";
import type { ChunkReader, Input } from "../../src/input/open.ts";
import type { Random } from "../kit/random.ts";

export class Watched implements ChunkReader {
  /** Bytes of all chunks that were opened. */
  bytes = 0;
  /** The first bound that did not hold. */
  fault: string | null = null;
  private readonly core: ChunkReader;
  private readonly budget: number;
  private left = 0;
  private most = 0;

  /** `budget`: bytes of events per step, independent of the request; 0: as requested. */
  constructor(core: ChunkReader, budget: number) {
    this.core = core;
    this.budget = budget;
  }

  dumps(): ReturnType<ChunkReader["dumps"]> {
    return this.core.dumps();
  }

  complete(): Promise<void> {
    return this.core.complete();
  }

  completeFile(): Promise<void> {
    return this.core.completeFile();
  }

  addCopy(...copy: Parameters<ChunkReader["addCopy"]>): void {
    this.core.addCopy(...copy);
  }

  get contents(): ChunkReader["contents"] {
    return this.core.contents;
  }

  get onContent(): unknown {
    return this.core.onContent;
  }

  get views(): ChunkReader["views"] {
    return this.core.views;
  }

  bytesHeld(): number {
    return this.core.bytesHeld();
  }

  get capacity(): ChunkReader["capacity"] {
    return this.core.capacity;
  }

  get around(): Record<string, string> {
    return this.core.around;
  }

  set around(resource: Record<string, string>) {
    this.core.around = resource;
  }

  beginFile(name: string, bytes: number, format?: FileFormat, stated?: Record<string, string>): void {
    this.core.beginFile(name, bytes, format, stated);
  }

  endFile(bytes: number): void {
    this.core.endFile(bytes);
  }

  reserve(...[bytes, toRead]: Parameters<ChunkReader["reserve"]>): void {
    this.core.reserve(bytes, toRead);
  }

  grow(...[bytes, toRead]: Parameters<ChunkReader["grow"]>): void {
    this.core.grow(bytes, toRead);
  }

  room(): number {
    return this.core.room();
  }

  input(end: number, start?: number): Uint8Array {
    return this.core.input(end, start);
  }

  openChunk(...[length, offset, summary]: Parameters<ChunkReader["openChunk"]>): ReadStatus {
    this.bytes += length;
    const status = this.core.openChunk(length, offset, summary);
    this.left = this.core.bytesLeft();
    if (this.left > length) this.fault ??= `${this.left} bytes left of a chunk of ${length}`;
    // Eight checkpoints a step, each of them a byte at least; then events by the budget.
    this.most = 3 + length / 8 + (this.budget === 0 ? 0 : length / this.budget);
    return status;
  }

  scanMessage(length: number): void {
    this.core.scanMessage(length);
  }

  openMessage(length: number, offset: number): ReadStatus {
    this.bytes += length;
    const status = this.core.openMessage(length, offset);
    this.left = this.core.bytesLeft();
    if (this.left > length) this.fault ??= `${this.left} bytes left of a message of ${length}`;
    // A step per profile at most, which takes two bytes, beside those by the budget.
    this.most = 3 + length / 2 + (this.budget === 0 ? 0 : length / this.budget);
    return status;
  }

  step(budget: number): ReadStatus {
    const status = this.core.step(this.budget === 0 ? budget : this.budget);
    const left = this.core.bytesLeft();
    if (left > this.left) this.fault ??= `${left} bytes left of a chunk after ${this.left}`;
    this.left = left;
    if (--this.most >= -1) return status;
    this.fault ??= "more steps than the chunk's size allows";
    return "done";
  }

  bytesLeft(): number {
    return this.core.bytesLeft();
  }

  close(): void {
    this.core.close();
  }

  note(finding: Diagnostic): void {
    this.core.note(finding);
  }

  samples(): number {
    return this.core.samples();
  }

  get full(): boolean {
    return this.core.full;
  }

  refuseFile(name: string, bytes: number): void {
    this.core.refuseFile(name, bytes);
  }

  words(): Promise<void> {
    return this.core.words();
  }

  errors(): number {
    return this.core.errors();
  }

  beginReading(): void {
    this.core.beginReading();
  }

  endReading(): void {
    this.core.endReading();
  }

  pauseReading(isPaused: boolean): void {
    this.core.pauseReading(isPaused);
  }
}

async function* pieces(bytes: Uint8Array, random: Random): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const n = 1 + random.small(1 << 16);
    yield bytes.slice(at, at + n);
    at += n;
  }
}

/** The same bytes as a block, or as a stream of unknown length. */
export function inputOf({ name, bytes }: { name: string; bytes: Uint8Array }, stream: Random | null): Input {
  return { name, source: stream === null ? bytesSource(bytes) : new StreamSource(pieces(bytes, stream)) };
}

const CODE = /^[a-z0-9]+(\.[a-z]+(-[a-z]+)*)+$/;
const NO_WORDS = /undefined|NaN|\bnull\b|\[object|Infinity/;

/** What is wrong with the form of the findings. */
export function faultsOf(findings: readonly Diagnostic[], names: readonly string[]): string[] {
  return findings.flatMap((finding) => {
    const { code, severity, message, file, chunk, offset } = finding;
    const faults: string[] = [];
    if (!CODE.test(code)) faults.push("code");
    if (!["error", "warning", "info"].includes(severity)) faults.push("severity");
    if (message.length < 10 || NO_WORDS.test(message)) faults.push("message");
    if (!names.some((name) => file === name || file.startsWith(`${name}/`))) faults.push("file");
    if (chunk !== null && !(Number.isSafeInteger(chunk) && chunk >= 0)) faults.push("chunk");
    if (offset !== null && !(Number.isSafeInteger(offset) && offset >= 0)) faults.push("offset");
    return faults.map((fault) => `${fault} of the finding ${JSON.stringify(finding)}`);
  });
}
