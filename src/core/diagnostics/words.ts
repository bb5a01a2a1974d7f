/** The words for every diagnostic of the core, by the number that the wasm module has for it. */
import { JFR_DIAGNOSTICS } from "./jfr.ts";
import { OTLP_DIAGNOSTICS } from "./otlp.ts";
import { PPROF_DIAGNOSTICS } from "./pprof.ts";
import type { Wording } from "./wording.ts";

/** A reader's diagnostics: their rows are in the order of the enum `Diagnostic` in the codes.ts of its room. */
interface Diagnosed {
  /** The reader's room in assembly/read/, and the beginning of its codes. */
  room: string;
  /** Number of the first. */
  first: number;
  words: readonly Wording[];
}

/** By reader, the highest numbers first. */
export const DIAGNOSED: readonly Diagnosed[] = [
  { room: "pprof", first: 128, words: PPROF_DIAGNOSTICS },
  { room: "otlp", first: 64, words: OTLP_DIAGNOSTICS },
  { room: "jfr", first: 0, words: JFR_DIAGNOSTICS },
];

/** The words for a diagnostic of the core; undefined for a number that none has. */
export function wordingOf(number: number): Wording | undefined {
  const diagnosed = DIAGNOSED.find(({ first }) => number >= first);
  return diagnosed?.words[number - diagnosed.first];
}
