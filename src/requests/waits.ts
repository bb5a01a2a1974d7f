/** Waits of selections of an open recording, with what is known of the requests around them. */
import { isEverything } from "../core/answers/filters.ts";
import { safepoints } from "../core/answers/series.ts";
import { samplesStamp } from "../core/instance/instance.ts";
import { openSamples, samplesOf } from "../core/samples/sample-reader.ts";
import { divide, type HeldPart, isDivided } from "../core/samples/waits.ts";
import { HOLDER_KEY } from "../core/tables/holder-key.ts";
import type { Filter, ProfileSummary, RootFrameFilter } from "../core/types.ts";
import { IdMap } from "../ids/map.ts";
import { type BlockedBy, BlockedSums, blockedName } from "../model/waits/held.ts";
import { WAIT_KINDS } from "../model/waits/wait-rows.ts";
import {
  type Held,
  Holders,
  isOwnKey,
  type RequestNames,
  type Stop,
  stopsIn,
  type Wait,
  waitsOf,
} from "../model/waits/waits.ts";
import type { BlockedPage, WaitPage, WaitTotal } from "./api/why-api.ts";
import type { HeldCore } from "./held-core.ts";
import { carriedById } from "./traces/root-points.ts";

/** Waits whose holder may be known. */
const LOCKS = { kinds: ["monitor", "park"], isForLocks: true } as const;

export type AskWaits = (filter: Filter, wanted?: Parameters<typeof waitsOf>[5]) => Wait[];

const known = new WeakMap<object, { stamp: string; ask: AskWaits }>();

/** Holders are known where context is inferred. */
export async function waitsIn(held: HeldCore, profiles: readonly ProfileSummary[]): Promise<AskWaits> {
  const { core } = held;
  const reader = await openSamples(held);
  const stamp = samplesStamp(core.instance);
  const before = known.get(core);
  if (before?.stamp === stamp) return before.ask;
  const requestOf = requestsOf(held);
  const ask: AskWaits = (filter, wanted) => {
    // It selects: not while the samples of a selection are read.
    requestOf(0n);
    const { waits, isWanted } = byHolder(filter);
    return waitsOf(reader, profiles, core.contexts?.files ?? [], waits, requestOf, { ...wanted, isWanted });
  };
  known.set(core, { stamp, ask });
  return ask;
}

/** A filter by holders selects parts of waits: the waits that have such a part. */
function byHolder({ rootFrames = [], ...filter }: Filter): { waits: Filter; isWanted?: (wait: Wait) => boolean } {
  const holders = rootFrames.filter(({ keys }) => keys.includes(HOLDER_KEY));
  if (holders.length === 0) return { waits: { ...filter, ...(rootFrames.length > 0 && { rootFrames }) } };
  const wanted = holders.filter(({ exclude }) => exclude !== true);
  const has = ({ held, durationNano }: Wait, { name, none }: RootFrameFilter) =>
    name === none ? heldNano(held) < durationNano : held.some((part) => holderName(part) === name);
  return {
    waits: { ...filter, rootFrames: rootFrames.filter((each) => !holders.includes(each)) },
    isWanted: (wait) =>
      (wanted.length === 0 || wanted.some((each) => has(wait, each))) &&
      holders.every(({ exclude, name }) => exclude !== true || !isAllOf(wait, name)),
  };
}

const isAllOf = ({ held, durationNano }: Wait, name: string) =>
  heldNano(held.filter((part) => holderName(part) === name)) >= durationNano;
const heldNano = (held: readonly Held[]) => held.reduce((sum, { durationNano }) => sum + durationNano, 0n);

/** The name of a holder's root frame. */
const holderName = (of: Held) => blockedName(of, "endpoint") || NO_NAME;
const NO_NAME = "(no name)";

/** Names of requests take a pass over all samples. */
function requestsOf(held: HeldCore): (root: bigint) => RequestNames {
  const { core } = held;
  const keys = core.attributeKeys().filter(isOwnKey);
  let requests: IdMap<string[]> | null = null;
  const named = new IdMap<RequestNames>();
  return (root) => {
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
}

/**
 * Divides the waits for locks by their holders, in samples that only questions about holders select. Does nothing while
 * a recording is read, or where no holder is known.
 */
export function divideWaits(held: HeldCore): void {
  const { core } = held;
  const files = core.contexts?.files.filter((file) => file.held.wait.length > 0) ?? [];
  if (isDivided(core.instance) || files.length === 0) return;
  const requestOf = requestsOf(held);
  requestOf(0n);
  const holders = new Holders(samplesOf(held), files, requestOf);
  const parts = holders
    .observations()
    .flatMap((observation) =>
      holders
        .of(observation)
        .held.map((part): HeldPart => ({ observation, holder: holderName(part), value: part.durationNano })),
    );
  divide(core.instance, parts);
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
  if (!held.core.contexts?.files.some((file) => file.waits.enters.length + file.held.wait.length > 0)) return undefined;
  const ask = await waitsIn(held, profiles);
  return (filter: Filter) => ask(filter, LOCKS);
}

type Range = readonly [from: number, to: number];

/** Rows `range` of the longest waits of a selection, in the order of time, and sums of all. */
export async function waitPage(
  held: HeldCore,
  profiles: readonly ProfileSummary[],
  filter: Filter,
  range: Range,
  longest?: number,
): Promise<WaitPage> {
  const sums = new Totals();
  const all = await allWaits(held, profiles, filter, longest, (wait) => sums.add(wait));
  return { waits: all.slice(...range), total: sums.total };
}

/** All waits of a selection with the pauses in its time, or the longest of them. `each` is called for all. */
export async function allWaits(
  held: HeldCore,
  profiles: readonly ProfileSummary[],
  filter: Filter,
  longest = Number.POSITIVE_INFINITY,
  each?: (wait: Wait) => void,
): Promise<Wait[]> {
  const ask = await waitsIn(held, profiles);
  return ask(filter, { stops: stopsOf(held, filter), longest, ...(each && { each }) });
}

/** Rows `range` of who blocks whom, and sums of all waits for locks. */
export async function blockedIn(
  held: HeldCore,
  profiles: readonly ProfileSummary[],
  filter: Filter,
  by: BlockedBy,
  range: Range,
): Promise<BlockedPage> {
  const [sums, blocked] = [new Totals(), new BlockedSums(by)];
  const each = (wait: Wait) => {
    sums.add(wait);
    blocked.add(wait);
  };
  // There may be millions: none is kept.
  (await waitsIn(held, profiles))(filter, { ...LOCKS, longest: 0, each });
  return { blocked: blocked.rows().slice(...range), total: sums.total };
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

class Totals {
  readonly total: WaitTotal = { waits: 0, durationNano: 0n, heldNano: 0n };

  add({ durationNano, held }: Wait): void {
    this.total.waits++;
    this.total.durationNano += durationNano;
    this.total.heldNano += heldNano(held);
  }
}
