/** What threads of an open recording did over time: bands for lanes and charts, and all that is known of a moment. */
import { Numbered } from "../bytes/numbered.ts";
import { samplesStamp } from "../core/instance/instance.ts";
import { orderedSamples } from "../core/samples/ordered-samples.ts";
import { openSamples } from "../core/samples/sample-reader.ts";
import type { Filter, ProfileSummary, TimeRange } from "../core/types.ts";
import type { StateColumns } from "../model/chart/sample-columns.ts";
import { type Bands, bandAt, NO_PART, pixelsOf, stayAround, threadBands } from "../model/chart/thread-bands.ts";
import { OPERATION_KEYS } from "../model/lists/request-keys.ts";
import { CONTEXT_RULE_KEY } from "../model/query/attribute.ts";
import { filterKey } from "../model/query/query.ts";
import { THREAD } from "../model/query/root-by.ts";
import { BREAKDOWN } from "../model/span-time/breakdown.ts";
import type { State } from "../model/waits/state-words.ts";
import { hexId } from "../model/words/ids.ts";
import type { StateLane, StateLanes } from "./api/api.ts";
import type { HeldCore } from "./held-core.ts";
import { carriedById } from "./traces/root-points.ts";
import { factsOfSamples } from "./traces/sample-facts.ts";
import { waitsIn } from "./waits.ts";

/** Bands by thread of the last selections: a zoom asks again for the same. */
interface Known {
  stamp: string;
  base: bigint;
  selections: Map<string, Map<number, Bands>>;
  requests: ReturnType<typeof carriedById> | null;
}

const known = new WeakMap<object, Known>();
/** The whole recording, a selection of the lanes, and one of the chart. */
const MOST_SELECTIONS = 3;

function knownOf({ core }: HeldCore): Known {
  const stamp = samplesStamp(core.instance);
  const before = known.get(core);
  if (before?.stamp === stamp) return before;
  const made = { stamp, base: factsOfSamples(core).marks.start, selections: new Map(), requests: null };
  known.set(core, made);
  return made;
}

async function bandsOf(held: HeldCore, filter: Filter, threads: readonly number[]): Promise<Map<number, Bands>> {
  const reader = await openSamples(held);
  const { base, selections } = knownOf(held);
  // A state may begin before a time that is asked about.
  const { time: _, ...always } = filter;
  const key = filterKey(always);
  const bands = selections.get(key) ?? new Map<number, Bands>();
  const missing = new Set(threads.filter((thread) => !bands.has(thread)));
  if (missing.size > 0) {
    const asked = { ...factsOfSamples(held.core), filter: always, threads: missing, base };
    for (const [thread, found] of threadBands(reader, asked)) bands.set(thread, found);
  }
  const [oldest = ""] = selections.keys();
  if (selections.size === MOST_SELECTIONS && !selections.has(key)) selections.delete(oldest);
  selections.set(key, bands);
  return bands;
}

/** The request of a link by its endpoint or operation; "" where that is not known. */
async function requestNames(held: HeldCore): Promise<(link: number) => string> {
  const reader = await openSamples(held);
  const facts = knownOf(held);
  facts.requests ??= carriedById(held, "root", OPERATION_KEYS);
  const { requests } = facts;
  return (link) => {
    const root = reader.idOf(link, 2);
    if (root === 0n) return "";
    const name = requests.get(BigInt.asUintN(64, root))?.find((each) => each !== "");
    return name ?? `request 0x${hexId(root)}`;
  };
}

/** `filter`: the selection; null if that is everything. */
export async function stateLanes(
  held: HeldCore,
  filter: Filter | null,
  threads: readonly number[],
  pixels: number,
  { from, to }: TimeRange,
): Promise<StateLanes> {
  const all = await bandsOf(held, {}, threads);
  const own = filter === null ? all : await bandsOf(held, filter, threads);
  const nameOf = await requestNames(held);
  const { base } = knownOf(held);
  const names = new Numbered("");
  const seen = new Set<number>();
  const lanes = threads.map((thread): StateLane => {
    const inPixels = (of: Map<number, Bands>) => {
      return pixelsOf(of.get(thread) ?? NO_BANDS, Number(from - base), Number(to - base), pixels);
    };
    const { part, density, link } = inPixels(all);
    for (const each of part) if (each !== NO_PART) seen.add(each);
    const chosen = own === all ? part : inPixels(own).part;
    return {
      ...{ thread, part, density },
      request: link.map((each) => (each === 0 ? 0 : names.of(nameOf(each)))),
      own: chosen.map((each) => Number(each !== NO_PART)),
    };
  });
  return { from, to, lanes, names: names.list, parts: BREAKDOWN.filter((_, i) => seen.has(i)) };
}

