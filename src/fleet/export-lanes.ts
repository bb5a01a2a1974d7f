/** Exporters of `export`: one in this thread, or several worker threads with a core each. */
import { Worker } from "node:worker_threads";
import { compiledCore } from "../node/compiled-core.ts";
import type { DataSet } from "./data-set.ts";
import type { ExportInput } from "./export-inputs.ts";
import type { ExportAnswer, ExportStart } from "./export-worker.ts";
import { type ExportChoice, type Exported, Exporter, type Written } from "./exporter.ts";

/** The built export-worker.ts, beside all other built files (scripts/vite.package.config.ts). */
const ENTRY = "export-worker";

export interface Lane {
  add(input: ExportInput): Promise<Exported>;
  /** Writes the last batch. */
  finish(): Promise<Written>;
  close(): Promise<void>;
}

/** A watcher has new lanes for each look with files: its cores share the code, which is optimized once. */
let compiled: Promise<WebAssembly.Module> | null = null;

export async function newLanes(set: DataSet, choice: ExportChoice, jobs: number): Promise<Lane[]> {
  compiled ??= compiledCore();
  const module = await compiled;
  if (jobs > 1) {
    const start: ExportStart = { module, folder: set.folder, writer: set.writer, choice };
    return Array.from({ length: jobs }, () => new WorkerLane(start));
  }
  const exporter = await Exporter.of(module, set, choice);
  const finish = async () => {
    await exporter.flush();
    return exporter.written;
  };
  return [{ add: (input) => exporter.add(input), finish, close: async () => {} }];
}

class WorkerLane implements Lane {
  private readonly worker: Worker;

  constructor(start: ExportStart) {
    this.worker = new Worker(new URL(`./${ENTRY}.js`, import.meta.url), { workerData: start });
  }

  private ask<T>(message: ExportInput | null): Promise<T> {
    const { worker } = this;
    return new Promise((resolve, reject) => {
      worker.removeAllListeners();
      worker.on("message", ({ answer, error }: ExportAnswer) => {
        if (error !== null) reject(new Error(error));
        else resolve(answer as T);
      });
      worker.on("error", reject);
      worker.on("exit", () => reject(new Error("a thread of the export ended")));
      worker.postMessage(message);
    });
  }

  add(input: ExportInput): Promise<Exported> {
    return this.ask(input);
  }

  finish(): Promise<Written> {
    return this.ask(null);
  }

  async close(): Promise<void> {
    this.worker.removeAllListeners();
    await this.worker.terminate();
  }
}
