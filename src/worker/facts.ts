/**
 * Facts of many files, read one after another into one core: memory holds one of them. Their worker can be ended while
 * a recording is open in another one.
 */
import * as Comlink from "comlink";
import { Core } from "../core/core.ts";
import type { FileFacts } from "../model/collection/facts.ts";
import { throttled } from "../requests/asking.ts";
import { readFacts } from "../requests/file-facts.ts";
import type { InputFile, Result } from "./api.ts";
import type { CoreModules } from "./core-modules.ts";
import { failureOf } from "./failure.ts";

let core: Core | null = null;

export async function answerFacts(
  modules: CoreModules,
  file: InputFile,
  onBytes: (bytes: number) => void,
): Promise<Result<FileFacts>> {
  try {
    core ??= await Core.instantiate(await modules.first(), [], undefined, modules.rest);
    return { ok: true, value: await readFacts(core, file, throttled(onBytes)) };
  } catch (error) {
    // After a trap its memory is undefined.
    core = null;
    return { ok: false, error: failureOf(error, false) };
  } finally {
    // Each proxied callback holds a message port until it is released.
    (onBytes as Partial<Comlink.ProxyMethods>)[Comlink.releaseProxy]?.();
  }
}
