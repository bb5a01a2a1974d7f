/** The views against a model that is too plain to be wrong: lists of samples, filtered and added up. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Question as Filter,
  type Link,
  type RankedRow,
  type Value,
  ViewCore,
} from "../../kit/core/view-harness.ts";

interface Sample {
  event: number;
  stack: string[];
  link: number;
  thread: number;
  set: number[];
  time: bigint;
  value: number;
}

interface Question extends Filter {
  profile: number;
  attributes: [string, ...string[]][];
  notAttributes: [string, string][];
}

const HIGH = 0x8000_0000_0000_0000n;
const NAMES = ["a", "b", "c", "d"];
const EVENTS = [
  { name: "cpu.event", profile: 0, type: "cpu" },
  { name: "lock.enter", profile: 1, type: "lock" },
  { name: "lock.wait", profile: 1, type: "lock" },
];
const LINKS: Link[] = [
  { root: 0n, span: 0n },
  { root: 1n, span: 2n },
  { root: 1n, span: HIGH + 2n },
  { root: 1n, span: 2n, high: 9n },
  { root: HIGH + 1n, span: 2n },
  { root: HIGH + 1n, span: 0xffff_ffff_ffff_ffffn },
  { root: 3n, span: 0n },
  { root: 0n, span: 4n },
];
const traceOf = ({ high = 0n, root }: Link) => (high << 64n) | root;
const THREADS: [string, bigint][] = [
  ["main", 1n],
  ["pool", 2n],
  ["pool", 3n],
];
const ATTRIBUTES: [string, Value][] = [
  ["op", "GET"],
  ["op", "5"],
  ["op", 5n],
  ["n", -0x8000_0000_0000_0000n],
  ["n", 0x7fff_ffff_ffff_ffffn],
  ["ok", true],
  ["ok", false],
  ["op", ""],
  ["d", { double: 5 }],
  ["d", { double: 2.5 }],
  ["thread.name", "pool"],
  ["jfr.event", "cpu.event"],
];

const sample = (value: fc.Arbitrary<number>): fc.Arbitrary<Sample> =>
  fc.record({
    event: fc.nat(EVENTS.length - 1),
    stack: fc.array(fc.constantFrom(...NAMES), { maxLength: 7 }),
    link: fc.nat(LINKS.length - 1),
    thread: fc.nat(THREADS.length),
    set: fc.uniqueArray(fc.nat(ATTRIBUTES.length - 1), { maxLength: 3 }),
    time: fc.bigInt({ min: 0n, max: 12n }).map((t) => HIGH - 6n + t),
    value,
  });
const sound = fc.array(sample(fc.nat(20)), { maxLength: 60 });
const damaged = fc.array(sample(fc.integer({ min: -20, max: 20 })), { maxLength: 60 });

const key = fc.constantFrom("op", "n", "ok", "d", "thread.name", "thread.id", "jfr.event", "profile.type", "nobody");
const value = fc.constantFrom(
  "GET",
  "5",
  "",
  "true",
  "false",
  "pool",
  "main",
  "2",
  "cpu.event",
  "lock",
  String(-HIGH),
  "05",
  "2.5",
);
/** Mostly left out: with every part given hardly a sample is left. */
const maybe = <T>(part: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 4 }, { arbitrary: part, weight: 1 });
const anyOf = <T>(one: fc.Arbitrary<T>) => maybe(fc.array(one, { maxLength: 3 }));
const spanId = fc.constantFrom(2n, HIGH + 2n, 0xffff_ffff_ffff_ffffn, 4n, 77n);
const name = fc.constantFrom(...NAMES, "nobody");
const moment = fc.bigInt({ min: HIGH - 8n, max: HIGH + 8n });
const question: fc.Arbitrary<Question> = fc.record({
  profile: fc.integer({ min: -1, max: 2 }),
  span: anyOf(spanId),
  root: anyOf(fc.constantFrom(1n, HIGH + 1n, 3n, 77n)),
  noSpan: fc.oneof({ arbitrary: fc.constant(false), weight: 4 }, { arbitrary: fc.constant(true), weight: 1 }),
  notSpan: maybe(spanId),
  attributes: fc.array(
    fc.tuple(key, fc.array(value, { minLength: 1, maxLength: 2 })).map(([k, v]): [string, ...string[]] => [k, ...v]),
    { maxLength: 3, size: "xsmall" },
  ),
  notAttributes: fc.array(fc.tuple(key, value), { maxLength: 1 }),
  frames: anyOf(name),
  notFrames: maybe(fc.array(name, { maxLength: 2 })),
  time: maybe(fc.tuple(moment, moment)),
});

