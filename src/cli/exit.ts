/** How the process ends. */
export enum ExitCode {
  Done = 0,
  /** None of the inputs could be read, or the output could not be written. */
  Unreadable = 1,
  /** The receiver did not take everything. */
  Refused = Unreadable,
  Usage = 2,
}

/** The command line itself is wrong. */
export class UsageError extends Error {}
