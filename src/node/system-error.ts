/** Errors of the operating system in plain words. */
import { getSystemErrorMap } from "node:util";

const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ENOENT: "there is no such file",
    ENOTDIR: "a part of the path is a file, not a folder",
    EACCES: "its permissions do not allow it",
    EPERM: "the system does not allow it",
    EISDIR: "it is a folder",
  }),
);

/** The reason of an error: our words, or those of the system with the error's code. */
export function systemWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { errno, code = "", message } = error as NodeJS.ErrnoException;
  const known = WORDS.get(code);
  if (known !== undefined) return known;
  const words = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  return words === undefined ? message : `${words} (${code})`;
}
