/** Exit codes of the process. docs/cli.md, "Exit codes", has the table for users. */
import type { Core } from "../core/core.ts";
import type { Diagnostic } from "../core/types.ts";
import type { ReadSummary } from "../input/open.ts";
import { OptionError } from "../model/query/filters.ts";

export enum ExitCode {
  /** Every input was read to its end. */
  Done = 0,
  /** No input could be read, the output could not be written, the validated file has errors, or a receiver refused. */
  Failed = 1,
  Usage = 2,
  /** Some of the inputs, or the rest of one, could not be read; the answer has the others. */
  Partly = 3,
  /** A condition of --fail-if holds. */
  Condition = 4,
}

/** The command line itself is wrong. Options of filters are read by the table of filters, which throws OptionError. */
export class UsageError extends OptionError {}

/**
 * Diagnostics that stopped the reading: the file could not be read further, changed, or the core has no more room, also
 * for profiles. All other
 * errors are damage in bytes that were read, which a recording of a crashed process often has: they count only with
 * --strict.
 */
const STOPPED = /^(source|core)\.|\.(types|profiles)\.many$/;
/** Warnings that parts of a recording are missing, which count as damage with --strict. */
const LEFT_OUT =
  /^jfr\.(checkpoint\.damaged|pool\.undefined|pools\.chain|event\.(undefined|late|short)|stack\.damaged)$/;

/** Sums at their limit: an output has the values themselves. */
const SUMS = "core.sums";

/** Whether all files are recordings, whose observations are kept apart; those of other formats may be sums. */
export const isRecorded = (core: Pick<Core, "files">) => core.files().every(({ format }) => format === "jfr");

/** Exit code of a command that answers from the readable part. `isOutput`: it writes samples, and no sums. */
export function exitOf(
  { inputs, readable }: ReadSummary,
  diagnostics: readonly Diagnostic[],
  strict = false,
  isOutput = false,
): ExitCode {
  if (readable === 0) return ExitCode.Failed;
  const stops = (code: string) => STOPPED.test(code) && !(isOutput && code === SUMS);
  const stopped = diagnostics.some(({ code, severity }) =>
    severity === "error" ? strict || stops(code) : strict && LEFT_OUT.test(code),
  );
  return stopped || inputs.some(({ read }) => read === "not") ? ExitCode.Partly : ExitCode.Done;
}
