/**
 * What selects samples of a data set: the columns that a filter's conditions are about, and how a value is compared
 * with a column, by views in SQL and by readers of pages.
 */
import type { Conditions, FilterChip, FilterKind } from "../../model/query/filters.ts";
import { isTrace } from "../../model/words/ids.ts";
import { bigEndian } from "./spans-message.ts";
import type { ParameterType } from "./view-words.ts";

/** Values by the names of selectors. All must hold. Ids are signed. */
export interface Wanted {
  service?: string;
  endpoint?: string;
  /** A local root, which may be the lower half of a trace id. */
  root?: bigint;
  /** 16 bytes. */
  trace?: Uint8Array;
  /** Nanoseconds since 1970. */
  since?: bigint;
  until?: bigint;
  /** UTC date of the parts that are read. */
  date?: string;
}

const LAST = 2n ** 64n - 1n;

/** What a condition selects by; null if no column has it. Kinds without a row are in no column. */
const OF_KINDS: { readonly [Kind in FilterKind]?: (condition: Conditions[Kind]) => Wanted | null } = {
  // A trace id of 128 bits is a trace; all others are local roots.
  "local-root": ({ id }) => (isTrace(id) ? { trace: bigEndian(id >> 64n, id) } : { root: BigInt.asIntN(64, id) }),
  attribute: ({ key, value, exclude }) => (key === "service.name" && exclude !== true ? { service: value } : null),
  "root-frame": ({ by, name, exclude }) => (by === "endpoint" && exclude !== true ? { endpoint: name } : null),
  time: ({ from, to }) => ({ since: from, ...(to < LAST && { until: to }) }),
};

/** Throws for a condition that a data set cannot select by. */
export function wantedOf(chips: readonly FilterChip[]): Wanted {
  const own = chips.map((chip) => {
    const wanted = (OF_KINDS[chip.kind] as ((condition: object) => Wanted | null) | undefined)?.(chip) ?? null;
    if (wanted === null) throw new RangeError(`a data set has no column for a filter by ${chip.kind}`);
    return wanted;
  });
  return Object.assign({}, ...own);
}

export interface Selector {
  name: string;
  type: ParameterType;
  /** Column of samples; of a trace it is not the only one (`Words.ofTrace`). */
  column: string;
  compare: "=" | ">=" | "<";
  about: string;
}

const byText = (name: string): Selector => ({ name, type: "text", column: name, compare: "=", about: name });

/** In the order of the parameters of views. */
export const SELECTORS: readonly Selector[] = [
  ...["service", "endpoint"].map(byText),
  { name: "root", type: "int64", column: "local_root_span_id", compare: "=", about: "local root, signed" },
  { name: "trace", type: "bytes", column: "trace_id", compare: "=", about: "trace id, 16 bytes" },
  { name: "since", type: "timestamp", column: "time", compare: ">=", about: "samples from this time on" },
  { name: "until", type: "timestamp", column: "time", compare: "<", about: "samples before this time" },
  ...["environment", "version", "host", "pod"].map(byText),
];
