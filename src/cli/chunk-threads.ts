/** Threads that read chunks of a recording beside this one. They start when a file that pays for them is read. */
import { Worker } from "node:worker_threads";
import type { ReadSetup } from "../core/instance.ts";
import type { OtherCore, OtherCores } from "../input/other-cores.ts";
import type { ThreadAnswer, ThreadSetup } from "./chunk-thread.ts";

/** The built chunk-thread.ts, beside all other built files (vite.node.config.ts). */
const ENTRY = "chunk-thread";
export class ChunkThreads implements OtherCores {
  readonly most: number;
  /** A file of any size pays for threads that were asked for. */
  readonly startBytes = 0;
  private readonly module: WebAssembly.Module;
  private readonly threads: ChunkThread[] = [];

  /**
   * `jobs` counts this thread, too, and holds for small files as well; 0: as many as pay off. That is one: on two idle
   * processors, two took 0.9 to 1.05 of the time of one, and 1.2 times its processor time (docs/notes/performance.md).
   */
  constructor(module: WebAssembly.Module, jobs: number) {
    this.module = module;
    this.most = Math.max(1, jobs) - 1;
  }

  open(count: number, setup: ReadSetup): OtherCore[] {
    while (this.threads.length < count) this.threads.push(new ChunkThread(this.module));
    for (const thread of this.threads.slice(0, count)) thread.begin(setup);
    return this.threads;
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
  private isOver = false;

  constructor(module: WebAssembly.Module) {
    this.worker = new Worker(new URL(`./${ENTRY}.js`, import.meta.url), { workerData: module });
    // The process does not wait for a thread that reads nothing.
    this.worker.unref();
    this.worker.on("message", (answer: ThreadAnswer) => this.answer(answer));
    for (const event of ["error", "exit"]) this.worker.on(event, () => this.end());
  }

  begin(setup: ReadSetup): void {
    this.worker.postMessage({ setup } satisfies ThreadSetup);
  }

  read(chunk: Uint8Array<ArrayBuffer>): Promise<ThreadAnswer> {
    if (this.isOver) return Promise.resolve(null);
    this.worker.ref();
    this.worker.postMessage(chunk, [chunk.buffer]);
    return new Promise((resolve) => this.waiting.push(resolve));
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