const textOf = (v: Value): string => {
  if (typeof v !== "object") return String(v);
  return Number.isInteger(v.double) ? String(v.double) : "\0 no text";
};

/** Every value of a sample for a key, with its label in the ranking; the first one ranks. */
function carried(s: Sample, key: string, at: number[]): { text: string; label: string }[] {
  const own = [...s.set]
    .sort((a, b) => (at[a] as number) - (at[b] as number))
    .filter((a) => ATTRIBUTES[a]?.[0] === key)
    .map((a) => ({ text: textOf((ATTRIBUTES[a] as [string, Value])[1]), label: `attribute ${at[a]}` }));
  const thread = THREADS[s.thread - 1];
  if (thread !== undefined && key === "thread.name") own.push({ text: thread[0], label: `name ${thread[0]}` });
  if (thread !== undefined && key === "thread.id") own.push({ text: String(thread[1]), label: `id ${thread[1]}` });
  const event = EVENTS[s.event];
  if (key === "jfr.event") own.push({ text: event?.name ?? "", label: `text ${event?.name}` });
  if (key === "profile.type") own.push({ text: event?.type ?? "", label: `text ${event?.type}` });
  return own;
}

const filtered = (samples: Sample[], q: Question): Sample[] =>
  samples.filter((s) => {
    const link = LINKS[s.link] as Link;
    const carries = (k: string, values: string[]) => carried(s, k, []).some((c) => values.includes(c.text));
    const calls = (names: string[]) => s.stack.some((frame) => names.includes(frame));
    return (
      (q.profile < 0 || EVENTS[s.event]?.profile === q.profile) &&
      [q.span ?? link.span].flat().includes(link.span) &&
      (q.span === undefined || link.span !== 0n) &&
      [q.root ?? link.root].flat().includes(link.root) &&
      (q.root === undefined || link.root !== 0n) &&
      (!q.noSpan || (link.span === 0n && traceOf(link) === 0n)) &&
      (q.notSpan === undefined || link.span !== q.notSpan) &&
      q.attributes.every(([k, ...values]) => carries(k, values)) &&
      !q.notAttributes.some(([k, v]) => carries(k, [v])) &&
      (q.frames === undefined || calls(q.frames)) &&
      (q.notFrames === undefined || !calls(q.notFrames)) &&
      (q.time === undefined || (s.time >= q.time[0] && s.time < q.time[1]))
    );
  });

const sum = (samples: Sample[]): bigint => samples.reduce((v, s) => v + BigInt(s.value), 0n);

let core: ViewCore;
/** Index in the store of each of ATTRIBUTES. */
let attributeAt: number[] = [];

function fill(samples: Sample[]): void {
  core.reset();
  const cpu = core.profile("cpu", "cpu.event");
  const lock = core.profile("lock", "lock.enter", "lock.wait");
  const events = [...cpu, ...lock];
  attributeAt = ATTRIBUTES.map(([key, value]) => core.attribute(key, value));
  for (const s of samples) {
    const thread = THREADS[s.thread - 1];
    core.observe({
      event: events[s.event] as number,
      stack: core.stack(s.stack),
      link: core.link(LINKS[s.link] as Link),
      thread: thread === undefined ? 0 : core.thread(...thread),
      set: core.set(s.set.map((a) => attributeAt[a] as number)),
      time: s.time,
      value: BigInt(s.value),
    });
  }
}

const ask = ({ profile, ...filter }: Question) => core.select(profile, filter);

beforeAll(async () => {
  core = await ViewCore.create();
}, 60_000);

