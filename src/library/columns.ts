/** Observations of a selection as typed arrays, page by page. */
import { windowOf } from "../core/instance/file-ranges.ts";
import { observationColumns } from "../core/samples/store-columns.ts";
import type { RecordingCore, Wanted } from "./held-core.ts";

/**
 * A page of observations, in the order of reading: row i of each column is one observation. All columns have the same
 * length and are copies that belong to the caller. Those of row numbers refer to `recording.tables`.
 */
export interface ColumnPage {
  /** Number of observations in the page. */
  rows: number;
  /** Nanoseconds since 1970; 0n for an observation without a time. */
  time: BigInt64Array;
  /** Value of the selection's measure, in its unit; of a selection of all profiles that of each first measure. */
  value: BigInt64Array;
  /** Value of the second measure of the profile; 0n where it has none. */
  second: BigInt64Array;
  /** `id` of the profile. */
  profile: Uint32Array;
  /** Row of `tables.events()`. */
  event: Uint32Array;
  /** Row of `tables.stacks()`. */
  stack: Uint32Array;
  /** Row of `tables.links()`. Its `attributeSet` applies to the observation, too. */
  link: Uint32Array;
  /** Row of `tables.threads()`. */
  thread: Uint32Array;
  /** Row of `tables.attributeSets()`: attributes of the observation itself. */
  attributeSet: Uint32Array;
}

/** The pages of a selection, each read when it is asked for. No page is empty. */
export function* pagesOf(
  held: RecordingCore,
  wanted: Wanted,
  pageRows: number,
): Generator<ColumnPage, void, undefined> {
  for (let next = 0; ; ) {
    const page = pageFrom(held, wanted, next, pageRows);
    if (page.columns.rows > 0) yield page.columns;
    if (page.columns.rows < pageRows) return;
    next = page.next;
  }
}

/** The page that begins at the observation with this number, and the number of the first one after it. */
function pageFrom(held: RecordingCore, wanted: Wanted, first: number, pageRows: number) {
  const { profile, filter, measure } = wanted;
  held.about(profile, filter, measure);
  const { instance } = held.core;
  const { next, set, value, ...same } = observationColumns(instance, windowOf(filter, instance), first, pageRows);
  return { columns: { ...same, value: measure === 0 ? value : same.second, attributeSet: set }, next };
}
