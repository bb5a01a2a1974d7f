/** Why a selection has no samples, and the words that the recording has instead. */
import type { Core } from "../core/core.ts";
import { hasTimes } from "../core/instance/file-ranges.ts";
import { profileNamed } from "../core/tables/kinds.ts";
import type { Filter, ProfileSummary, RankBy } from "../core/types.ts";
import { IdMap } from "../ids/map.ts";
import { ENDPOINT_KEYS } from "../model/lists/request-keys.ts";
import { FILTER_KINDS, filterRow } from "../model/query/filters.ts";
import { hasLevel } from "../model/query/root-by.ts";
import { coveredWords } from "../model/trace/resolve-id.ts";
import { decimalId, idWord, isTrace } from "../model/words/ids.ts";
import { cut } from "../model/words/text.ts";
import { HeldCore } from "../requests/held-core.ts";
import { didYouMean } from "./usage/suggest.ts";

const MOST_KEYS = 20;
const MOST_ENDPOINTS = 1000;
const ENDPOINT_CAP = 60;
const ENDPOINT = "endpoint";
/** All that is known where samples were skipped and the input cannot be read again. */
const SKIPPED = "no samples pass the filter";

/** A selection without samples. */
interface Nothing {
  /** Null where the samples are gone. */
  core: Core | null;
  /** All profiles of the recording (need.ts); null: they are not known. */
  profiles: readonly ProfileSummary[] | null;
  filter: Filter;
  /** As given, for a command to type. */
  inputs: readonly string[];
}

/** A line for a filter that leaves nothing of the profile. */
export function nothingLeft(profile: ProfileSummary | undefined, { core, filter, inputs }: Nothing): string {
  if (profile === undefined) return "no samples of this type";
  for (const kind of FILTER_KINDS) {
    const reason = filterRow(kind).of(filter).length > 0 ? filterRow(kind).reason?.(filter, profile) : null;
    if (reason) return `no samples. ${reason}`;
  }
  const unknown = filter.attributes?.find(
    ({ key, exclude }) => exclude !== true && !hasLevel({ keys: [key] }, profile),
  );
  if (unknown !== undefined) return noAttribute(profile, unknown.key);
  const noSuch = core && noEndpoint(core, profile, filter);
  if (noSuch !== null) return noSuch;
  const { localRoot, span } = filter;
  const [kind, ids] = span === undefined ? (["local-root", localRoot] as const) : (["span", span] as const);
  const [id] = [ids ?? []].flat();
  if (id === undefined) return core === null || filter.time === undefined ? "no samples" : outsideOf(core);
  const by = kind === "span" ? " --by span" : "";
  const word = kind === "local-root" && !isTrace(id) ? "local root" : idWord(kind, id);
  return `no samples with ${word} ${decimalId(id)}; ${spansCommand(profile, inputs)}${by} lists the ids`;
}

/** The profile of this name among all of them, for the line that says why nothing of it is left. */
export function nothingLeftOf(type: string | undefined, nothing: Nothing): string {
  const profile = profileIn(nothing, type);
  return profile === undefined ? noProfile(nothing) : nothingLeft(profile, nothing);
}

/** Why nothing is left of an output of this or all profiles; of all, told of the one with the most samples of spans. */
export function nothingWritten(type: string | undefined, nothing: Nothing): string {
  const { profiles } = nothing;
  if (type !== undefined) return nothingLeftOf(type, nothing);
  const [most] = (profiles ?? []).toSorted((a, b) => b.samplesWithSpan - a.samplesWithSpan);
  return most === undefined ? noProfile(nothing) : nothingLeft(most, nothing);
}

/** A line for a ranking without rows, of the profile of this name. */
export function nothingRankedOf(type: string | undefined, nothing: Nothing, by: RankBy): string {
  const { core, filter } = nothing;
  const profile = profileIn(nothing, type);
  if (profile === undefined) return noProfile(nothing);
  const isLeft = core !== null && new HeldCore(core).totals(idOf(core, profile), filter).samples > 0;
  return isLeft || Object.keys(filter).length === 0 ? nothingRanked(profile, by) : nothingLeft(profile, nothing);
}

/** Of what was read again, else of the core: the samples of calls are made of what was read. */
const allOf = ({ core, profiles }: Nothing) => (profiles?.length === 0 ? (core?.profiles() ?? []) : profiles);

function profileIn(nothing: Nothing, type: string | undefined): ProfileSummary | undefined {
  return type === undefined ? undefined : profileNamed(allOf(nothing) ?? [], type);
}

function noProfile(nothing: Nothing): string {
  const profiles = allOf(nothing);
  if (profiles === null) return SKIPPED;
  const types = profiles.filter(({ empty }) => empty !== true).map(({ type }) => type);
  return types.length === 0
    ? "the recording has no samples"
    : `no samples of this type; the recording has ${types.join(", ")}`;
}

/** The profile may be of another core, of the same recording. */
const idOf = (core: Core, { type }: Pick<ProfileSummary, "type">) =>
  core.profiles().find((each) => each.type === type)?.id ?? null;

/** A line for an endpoint that the filter has and no sample of the profile, or of all; else null. */
export function noEndpoint(core: Core, profile: ProfileSummary | null, { rootFrames = [] }: Filter): string | null {
  const wanted = rootFrames.find(({ by }) => by === ENDPOINT)?.name;
  if (wanted === undefined) return null;
  const views = new HeldCore(core).about(profile && idOf(core, profile), {});
  const lists = ENDPOINT_KEYS.map((key) =>
    views.rank({ kind: "attribute", key }, 0, MOST_ENDPOINTS).rows.map(({ label }) => label),
  );
  if (lists.some((names) => names.includes(wanted))) return null;
  const names = lists.find(({ length }) => length > 0) ?? [];
  const first = names.slice(0, MOST_KEYS).map((name) => cut(name, ENDPOINT_CAP));
  const known = first.length === 0 ? "the samples carry no endpoint" : `there are ${first.join(", ")}`;
  return `no samples of the endpoint ${JSON.stringify(wanted)}; ${known}${didYouMean(wanted, names)}`;
}

function outsideOf(core: Core): string {
  const files = coveredWords(core.files(), { roots: new IdMap() });
  const isTimeless = !hasTimes(core.instance.wasm) && core.samples() > 0;
  const why = isTimeless ? "; samples without a time are in a range that contains all of their profile" : "";
  return `no samples in this range of time; the recordings cover ${files.join("; ")}${why}`;
}

function nothingRanked(profile: ProfileSummary, by: RankBy): string {
  if (by.kind === "attribute" && !hasLevel({ keys: [by.key] }, profile)) return noAttribute(profile, by.key);
  return by.kind === "attribute" ? `no samples with the attribute ${by.key}` : "no samples with an id";
}

function noAttribute({ samplesWithAttribute }: ProfileSummary, key: string): string {
  const keys = Object.keys(samplesWithAttribute);
  const known = keys.length === 0 ? "no attribute" : keys.slice(0, MOST_KEYS).join(", ");
  return `no samples with the attribute ${JSON.stringify(key)}; the samples carry ${known}${didYouMean(key, keys)}`;
}

function spansCommand({ type }: ProfileSummary, [first = "FILE"]: readonly string[]): string {
  return `spanflame spans ${/\s/.test(first) ? JSON.stringify(first) : first} --type ${type}`;
}
