/** Rule 2 against a plain reading of docs/context.md, on random spans, threads, events, samples and borders. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_LOCKS } from "../../../test/kit/no-locks.ts";
import { type DrawnSpan, drawn, ENTRIES } from "../../../test/kit/span-table.ts";
import type { ContextFacts } from "../../core/samples/contexts.ts";
import { type TraceTree, traceTree } from "../trace/tree.ts";
import { inference } from "./infer.ts";

const MS = 1_000_000;
const SLACK = 200_000;
const UNSURE = 2 * MS;
/** Threads of the recording: two with Java's number, of which one is virtual and shares its name, and one without. */
const THREADS = [
  { javaId: 7, name: "main" },
  { javaId: 90, name: "" },
  { javaId: 0, name: "main" },
];
const TEXTS = ["", "main", "other"];

interface OnThread extends DrawnSpan {
  threadId: number;
  threadName: number;
}

interface Instant {
  thread: number;
  at: number;
  span: bigint;
}

interface World {
  spans: OnThread[];
  events: { thread: number; from: number; to: number }[];
  samples: Instant[];
  borders: Omit<Instant, "span">[];
  /** Spans that are events of the recording. */
  stated: { span: bigint; from: number; to: number }[];
}

// Tenths of a millisecond, so that edges meet and miss each other by less than the slack.
const time = fc.integer({ min: 0, max: 200 }).map((n) => (n * MS) / 10);
const thread = fc.integer({ min: 0, max: THREADS.length - 1 });
const extent = fc.tuple(time, time).map(([from, length]) => ({ from, to: from + length }));
const span = fc
  .record({
    extent,
    parent: fc.bigInt({ min: 0n, max: 6n }),
    trace: fc.constantFrom(1n, 1n, 2n),
    kind: fc.constantFrom("", "", "server"),
    instance: fc.constantFrom("i0", "i0", "i1", "i2"),
    threadId: fc.constantFrom(0, 7, 7, 90),
    threadName: fc.integer({ min: 0, max: TEXTS.length - 1 }),
  })
  .map(({ extent: { from, to }, ...rest }) => ({ ...rest, id: 0n, start: BigInt(from), end: BigInt(to) }));
const world: fc.Arbitrary<World> = fc.record({
  spans: fc
    .array(span, { minLength: 1, maxLength: 6 })
    .map((spans) => spans.map((each, i) => ({ ...each, id: BigInt(i + 1) }))),
  events: fc.array(fc.record({ thread, extent }), { maxLength: 5 }).map((list) => {
    return list.map((each) => ({ thread: each.thread, ...each.extent }));
  }),
  samples: fc
    .tuple(
      fc.boolean(),
      fc.array(fc.record({ thread, at: time, span: fc.bigInt({ min: 0n, max: 6n }) }), { maxLength: 8 }),
    )
    .map(([isSampled, list]) => (isSampled ? list : [])),
  borders: fc.array(fc.record({ thread, at: time }), { maxLength: 2 }),
  stated: fc
    .array(fc.record({ span: fc.bigInt({ min: 1n, max: 6n }), extent }), { maxLength: 2 })
    .map((list) => list.map((each) => ({ span: each.span, ...each.extent }))),
});

function factsOf({ events, samples, borders, stated }: World): ContextFacts {
  const none = new Float64Array(0);
  return {
    base: 0n,
    threads: {
      count: THREADS.length,
      javaId: Float64Array.from(THREADS, ({ javaId }) => javaId),
      row: new Uint32Array(THREADS.length),
      name: (row) => THREADS[row]?.name ?? "",
    },
    events: {
      count: events.length,
      thread: Uint32Array.from(events, (each) => each.thread),
      start: Float64Array.from(events, ({ from }) => from),
      end: Float64Array.from(events, ({ to }) => to),
      stack: new Uint32Array(events.length),
      name: Uint32Array.from(events, (each) => each.thread),
    },
    samples: {
      count: samples.length,
      thread: Uint32Array.from(samples, (each) => each.thread),
      time: Float64Array.from(samples, ({ at }) => at),
      stack: new Uint32Array(samples.length),
      span: BigUint64Array.from(samples, (each) => each.span),
      // No root: what rule 2 leaves open stays open.
      root: new BigUint64Array(samples.length),
    },
    borders: {
      count: borders.length,
      thread: Uint32Array.from(borders, (each) => each.thread),
      time: Float64Array.from(borders, ({ at }) => at),
    },
    scopes: {
      ...{ count: 0, thread: new Uint32Array(0), start: none, end: none, span: none64(), root: none64() },
      ...{ traceHigh: none64(), traceLow: none64() },
    },
    spans: {
      count: stated.length,
      span: BigUint64Array.from(stated, (each) => each.span),
      start: Float64Array.from(stated, ({ from }) => from),
      end: Float64Array.from(stated, ({ to }) => to),
    },
    fields: null,
    ...NO_LOCKS,
    stacks: { find: () => false, text: () => "" } as unknown as ContextFacts["stacks"],
  };
}

