/** Exit codes in words, for help and man page. docs/cli.md, "Exit codes", has them by command. */

export const EXIT_CODES: readonly [code: string, about: string][] = [
  ["0", "everything was read, and no check failed"],
  ["1", "nothing could be read, the output could not be written, a receiver refused a message, or a file is not valid"],
  ["2", "wrong usage: nothing was read or written"],
  ["3", "an input, or a part of one, could not be read; the answer is about the rest"],
  ["4", "a condition of --fail-if holds"],
];
