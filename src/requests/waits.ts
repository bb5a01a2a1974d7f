/** Waits of selections of an open recording, with what is known of the requests around them. */
import { isEverything } from "../core/answers/filters.ts";
import { safepoints } from "../core/answers/series.ts";
import { samplesStamp } from "../core/instance/instance.ts";
import { openSamples } from "../core/samples/sample-reader.ts";
import type { Filter, ProfileSummary } from "../core/types.ts";
import { IdMap } from "../ids/map.ts";
import { type BlockedBy, blockedBy } from "../model/waits/held.ts";
import { WAIT_KINDS } from "../model/waits/wait-rows.ts";
import {
  isOwnKey,
  type RequestNames,
  type Stop,
  stopsIn,
  type Wait,
  type WaitKind,
  waitsOf,
} from "../model/waits/waits.ts";
import type { BlockedPage, WaitPage, WaitTotal } from "./api/why-api.ts";
import type { HeldCore } from "./held-core.ts";
import { carriedById } from "./traces/root-points.ts";

/** Kinds whose holder may be known. */
const LOCKS: readonly WaitKind[] = ["monitor"];

export type AskWaits = (filter: Filter, wanted?: Parameters<typeof waitsOf>[5]) => Wait[];

/** Names of requests take a pass over all samples. */
const known = new WeakMap<object, { stamp: string; ask: AskWaits }>();

/** Holders are known where context is inferred. */
export async function waitsIn(held: HeldCore, profiles: readonly ProfileSummary[]): Promise<AskWaits> {
  const { core } = held;
  const reader = await openSamples(held);
  const stamp = samplesStamp(core.instance);
  const before = known.get(core);
  if (before?.stamp === stamp) return before.ask;
  const keys = core.attributeKeys().filter(isOwnKey);
  let requests: IdMap<string[]> | null = null;
  const named = new IdMap<RequestNames>();
  const requestOf = (root: bigint): RequestNames => {
    const id = BigInt.asUintN(64, root);
    const before = named.get(id);
    if (before !== undefined) return before;
    requests ??= carriedById(held, "root", keys);
    const [endpoint = "", ...texts] = requests.get(id) ?? [];
    const attributes = texts.flatMap((text, i) => (text === "" ? [] : [[keys[i], text]]));
    const found = { endpoint: endpoint || null, attributes: Object.fromEntries(attributes) };
    named.set(id, found);
    return found;
  };
  const ask: AskWaits = (filter, wanted) => {
    // It selects: not while the samples of a selection are read.
    requestOf(0n);
    return waitsOf(reader, profiles, core.contexts?.files ?? [], filter, requestOf, wanted);
  };
  known.set(core, { stamp, ask });
  return ask;
}

/** Waits of a trace that are answered, the longest. */
const MOST_WAITS = 2000;

/** The waits of spans, and those of their requests whose span is not known. */
export async function waitsOfSpans(held: HeldCore, profiles: readonly ProfileSummary[], span: bigint[]) {
  const ask = await waitsIn(held, profiles);
  const wanted = { kinds: WAIT_KINDS, longest: MOST_WAITS };
  const own = ask({ span }, wanted);
  const isNew = (wait: Wait) => wait.span === null || !span.includes(BigInt.asUintN(64, wait.span));
  return [...own, ...ask({ localRoot: span }, wanted).filter(isNew)];
}

/** Waits for locks, for Why; null where no context is inferred. */
export async function locksIn(held: HeldCore, profiles: readonly ProfileSummary[]) {
  if (!held.core.contexts?.files.some(({ waits }) => waits.enters.length > 0)) return undefined;
  const ask = await waitsIn(held, profiles);
  return (filter: Filter) => ask(filter, { kinds: LOCKS });
}

type Range = readonly [from: number, to: number];

/** Rows `range` of the waits of a selection in the order of time, and sums of all. */
export async function waitPage(
  held: HeldCore,
  profiles: readonly ProfileSummary[],
  filter: Filter,
  range: Range,
): Promise<WaitPage> {
  const all = await allWaits(held, profiles, filter);
  return { waits: all.slice(...range), total: totalOf(all) };
}

/** All waits of a selection with the pauses in its time, or the longest of them. */
export async function allWaits(
  held: HeldCore,
  profiles: readonly ProfileSummary[],
  filter: Filter,
  longest = Number.POSITIVE_INFINITY,
): Promise<Wait[]> {
  const ask = await waitsIn(held, profiles);
  return ask(filter, { stops: stopsOf(held, filter), longest });
}

/** Rows `range` of who blocks whom, and sums of all waits for locks. */
export async function blockedIn(
  held: HeldCore,
  profiles: readonly ProfileSummary[],
  filter: Filter,
  by: BlockedBy,
  range: Range,
): Promise<BlockedPage> {
  const all = (await waitsIn(held, profiles))(filter, { kinds: LOCKS });
  return { blocked: blockedBy(all, by).slice(...range), total: totalOf(all) };
}

/** Pauses between the first and the last sample of the selection; all of them without a filter. */
function stopsOf(held: HeldCore, filter: Filter): Stop[] {
  const { core } = held;
  const marks = core.views.marks();
  const views = held.about(null, filter);
  const time = isEverything(filter) ? null : views.pauseCover(marks).time;
  const isNone = time === null && !isEverything(filter);
  return isNone ? [] : stopsIn(marks, safepoints(core.instance, marks.start), time);
}

function totalOf(all: readonly Wait[]): WaitTotal {
  const sum = (of: (wait: Wait) => bigint) => all.reduce((total, wait) => total + of(wait), 0n);
  const heldNano = sum(({ held }) => held.reduce((total, { durationNano }) => total + durationNano, 0n));
  return { waits: all.length, durationNano: sum(({ durationNano }) => durationNano), heldNano };
}
