/** Converters of `convert --out-dir`: one in this thread, or several worker threads with a core each. */
import { Worker } from "node:worker_threads";
import { compiledCore } from "../../node/compiled-core.ts";
import type { NamedInput } from "../../node/inputs.ts";
import type { Target } from "../../node/replacement.ts";
import type { ConvertValues } from "./conversion.ts";
import type { WorkerJob, WorkerStart } from "./convert-worker.ts";
import { type Converted, Converter } from "./converter.ts";

/** The built convert-worker.ts, beside all other built files (scripts/vite.package.config.ts). */
const ENTRY = "convert-worker";

export interface InputConverter {
  /** Writes the output of an input into an open file. Never throws. */
  convert(input: NamedInput, target: Target): Promise<Converted>;
  close(): Promise<void>;
}

/** `jobs` of them. */
export async function newConverters(values: ConvertValues, jobs: number): Promise<InputConverter[]> {
  if (jobs === 1) return [await inThisThread(values)];
  const module = await compiledCore();
  return Array.from({ length: jobs }, () => new WorkerConverter({ values, module }));
}

async function inThisThread(values: ConvertValues): Promise<InputConverter> {
  const converter = await Converter.of(values);
  return {
    // The caller closes the file, as it does for workers.
    convert: (input, { name, file }) =>
      converter.convert(input, name, { open: () => ({ name, file, close: () => {} }) }),
    close: async () => {},
  };
}

/** A worker thread. One that ends unexpectedly is replaced for the next input. */
class WorkerConverter implements InputConverter {
  private readonly start: WorkerStart;
  private worker: Worker | null = null;

  constructor(start: WorkerStart) {
    this.start = start;
  }

  convert(input: NamedInput, { name, file }: Target): Promise<Converted> {
    this.worker ??= new Worker(new URL(`./${ENTRY}.js`, import.meta.url), { workerData: this.start });
    const { worker } = this;
    return new Promise((resolve) => {
      const fail = (problem: string) => {
        this.worker = null;
        resolve({ result: "failed", problem, diagnostics: [], warnings: [], read: 0 });
      };
      worker.removeAllListeners();
      worker.on("message", (converted: Converted) => resolve(converted));
      worker.on("error", (error) => fail(error instanceof Error ? error.message : String(error)));
      worker.on("exit", () => fail("its thread ended"));
      worker.postMessage({ input, path: name, file } satisfies WorkerJob);
    });
  }

  async close(): Promise<void> {
    this.worker?.removeAllListeners();
    await this.worker?.terminate();
  }
}
