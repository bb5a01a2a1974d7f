/** Entry of a worker thread of `convert --out-dir --jobs N`: converts the inputs that it is sent, one at a time. */
import { parentPort, workerData } from "node:worker_threads";
import type { NamedInput } from "../../node/inputs.ts";
import type { ConvertValues } from "./conversion.ts";
import { Converter } from "./converter.ts";

/** Sent to a worker when it starts. */
export interface WorkerStart {
  values: ConvertValues;
  module: WebAssembly.Module;
}

/** An input and its output, which the main thread opens and puts in place. */
export interface WorkerJob {
  input: NamedInput;
  path: string;
  /** Descriptor of the open output: threads of a process share them. */
  file: number;
}

const { values, module } = workerData as WorkerStart;
const converter = Converter.of(values, module);

parentPort?.on("message", async ({ input, path, file }: WorkerJob) => {
  const open = () => ({ name: path, file, close: () => {} });
  parentPort?.postMessage(await (await converter).convert(input, path, { open }));
});