const none64 = () => new BigUint64Array(0);

function treeOf(spans: readonly OnThread[]) {
  const columns = {
    ...drawn(spans),
    threadId: BigInt64Array.from(spans, ({ threadId }) => BigInt(threadId)),
    threadName: Uint32Array.from(spans, ({ threadName }) => threadName),
  };
  return { columns, tree: traceTree(columns, Uint32Array.from(spans.keys()), ENTRIES) };
}

/** A span on the clock of the recording, with its place in the tree. */
interface Placed {
  place: number;
  id: bigint;
  instance: number;
  from: number;
  to: number;
  threadId: number;
  threadName: number;
}

function placedSpans({ spans }: World, tree: TraceTree, offset: number): Placed[] {
  return Array.from(tree.row, (row, place) => ({
    place,
    id: tree.id[place]!,
    instance: tree.instance[place]!,
    from: Number(tree.start[place]!) + offset,
    to: Number(tree.end[place]!) + offset,
    threadId: spans[row]!.threadId,
    threadName: spans[row]!.threadName,
  }));
}

/** Times that a span must contain: of its samples, and of its events from their start to their end. */
const timesOf = ({ samples, stated }: World) => [
  ...samples,
  ...stated.flatMap(({ span: id, from, to }) => [from, to].map((at) => ({ span: id, at }))),
];

/** The offset at which the most spans contain their times: of several the nearest to 0. Null without any. */
function offsetOf(given: World): number | null {
  const slack = SLACK / 2;
  const ranges = given.spans.flatMap(({ id, start, end }) => {
    const own = timesOf(given)
      .filter((each) => each.span === id)
      .map(({ at }) => at);
    const [first, last] = [Math.min(...own), Math.max(...own)];
    if (own.length === 0 || last - first > Number(end - start) + 2 * slack) return [];
    return [{ low: last - Number(end) - slack, high: first - Number(start) + slack }];
  });
  if (ranges.length === 0) return null;
  const agree = (offset: number) => ranges.filter(({ low, high }) => low <= offset && offset <= high).length;
  const most = Math.max(...ranges.map(({ low }) => agree(low)));
  const stretches = ranges
    .filter(({ low }) => agree(low) === most)
    .map(({ low }) => ({ low, high: Math.min(...ranges.filter((each) => each.high >= low).map(({ high }) => high)) }));
  const distance = ({ low, high }: { low: number; high: number }) =>
    low <= 0 && high >= 0 ? 0 : Math.min(Math.abs(low), Math.abs(high));
  stretches.sort((a, b) => distance(a) - distance(b) || a.low - b.low);
  const { low, high } = stretches[0]!;
  return low <= 0 && high >= 0 ? 0 : Math.floor((low + high) / 2);
}

/** The id of the span of each event, 0n without one. */
function plainly(given: World, tree: TraceTree): bigint[] {
  const offset = offsetOf(given);
  const all = placedSpans(given, tree, offset ?? 0);
  const sampled = new Set(timesOf(given).map((each) => each.span));
  const evident = all.filter(({ id }) => sampled.has(id));
  const home = new Set(evident.map(({ instance }) => instance).filter((instance) => instance !== 0));
  const isOneProcess = new Set(all.map(({ instance }) => instance)).size === 1;
  const own = all.filter(({ instance }) => {
    if (evident.length === 0) return isOneProcess;
    return home.size === 0 || instance === 0 || home.has(instance);
  });
  return given.events.map((event) => {
    const { javaId, name } = THREADS[event.thread]!;
    const byId = own.filter(({ threadId }) => threadId !== 0 && threadId === javaId);
    const byName = own.filter(({ threadId, threadName }) => {
      return threadId === 0 && threadName !== 0 && TEXTS[threadName] === name;
    });
    const reach = offset === null ? UNSURE : 0;
    const near = ({ from, to }: Placed) => from <= event.to + reach && to >= event.from - reach;
    if (byId.length > 0 && byName.some(near)) return 0n;
    const spans = byId.length > 0 ? byId : byName;
    return claimed(event, spans, spans.filter(near), offset === null, given, tree);
  });
}

