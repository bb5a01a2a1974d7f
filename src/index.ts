/**
 * The library, the same in Node and in the browser:
 *
 *   const module = await WebAssembly.compile(await readFile(new URL(import.meta.resolve("spanflame/core.wasm"))));
 *   const core = await Core.instantiate(module);
 *   await readInputs(core, [{ name: "a.jfr", source: bytesSource(bytes) }]);
 *   core.select(core.profiles()[0].id, { localRoot: 4657n });
 *   core.views.top("self", 0, 10);
 *   const { bytes } = core.write(null, {}, { format: "otlp" });
 *   (await validate(bytes)).valid;
 */
import { loadPatterns } from "./pattern/pattern.ts";

// `select` and the views answer at once, also with patterns.
await loadPatterns();

export { type ByteSource, blobSource, bytesSource } from "./bytes/byte-source.ts";
export { PROFILES } from "./core/catalogue.ts";
export { Core } from "./core/core.ts";
export { SpanflameError } from "./core/error.ts";
export { FORMATS, type FormatRow, formatOfFile, type OutputOption, type OutputRow } from "./core/formats.ts";
export { type Part, SPLIT_BYTES, splitByProfile } from "./core/split.ts";
export type * from "./core/types.ts";
export { VERSION } from "./core/version.ts";
export type * from "./core/view-types.ts";
export { why } from "./core/why.ts";
export {
  type Extent,
  type Input,
  type InputSummary,
  type ReadHooks,
  type ReadSummary,
  readInputs,
} from "./input/open.ts";
export { formatValue } from "./model/words/format.ts";
export { hexId, parseId } from "./model/words/ids.ts";
export { profilesUrl } from "./push/endpoint.ts";
export { type Outcome, push, type Receiver, type Retry } from "./push/push.ts";
export { type Report, type RuleDiagnostic, validate } from "./validate/validate.ts";
