/** Tests that need something of the machine: where it is absent they are skipped, and their titles have the reason. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, it } from "vitest";

export interface Need {
  isMissing: boolean;
  /** A title, with the reason if the test is skipped. */
  title(text: string): string;
  it(text: string, body: () => unknown, timeout?: number): void;
  describe(text: string, body: () => void): void;
}

/** Whether `npm test` leaves out that long work (scripts/long-work.mjs). */
export const isSkipped = (name: string) => (process.env.SPANFLAME_SKIP ?? "").split(",").includes(name);

/** The recordings of a large matrix: two of them where that long work is left out. */
export const matrixOf = <T>(all: readonly T[]): readonly T[] =>
  isSkipped("matrices") ? [all.at(0)!, all.at(-1)!] : all;

/** `absent` names what a machine lacks where the tests are skipped: "no zsh". */
export function need(isThere: boolean, absent: string): Need {
  const title = (text: string) => (isThere ? text : `${text}: skipped: ${absent}`);
  return {
    isMissing: !isThere,
    title,
    it: (text, body, timeout) => it.skipIf(!isThere)(title(text), async () => void (await body()), timeout),
    describe: (text, body) => describe.skipIf(!isThere)(title(text), body),
  };
}

export const POSIX: Need = need(process.platform !== "win32", "Windows");
export const LINUX: Need = need(process.platform === "linux", "not Linux");
export const DEV_FULL: Need = need(existsSync("/dev/full"), "no /dev/full");
/** An optional peer dependency, which a clean clone may lack. */
export const DUCKDB: Need = need(isInstalled("@duckdb/node-api"), "no @duckdb/node-api");

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url)(name);
    return true;
  } catch {
    return false;
  }
}