test("every part of a filter must hold, one of its alternatives is enough", () => {
  fc.assert(
    fc.property(sound, fc.array(question, { minLength: 1, maxLength: 4 }), (samples, questions) => {
      fill(samples);
      for (const q of questions) {
        const want = filtered(samples, q);
        expect(ask(q)).toEqual({ samples: want.length, value: sum(want) });
      }
    }),
    { numRuns: 300 },
  );
});

test("the tree has every prefix once, and its weights are the plain sums", () => {
  fc.assert(
    fc.property(damaged, question, (samples, q) => {
      fill(samples);
      ask(q);
      const want = filtered(samples, q);
      const tree = core.tree();
      const paths: string[] = [];
      tree.forEach((node, i) => {
        if (i > 0) expect(node.parent).toBeLessThan(i);
        const path = i === 0 ? "" : `${paths[node.parent]}${node.name}`;
        paths.push(path);
        expect(node.depth).toBe(path.length);
        expect(node.again === 1).toBe(path.length > 0 && path.slice(0, -1).includes(node.name));
        const ends = want.filter((s) => s.stack.join("") === path);
        const passes = want.filter((s) => s.stack.join("").startsWith(path));
        expect([path, node.self, node.total]).toEqual([path, sum(ends), sum(passes)]);
      });
      const prefixes = new Set(samples.flatMap((s) => s.stack.map((_, i) => s.stack.slice(0, i + 1).join(""))));
      expect(new Set(paths)).toEqual(new Set(["", ...prefixes]));
      expect(paths).toHaveLength(prefixes.size + 1);
    }),
    { numRuns: 200 },
  );
});

