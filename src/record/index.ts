/**
 * `spanflame/record`: a recorder for Node whose samples have the span that was active. Loaded with `--import`, or with
 * an address in the environment, it records the thread from the first line on; loaded from code, it starts nothing.
 */
import { pathToFileURL } from "node:url";
import { isAsked, optionsOf } from "./options.ts";
import { recording, start } from "./recorder.ts";

export { type ContextChange, type ContextValue, type CurrentContext, context } from "./context.ts";
export type { RecordOptions } from "./options.ts";
export { flush, recording, start, stop } from "./recorder.ts";

/** Whether `--import` of the command line or of NODE_OPTIONS names this module, in any of its forms. */
function isPreloaded(): boolean {
  const words = [...process.execArgv, process.env.NODE_OPTIONS ?? ""].join(" ");
  const named = Array.from(words.matchAll(/--import[= ](\S+)/g), ([, name = ""]) => name);
  return named.some(
    (name) => name === "spanflame/record" || [name, pathToFileURL(name).href].includes(import.meta.url),
  );
}

if (!recording && isAsked(process.env, isPreloaded())) {
  try {
    await start(optionsOf(process.env));
  } catch (error) {
    process.emitWarning(`nothing is recorded: ${(error as Error).message}`, { code: "SPANFLAME_RECORD" });
  }
}