const isAbove = (tree: TraceTree, upper: Placed, lower: Placed) =>
  upper.place <= lower.place && lower.place < upper.place + tree.size[upper.place]!;

function claimed(
  event: World["events"][number],
  spans: Placed[],
  near: Placed[],
  isUntimed: boolean,
  { samples }: World,
  tree: TraceTree,
): bigint {
  const slack = isUntimed ? -UNSURE : SLACK;
  const isInside = near.every(({ from, to }) => from - slack <= event.from && event.to <= to + slack);
  const ordered = inOrder(near);
  const isChain = ordered.every((each, i) => i === 0 || isAbove(tree, ordered[i - 1]!, each));
  const innermost = ordered.at(-1);
  if (innermost === undefined || !isInside || !isChain) return 0n;
  const edges = spans.flatMap(({ from, to }) => [from, to]);
  const low = Math.max(...edges.filter((edge) => edge <= event.from + SLACK)) + SLACK;
  const high = Math.min(...edges.filter((edge) => edge >= event.to - SLACK)) - SLACK;
  const ofThread = samples.filter((each) => each.thread === event.thread);
  const before = Math.max(...ofThread.filter(({ at }) => at <= event.from).map(({ at }) => at));
  const after = Math.min(...ofThread.filter(({ at }) => at >= event.to).map(({ at }) => at));
  const said = ofThread.filter(({ at }) => {
    return at >= Math.min(before, event.from) && at <= Math.max(after, event.to) && at > low && at < high;
  });
  if (said.some((each) => each.span !== innermost.id)) return 0n;
  return said.length > 0 || !takesTurns(spans, tree) ? innermost.id : 0n;
}

/** Whether a span of a thread begins inside another one that is not above it. */
function takesTurns(spans: Placed[], tree: TraceTree): boolean {
  const ordered = inOrder(spans);
  return ordered.some((one, i) =>
    ordered.slice(i + 1).some((other) => other.from < one.to && !isAbove(tree, one, other)),
  );
}

const inOrder = (spans: Placed[]) => spans.toSorted((a, b) => a.from - b.from || b.to - a.to || a.place - b.place);

/** Two samples of one thread and time, one of them without a span. */
const TWO_AT_ONE_TIME: World = {
  spans: [
    { parent: 0n, trace: 1n, kind: "", instance: "i0", threadId: 0, threadName: 0, id: 1n, start: 0n, end: 0n },
    {
      parent: 0n,
      trace: 1n,
      kind: "",
      instance: "i0",
      threadId: 90,
      threadName: 0,
      id: 2n,
      start: 700000n,
      end: 1200000n,
    },
  ],
  events: [{ thread: 1, from: 500000, to: 600000 }],
  samples: [
    { thread: 1, at: 500000, span: 0n },
    { thread: 1, at: 500000, span: 2n },
  ],
  borders: [],
  stated: [],
};

describe("the rule", () => {
  it("answers as its description does", () => {
    let claims = 0;
    fc.assert(
      fc.property(world, (given) => {
        const { columns, tree } = treeOf(given.spans);
        const source = { tree, columns, entries: ENTRIES, text: (index: number) => TEXTS[index] ?? "" };
        const { count, event, span: claimedSpan } = inference(source)(factsOf(given));
        const found = given.events.map(() => 0n);
        for (let i = 0; i < count; i++) found[event[i]!] = claimedSpan[i]!;
        claims += count;
        expect(found).toEqual(plainly(given, tree));
      }),
      { numRuns: 3000, examples: [[TWO_AT_ONE_TIME]] },
    );
    expect(claims).toBeGreaterThan(50);
  });
});
