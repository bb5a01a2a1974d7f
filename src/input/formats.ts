/**
 * The table of input formats: detection by a file's first bytes, and the reader. The other half of a row, by the same
 * name, which the core and the page need, is in src/core/inputs/formats.ts.
 */

import { startsWith } from "../bytes/byte-order-mark.ts";
import type { ByteSource } from "../bytes/byte-source.ts";
import { isElf, isMachO, isZip } from "../bytes/magic.ts";
import { isMultipart } from "../bytes/multipart-head.ts";
import type { Packing } from "../bytes/unpack.ts";
import { isUtf16 } from "../bytes/utf16.ts";
import type { FileFormat } from "../core/inputs/formats.ts";
import type { OtlpForm } from "../otlp/messages.ts";
import { sniffJson, sniffProtobuf } from "../otlp/sniff.ts";
import { isLogsText, type LogsForm } from "../otlp/sniff-logs.ts";
import { blocksOf, hasStacks } from "./collapsed.ts";
import { isCapture } from "./dump/detect.ts";
import type { OtherFormat } from "./others/detect.ts";
import { isPprof } from "./pprof-shape.ts";
import { readRecording } from "./read-recording.ts";
import type { KnownFile, Reading } from "./reading.ts";

/** Facts of a file that its first bytes show. */
export type Known =
  | { kind: Exclude<FileFormat, "otlp" | "otlp-json" | "trace"> }
  | { kind: "otlp"; form: OtlpForm }
  | { kind: "logs"; form: LogsForm };

interface InputFormat {
  /** Where OTLP profiles were expected: completes "this is … `convert` makes OTLP profiles". */
  what?: string;
  /** The format that a file's first bytes show; null if unknown. `isText`: no byte is a control character. */
  known(head: Uint8Array, isText: boolean): Known | null;
  /** Whether a text is this by its first lines, where its first bytes begin nothing. */
  knownByLines?(text: ByteSource): Promise<boolean>;
  /** It may contain other files, so that the depth of nesting is limited. */
  wraps?: true;
  /** False when cancelled, or when the core is full. */
  read(reading: Reading, file: KnownFile, known: Known): Promise<boolean>;
}

/** A row of a format that others/detect.ts detects. */
function other(format: OtherFormat, what: string): InputFormat {
  return {
    what: `${what}, of which`,
    known: () => null,
    read: async (reading, file) => (await import("./others/read-other.ts")).readOther(reading, file, format),
  };
}

// Most recordings are no messages: the page fetches this when a file needs it.
const messageFiles = () => import("./message-files.ts");

/** Tried in this order. Formats with a magic precede those with a shape only. */
export const FORMATS: { readonly [Kind in Known["kind"]]: InputFormat } = {
  jfr: {
    what: "a JFR recording, of which",
    known: (head) => (startsWith(head, [0x46, 0x4c, 0x52, 0x00]) ? { kind: "jfr" } : null),
    read: (reading, file) => readRecording(reading, file, null),
  },
  cdt: {
    what: "a capture of a Cloud Profiler agent, of whose calls",
    known: (head) => (isCapture(head) ? { kind: "cdt" } : null),
    read: async (reading, file) => (await import("./capture-file.ts")).readCaptureFile(reading, file),
  },
  pprof: {
    what: "a pprof profile, of which",
    // A file that begins with samples looks like a dictionary of OTLP; that one begins with zero elements.
    known: (head, isText) => (!isText && isPprof(head) ? { kind: "pprof" } : null),
    read: async (reading, file) => (await messageFiles()).readMessageFile(reading, file, { format: "pprof" }),
  },
  logs: {
    what: "OTLP logs, of whose pprof profiles",
    // Logs in protobuf look like profiles in so few bytes (classify.ts).
    known: (head, isText) => (isText && isLogsText(head) ? { kind: "logs", form: "json" } : null),
    wraps: true,
    read: async (reading, file, known) =>
      (await import("./profiling-logs.ts")).readLogs(reading, file, known.kind === "logs" ? known.form : "protobuf"),
  },
  otlp: {
    known(head, isText) {
      const form = isText ? sniffJson(head) : sniffProtobuf(head);
      return form === null ? null : { kind: "otlp", form };
    },
    wraps: true,
    read: async (reading, file, known) =>
      (await messageFiles()).readOtlp(reading, file, known.kind === "otlp" ? known.form : "protobuf"),
  },
  speedscope: other("speedscope", "a speedscope file"),
  firefox: other("firefox", "a profile of the Firefox Profiler"),
  cpuprofile: other("cpuprofile", "a profile of V8"),
  perf: other("perf", "the text of perf script"),
  collapsed: {
    what: "collapsed stacks, of which",
    known: () => null,
    knownByLines: hasStacks,
    read: async (reading, file) =>
      (await messageFiles()).readMessageFile(reading, file, { format: "collapsed", independent: true, of: blocksOf }),
  },
};

/** The row of a kind of file that a reader is for. */
export function formatOf(kind: string): InputFormat | undefined {
  return Object.hasOwn(FORMATS, kind) ? FORMATS[kind as Known["kind"]] : undefined;
}

/** Files of several files. */
export type Container = "zip" | "multipart";

/** Files that are compressed or encoded as a whole, and files of several files. */
export const PACKINGS: readonly { kind: Packing | Container; isIn(head: Uint8Array): boolean }[] = [
  { kind: "gzip", isIn: (head) => startsWith(head, [0x1f, 0x8b]) },
  { kind: "zip", isIn: isZip },
  { kind: "multipart", isIn: isMultipart },
  { kind: "zstd", isIn: (head) => startsWith(head, [0x28, 0xb5, 0x2f, 0xfd]) || isSkippable(head) },
  { kind: "lz4", isIn: (head) => startsWith(head, [0x04, 0x22, 0x4d, 0x18]) },
  { kind: "utf-16", isIn: isUtf16 },
];

/** Files that are known and not read as recordings; `what` completes "the file is …". Others: others/instead.ts. */
export const FOREIGN: readonly { isIn(head: Uint8Array): boolean; what: string; kind: "symbols" }[] = [
  { isIn: isElf, what: "an ELF binary", kind: "symbols" },
  { isIn: isMachO, what: "a Mach-O binary", kind: "symbols" },
];

/**
 * Skippable frames, which zstd and lz4 share: 50 to 5F 2A 4D 18. Only zstd's reader and ours detect the format after
 * them.
 */
function isSkippable(head: Uint8Array): boolean {
  return head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18 && (head[0] ?? 0) >> 4 === 5;
}
