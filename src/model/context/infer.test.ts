/** The rules against a plain reading of docs/context.md, on random events, samples, borders and scopes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_LOCKS } from "../../../test/kit/no-locks.ts";
import type { ContextFacts } from "../../core/samples/contexts.ts";
import { inference } from "./infer.ts";
import { Intervals } from "./intervals.ts";

const MS = 1_000_000;
const SLACK = 200_000;
/** Stacks by number: methods of the application and the JDK, leaf first; the last one waits for a task. */
const STACKS = [
  ["java.lang.Thread.sleep", "app.A.run"],
  ["app.B.run", "app.A.run"],
  ["java.lang.Thread.sleep"],
  ["java.util.concurrent.ThreadPoolExecutor.getTask"],
];
const NAMES = [...new Set(STACKS.flat())];

interface Row {
  thread: number;
  from: number;
  to: number;
  stack: number;
  span: number;
  root: number;
}

interface World {
  events: Row[];
  samples: Row[];
  borders: Row[];
  scopes: Row[];
}

// Tenths of a millisecond, so that edges meet and miss each other by less than the slack.
const time = fc.integer({ min: 0, max: 120 }).map((n) => (n * MS) / 10);
const row = fc
  .record({
    thread: fc.integer({ min: 0, max: 1 }),
    from: time,
    length: time,
    stack: fc.integer({ min: 0, max: STACKS.length - 1 }),
    span: fc.integer({ min: 0, max: 3 }),
    root: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ length, ...rest }): Row => ({ ...rest, to: rest.from + length }));
const instant = row.map((each): Row => ({ ...each, to: each.from }));
const rows = (most: number) => fc.array(row, { maxLength: most });
const instants = (most: number) => fc.array(instant, { maxLength: most });
const world = fc.oneof(
  fc.record({ events: rows(6), samples: instants(12), borders: instants(2), scopes: fc.constant([] as Row[]) }),
  fc.record({ events: rows(6), samples: instants(4), borders: instants(1), scopes: rows(8) }),
);

function factsOf({ events, samples, borders, scopes }: World): ContextFacts {
  const words = (list: Row[], field: keyof Row) => Uint32Array.from(list, (each) => each[field]);
  const times = (list: Row[], field: "from" | "to") => Float64Array.from(list, (each) => each[field]);
  const ids = (list: Row[], field: "span" | "root") => BigUint64Array.from(list, (each) => BigInt(each[field]));
  const stacks = {
    find: (stack: number, visit: (name: number, isJava: boolean) => boolean) =>
      (STACKS[stack] ?? []).some((name) => visit(NAMES.indexOf(name) + 1, true)),
    text: (name: number) => NAMES[name - 1] ?? "",
  };
  return {
    base: 0n,
    threads: { count: 2, row: new Uint32Array(2), javaId: new Float64Array(2), name: () => "" },
    events: {
      count: events.length,
      thread: words(events, "thread"),
      start: times(events, "from"),
      end: times(events, "to"),
      stack: words(events, "stack"),
      name: words(events, "thread"),
    },
    samples: {
      count: samples.length,
      thread: words(samples, "thread"),
      time: times(samples, "from"),
      stack: words(samples, "stack"),
      span: ids(samples, "span"),
      root: ids(samples, "root"),
    },
    borders: { count: borders.length, thread: words(borders, "thread"), time: times(borders, "from") },
    scopes: {
      count: scopes.length,
      thread: words(scopes, "thread"),
      start: times(scopes, "from"),
      end: times(scopes, "to"),
      span: ids(scopes, "span"),
      root: ids(scopes, "root"),
      traceHigh: new BigUint64Array(scopes.length),
      traceLow: new BigUint64Array(scopes.length),
    },
    fields: null,
    ...NO_LOCKS,
    stacks: stacks as unknown as ContextFacts["stacks"],
  };
}

type Claim = [span: number, root: number] | null;

