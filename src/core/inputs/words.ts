/**
 * Messages of all diagnostics of the core, by the number that the wasm module uses (assembly/abi/formats). The page
 * loads them with the rest of the core, and begins with those of recordings.
 */
import type { Wording } from "../diagnostics/wording.ts";
import { COLLAPSED_WORDINGS } from "./collapsed.ts";
import { JFR_WORDINGS } from "./jfr.ts";
import { OTLP_WORDINGS } from "./otlp.ts";
import { PPROF_WORDINGS } from "./pprof.ts";

export const WORDINGS: Readonly<Record<number, Wording>> = {
  ...JFR_WORDINGS,
  ...OTLP_WORDINGS,
  ...PPROF_WORDINGS,
  ...COLLAPSED_WORDINGS,
};
