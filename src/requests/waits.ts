/** Waits of selections of an open recording, with what is known of the requests around them. */
import { samplesStamp } from "../core/instance/instance.ts";
import { openSamples } from "../core/samples/sample-reader.ts";
import type { Filter, ProfileSummary } from "../core/types.ts";
import { IdMap } from "../ids/map.ts";
import { WAIT_KINDS } from "../model/waits/wait-rows.ts";
import { isOwnKey, type RequestNames, type Wait, type WaitKind, waitsOf } from "../model/waits/waits.ts";
import type { HeldCore } from "./held-core.ts";
import { carriedById } from "./traces/root-points.ts";

/** Kinds whose holder may be known. */
export const LOCKS: readonly WaitKind[] = ["monitor"];

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
