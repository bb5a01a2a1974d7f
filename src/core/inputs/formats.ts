/**
 * The table of input formats, without the detection of a file's format (src/input/formats.ts). The page takes the rows
 * only, so the messages are a list of their own.
 */
import type { Wording } from "../diagnostics/wording.ts";
import { CDT } from "./cdt.ts";
import { COLLAPSED, collapsedDiagnostics } from "./collapsed.ts";
import type { InputFormat } from "./input-format.ts";
import { JFR, jfrDiagnostics } from "./jfr.ts";
import { OTLP, OTLP_JSON, otlpDiagnostics } from "./otlp.ts";
import { PPROF, pprofDiagnostics } from "./pprof.ts";

/** The format of a file inside its wrappers. */
export type FileFormat = "jfr" | "pprof" | "otlp" | "otlp-json" | "collapsed" | "cdt";

export const INPUT_FORMATS: Record<FileFormat, InputFormat> = {
  jfr: JFR,
  pprof: PPROF,
  otlp: OTLP,
  "otlp-json": OTLP_JSON,
  collapsed: COLLAPSED,
  cdt: CDT,
};

/** Messages of the diagnostics of each reader, by their numbers: functions, so that the page goes without them. */
export const DIAGNOSTICS: readonly (() => Record<number, Wording>)[] = [
  jfrDiagnostics,
  otlpDiagnostics,
  pprofDiagnostics,
  collapsedDiagnostics,
];

/** Endings after those: a file compressed as a whole. */
export const PACKED_ENDINGS = ["gz", "zst", "lz4"];
/** Archives of several files. */
export const ARCHIVE_ENDINGS = ["zip"];
