/**
 * Entry of the worker that reads the facts of many files, one after another into one core: memory holds one of them. It
 * can be ended while a recording is open in another worker.
 */
import * as Comlink from "comlink";
import { Core } from "../core/core.ts";
import type { FileFacts } from "../model/collection/facts.ts";
import { throttled } from "../requests/asking.ts";
import { readFacts } from "../requests/file-facts.ts";
import { answered } from "./answered.ts";
import type { InputFile, Result } from "./api.ts";
import { shortened } from "./crossing.ts";
import { failureOf } from "./failure.ts";
import { fetchedCore } from "./fetched-core.ts";

export interface FactsWorker {
  facts(file: InputFile, onBytes: (bytes: number) => void): Promise<Result<FileFacts>>;
}

const modules = fetchedCore();
let core: Core | null = null;

const worker: FactsWorker = {
  facts(file, onBytes) {
    const failure = (error: unknown) => {
      // After a trap its memory is undefined.
      core = null;
      return failureOf(error, false);
    };
    const read = async () => {
      core ??= await Core.instantiate(await modules.first(), [], undefined, modules.rest);
      await core.complete();
      return shortened(await readFacts(core, file, throttled(onBytes)));
    };
    return answered(failure, read, onBytes);
  },
};

Comlink.expose(worker);
