/**
 * The library, the same in Node, in browsers and in workers:
 *
 *   using recording = await open({ name: "a.jfr", data: bytes });
 *   const cpu = recording.select("cpu", { localRoot: 4657n });
 *   cpu.top({ limit: 10 });
 *   const { bytes } = cpu.write("otlp");
 *   (await validate(bytes)).valid;
 *
 * Only re-exports: bundlers leave out the modules of names that nobody imports.
 */
export { type ByteSource, blobSource, bytesSource } from "../bytes/byte-source.ts";
export { PROFILES } from "../core/catalogue.ts";
export { Core } from "../core/core.ts";
export { SpanflameError } from "../core/error.ts";
export { FORMATS, type FormatRow, formatOfFile, type OutputOption, type OutputRow } from "../core/formats.ts";
export { type Part, SPLIT_BYTES, splitByProfile } from "../core/split.ts";
export type * from "../core/types.ts";
export { VERSION } from "../core/version.ts";
export type * from "../core/view-types.ts";
export { why } from "../core/why.ts";
export {
  type Extent,
  type Input,
  type InputSummary,
  type ReadHooks,
  type ReadSummary,
  readInputs,
} from "../input/open.ts";
export { FRAME_TYPES, type FrameTypeName } from "../model/flame/frame-types.ts";
export { formatValue } from "../model/words/format.ts";
export { hexId, parseId } from "../model/words/ids.ts";
export { loadPatterns } from "../pattern/pattern.ts";
export { profilesUrl } from "../push/endpoint.ts";
export { type Outcome, push, type Receiver, type Retry } from "../push/push.ts";
export { type Report, type RuleDiagnostic, validate } from "../validate/validate.ts";
export type { ColumnPage } from "./columns.ts";
export type * from "./inputs.ts";
export { type CoreSource, loadModule } from "./load-core.ts";
export { open } from "./open.ts";
export type * from "./options.ts";
export { Recording } from "./recording.ts";
export type * from "./samples.ts";
export { Selection } from "./selection.ts";
export type * from "./tables.ts";
export { openUrl, type UrlOptions } from "./url-source.ts";
