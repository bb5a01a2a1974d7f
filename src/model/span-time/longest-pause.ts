/** The longest pause of the collector within requests, for the chart: pauses belong to no sample. */
import type { ProfileSummary, TimeRange } from "../../core/types.ts";
import type { Account } from "./accounts.ts";
import { samplesOfParts } from "./opens.ts";

export interface LongestPause {
  /** Of the request that it stopped. */
  id: bigint;
  /** Says which id of samples that is: of their local root, or of their span. */
  by: "root" | "span";
  /** Profile type with most samples of the request; null without samples. */
  type: string | null;
  /** As far as it is within the request, on the clock of the recordings. */
  time: TimeRange;
  /** Pauses in all of the requests. */
  pauses: number;
}

/** Null without a pause. */
export function longestPause(accounts: readonly Account[], profiles: readonly ProfileSummary[]): LongestPause | null {
  let longest: { account: Account; from: number; to: number } | null = null;
  let pauses = 0;
  for (const account of accounts) {
    pauses += account.pauses.length;
    for (const { from, to } of account.pauses) {
      if (to > from && (longest === null || to - from > longest.to - longest.from)) longest = { account, from, to };
    }
  }
  if (longest === null) return null;
  const { account, from, to } = longest;
  const { id, extent } = account.target;
  return {
    id,
    by: account.root === id ? "root" : "span",
    type: samplesOfParts(account, profiles, [])[0]?.type ?? null,
    time: { from: extent.start + BigInt(Math.floor(from)), to: extent.start + BigInt(Math.ceil(to)) },
    pauses,
  };
}

/** The part of the time that shows the pause with what ran before and after it. */
export function around({ from, to }: TimeRange): TimeRange {
  const length = to - from;
  return { from: from > length ? from - length : 0n, to: to + length };
}
