/**
 * Diagnostics that the host makes, for docs/diagnostics.md: problems of a file around its chunks and messages. Their
 * messages are written where they are found, because they contain what was found there.
 */
import type { Severity } from "./wording.ts";

export interface HostDiagnostic {
  code: string;
  severity: Severity;
  /** What happened, and what was read. */
  about: string;
}

export const HOST_DIAGNOSTICS: readonly HostDiagnostic[] = [
  {
    code: "core.full",
    severity: "error",
    about: "the core's memory is full: the part before was read; open fewer files at a time",
  },
  { code: "core.memory", severity: "error", about: "a chunk or message does not fit into the memory; left out" },
  { code: "source.changed", severity: "error", about: "the file changed while it was read; the part before was read" },
  { code: "source.grown", severity: "warning", about: "the file grew; it was read up to its size at the start" },
  { code: "source.unreadable", severity: "error", about: "the input is missing or cannot be read further" },
  {
    code: "source.excess",
    severity: "error",
    about: "a packed file unpacks to far more than its size; the part before was read",
  },
  {
    code: "source.foreign",
    severity: "error",
    about: "the file has no format that is read; inside an archive it is a warning",
  },
  {
    code: "gzip.damaged",
    severity: "error",
    about: "the packed file cannot be unpacked further; the part before was read",
  },
  { code: "zstd.damaged", severity: "error", about: "the same" },
  { code: "lz4.damaged", severity: "error", about: "the same" },
  { code: "zip.damaged", severity: "error", about: "the archive cannot be read further; the entries before were read" },
  { code: "jfr.foreign-bytes", severity: "error", about: "bytes between or after chunks are not a chunk; skipped" },
  { code: "jfr.version", severity: "error", about: "a chunk has a format version that is not read; skipped" },
  { code: "jfr.barren", severity: "error", about: "no chunk begins for 4 GiB of a pipe; the rest was not read" },
  {
    code: "otlp.damaged",
    severity: "error",
    about: "a message cannot be read to its end; the part before was read",
  },
  { code: "otlp.frame.cut", severity: "error", about: "the file ends inside a framed message; its part was read" },
  {
    code: "otlp.file-version",
    severity: "warning",
    about: "a file of Jeffrey has an unknown version; it was read as the known one",
  },
  {
    code: "otlp.no-recording",
    severity: "error",
    about: "no Profile has samples or a recording as payload; inside another file it is a warning",
  },
  { code: "otlp.samples-left", severity: "info", about: "the recording in original_payload was read, not the samples" },
  { code: "otlp.too-long", severity: "error", about: "a message of a packed or piped input is above 1 GiB; not read" },
  { code: "otlp.json.wrong-type", severity: "warning", about: "values of another type than their field's; left out" },
  { code: "otlp.json.out-of-range", severity: "warning", about: "numbers that do not fit their type; read as 0" },
  {
    code: "otlp.json.id-not-hex",
    severity: "warning",
    about: "ids that are not hex of their length; those in base64 were read, others left out",
  },
  { code: "otlp.json.too-deep", severity: "warning", about: "values inside too many others; left out" },
  { code: "otlp.json.old-key", severity: "warning", about: "values under the keys of v1.8; left out" },
  { code: "pprof.too-long", severity: "error", about: "a packed or piped profile is above 1 GiB; not read" },
  { code: "collapsed.line.long", severity: "error", about: "a line above 4 MiB; left out" },
  { code: "CODE.more", severity: "info", about: "the number of further diagnostics of this code, with its severity" },
];
