/** Messages of all diagnostics of the core, by the number that the wasm module uses (assembly/abi). */
import { COLLAPSED_DIAGNOSTICS } from "./collapsed.ts";
import { JFR_DIAGNOSTICS } from "./jfr.ts";
import { OTLP_DIAGNOSTICS } from "./otlp.ts";
import { PPROF_DIAGNOSTICS } from "./pprof.ts";
import type { Wording } from "./wording.ts";

export const WORDINGS: ReadonlyMap<number, Wording> = new Map(
  [JFR_DIAGNOSTICS, OTLP_DIAGNOSTICS, PPROF_DIAGNOSTICS, COLLAPSED_DIAGNOSTICS].flatMap((words) =>
    Object.entries(words).map(([number, wording]) => [Number(number), wording] as const),
  ),
);

/** The message of a diagnostic of the core; undefined for an unknown number. */
export function wordingOf(number: number): Wording | undefined {
  return WORDINGS.get(number);
}
