/** Meanings of the library's error codes, for docs/library.md. */
import type { ErrorCode } from "../core/instance/error.ts";

export const ERROR_CODES: Readonly<Record<ErrorCode, string>> = {
  "attribute.unknown": "no sample of the recording has an attribute with this key",
  "builder.row": "a number is not a row that this builder has given",
  "builder.shape": "a time in a profile without times, or an observation without one in a profile with times",
  "core.busy": "another reading into the same core is running",
  "core.load": "the WebAssembly file cannot be loaded or compiled; `cause` has the reason",
  "core.memory":
    "the answer or the message does not fit into memory: select less, or open fewer files; the recording stays open",
  "core.samples": "more than 4 billion samples",
  "download.large": "the message is larger than a browser can hand over (page only)",
  "filter.pattern": 'a pattern is not RE2, or above the limits in LIMITATIONS.md, "Patterns"',
  "format.unknown": "there is no output format of this name",
  "input.unknown": "an input is not bytes, a `Blob` or a source of bytes",
  "option.id": "an id is not a bigint, or not one from 1 to 2^64 - 1 (2^128 - 1 for trace ids)",
  "option.unknown": "the function, or the output format, has no option of this name",
  "option.value": "the value of an option or argument has the wrong type or is out of range",
  "profile.missing": "the answer is about one profile, but the selection is of all",
  "profile.unknown": "the recording has no profile of this type or id",
  "record.running": "`start` of the recorder while a recording runs",
  "record.stopped": "`stop` or `flush` of the recorder while none runs",
  "recording.closed": "the recording was closed",
  "worker.call": "a request could not cross to the worker",
  "worker.failed": "the worker could not be started, did not answer for 10 seconds after its start, or has stopped",
  "write.profiles": "the format holds one profile, but several have samples",
  "write.resource": "an attribute's bytes are no AnyValue",
};
