/** What questions of many parts need of an open recording: each part names its samples. */
import type { Views } from "./answers/views.ts";
import type { Core } from "./core.ts";
import type { Filter, SelectionTotals } from "./types.ts";

/** src/requests/held-core.ts has it, the only file that selects in a core. */
export interface Held {
  readonly core: Core;
  /**
   * The answers about the samples of `profile` (null: of all) that pass the filter, until the next call. They weigh by
   * the profile's measure of this index: its value, or its second measure.
   */
  about(profile: number | null, filter: Filter, measure?: number): Views;
  /** Their number, and the sum of their weights. */
  totals(profile: number | null, filter: Filter, measure?: number): SelectionTotals;
}
