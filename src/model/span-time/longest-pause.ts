/** The longest pause of the collector, and the longest wait of a thread, within requests: what the chart opens at. */
import type { ProfileSummary, TimeRange } from "../../core/types.ts";
import type { Account } from "./accounts.ts";
import { samplesOfParts } from "./opens.ts";
import type { CoveringPart } from "./parts.ts";

export interface LongestStretch {
  /** Of the request that it stopped. */
  id: bigint;
  /** Says which id of samples that is: of their local root, or of their span. */
  by: "root" | "span";
  /** Profile type with most samples of the request; null without samples. */
  type: string | null;
  /** As far as it is within the request, on the clock of the recordings. */
  time: TimeRange;
}

export interface LongestPause extends LongestStretch {
  /** Pauses in all of the requests. */
  pauses: number;
}

export interface LongestWait extends LongestStretch {
  part: CoveringPart;
}

/** Null without a pause. */
export function longestPause(accounts: readonly Account[], profiles: readonly ProfileSummary[]): LongestPause | null {
  const longest = longestOf(accounts, ({ pauses }) => pauses);
  const pauses = accounts.reduce((sum, account) => sum + account.pauses.length, 0);
  return longest === null ? null : { ...placed(longest, profiles), pauses };
}

/** Of the events that state how long a thread waited; null without one. */
export function longestWait(accounts: readonly Account[], profiles: readonly ProfileSummary[]): LongestWait | null {
  const longest = longestOf(accounts, ({ stretches, length }) =>
    stretches
      .filter(({ part }) => part !== "gc")
      .map(({ part, from, to }) => ({ part, from: Math.max(0, from), to: Math.min(length, to) })),
  );
  return longest === null ? null : { ...placed(longest, profiles), part: longest.part };
}

interface Within {
  from: number;
  to: number;
}

function longestOf<T extends Within>(
  accounts: readonly Account[],
  within: (account: Account) => readonly T[],
): (T & { account: Account }) | null {
  let longest: (T & { account: Account }) | null = null;
  for (const account of accounts) {
    for (const each of within(account)) {
      const length = each.to - each.from;
      if (length > 0 && (longest === null || length > longest.to - longest.from)) longest = { ...each, account };
    }
  }
  return longest;
}

function placed(
  { account, from, to }: Within & { account: Account },
  profiles: readonly ProfileSummary[],
): LongestStretch {
  const { id, extent } = account.target;
  return {
    id,
    by: account.root === id ? "root" : "span",
    type: samplesOfParts(account, profiles, [])[0]?.type ?? null,
    time: { from: extent.start + BigInt(Math.floor(from)), to: extent.start + BigInt(Math.ceil(to)) },
  };
}

/** The part of the time that shows the pause with what ran before and after it. */
export function around({ from, to }: TimeRange): TimeRange {
  const length = to - from;
  return { from: from > length ? from - length : 0n, to: to + length };
}
