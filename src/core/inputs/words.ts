/** Messages of all diagnostics of the core, by the number that the wasm module uses (assembly/abi/formats). */
import type { Wording } from "../diagnostics/wording.ts";
import { DIAGNOSTICS } from "./formats.ts";

export const WORDINGS: Readonly<Record<number, Wording>> = Object.assign({}, ...DIAGNOSTICS.map((words) => words()));

/** The message of a diagnostic of the core; undefined for an unknown number. */
export function wordingOf(number: number): Wording | undefined {
  return WORDINGS[number];
}
