/** Entry of a worker thread of `export --jobs N`: reads the inputs that it is sent, and writes their batches. */
import { parentPort, workerData } from "node:worker_threads";
import { DataSet } from "./data-set.ts";
import type { ExportInput } from "./export-inputs.ts";
import { type ExportChoice, type Exported, Exporter, type Written } from "./exporter.ts";

/** Sent to a worker when it starts. */
export interface ExportStart {
  module: WebAssembly.Module;
  folder: string;
  writer: string;
  choice: ExportChoice;
}

/** `error`: of the data set; nothing more is written. */
export interface ExportAnswer {
  answer: Exported | Written | null;
  error: string | null;
}

const { module, folder, writer, choice } = workerData as ExportStart;
const exporter = Exporter.of(module, DataSet.sharing(folder, writer), choice);

/** Null asks for the last batch. */
async function answerTo(input: ExportInput | null): Promise<Exported | Written> {
  const own = await exporter;
  if (input !== null) return own.add(input);
  await own.flush();
  return own.written;
}

parentPort?.on("message", async (input: ExportInput | null) => {
  const answered = await answerTo(input).then(
    (answer): ExportAnswer => ({ answer, error: null }),
    (error): ExportAnswer => ({ answer: null, error: error instanceof Error ? error.message : String(error) }),
  );
  parentPort?.postMessage(answered);
});
