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

const row = (severity: Severity) => (code: string, about: string) => ({ code, severity, about });
const [error, warning, info] = [row("error"), row("warning"), row("info")];

export const HOST_DIAGNOSTICS: readonly HostDiagnostic[] = [
  error("core.full", "the core's memory is full: the part before was read; open fewer files at a time"),
  error(
    "core.sums",
    "the values of a profile add up to more than 64 bits hold; sums are at that limit, shares of them too large",
  ),
  error("core.memory", "a chunk or message does not fit into the memory; left out"),
  error("source.changed", "the file changed while it was read; the part before was read"),
  warning("source.grown", "the file grew; it was read up to its size at the start"),
  error("source.unreadable", "the input is missing or cannot be read further"),
  info("source.copy", "a chunk or message that was read before; it counts once"),
  warning("source.copy.cut", "a chunk of which a file before has only the beginning; only that part counts"),
  error(
    "source.excess",
    "an input decompresses to far more than its size, or takes far more memory; the part before was read",
  ),
  error("source.too-long", "a message of a compressed or piped input is above 1 GiB; not read"),
  error("source.foreign", "the file has no format that is read; inside an archive it is a warning"),
  info(
    "bundle.other",
    "an attachment of an upload is a JSON file and no profile, such as metrics.json without figures; it was not read",
  ),
  error("gzip.damaged", "the compressed file cannot be decompressed further; the part before was read"),
  error("zstd.damaged", "the same"),
  error("lz4.damaged", "the same"),
  error("zip.damaged", "the archive cannot be read further; the entries before were read"),
  error("multipart.damaged", "the same of a multipart body; its parts before were read"),
  error("bundle.missing", "event.json names an attachment that is not beside it; the others were read"),
  warning(
    "bundle.libraries",
    "code-provenance.json of an upload cannot be read, or a part of its libraries has no name or paths",
  ),
  error(
    "parquet.damaged",
    "a part of a data set is damaged; its samples were left out, those of the other parts were read",
  ),
  info(
    "parquet.unchecked",
    "parts of a data set have no checksums (an earlier version wrote them), so damage may look like data",
  ),
  error("logs.damaged", "a message of OTLP logs cannot be read further"),
  error("logs.record", "the pprof profile in a log record is not whole base64 or gzip; the part before was read"),
  error("logs.no-profile", "no log record is a pprof profile; inside another file it is a warning"),
  warning("logs.other-format", "log records state another profiling.data.format; the pprof profiles were read"),
  error("other.damaged", "the file cannot be read further, or has no samples"),
  error("other.left-out", "entries of the file are damaged; their number and the first one are stated"),
  error("other.large", "a JSON file of more than 256 MiB; it was not read"),
  info("other.clock", "times of the format count from an unknown moment, such as the start of the machine"),
  info("other.unread", "a part of the format is not read"),
  error("jfr.foreign-bytes", "bytes between or after chunks are not a chunk; skipped"),
  error("jfr.version", "a chunk has a format version that is not read; skipped"),
  error("jfr.barren", "no chunk begins for 4 GiB of a pipe; the rest was not read"),
  warning(
    "jfr.event.throttled",
    "the recorder wrote as many events of a type as its limit lets through; totals of the profile are at least as large as shown",
  ),
  info("jfr.event.lost", "samples that the recorder took and could not keep"),
  error("otlp.damaged", "a message cannot be read to its end; the part before was read"),
  error("otlp.messages", "a file has more messages than are read; the first ones were read"),
  error("otlp.frame.cut", "the file ends inside a framed message; its part was read"),
  warning("otlp.file-version", "a file of Jeffrey has an unknown version; it was read as the known one"),
  error("otlp.no-recording", "no Profile has samples or a recording as payload; inside another file it is a warning"),
  info("otlp.samples-left", "the recording in original_payload was read, not the samples"),
  warning("otlp.json.wrong-type", "values of another type than their field's; left out"),
  warning("otlp.json.out-of-range", "numbers that do not fit their type; read as 0"),
  warning("otlp.json.id-not-hex", "ids that are not hex of their length; those in base64 were read, others left out"),
  warning("otlp.json.too-deep", "values inside too many others; left out"),
  warning("otlp.json.old-key", "values under keys of v1.8 and before"),
  error("otlp.json.earlier-key", "profiles with keys of v1.7 or an earlier version, which are not read; left out"),
  error("collapsed.line.long", "a line above 4 MiB; left out"),
  warning(
    "cdt.gzip.truncated",
    "a file of a stream has no end of its gzip data; the bytes that could be decompressed were read",
  ),
  error("cdt.gzip.damaged", "gzip data of a file of a stream is damaged; the bytes before that were read"),
  error(
    "cdt.gzip.excess",
    "the files of a stream unpack to far more than their size allows; the bytes before that were read",
  ),
  warning(
    "cdt.zip.truncated",
    "an archive with a dump has no directory at its end; its entries were read by their headers",
  ),
  error(
    "cdt.zip.damaged",
    "an entry of an archive with a dump cannot be decompressed as a whole; the part before was read",
  ),
  warning("cdt.capture.truncated", "a capture ends within a command; the streams before that were read"),
  error("cdt.capture.unknown", "a capture has an unknown command, stream or length; the streams before that were read"),
  warning(
    "cdt.stream.missing",
    "a run has no dictionary (error), calls, trace or suspend; the other streams were read",
  ),
  warning(
    "cdt.stream.gap",
    "files of a stream are missing between two others; threads begin again after a gap in the trace",
  ),
  error("cdt.phrase.length", "a phrase has 0 bytes or more than 1 MiB; the file was read up to there"),
  warning("cdt.STREAM.truncated", "a file ends within a record, phrase or block; the records before that were read"),
  error(
    "cdt.STREAM.excess",
    "the records of a stream need far more memory than files of its size may; the ones before were read",
  ),
  error(
    "cdt.STREAM.implausible",
    "a record cannot be right; the file was read up to there, a trace again from the next block that a call names",
  ),
  error("cdt.calls.format", "a file of calls has a format above 4, or no time between 2000 and 2100; not read"),
  error("cdt.calls.none", "no run of a dump has a call or a root of a trace that can be read"),
  warning("cdt.call.dangling", "calls lead to no enter of their method in the trace; they are shown as one frame"),
  warning("cdt.reference.dangling", "references into sql or xml lead to no text; the place is shown instead"),
  warning("cdt.dictionary.short", "ids above the end of the dictionary; they are shown as numbers"),
  warning("cdt.trace.fragment", "pieces of roots whose beginning is missing; left out"),
  warning("cdt.trace.underflow", "exits of no open frame; left out"),
  warning("cdt.trace.deep", "frames below more than 2,048 others; their time counts for the frame at that depth"),
  warning(
    "cdt.runs.many",
    "more than about 230 runs: in OTLP, the samples of the others are in one Resource, without the names of their runs",
  ),
  info("cdt.clock.backwards", "frames that end before they begin, because the clock was set; they have no time"),
  info("CODE.more", "the number of further diagnostics of this code, with its severity"),
];
