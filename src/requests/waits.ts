/** Waits of selections of an open recording, with what is known of the requests around them. */
import { samplesStamp } from "../core/instance/instance.ts";
import { openSamples } from "../core/samples/sample-reader.ts";
import type { Filter, ProfileSummary } from "../core/types.ts";
import type { IdMap } from "../ids/map.ts";
import { isOwnKey, type RequestNames, type Stop, type Wait, type WaitKind, waitsOf } from "../model/waits/waits.ts";
import type { HeldCore } from "./held-core.ts";
import { carriedById } from "./traces/root-points.ts";

/** Kinds whose holder may be known. */
const LOCKS: readonly WaitKind[] = ["monitor"];

export type AskWaits = (filter: Filter, stops?: readonly Stop[], wanted?: readonly WaitKind[]) => Wait[];

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
  const requestOf = (root: bigint): RequestNames => {
    requests ??= carriedById(held, "root", keys);
    const [endpoint = "", ...texts] = requests.get(BigInt.asUintN(64, root)) ?? [];
    const attributes = texts.flatMap((text, i) => (text === "" ? [] : [[keys[i], text]]));
    return { endpoint: endpoint || null, attributes: Object.fromEntries(attributes) };
  };
  const ask: AskWaits = (filter, stops = [], wanted) => {
    // It selects: not while the samples of a selection are read.
    requestOf(0n);
    return waitsOf(reader, profiles, core.contexts?.files ?? [], filter, requestOf, stops, wanted);
  };
  known.set(core, { stamp, ask });
  return ask;
}

/** Waits for locks, for Why; null where no context is inferred. */
export async function locksIn(held: HeldCore, profiles: readonly ProfileSummary[]) {
  if (!held.core.contexts?.files.some(({ waits }) => waits.enters.length > 0)) return undefined;
  const ask = await waitsIn(held, profiles);
  return (filter: Filter) => ask(filter, [], LOCKS);
}
