/** Why a selection has no samples, and the words that the recording has instead. */
import type { Filter, ProfileSummary, RankBy } from "../core/types.ts";
import { FILTER_KINDS, filterRow } from "../model/query/filters.ts";
import { decimalId, idWord, isTrace } from "../model/words/ids.ts";
import { didYouMean } from "./usage/suggest.ts";

const MOST_KEYS = 20;
/** All that is known where samples were skipped and the input cannot be read again. */
const SKIPPED = "no samples pass the filter";

/** A line for a filter that leaves nothing of the profile. `inputs`: as given, for a command to type. */
export function nothingLeft(profile: ProfileSummary | undefined, filter: Filter, inputs: readonly string[]): string {
  if (profile === undefined) return "no samples of this type";
  for (const kind of FILTER_KINDS) {
    const reason = filterRow(kind).of(filter).length > 0 ? filterRow(kind).reason?.(filter, profile) : null;
    if (reason) return `no samples. ${reason}`;
  }
  const unknown = filter.attributes?.find(({ key, exclude }) => exclude !== true && !carries(profile, key));
  if (unknown !== undefined) return noAttribute(profile, unknown.key);
  const { localRoot, span } = filter;
  const [kind, ids] = span === undefined ? (["local-root", localRoot] as const) : (["span", span] as const);
  const [id] = [ids ?? []].flat();
  if (id === undefined) return "no samples";
  const by = kind === "span" ? " --by span" : "";
  const word = kind === "local-root" && !isTrace(id) ? "local root" : idWord(kind, id);
  return `no samples with ${word} ${decimalId(id)}; ${spansCommand(profile, inputs)}${by} lists the ids`;
}

/** The profile of this name among all of them (need.ts), for the line that says why nothing of it is left. */
export function nothingLeftOf(
  type: string | undefined,
  profiles: readonly ProfileSummary[] | null,
  filter: Filter,
  inputs: readonly string[],
): string {
  if (profiles === null) return SKIPPED;
  return nothingLeft(
    profiles.find((profile) => profile.type === type),
    filter,
    inputs,
  );
}

/**
 * Why nothing is left of an output of several profiles, told of the one with the most samples of spans. Null: the
 * facts of the profiles are unknown.
 */
export function nothingWritten(
  profiles: readonly ProfileSummary[] | null,
  filter: Filter,
  inputs: readonly string[],
): string {
  if (profiles === null) return SKIPPED;
  const [most] = profiles.toSorted((a, b) => b.samplesWithSpan - a.samplesWithSpan);
  return nothingLeft(most, filter, inputs);
}

/** A line for a ranking without rows, of the profile of this name among all of them. */
export function nothingRankedOf(
  type: string | undefined,
  profiles: readonly ProfileSummary[] | null,
  by: RankBy,
): string {
  if (profiles === null) return SKIPPED;
  return nothingRanked(
    profiles.find((profile) => profile.type === type),
    by,
  );
}

function nothingRanked(profile: ProfileSummary | undefined, by: RankBy): string {
  if (profile === undefined) return "no samples of this type";
  if (by.kind === "attribute" && !carries(profile, by.key)) return noAttribute(profile, by.key);
  return by.kind === "attribute" ? `no samples with the attribute ${by.key}` : "no samples with an id";
}

/** Threads are no attributes of the samples, but are named like one. */
function carries({ samplesWithAttribute }: ProfileSummary, key: string): boolean {
  return key === "thread.name" || Object.hasOwn(samplesWithAttribute, key);
}

function noAttribute({ samplesWithAttribute }: ProfileSummary, key: string): string {
  const keys = Object.keys(samplesWithAttribute);
  const known = keys.length === 0 ? "no attribute" : keys.slice(0, MOST_KEYS).join(", ");
  return `no samples with the attribute ${JSON.stringify(key)}; the samples carry ${known}${didYouMean(key, keys)}`;
}

function spansCommand({ type }: ProfileSummary, [first = "FILE"]: readonly string[]): string {
  return `spanflame spans ${/\s/.test(first) ? JSON.stringify(first) : first} --type ${type}`;
}
