/**
 * Damage of files, for people: what happened, how much could be read, and what to do. Codes, chunks and offsets are in
 * the diagnostics themselves.
 */
import type { Diagnostic, FileSummary, Severity } from "../../core/types.ts";
import { formatBytes, formatCounted, formatPercent } from "./format.ts";

/** Diagnostics of one code in one file. */
export interface DamageGroup {
  code: string;
  severity: Severity;
  file: string;
  /** One sentence, without the file's name unless it is its subject. */
  fact: string;
  /** What to do about it; "" for nothing. */
  advice: string;
  /** How many there are: `×10`. */
  count: number;
}

interface Words {
  fact: (first: Diagnostic, file: FileSummary | undefined) => string;
  advice?: string;
}

const COPY_AGAIN = "Copy the file again from where it was recorded.";
const DUMP = "Dump the recording with `jcmd PID JFR.dump`, or stop it, before you copy the file.";
const NAMES = "Some frames may have no name.";

/** By code, in the order in which files are usually damaged. Other codes keep the reader's message. */
const WORDS: ReadonlyMap<string, Words> = new Map(
  Object.entries({
    "source.foreign": { fact: ({ file, message }) => bare(message).replace(/^The file is/, `${file} is`) },
    "jfr.version": { fact: ({ message }) => bare(message) },
    "jfr.chunk.truncated": {
      fact: (_, file) => `The recording is cut off: ${readWords(file)}`,
      advice: `${DUMP} Names are at the end of each chunk, so frames of the last one may have none.`,
    },
    "jfr.chunk.unfinished": { fact: () => "The recorder did not finish the recording", advice: DUMP },
    "jfr.event.size": {
      fact: (first, file) => `Damaged at ${placeWords(first, file)}: some events after it are missing`,
      advice: COPY_AGAIN,
    },
    "jfr.foreign-bytes": {
      fact: (first, file) => `The bytes at ${placeWords(first, file)} are not a recording and were skipped`,
      advice: COPY_AGAIN,
    },
    "jfr.metadata.missing": {
      fact: (first, file) => `The part at ${placeWords(first, file)} has no list of its event types and cannot be read`,
      advice: DUMP,
    },
    "jfr.metadata.damaged": {
      fact: (first, file) =>
        `The part at ${placeWords(first, file)} has a damaged list of event types and cannot be read`,
      advice: COPY_AGAIN,
    },
    "jfr.checkpoint.damaged": { fact: () => "A constant pool is damaged", advice: NAMES },
    "jfr.pool.undefined": { fact: () => "A constant pool has an unknown type", advice: NAMES },
    "jfr.pools.chain": { fact: () => "A constant pool was found by a search", advice: NAMES },
    "jfr.pools.moved": { fact: () => "A constant pool was found by a search", advice: NAMES },
    "jfr.metadata.moved": { fact: () => "The list of event types was found by a search" },
    "jfr.event.short": { fact: () => "Some events are too short and were left out" },
    "jfr.event.undefined": { fact: () => "Some events are of an unknown type and were left out" },
    "jfr.stack.damaged": { fact: () => "Some stack traces are damaged and were left out" },
    "otlp.no-recording": {
      fact: () => "The message has no samples, and no JFR recording in its original_payload",
      advice: "Export it again over a time in which the service had work, or open the recording that it was made from.",
    },
    "jfr.snapshot.superseded": { fact: () => "A newer list of live objects replaced an earlier one" },
  }),
);

/** Nothing is wrong with the recording: a file beside it in an archive is none, and its recorder has limits. */
export function isNote({ severity, code }: Diagnostic): boolean {
  return severity === "info" || (severity === "warning" && ["source.foreign", "jfr.event.throttled"].includes(code));
}

/** The gravest first; equal ones of a file as one. */
export function damageGroups(diagnostics: readonly Diagnostic[], files: readonly FileSummary[]): DamageGroup[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const { code, file, severity } = diagnostic;
    // Words that name no figure are the same for all of a code; others are distinguished by their message.
    const key = JSON.stringify([severity, file, code, WORDS.get(code) === undefined ? sentence(diagnostic) : ""]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [diagnostic]);
    else group.push(diagnostic);
  }
  const all = [...groups.values()].map((group) => groupOf(group, files));
  return GRAVEST_FIRST.flatMap((severity) => all.filter((group) => group.severity === severity));
}

const GRAVEST_FIRST: Severity[] = ["error", "warning", "info"];

function groupOf(group: Diagnostic[], files: readonly FileSummary[]): DamageGroup {
  const first = group[0]!;
  const { code, severity, file } = first;
  const words = WORDS.get(code);
  const fact =
    words === undefined
      ? sentence(first)
      : words.fact(
          first,
          files.find(({ name }) => name === file),
        );
  return { code, severity, file, fact, advice: words?.advice ?? "", count: group.length };
}

/** The reader's own words, without the format, which messages begin with, and without the place. */
function sentence({ message }: Diagnostic): string {
  return bare(message);
}

function bare(message: string): string {
  const text = message.replace(/^[a-z][a-z\d]*: /, "").replace(/ \([^()]*offset \d+\)$/, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `64 % of it could be read, 1,234 samples recovered`. */
function readWords(file: FileSummary | undefined): string {
  if (file === undefined) return "a part of it could be read";
  const whole = file.chunks.reduce((sum, { bytes, headerBytes = bytes }) => sum + Math.max(bytes, headerBytes), 0);
  const there = file.chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  const samples = `${formatCounted(file.samples, "sample")} recovered`;
  if (there === 0 || whole > BELIEVED * there) return `${formatBytes(there)} could be read, ${samples}`;
  return `${formatPercent(there, whole)} of it could be read, ${samples}`;
}

/** A header is damaged itself if its size is more than so many times the available bytes. */
const BELIEVED = 1000;

/** `43 %`, or the offset where the size is unknown. */
function placeWords({ offset }: Diagnostic, file: FileSummary | undefined): string {
  if (file === undefined || offset === null || file.bytes === 0) return `offset ${offset ?? 0}`;
  return formatPercent(Math.min(offset, file.bytes), file.bytes);
}
