/** Threads of Node that read chunks of a recording beside this one. */
import { Worker } from "node:worker_threads";
import { SpanflameError } from "../core/instance/error.ts";
import type { ReadSetup } from "../core/instance/instance.ts";
import type { OtherCore, OtherCores, PlacedChunk } from "../input/other-cores.ts";
import type { ThreadAnswer, ThreadMessage } from "./chunk-thread.ts";

/** Bytes of a file for each thread that starts before its chunks are known. */
const BYTES_EACH = 2 ** 24;
const MOST_JOBS = 256;

export class ChunkThreads implements OtherCores {
  readonly most: number;
  readonly readFiles = true;
  /** A file of any size pays for threads that were asked for. */
  readonly startBytes = 0;
  private readonly entry: URL;
  private readonly threads: ChunkThread[] = [];
  private module: WebAssembly.Module | null = null;

  /** `jobs` counts this thread, too. `entry` is the built chunk-thread.ts. */
  constructor(entry: URL, jobs: number) {
    this.entry = entry;
    this.most = Math.min(Math.max(1, jobs), MOST_JOBS) - 1;
  }

  /** Starts threads for a file of this size before it is known what they read, so that they are ready when it is. */
  start(bytes: number): void {
    const count = Math.min(Math.floor(bytes / BYTES_EACH), this.most);
    while (this.threads.length < count) this.add();
  }

  /** The compiled core, to be given before anything is read. */
  use(module: WebAssembly.Module): void {
    this.module = module;
    for (const thread of this.threads) thread.post({ module });
  }

  private add(): void {
    const thread = new ChunkThread(this.entry);
    if (this.module !== null) thread.post({ module: this.module });
    this.threads.push(thread);
  }

  open(count: number, setup: ReadSetup): OtherCore[] {
    if (this.module === null) throw new SpanflameError("core.load", "threads have no core");
    while (this.threads.length < count) this.add();
    const opened = this.threads.slice(0, count);
    for (const thread of opened) thread.post({ setup });
    return opened;
  }

  /** Ends the threads, whose memory the rest of a command may need. */
  close(): void {
    for (const thread of this.threads.splice(0)) thread.close();
  }
}

class ChunkThread implements OtherCore {
  private readonly worker: Worker;
  /** Of the chunks that were sent, in their order. */
  private readonly waiting: ((answer: ThreadAnswer) => void)[] = [];
  private readonly spare: ArrayBuffer[] = [];
  private isOver = false;

  constructor(entry: URL) {
    this.worker = new Worker(entry);
    // The process does not wait for a thread that reads nothing.
    this.worker.unref();
    this.worker.on("message", (answer: ThreadAnswer) => this.answer(answer));
    for (const event of ["error", "exit"]) this.worker.on(event, () => this.end());
  }

  post(message: ThreadMessage, transfer: ArrayBuffer[] = []): void {
    this.worker.postMessage(message, transfer);
  }

  read(chunk: Uint8Array<ArrayBuffer> | PlacedChunk): Promise<ThreadAnswer> {
    if (this.isOver) return Promise.resolve(null);
    this.worker.ref();
    const spare = this.spare.pop() ?? null;
    const transfer = spare === null ? [] : [spare];
    if (chunk instanceof Uint8Array) transfer.push(chunk.buffer);
    this.post({ chunk, spare }, transfer);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  reuse(rows: ArrayBuffer): void {
    this.spare.push(rows);
  }

  private answer(answer: ThreadAnswer): void {
    this.waiting.shift()?.(answer);
    if (this.waiting.length === 0) this.worker.unref();
  }

  /** The thread has ended: the core that holds the recording reads its chunks. */
  private end(): void {
    this.isOver = true;
    for (const resolve of this.waiting.splice(0)) resolve(null);
  }

  close(): void {
    this.end();
    void this.worker.terminate();
  }
}