describe("frames", () => {
  /** What holds for any weights. */
  function check(focus: number, width: number) {
    const tree = core.tree();
    const frames = core.frames(focus, width);
    const { rows } = frames;
    expect(rows[0]).toMatchObject({ node: focus, parent: 0 });
    rows.forEach((row, i) => {
      const node = tree[row.node];
      if (i > 0) {
        expect(row.parent).toBeLessThan(i);
        expect(rows[row.parent]?.node).toBe(node?.parent);
      }
      expect([row.name, row.self, row.total]).toEqual([node?.name, Number(node?.self), Number(node?.total)]);
      const children = rows.filter((r, j) => j > 0 && r.parent === i);
      expect(row.total).toBe(row.self + row.hiddenValue + children.reduce((v, r) => v + r.total, 0));
    });
    const below = tree.map((_, i) => {
      let node = i;
      while (node > focus) node = tree[node]?.parent ?? 0;
      return node === focus;
    });
    const weighted = tree.filter((node, i) => i !== focus && below[i] && node.total !== 0n);
    expect(frames.framesInFocus).toBe(1 + weighted.length);
    expect(frames.framesInFocus).toBe(rows.length + frames.hiddenFrames);
    expect(frames.hiddenFrames).toBe(rows.reduce((n, r) => n + r.hiddenFrames, 0));
    expect(frames.hiddenValue).toBe(rows.reduce((n, r) => n + r.hiddenValue, 0));
    expect(frames.selectionTotal).toBe(Number(tree[0]?.total));
    const path: number[] = [];
    for (let node = focus; node !== 0; ) {
      node = tree[node]?.parent ?? 0;
      path.unshift(node);
    }
    expect(frames.path.map((p) => [p.node, p.name, p.total])).toEqual(
      path.map((node) => [node, tree[node]?.name, Number(tree[node]?.total)]),
    );
    return { frames, tree, below };
  }

  const request = fc.record({ focus: fc.nat(40), width: fc.constantFrom(1, 5, 20, 1000) });

  test("are all of at least half a pixel", () => {
    fc.assert(
      fc.property(sound, question, request, (samples, q, r) => {
        fill(samples);
        ask(q);
        const focus = r.focus % core.call("tree");
        const { frames, tree, below } = check(focus, r.width);
        const cut = Math.max(1, Number(tree[focus]?.total) / r.width / 2);
        const want = tree
          .map((node, i) => ({ i, total: Number(node.total) }))
          .filter(({ i, total }) => i !== focus && below[i] && total >= cut)
          .map(({ i }) => i);
        expect(frames.rows.map((row) => row.node)).toEqual([focus, ...want]);
      }),
      { numRuns: 300 },
    );
  });

  test("hold together with weights below zero", () => {
    fc.assert(
      fc.property(damaged, question, request, (samples, q, r) => {
        fill(samples);
        ask(q);
        const { frames } = check(r.focus % core.call("tree"), r.width);
        for (const row of frames.rows.slice(1)) expect(row.total).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });
});

test("top adds up by name", () => {
  fc.assert(
    fc.property(damaged, question, fc.boolean(), (samples, q, byTotal) => {
      fill(samples);
      ask(q);
      const want = filtered(samples, q);
      const rows = NAMES.map((name) => ({
        name,
        self: sum(want.filter((s) => s.stack.at(-1) === name)),
        total: sum(want.filter((s) => s.stack.includes(name))),
      })).filter((row) => row.self !== 0n || row.total !== 0n);
      const got = core.top(byTotal);
      expect(new Set(got)).toEqual(new Set(rows));
      const order = got.map((row) => {
        const sums = [-row.self, -row.total];
        return [...(byTotal ? sums.reverse() : sums), BigInt(core.string(row.name))];
      });
      expect(order).toEqual([...order].sort(compare));
    }),
    { numRuns: 200 },
  );
});

/** Lexicographic. */
function compare(a: bigint[], b: bigint[]): number {
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return (a[i] as bigint) < (b[i] as bigint) ? -1 : 1;
  }
  return 0;
}

test("rankings add up by id, heaviest first, equals by unsigned id", () => {
  fc.assert(
    fc.property(damaged, question, (samples, q) => {
      fill(samples);
      ask(q);
      const want = filtered(samples, q);
      for (const [kind, id] of [
        [0, (s: Sample) => traceOf(LINKS[s.link] as Link)],
        [1, (s: Sample) => (LINKS[s.link] as Link).span],
      ] as const) {
        const rows = [...new Set(want.map(id))]
          .filter((i) => i !== 0n)
          .map((i) => ({ i, of: want.filter((s) => id(s) === i) }))
          .map(({ i, of }) => [-sum(of), BigInt(-of.length), i])
          .sort(compare);
        expect(core.rank(kind).map((r) => [-r.value, BigInt(-r.samples), r.id])).toEqual(rows);
        expect(core.rank(kind)).toEqual(core.rank(kind));
      }
      for (const row of core.rank(1)) {
        const roots = LINKS.filter((l) => l.span === row.id).map(traceOf);
        expect(roots).toContain(row.root);
      }
    }),
    { numRuns: 200 },
  );
});

/** What each order of assembly/view/rank.ts compares by, smaller first. Rows without a time do not come up here. */
const ORDERS: ((row: RankedRow) => bigint[])[] = [
  (r) => [-r.value, BigInt(-r.samples)],
  (r) => [BigInt(-r.samples), -r.value],
  () => [],
  (r) => [r.first],
  (r) => [r.first - r.last],
];

test("rankings stand in the order asked for, equals by id, and give their times and any page", () => {
  fc.assert(
    fc.property(damaged, question, fc.nat(ORDERS.length - 1), fc.nat(4), fc.nat(4), (samples, q, by, offset, limit) => {
      fill(samples);
      ask(q);
      const rows = core.rank(0, "", by);
      const keys = rows.map((row) => [...(ORDERS[by] as (typeof ORDERS)[0])(row), row.id]);
      expect(keys).toEqual([...keys].sort(compare));
      for (const { id, first, last } of rows) {
        const own = filtered(samples, q).filter((s) => traceOf(LINKS[s.link] as Link) === id);
        const times = own.map(({ time }) => time).sort((a, b) => compare([a], [b]));
        expect([first, last]).toEqual([times[0], times.at(-1)]);
      }
      expect(core.rank(0, "", by, undefined, [offset, limit])).toEqual(rows.slice(offset, offset + limit));
    }),
    { numRuns: 300 },
  );
});

test("a ranking leaves out what the host has no key for, and stands in the order of its keys", () => {
  fc.assert(
    fc.property(damaged, fc.array(fc.nat(9), { minLength: 8, maxLength: 8 }), (samples, keys) => {
      fill(samples);
      core.select(-1);
      const keyOf = (id: bigint) => keys[Number(id % 8n)] ?? 0;
      const all = core.rank(0);
      const kept = all.filter(({ id }) => keyOf(id) !== 0);
      expect(core.rank(0, "", 0, keyOf)).toEqual(kept);
      const byKey = core.rank(0, "", 2, keyOf).map(({ id }) => [BigInt(keyOf(id)), id]);
      expect(byKey).toEqual(kept.map(({ id }) => [BigInt(keyOf(id)), id]).sort(compare));
      // Nothing of it is left for the next question.
      expect(core.rank(0)).toEqual(all);
    }),
    { numRuns: 200 },
  );
});

test("the root beside a span is that of its heaviest sample", () => {
  fc.assert(
    fc.property(damaged, (samples) => {
      fill(samples);
      core.select(-1);
      // A sample is an identity: observations that agree in everything but the value are one.
      const identities = new Map<string, { link: Link; value: number }>();
      for (const s of samples) {
        const key = JSON.stringify({ ...s, set: [...s.set].sort(), time: 0, value: 0 });
        const sample = identities.get(key) ?? { link: LINKS[s.link] as Link, value: 0 };
        sample.value += s.value;
        identities.set(key, sample);
      }
      for (const row of core.rank(1)) {
        const own = [...identities.values()].filter((s) => s.link.span === row.id);
        const most = Math.max(...own.map((s) => s.value));
        const heaviest = own.find((s) => s.value === most);
        expect(row.root).toBe(heaviest && traceOf(heaviest.link));
      }
    }),
    { numRuns: 200 },
  );
});

test("attribute rankings add up by value", () => {
  fc.assert(
    fc.property(damaged, question, key, (samples, q, by) => {
      fill(samples);
      ask(q);
      // Attributes of threads are in the store once a thread was made; interning again only finds them.
      const label = (s: Sample): string | undefined => {
        const first = carried(s, by, attributeAt)[0]?.label;
        if (first?.startsWith("name ")) return `attribute ${core.attribute("thread.name", first.slice(5))}`;
        if (first?.startsWith("id ")) return `attribute ${core.attribute("thread.id", BigInt(first.slice(3)))}`;
        return first;
      };
      const groups = new Map<string, Sample[]>();
      for (const s of filtered(samples, q)) {
        const l = label(s);
        if (l !== undefined) groups.set(l, [...(groups.get(l) ?? []), s]);
      }
      const got = core.rank(2, by);
      expect(new Map(got.map((r) => [r.label, [r.value, r.samples]]))).toEqual(
        new Map([...groups].map(([l, of]) => [l, [sum(of), of.length]])),
      );
      const order = got.map((r) => [-r.value, BigInt(-r.samples)]);
      expect(order).toEqual([...order].sort(compare));
    }),
    { numRuns: 300 },
  );
});

describe("sorting", () => {
  const number = fc.oneof(fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn }), fc.bigInt({ min: 0n, max: 300n }));

  test("records by unsigned key, stable", () => {
    fc.assert(
      fc.property(fc.array(number, { maxLength: 500 }), (keys) => {
        const at = core.call("scratch");
        keys.forEach((k, i) => {
          core.view().setBigUint64(at + i * 16, k, true);
          core.view().setUint32(at + i * 16 + 8, i, true);
        });
        core.call("sortScratch", keys.length);
        const got = keys.map((_, i) => [
          core.view().getBigUint64(at + i * 16, true),
          BigInt(core.u32s(at + i * 16 + 8, 1)[0] ?? 0),
        ]);
        expect(got).toEqual(keys.map((k, i) => [k, BigInt(i)]).sort(compare));
      }),
    );
  });

  test("the k-th largest and how many of its equals are above the line", () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 200 }), fc.nat(199), (keys, n) => {
        const k = 1 + (n % keys.length);
        const at = core.call("scratch");
        keys.forEach((v, i) => {
          core.view().setBigUint64(at + i * 8, v, true);
        });
        const kth = BigInt.asUintN(64, core.wide("kthOfScratch", keys.length, k));
        const sorted = [...keys].sort((a, b) => (a < b ? 1 : -1));
        expect(kth).toBe(sorted[k - 1]);
        expect(core.call("ties")).toBe(k - keys.filter((v) => v > kth).length);
      }),
    );
  });
});
