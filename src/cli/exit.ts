/** How the process ends. */
export enum ExitCode {
  Done = 0,
  /** None of the inputs could be read, the output could not be written, or what was validated has errors. */
  Failed = 1,
  Usage = 2,
}

/** The command line itself is wrong. */
export class UsageError extends Error {}
