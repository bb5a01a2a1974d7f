/** Files with every invocation of calls. */
import { firefoxCalls } from "./firefox.ts";
import type { InvocationFormat } from "./invocations.ts";
import type { ListedCall, WordOf } from "./listed-call.ts";
import { speedscopeCalls } from "./speedscope.ts";

type Writer = (calls: readonly ListedCall[], wordOf: WordOf, exporter: string) => Iterable<string>;

const WRITERS: Readonly<Record<InvocationFormat, Writer>> = {
  speedscope: speedscopeCalls,
  firefox: (calls, wordOf) => firefoxCalls(calls, wordOf, "Spanflame"),
};

/** The file in parts. `exporter`: name and version of the program. */
export function invocationParts(
  format: InvocationFormat,
  calls: readonly ListedCall[],
  wordOf: WordOf,
  exporter: string,
): Iterable<string> {
  return WRITERS[format](calls, wordOf, exporter);
}
