/** How the process ends. */
export enum ExitCode {
  Done = 0,
  /** No input could be read, the output could not be written, what was validated has errors, or a receiver refused. */
  Failed = 1,
  Usage = 2,
}

/** The command line itself is wrong. */
export class UsageError extends Error {}
