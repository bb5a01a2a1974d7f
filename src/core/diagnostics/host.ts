/**
 * Diagnostics that the host makes, for docs/diagnostics.md: problems of a file around its chunks and messages. Their
 * messages are written at the place of detection, because they contain values from there.
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
  {
    code: "core.sums",
    severity: "error",
    about: "the values of a profile add up to more than 64 bits hold; sums are at that limit, shares of them too large",
  },
  { code: "core.memory", severity: "error", about: "a chunk or message does not fit into the memory; left out" },
  { code: "source.changed", severity: "error", about: "the file changed while it was read; the part before was read" },
  { code: "source.grown", severity: "warning", about: "the file grew; it was read up to its size at the start" },
  { code: "source.unreadable", severity: "error", about: "the input is missing or cannot be read further" },
  { code: "source.copy", severity: "info", about: "a chunk or message that was read before; it counts once" },
  {
    code: "source.copy.cut",
    severity: "warning",
    about: "a chunk of which a file before has only the beginning; only that part counts",
  },
  {
    code: "source.excess",
    severity: "error",
    about: "an input decompresses to far more than its size, or takes far more memory; the part before was read",
  },
  {
    code: "source.foreign",
    severity: "error",
    about: "the file has no format that is read; inside an archive it is a warning",
  },
  {
    code: "bundle.other",
    severity: "info",
    about:
      "an attachment of an upload is a JSON file and no profile, such as metrics.json without figures; it was not read",
  },
  {
    code: "gzip.damaged",
    severity: "error",
    about: "the compressed file cannot be decompressed further; the part before was read",
  },
  { code: "zstd.damaged", severity: "error", about: "the same" },
  { code: "lz4.damaged", severity: "error", about: "the same" },
  { code: "zip.damaged", severity: "error", about: "the archive cannot be read further; the entries before were read" },
  { code: "multipart.damaged", severity: "error", about: "the same of a multipart body; its parts before were read" },
  {
    code: "bundle.missing",
    severity: "error",
    about: "event.json names an attachment that is not beside it; the others were read",
  },
  {
    code: "bundle.libraries",
    severity: "warning",
    about: "code-provenance.json of an upload cannot be read, or a part of its libraries has no name or paths",
  },
  {
    code: "parquet.damaged",
    severity: "error",
    about: "a part of a data set is damaged; its samples were left out, those of the other parts were read",
  },
  {
    code: "parquet.unchecked",
    severity: "info",
    about: "parts of a data set have no checksums (an earlier version wrote them), so damage may look like data",
  },
  { code: "logs.damaged", severity: "error", about: "a message of OTLP logs cannot be read further" },
  {
    code: "logs.record",
    severity: "error",
    about: "the pprof profile in a log record is not whole base64 or gzip; the part before was read",
  },
  {
    code: "logs.no-profile",
    severity: "error",
    about: "no log record is a pprof profile; inside another file it is a warning",
  },
  {
    code: "logs.other-format",
    severity: "warning",
    about: "log records state another profiling.data.format; the pprof profiles were read",
  },
  { code: "jfr.foreign-bytes", severity: "error", about: "bytes between or after chunks are not a chunk; skipped" },
  { code: "jfr.version", severity: "error", about: "a chunk has a format version that is not read; skipped" },
  { code: "jfr.barren", severity: "error", about: "no chunk begins for 4 GiB of a pipe; the rest was not read" },
  {
    code: "jfr.event.throttled",
    severity: "warning",
    about:
      "the recorder wrote as many events of a type as its limit lets through; totals of the profile are at least as large as shown",
  },
  { code: "jfr.event.lost", severity: "info", about: "samples that the recorder took and could not keep" },
  {
    code: "otlp.damaged",
    severity: "error",
    about: "a message cannot be read to its end; the part before was read",
  },
  {
    code: "otlp.messages",
    severity: "error",
    about: "a file has more messages than are read; the first ones were read",
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
  {
    code: "otlp.too-long",
    severity: "error",
    about: "a message of a compressed or piped input is above 1 GiB; not read",
  },
  { code: "otlp.json.wrong-type", severity: "warning", about: "values of another type than their field's; left out" },
  { code: "otlp.json.out-of-range", severity: "warning", about: "numbers that do not fit their type; read as 0" },
  {
    code: "otlp.json.id-not-hex",
    severity: "warning",
    about: "ids that are not hex of their length; those in base64 were read, others left out",
  },
  { code: "otlp.json.too-deep", severity: "warning", about: "values inside too many others; left out" },
  { code: "otlp.json.old-key", severity: "warning", about: "values under keys of v1.8 and before" },
  {
    code: "otlp.json.earlier-key",
    severity: "error",
    about: "profiles with keys of v1.7 or an earlier version, which are not read; left out",
  },
  { code: "pprof.too-long", severity: "error", about: "a compressed or piped profile is above 1 GiB; not read" },
  { code: "collapsed.line.long", severity: "error", about: "a line above 4 MiB; left out" },
  {
    code: "cdt.gzip.truncated",
    severity: "warning",
    about: "a file of a stream has no end of its gzip data; the bytes that could be decompressed were read",
  },
  {
    code: "cdt.gzip.damaged",
    severity: "error",
    about: "gzip data of a file of a stream is damaged; the bytes before that were read",
  },
  {
    code: "cdt.gzip.excess",
    severity: "error",
    about: "the files of a stream unpack to far more than their size allows; the bytes before that were read",
  },
  {
    code: "cdt.zip.truncated",
    severity: "warning",
    about: "an archive with a dump has no directory at its end; its entries were read by their headers",
  },
  {
    code: "cdt.zip.damaged",
    severity: "error",
    about: "an entry of an archive with a dump cannot be decompressed as a whole; the part before was read",
  },
  {
    code: "cdt.capture.truncated",
    severity: "warning",
    about: "a capture ends within a command; the streams before that were read",
  },
  {
    code: "cdt.capture.unknown",
    severity: "error",
    about: "a capture has an unknown command, stream or length; the streams before that were read",
  },
  {
    code: "cdt.stream.missing",
    severity: "warning",
    about: "a run has no dictionary (error), calls, trace or suspend; the other streams were read",
  },
  {
    code: "cdt.stream.gap",
    severity: "warning",
    about: "files of a stream are missing between two others; threads begin again after a gap in the trace",
  },
  {
    code: "cdt.phrase.length",
    severity: "error",
    about: "a phrase has 0 bytes or more than 1 MiB; the file was read up to there",
  },
  {
    code: "cdt.STREAM.truncated",
    severity: "warning",
    about: "a file ends within a record, phrase or block; the records before that were read",
  },
  {
    code: "cdt.STREAM.excess",
    severity: "error",
    about: "the records of a stream need far more memory than files of its size may; the ones before were read",
  },
  {
    code: "cdt.STREAM.implausible",
    severity: "error",
    about:
      "a record cannot be right; the file was read up to there, a trace again from the next block that a call names",
  },
  {
    code: "cdt.calls.format",
    severity: "error",
    about: "a file of calls has a format above 4, or no time between 2000 and 2100; not read",
  },
  {
    code: "cdt.calls.none",
    severity: "error",
    about: "no run of a dump has a call or a root of a trace that can be read",
  },
  {
    code: "cdt.call.dangling",
    severity: "warning",
    about: "calls lead to no enter of their method in the trace; they are shown as one frame",
  },
  {
    code: "cdt.reference.dangling",
    severity: "warning",
    about: "references into sql or xml lead to no text; the place is shown instead",
  },
  {
    code: "cdt.dictionary.short",
    severity: "warning",
    about: "ids above the end of the dictionary; they are shown as numbers",
  },
  { code: "cdt.trace.fragment", severity: "warning", about: "pieces of roots whose beginning is missing; left out" },
  { code: "cdt.trace.underflow", severity: "warning", about: "exits of no open frame; left out" },
  {
    code: "cdt.trace.deep",
    severity: "warning",
    about: "frames below more than 2,048 others; their time counts for the frame at that depth",
  },
  {
    code: "cdt.runs.many",
    severity: "warning",
    about:
      "more than about 230 runs: in OTLP, the samples of the others are in one Resource, without the names of their runs",
  },
  {
    code: "cdt.clock.backwards",
    severity: "info",
    about: "frames that end before they begin, because the clock was set; they have no time",
  },
  { code: "CODE.more", severity: "info", about: "the number of further diagnostics of this code, with its severity" },
];
