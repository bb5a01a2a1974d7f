/** Types of requests and answers of rankings. */

/** The key by which a ranking groups samples. */
export type RankBy = { kind: "local-root" } | { kind: "span" } | { kind: "attribute"; key: string };

/**
 * Order of the rows: value (largest first, then by samples), samples (most first, then by value), name or id, first
 * observation (earliest first), time from the first to the last one (longest first). Values of an attribute only:
 * number of requests (most first), 95th percentile of their extents (longest first).
 */
export const RANK_SORTS = ["weight", "samples", "name", "first", "duration", "requests", "slowest"] as const;
/** Order of the rows of a ranking: one of `RANK_SORTS`. */
export type RankSort = (typeof RANK_SORTS)[number];

/**
 * Only rows with an id in one of the ranges (both ends included), or whose value contains a text or matches a pattern.
 */
export type RankFind =
  | { ids: readonly (readonly [from: bigint, to: bigint])[] }
  | { text: string }
  | { pattern: string };

/** Order and choice of the rows of a ranking. */
export interface RankHow {
  sort?: RankSort;
  /** Reverses the order. */
  reversed?: boolean;
  find?: RankFind;
  /** The times of local roots are those of their first and last observation in all profiles. */
  wholeExtents?: boolean;
  /** Rows of attribute values have `requests`, and can be sorted by them. */
  requests?: boolean;
  /** Keys of attributes that describe a row. `about` of the row has the first one that is present. */
  about?: readonly string[];
}

/** One row of a ranking. */
export interface RankRow {
  /** Unsigned id of the span or local root, or the trace id of 128 bits in place of that; 0n for attribute rows. */
  id: bigint;
  /** For spans: the local root of the heaviest sample; 0n otherwise. */
  root: bigint;
  /** Attribute value as text; empty for id rows. */
  label: string;
  /** Number of observations. */
  samples: number;
  /** Number of those whose context is inferred; 0 unless context is inferred. */
  inferred: number;
  /** Sum of their values, in the unit of the measure. */
  value: bigint;
  /** Times of the first observation and of the last one; 0n if no observation has a time. */
  first: bigint;
  last: bigint;
  /** Ns that the span or local root took by a trace file or the recording; absent where none states it. */
  stated?: bigint;
  /** They count from the first sample on. */
  atLeast?: boolean;
  /** The first of the requested attributes that the heaviest sample carries, as text; else empty. */
  about: string;
  /** For a value of an attribute; null if no sample has a local root. Extents are those over all profiles. */
  requests: Requests | null;
}

/** Local roots with samples of a value, and percentiles (nearest rank) of their extents in nanoseconds. */
export interface Requests {
  /** Number of local roots. */
  count: number;
  p50: bigint;
  p95: bigint;
  longest: bigint;
}

/** A page of a ranking. */
export interface RankPage {
  /** Rows in all. */
  count: number;
  offset: number;
  /** The largest value of all rows, 0n if none is positive: the length of a full bar. */
  heaviest: bigint;
  rows: RankRow[];
}