const NO_BANDS: Bands = {
  from: new Float64Array(),
  to: new Float64Array(),
  part: new Uint8Array(),
  measured: new Uint8Array(),
  link: new Uint32Array(),
  at: new Float64Array(),
};

/** Times around a moment in which a sample is looked for. */
const MOST_SAMPLES = 64;

/** Null where nothing within `reach` ns tells. */
export async function stateThen(
  held: HeldCore,
  profiles: readonly ProfileSummary[],
  thread: number,
  moment: bigint,
  reach: number,
): Promise<State | null> {
  const reader = await openSamples(held);
  const bands = (await bandsOf(held, {}, [thread])).get(thread) ?? NO_BANDS;
  const { base } = knownOf(held);
  const row = bandAt(bands, Number(moment - base), reach);
  if (row < 0) return null;
  const { from, to, rows } = stayAround(bands, row);
  const at = base + BigInt(bands.at[row]!);
  const name = reader.threadName(thread);
  const filter: Filter = {
    time: { from: at, to: at + 1n },
    ...(name !== "" && { attributes: [{ key: THREAD, value: name }] }),
  };
  const isEvent = bands.measured[row] === 1;
  const ask = isEvent ? await waitsIn(held, profiles) : null;
  const length = bands.to[row]! - bands.at[row]!;
  const wait = ask?.(filter).find((each) => each.startUnixNano === at && Number(each.durationNano) >= length - 1);
  return {
    part: BREAKDOWN[bands.part[row]!]!,
    ...{ from: base + BigInt(Math.round(from)), to: base + BigInt(Math.round(to)), samples: isEvent ? 0 : rows },
    request: bands.link[row] === 0 ? "" : (await requestNames(held))(bands.link[row]!),
    wait: wait ?? null,
    stack: await stackAt(),
  };

  async function stackAt(): Promise<string[]> {
    const found = new Set<number>();
    reader.eachOf(new Set(profiles.map(({ id }) => id)), filter, (profile, sample) => {
      if (sample.thread === thread && sample.time === at && sample.link === bands.link[row]) found.add(profile);
    });
    for (const profile of profiles.filter(({ id }) => found.has(id))) {
      const ordered = await orderedSamples(held, profile, filter, { most: MOST_SAMPLES, ruleKey: CONTEXT_RULE_KEY });
      const { stack, offsets, items, names } = ordered;
      const which = stack[0] ?? 0;
      const frames = [...items.subarray(offsets[which], offsets[which + 1])].map((item) => names[item] ?? "");
      if (frames.length > 0) return frames;
    }
    return [];
  }
}

/** The longest are kept. */
const MOST_BANDS = 20_000;

/** The bands of a selection in a time, as columns from `origin` on. */
export async function stateColumns(
  held: HeldCore,
  filter: Filter,
  threads: readonly number[],
  origin: bigint,
): Promise<StateColumns> {
  const bands = await bandsOf(held, filter, threads);
  const zero = Number(origin - knownOf(held).base);
  const found: { thread: number; from: number; to: number; part: number }[] = [];
  for (const thread of threads) {
    const own = bands.get(thread) ?? NO_BANDS;
    for (let row = 0; row < own.from.length; ) {
      const { from, to, rows } = stayAround(own, row);
      const first = Math.max(0, from - zero);
      const last = Math.min(to, filter.time === undefined ? to : Number(filter.time.to - origin) + zero) - zero;
      if (last > first) found.push({ thread, from: first, to: last, part: own.part[row]! });
      row += rows;
    }
  }
  const lengths = Float64Array.from(found, ({ from, to }) => to - from).sort();
  const least = lengths[lengths.length - MOST_BANDS] ?? 0;
  const kept = found.filter(({ from, to }) => to - from >= least);
  return {
    thread: Uint32Array.from(kept, ({ thread }) => thread),
    from: Float64Array.from(kept, ({ from }) => from),
    to: Float64Array.from(kept, ({ to }) => to),
    part: Uint8Array.from(kept, ({ part }) => part),
  };
}
