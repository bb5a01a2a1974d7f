/** Types of requests to the worker that reads the facts of files. */
import type { FileFacts } from "../model/collection/facts.ts";
import type { InputFile, Result } from "./api.ts";

export interface FactsWorker {
  facts(file: InputFile, onBytes: (bytes: number) => void): Promise<Result<FileFacts>>;
}
