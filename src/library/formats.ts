/** The table of output formats, as users of the library see it. */
import { FORMATS, type OutputRow } from "../core/tables/formats.ts";
import type { OutputFormat } from "../core/types.ts";

/** The formats that `write` has, the default first: names, file endings and options (docs/formats.md). */
export const OUTPUT_FORMATS: readonly Readonly<OutputRow<OutputFormat>>[] = FORMATS;
