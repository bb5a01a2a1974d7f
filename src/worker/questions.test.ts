/** Questions in any order, with a real core: each is answered as in a session where nothing else was asked. */
import { readFile } from "node:fs/promises";
import { expect, it, vi } from "vitest";
import { type Asking, asking } from "../../test/kit/asking.ts";
import { Random } from "../../test/kit/random.ts";
import { Views } from "../core/answers/views.ts";
import { SpanflameError } from "../core/instance/error.ts";
import { PLAIN } from "../core/tables/extra-events.ts";
import type { Filter } from "../core/types.ts";
import { WHOLE } from "../model/query/shape.ts";
import type { Query } from "./api.ts";
import { Session } from "./session.ts";

const at = (path: string) => readFile(new URL(`../../${path}`, import.meta.url));
const BYTES = Uint8Array.from(await at("fixtures/shop.jfr"));
const FIRST = WebAssembly.compile(await at("build/core-first.wasm"));
const REST = WebAssembly.compile(await at("build/core-rest.wasm"));

/** As the page has it: the rest of the core comes when it is needed. */
async function opened(): Promise<Asking<Session>> {
  const session = asking(new Session({ first: () => FIRST, rest: () => REST }));
  const answer = await session.open([{ name: "shop.jfr", blob: new Blob([BYTES]) }], PLAIN, () => {});
  expect(answer.ok).toBe(true);
  return session;
}

const of = (filter: Filter, more: Partial<Query> = {}): Query => ({ profile: 0, measure: 0, filter, ...more });
const framed = (pattern: string): Filter => ({ frames: [{ pattern }] });
const CPU = of({});
const PRICING = of(framed("Pricing"));
const BAD = of(framed("("));
const FROM = of({}, { shape: { ...WHOLE, from: "shop.Shop$Front.handle" } });
const BAD_SHAPE = of({}, { shape: { ...WHOLE, merged: ["Json", "("] } });
const LINES = of({ noSpan: false }, { shape: { ...WHOLE, lines: true } });
const RAW = of({ rawNames: true });
const ALLOC = of({}, { profile: 1, measure: 1 });
const MANY = of({ span: [1n, 2n, 3n, 4n, 5n, 6n] });
const REQUEST = { focus: 0, width: 800 };
const REST_OF = { filter: {}, rest: true };
const EVERYTHING = { profile: null, filter: {}, options: { format: "otlp-json" } } as const;

const QUESTIONS: Record<string, (session: Asking<Session>) => Promise<unknown>> = {
  totals: (s) => s.totals(CPU),
  "totals of a pattern": (s) => s.totals(PRICING),
  "totals of a bad pattern": (s) => s.totals(BAD),
  "totals of many ids": (s) => s.totals(MANY),
  "totals of raw names": (s) => s.totals(RAW),
  "totals of a bad pattern of raw names": (s) => s.totals(of({ ...RAW.filter, ...BAD.filter })),
  top: (s) => s.top(CPU, "self", 0, 10),
  "top of a pattern": (s) => s.top(PRICING, "total", 0, 10),
  frames: (s) => s.frames(CPU, REQUEST),
  "frames of another profile": (s) => s.frames(ALLOC, REQUEST),
  "frames of raw names": (s) => s.frames(RAW, REQUEST),
  "frames of a bad pattern": (s) => s.frames(BAD, REQUEST),
  "frames of a root": (s) => s.frames(FROM, REQUEST),
  "frames by line": (s) => s.frames(LINES, REQUEST),
  "frames without those of a bad pattern": (s) => s.frames(BAD_SHAPE, REQUEST),
  sandwich: (s) => s.sandwich(CPU, "", 500),
  search: (s) => s.search(CPU, "Pric[ei]"),
  "search for a bad pattern": (s) => s.search(CPU, "("),
  rank: (s) => s.rank(CPU, { kind: "span" }, 0, 5),
  "next rows of the ranking": (s) => s.rank(CPU, { kind: "span" }, 5, 5),
  "rank of a bad pattern": (s) => s.rank(BAD, { kind: "span" }, 0, 5),
  diff: (s) => s.diff(PRICING, REST_OF, { ...REQUEST, normalised: true }),
  "diff with a bad pattern": (s) =>
    s.diff(PRICING, { filter: framed("("), rest: false }, { ...REQUEST, normalised: true }),
  changed: (s) => s.changed(PRICING, REST_OF, true, 0, 5),
  why: (s) => s.why(PRICING),
  story: (s) => s.story(PRICING, "", ""),
  outline: (s) => s.outline(PRICING.filter, { endpoint: ["endpoint"], operation: ["operation"] }),
  ordered: (s) => s.ordered(PRICING, 5),
  threads: (s) => s.threads(PRICING),
  timeline: (s) => s.timeline(PRICING, 5, [], null),
  spans: (s) => s.ofTraces("operations", "p95", false, 0, 5),
  names: (s) => s.nameFrames(new Map(), FROM, 0),
  download: async (s) => {
    const answer = await s.download({ ...EVERYTHING, gzip: false, withRecordings: false });
    return answer.ok && (await answer.value.blob.text());
  },
};
const NAMES = Object.keys(QUESTIONS);

