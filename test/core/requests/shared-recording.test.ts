/** One recording of several flame graphs, with a real core: of an element, and of the library's worker. */
import { readFileSync } from "node:fs";
import * as Comlink from "comlink";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Filter } from "../../../src/core/types.ts";
import { openInWorker } from "../../../src/library/worker.ts";
import { WorkerHost } from "../../../src/library/worker-host.ts";
import { WHOLE } from "../../../src/model/query/shape.ts";
import { graphsOf, readRecording, viewerOf } from "../../../src/viewer/recording.ts";
import type { ViewerRecording } from "../../../src/viewer/types.ts";
import type { Query } from "../../../src/worker/api.ts";
import { GraphSession } from "../../../src/worker/graph-session.ts";
import { fixture } from "../../kit/core/read-filters.ts";

const CORE = readFileSync("build/core.wasm");
const BYTES = new Blob([Uint8Array.from(fixture("shop.jfr"))]);

/** Workers in this thread, those that have ended, and the way to expose the next. */
let ended = 0;
let started = 0;

function nearWorker(exposed: object): Worker {
  const { port1, port2 } = new MessageChannel();
  Comlink.expose(exposed, port1 as unknown as Comlink.Endpoint);
  started++;
  const terminate = () => {
    ended++;
    port1.close();
  };
  return Object.assign(port2, { terminate }) as unknown as Worker;
}

function stubWorker(exposed: () => object): void {
  vi.stubGlobal("Worker", new Proxy(class {}, { construct: () => nearWorker(exposed()) }));
}

interface Shared {
  recording: ViewerRecording;
  /** What the program does that has opened it. */
  close: () => void;
}

const KINDS: Record<string, () => Promise<Shared>> = {
  "an element": async () => {
    stubWorker(() => new GraphSession({ first: () => WebAssembly.compile(CORE) }));
    const recording = readRecording(Promise.resolve({ name: "shop.jfr", blob: BYTES }), () => {});
    return { recording, close: graphsOf(recording).leave };
  },
  "the library": async () => {
    stubWorker(() => new WorkerHost());
    const recording = await openInWorker({ name: "shop.jfr", data: BYTES }, { wasm: CORE });
    const close = () => recording.close();
    return { recording, close };
  },
};

const of = (profile: number, filter: Filter, more: Partial<Query> = {}): Query => {
  return { profile, measure: 0, filter, shape: WHOLE, ...more };
};
const ALL = of(0, {});
const ONE = of(0, { frames: [{ pattern: "Json" }] }, { shape: { ...WHOLE, lines: true } });
const OTHER = of(
  1,
  { frames: [{ pattern: "Pricing", exclude: true }] },
  { shape: { ...WHOLE, from: "shop.Shop$Front.handle" } },
);
const BAD = of(0, { frames: [{ pattern: "(" }] });

/** Every question of the views. */
function asked(viewer: ReturnType<typeof viewerOf>, query: Query) {
  return [
    viewer.totals(query),
    viewer.frames(query, { focus: 0, width: 800 }),
    viewer.search(query, "handle"),
    viewer.regroup(query, { grouping: { kind: "callers" }, path: [], width: 800 }),
    viewer.sandwich(query, "", 400),
    viewer.top(query, "self", 0, 10),
  ];
}

/** The answers of a recording that nobody else asks. */
async function alone(open: () => Promise<Shared>, query: Query): Promise<unknown[]> {
  const { recording, close } = await open();
  const graphs = graphsOf(recording);
  await graphs.overview;
  const answers: unknown[] = [];
  for (const answer of asked(viewerOf(graphs), query)) answers.push(await answer);
  graphs.leave();
  close();
  return answers;
}

describe.each(Object.entries(KINDS))("a recording of %s", (_, open) => {
  beforeEach(() => {
    started = 0;
    ended = 0;
  });
  afterEach(() => vi.unstubAllGlobals());

  it("answers several graphs at once as if each were alone, also beside one with a bad pattern", async () => {
    const queries = [ALL, ONE, OTHER];
    const expected: unknown[][] = [];
    for (const query of queries) expected.push(await alone(open, query));
    expect(expected.flat().every((answer) => (answer as { ok: boolean }).ok)).toBe(true);
    expect(new Set(expected.map((answers) => JSON.stringify(answers, bigints))).size).toBe(3);
    started = 0;
    const { recording } = await open();
    const users = queries.map(() => graphsOf(recording));
    const bad = graphsOf(recording);
    const overviews = await Promise.all(users.map(({ overview }) => overview));
    expect(overviews[0]).toMatchObject({ ok: true, value: { rows: [expect.anything()] } });
    for (let round = 0; round < 2; round++) {
      const all = users.map((graphs, i) => asked(viewerOf(graphs), queries[i]!));
      const refused = Promise.all(asked(viewerOf(bad), BAD));
      expect(await Promise.all(all.map((answers) => Promise.all(answers)))).toEqual(expected);
      for (const answer of await refused)
        expect(answer).toMatchObject({ ok: false, error: { code: "filter.pattern" } });
    }
    expect(started).toBe(1);
  });

  it("ends with its last user, and says so to those that come later", async () => {
    const { recording, close } = await open();
    const [first, second] = [graphsOf(recording), graphsOf(recording)];
    await first.overview;
    first.leave();
    first.leave();
    close();
    expect(await viewerOf(second).totals(ALL)).toMatchObject({ ok: true });
    expect(ended).toBe(0);
    second.leave();
    expect(ended).toBe(1);
    const late = graphsOf(recording);
    expect(await late.overview).toMatchObject({ ok: false, error: { code: "recording.closed" } });
    late.leave();
    expect(ended).toBe(1);
  });
});

it("a recording that was closed answers its graphs, and no other request", async () => {
  const recording = await KINDS["the library"]!().then(
    ({ recording: opened }) => opened as Awaited<ReturnType<typeof openInWorker>>,
  );
  const graphs = graphsOf(recording);
  const samples = recording.select("cpu").samples();
  expect((await samples.next()).done).toBe(false);
  recording.close();
  await expect(recording.select("cpu").total()).rejects.toMatchObject({ code: "recording.closed" });
  await expect(recording.select("cpu").samples().next()).rejects.toMatchObject({ code: "recording.closed" });
  expect(await viewerOf(graphs).totals(ALL)).toMatchObject({ ok: true });
  graphs.leave();
  vi.unstubAllGlobals();
});

function bigints(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