/** The answer for one event, by the words of the rules. */
function plainly(event: Row, { samples, borders, scopes }: World): Claim {
  if (event.stack === 3) return null;
  const own = scopes.filter(({ thread }) => thread === event.thread);
  if (own.length > 0) return byScope(event, own);
  const entries = [
    ...borders.map((each) => ({ ...each, isBorder: true })),
    ...samples.map((each) => ({ ...each, isBorder: false })),
  ].filter(({ thread }) => thread === event.thread);
  entries.sort((a, b) => a.from - b.from || Number(b.isBorder) - Number(a.isBorder));
  const last = entries.findLastIndex(({ from }) => from <= event.from);
  const next = entries.findIndex(({ from }) => from >= event.to);
  if (last < 0 || next < 0) return null;
  const [one, other] = [entries[last]!, entries[next]!];
  // Samples of one time have no order.
  const isBeside = ({ from, isBorder }: (typeof entries)[number]) =>
    from === other.from || (from === one.from && !isBorder);
  const between = entries.filter((each, i) => {
    return (i >= Math.min(last, next) && i <= Math.max(last, next)) || isBeside(each);
  });
  if (between.some(({ isBorder, root }) => isBorder || root !== one.root) || one.root === 0) return null;
  const isOne = one.span !== 0 && between.every(({ span }) => span === one.span);
  const code = STACKS[event.stack]?.find((name) => !name.startsWith("java."));
  const isShared = code !== undefined && [one, other].some(({ stack }) => STACKS[stack]?.includes(code));
  return [isOne && isShared ? one.span : 0, one.root];
}

function byScope({ from, to }: Row, scopes: Row[]): Claim {
  const touching = scopes.filter((scope) => scope.from <= to && scope.to >= from);
  const cuts = touching.some((scope) => scope.from - SLACK > from || to > scope.to + SLACK);
  if (cuts || new Set(touching.map(({ root }) => root)).size > 1) return null;
  // Of equal extents the one that was read last is the innermost.
  const innermost = touching.toSorted((a, b) => a.from - b.from || b.to - a.to).at(-1);
  if (innermost === undefined || innermost.span === 0) return null;
  const isCrossed = scopes.some((one) => outlives(one, innermost) || outlives(backwards(one), backwards(innermost)));
  return isCrossed ? null : [innermost.span, innermost.root];
}

/** Whether `one` starts inside `other` and ends after it. */
function outlives(one: Pick<Row, "from" | "to">, other: Pick<Row, "from" | "to">): boolean {
  const isInside = one.from >= other.from + SLACK && one.from < other.to - SLACK;
  return isInside && one.to >= other.to + SLACK;
}

const backwards = ({ from, to }: Row) => ({ from: -to, to: -from });

describe("the rules", () => {
  it("answer as their description does", () => {
    fc.assert(
      fc.property(world, (each) => {
        const { count, event, span, root } = inference()(factsOf(each));
        const found = new Map<number, Claim>();
        for (let i = 0; i < count; i++) found.set(event[i]!, [Number(span[i]), Number(root[i])]);
        expect(each.events.map((_, i) => found.get(i) ?? null)).toEqual(each.events.map((one) => plainly(one, each)));
      }),
      { numRuns: 3000 },
    );
  });
});

describe("intervals", () => {
  it("finds the last one that touches a stretch", () => {
    const interval = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }));
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 20 }), interval, (list, [from, length]) => {
        const sorted = list.map(([start, size]) => ({ start, end: start + size }));
        sorted.sort((a, b) => a.start - b.start || b.end - a.end);
        const intervals = new Intervals(
          Float64Array.from(sorted, ({ start }) => start),
          Float64Array.from(sorted, ({ end }) => end),
        );
        const touches = ({ start, end }: { start: number; end: number }) => start <= from + length && end >= from;
        expect(intervals.last(from, from + length)).toBe(sorted.findLastIndex(touches));
        for (let limit = 0; limit <= sorted.length; limit++) {
          expect(intervals.before(limit, from)).toBe(sorted.slice(0, limit).findLastIndex(({ end }) => end >= from));
        }
      }),
    );
  });

  it("answers for many scopes around many events in time that does not multiply", () => {
    const count = 20_000;
    const outer: Row = { thread: 0, from: 0, to: count * MS, stack: 0, span: 1, root: 1 };
    const inner = Array.from({ length: count }, (_, i) => ({ ...outer, from: i * MS, to: (i + 0.5) * MS, span: 2 }));
    const events = Array.from({ length: count }, (_, i) => ({ ...outer, from: (i + 0.7) * MS, to: (i + 0.8) * MS }));
    const facts = factsOf({ events, samples: [], borders: [], scopes: [outer, ...inner] });
    const claims = inference()(facts);
    expect(claims.count).toBe(count);
    expect(claims.span.subarray(0, claims.count).every((span) => span === 1n)).toBe(true);
  });
});