it("each is answered as if nothing else had been asked, whatever failed before", { timeout: 60_000 }, async () => {
  const alone: Record<string, unknown> = {};
  for (const name of NAMES) alone[name] = await QUESTIONS[name]!(await opened());
  const failed = NAMES.filter((name) => (alone[name] as { ok?: boolean }).ok === false);
  expect(failed).toEqual(NAMES.filter((name) => name.includes("bad pattern")));
  const session = await opened();
  const random = new Random(52, 0);
  const asked: string[] = [];
  for (let i = 0; i < 700; i++) {
    // As the page does: some at once.
    const now = [...new Set([random.pick(NAMES), random.pick(NAMES)])].slice(random.below(2));
    const answers = await Promise.all(now.map((name) => QUESTIONS[name]!(session)));
    for (const [at, name] of now.entries())
      expect(answers[at], `${name} after ${asked.slice(-4)}`).toEqual(alone[name]);
    asked.push(...now);
  }
});

it("the same samples are selected once, and again after a download and where memory is used up", async () => {
  const session = await opened();
  const choose = vi.spyOn(Views.prototype, "choose");
  await QUESTIONS.threads!(session);
  const [views] = choose.mock.contexts as [Views];
  /** How often the core has selected. */
  const selected = async (ask: () => Promise<unknown>) => {
    const before = views.selectionStamp;
    await ask();
    // Its begin and its end.
    return (views.selectionStamp - before) / 2;
  };
  const ask = (name: string) => selected(() => QUESTIONS[name]!(session));
  expect([await ask("totals"), await ask("top"), await ask("rank"), await ask("frames")]).toEqual([1, 0, 0, 0]);
  // A ranking goes on beside another selection.
  expect([await ask("totals of a pattern"), await ask("next rows of the ranking")]).toEqual([1, 0]);
  expect([await ask("totals of a pattern"), await ask("rank")]).toEqual([0, 0]);
  await ask("download");
  expect([await ask("totals of a pattern"), await ask("threads")]).toEqual([1, 0]);
  vi.spyOn(Views.prototype, "frames").mockImplementationOnce(() => {
    // As where a function of the core runs out of memory (src/core/instance/capacity.ts).
    views.drop();
    throw new SpanflameError("core.memory", "out of memory");
  });
  expect(await QUESTIONS.frames!(session)).toMatchObject({ error: { code: "core.memory", lost: false } });
  expect(await ask("totals")).toBe(1);
  vi.restoreAllMocks();
});

it("stories of the page end each other, and leave that of a report alone", async () => {
  const session = await opened();
  const [first, ofReport, last] = await Promise.all([
    session.story(PRICING, "", ""),
    session.story(CPU, "", "", true),
    session.story(PRICING, "shop", ""),
  ]);
  expect(first).toMatchObject({ ok: false, error: { code: "superseded" } });
  expect([ofReport.ok, last.ok]).toEqual([true, true]);
});
