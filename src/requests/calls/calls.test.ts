/** The calls of a written dump as the page asks about them: list, frames, and samples of the selected calls. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { readFolder } from "../../../test/kit/cdt/cdt-reading.ts";
import { asFolder, type WrittenCall, type WrittenFrame, writeStreams } from "../../../test/kit/cdt/cdt-writer.ts";
import { emptyCore } from "../../../test/kit/core/read-store.ts";
import { readEvented } from "../../../test/kit/shown-formats.ts";
import { bytesSource } from "../../bytes/byte-source.ts";
import type { Core } from "../../core/core.ts";
import type { CallPart, Filter } from "../../core/types.ts";
import { readInputs } from "../../input/open.ts";
import type { CallQuestion } from "../api/calls-api.ts";
import { repeated } from "../asking.ts";
import { Calls } from "./calls.ts";

const START = Date.UTC(2024, 1, 3);
const METHODS = ["checkout", "search"].map((name) => `void shop.Cart.${name}() (Cart.java:7) [shop.jar]`);
const QUESTION: CallQuestion = { parts: [], threads: [], time: null, sort: "duration", reversed: false };

const frame = (method: string, after: number, children: WrittenFrame[] = [], before = 0): WrittenFrame => ({
  method,
  before,
  after,
  children,
});

/** Call `i` takes 10 · (i + 1) ms: 3 ms in `db`, the rest in its root. */
function written(count: number): WrittenCall[] {
  return Array.from({ length: count }, (_, i) => ({
    threadId: 1 + (i % 2),
    thread: `worker-${i % 2}`,
    at: START + 1000 * (i + 1),
    root: frame(METHODS[i % 2]!, 10 * (i + 1) - 3, [frame("void db.Row.read() (Row.java:1) [db.jar]", 3)]),
    isRecorded: i % 5 !== 4,
    reactive: 0,
    params: {
      "profiler.title": [`<b>cart</b> ${i}`],
      tenant: [i % 3 === 0 ? "acme" : "other"],
      ...(i === 3 && { "call.red": ["true"] }),
    },
  }));
}

async function opened(count = 20, folder = "dump") {
  const core = await emptyCore();
  const { streams } = writeStreams({ calls: written(count), start: START, eventsPerBlock: 5, blocksPerFile: 4 });
  const runs = await readFolder(core, asFolder(streams, `${folder}/web/2024/02/03/${START}`));
  const calls = await Calls.of(core, runs, () => {});
  return { core, calls };
}

/** Sum of wall time in ms under a filter. */
async function wall({ core, calls }: { core: Core; calls: Calls }, filter: Filter): Promise<number> {
  const { id } = core.profiles().find(({ type }) => type === "wall")!;
  return repeated(() => Number(core.select(id, calls.samples.samplesOf(filter)).value) / 1e6);
}

const parts = (...given: CallPart[]): Filter => ({ calls: given });
const sum = (numbers: number[]) => numbers.reduce((all, number) => all + number, 0);
const ALL = Array.from({ length: 20 }, (_, i) => 10 * (i + 1));

it("counts the bytes of trace streams only, whatever the folder is called", async () => {
  const totalIn = async (folder: string) => {
    const dump = await opened(20, folder);
    const totals: number[] = [];
    dump.calls.watch((progress) => totals.push(progress?.total ?? 0));
    await wall(dump, parts({ part: "param", text: "tenant=acme" }));
    return Math.max(...totals);
  };
  expect(await totalIn("traces-prod")).toBe(await totalIn("dump"));
});

describe("the list of calls", () => {
  let calls: Calls;
  beforeAll(async () => {
    ({ calls } = await opened());
  });
  const list = (more: Partial<CallQuestion>) => calls.list({ ...QUESTION, ...more }, 0, 100);
  const durations = (more: Partial<CallQuestion>) => list(more).rows.map(({ duration }) => duration);

  it("has the slowest first, and sums of all", () => {
    expect(durations({})).toEqual([...ALL].reverse());
    expect(list({})).toMatchObject({ count: 20, duration: sum(ALL), suspension: 0 });
    expect(calls.list(QUESTION, 2, 3).rows.map(({ duration }) => duration)).toEqual([180, 170, 160]);
  });

  it("is sorted by every column, ties by start, and calls without the figure last", () => {
    expect(durations({ sort: "start", reversed: true })).toEqual(ALL);
    expect(list({ sort: "thread" }).rows.map(({ thread }) => thread)[10]).toBe("worker-1");
    expect(durations({ sort: "frames" })).toEqual(ALL);
    const cpu = list({ sort: "cpu", reversed: true }).rows.map((row) => row.cpu);
    expect(cpu.indexOf(null)).toBe(16);
    expect(list({ sort: "name" }).rows[0]!.name).toBe("shop.Cart.checkout");
  });

  it("has the calls of a filter", () => {
    expect(
      durations({
        parts: [
          { part: "min", text: "50" },
          { part: "max", text: "80" },
        ],
      }),
    ).toEqual([70, 60, 50]);
    expect(list({ parts: [{ part: "roots", text: "unrecorded" }] }).count).toBe(4);
    expect(list({ parts: [{ part: "text", text: "+CART -search" }] }).count).toBe(10);
    expect(list({ parts: [{ part: "text", text: "<b>cart</b>" }] }).count).toBe(16);
    expect(list({ parts: [{ part: "param", text: "tenant=acme" }] }).count).toBe(6);
    expect(list({ parts: [{ part: "not-param", text: "tenant=acme" }] }).count).toBe(14);
    expect(list({ parts: [{ part: "method", text: "shop.Cart.search" }] }).count).toBe(10);
    expect(list({ parts: [{ part: "server", text: "api" }] }).count).toBe(0);
    expect(list({ threads: ["worker-1"] }).count).toBe(10);
    const from = BigInt(START + 5000) * 1_000_000n;
    expect(durations({ time: { from, to: from + 1n } })).toEqual([50]);
  });

  it("finds a call by its id, with all fields", () => {
    const [, second] = list({}).rows;
    expect(calls.callOf(second!.id)).toMatchObject({ duration: 190, method: METHODS[0], server: "web", tree: "whole" });
    expect(calls.callOf("web:1:1:1")).toBeNull();
    expect(calls.ids(QUESTION, 1, 1)).toEqual([second!.id]);
    expect(list({ parts: [{ part: "ids", ids: [second!.id, "nothing"] }] }).count).toBe(1);
    expect(
      list({})
        .rows.filter(({ red }) => red)
        .map(({ duration }) => duration),
    ).toEqual([40]);
  });

  it("has the frames of a call in the order of entering", async () => {
    const [first] = list({}).rows;
    const frames = await calls.frames(first!.number);
    expect([...frames.depth]).toEqual([0, 1]);
    expect([...frames.total]).toEqual([200, 3]);
    expect([...frames.self]).toEqual([197, 3]);
    expect([...frames.method].map((i) => frames.methods[i]!.name)).toEqual(["shop.Cart.search", "db.Row.read"]);
    expect([...frames.tags.name].map((i) => frames.tags.names[i])).toContain("java.thread");
  });
});

it("has the pauses of a call's JVM that meet a time", async () => {
  const core = await emptyCore();
  const pauses = [
    [1010, 4],
    [2000, 5],
  ] as const;
  const { streams } = writeStreams({ calls: written(3), start: START, pauses });
  const calls = await Calls.of(core, await readFolder(core, asFolder(streams, `web/${START}`)), () => {});
  const [last] = calls.list({ ...QUESTION, sort: "start" }, 0, 1).rows;
  const of = (from: number, to: number) => {
    const { from: starts, to: ends } = calls.pauses(last!.number, START + from, START + to);
    return Array.from(starts, (at, i) => [at - START, ends[i]! - START]);
  };
  expect(of(0, 9000)).toEqual([
    [1006, 1010],
    [3005, 3010],
  ]);
  expect(of(1009, 3005)).toEqual([[1006, 1010]]);
  expect(of(1010, 3006)).toEqual([[3005, 3010]]);
  expect(() => calls.pauses(9, 0, 1)).toThrow("no such call");
});

describe("samples of calls", () => {
  it("are those of the selected calls, again and again", async () => {
    const open = await opened();
    expect(await wall(open, {})).toBe(sum(ALL));
    expect(await wall(open, parts({ part: "min", text: "150" }))).toBe(sum(ALL.slice(14)));
    expect(await wall(open, parts({ part: "slowest", text: "1" }))).toBe(200);
    expect(await wall(open, parts({ part: "slowest-percent", text: "5" }))).toBe(200);
    const [, second] = open.calls.list(QUESTION, 0, 2).rows;
    expect(await wall(open, parts({ part: "ids", ids: [second!.id] }))).toBe(190);
    expect(await wall(open, {})).toBe(sum(ALL));
    expect(await wall(open, { attributes: [{ key: "thread.name", value: "worker-0" }] })).toBe(
      sum(ALL.filter((_, i) => i % 2 === 0)),
    );
  });

  it("are beside those of the calls that they are compared with", async () => {
    const open = await opened();
    const { core, calls } = open;
    const { id } = core.profiles().find(({ type }) => type === "wall")!;
    const slowest = parts({ part: "slowest", text: "1" });
    const others = parts({ part: "method", text: "shop.Cart.search" });
    const value = (filter: Filter) => Number(core.select(id, filter).value) / 1e6;
    const search = sum(ALL.filter((_, i) => i % 2 === 1));
    expect(await repeated(() => value(calls.samples.samplesOf(slowest, others)))).toBe(200);
    expect(value(calls.samples.othersOf(others))).toBe(search);
    // An output is written of the selected calls alone.
    await repeated(() => calls.samples.samplesOf(slowest, null, true));
    expect(value({})).toBe(200);
    expect(await repeated(() => value(calls.samples.samplesOf(others, slowest)))).toBe(search);
    expect(value(calls.samples.othersOf(slowest))).toBe(200);
  });

  it("leave those of a recording beside them as they are", async () => {
    const core = await emptyCore();
    const jfr = readFileSync(fileURLToPath(new URL("../../../fixtures/shop.jfr", import.meta.url)));
    await readInputs(core, [{ name: "shop.jfr", source: bytesSource(new Uint8Array(jfr)) }]);
    const { streams } = writeStreams({ calls: written(20), start: START });
    const runs = await readFolder(core, asFolder(streams, `dump/web/2024/02/03/${START}`));
    const calls = await Calls.of(core, runs, () => {});
    const figures = () => core.profiles().map(({ type, samples, value }) => ({ type, samples, value }));
    const before = figures();
    for (const filter of [parts({ part: "slowest", text: "3" }), parts({ part: "min", text: "1000" }), {}]) {
      await repeated(() => calls.samples.samplesOf(filter));
    }
    expect(figures()).toEqual(before);
    expect(before.length).toBeGreaterThan(4);
  });

  it("of another selection end the reading of those before", async () => {
    const { calls } = await opened();
    const before = repeated(() => calls.samples.samplesOf(parts({ part: "min", text: "10" })));
    const after = repeated(() => calls.samples.samplesOf(parts({ part: "min", text: "20" })));
    await expect(before).rejects.toMatchObject({ code: "calls.cancelled" });
    await after;
  });

  it("of an older question take them from no newer one, being read or there", async () => {
    const { calls } = await opened();
    const ask = (text: string) => calls.samples.samplesOf(parts({ part: "min", text }));
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const late = () => repeated(() => gate.then(() => ask("10")));
    const older = [late(), late()];
    const newer = repeated(() => ask("20"));
    open();
    for (const each of older) await expect(each).rejects.toMatchObject({ code: "calls.cancelled" });
    await newer;
    expect(ask("20")).toBeDefined();
    // A newer question does.
    await repeated(() => ask("10"));
    expect(ask("10")).toBeDefined();
  });
});

describe("parameters of frames", () => {
  const SQL = `select * from cart where id in (${"1, ".repeat(3000)}1)`;

  async function withSql() {
    const core = await emptyCore();
    const calls = written(6).map((call, i) => ({
      ...call,
      root: { ...call.root, tags: [{ name: "sql", value: i < 3 ? SQL : `select ${i}`, in: "sql" as const }] },
    }));
    const { streams } = writeStreams({ calls, start: START });
    const runs = await readFolder(core, asFolder(streams, `dump/web/2024/02/03/${START}`));
    return Calls.of(core, runs, () => {});
  }

  it("are those of the calls of a filter, for all frames or for a function", async () => {
    const calls = await withSql();
    const all = await calls.params({ filter: {}, frames: null });
    expect(all).toMatchObject({ calls: 6, methods: [], frames: { invocations: 12, total: 210_000_000n } });
    expect(all.params.map(({ name, invocations }) => [name, invocations])).toEqual([
      ["sql", 6],
      ["java.thread", 6],
    ]);
    const slow = await calls.params({ filter: parts({ part: "min", text: "40" }), frames: null });
    expect(slow.params[0]!.groups).toMatchObject([{ signature: "select ?", count: 3, total: 150_000_000n }]);
    const inner = await calls.params({
      filter: { attributes: [{ key: "thread.name", value: "worker-0" }] },
      frames: { names: ["db.Row.read"], rooted: false },
    });
    expect(inner).toMatchObject({
      calls: 3,
      methods: ["void db.Row.read() (Row.java:1) [db.jar]"],
      frames: { invocations: 3, total: 9_000_000n },
      params: [],
    });
    const path = { names: ["shop.Cart.search", "db.Row.read"], rooted: true };
    expect((await calls.params({ filter: {}, frames: path })).frames.invocations).toBe(3);
  });

  it("have the beginning of large values, and the whole on demand", async () => {
    const calls = await withSql();
    const { params } = await calls.params({ filter: {}, frames: null });
    const value = params[0]!.groups.flatMap(({ values }) => values).find(({ text }) => SQL.startsWith(text))!;
    expect(value.length).toBe(SQL.length);
    expect(calls.paramValue(value.id)).toBe(SQL);
    expect(() => calls.paramValue(1000)).toThrow();
  });

  it("of an older question are refused", async () => {
    const calls = await withSql();
    const older = calls.params({ filter: {}, frames: null });
    const newer = calls.params({ filter: {}, frames: null });
    await expect(older).rejects.toMatchObject({ code: "calls.cancelled" });
    expect((await newer).calls).toBe(6);
    // The list of a call's frames is made again after it.
    expect((await calls.frames(1)).depth).toHaveLength(2);
  });
});

describe("calls over time", () => {
  it("are in the cells of their start and duration", async () => {
    const { calls } = await opened();
    const question = {
      filter: parts({ part: "min", text: "100" }),
      from: START,
      to: START + 21_000,
      columns: 21,
      rows: 8,
    };
    const density = calls.density(question);
    expect(density).toMatchObject({ calls: 20, selectedCalls: 11, redCalls: 0, longest: 200, pausedMs: 0 });
    const column = (cells: Uint32Array, at: number) =>
      sum(Array.from({ length: 8 }, (_, row) => cells[row * 21 + at]!));
    expect(Array.from({ length: 21 }, (_, at) => column(density.all, at))).toEqual([0, ...Array(20).fill(1)]);
    expect(Array.from({ length: 21 }, (_, at) => column(density.selected, at))).toEqual([
      ...Array(10).fill(0),
      ...Array(11).fill(1),
    ]);
    // The shortest is low, the longest in the highest row.
    expect(density.all[7 * 21 + 20]).toBe(1);
    expect(density.all[7 * 21 + 1]).toBe(0);
    expect(calls.density({ ...question, filter: {} }).redCalls).toBe(1);
    expect(calls.density({ ...question, to: START + 1500 }).calls).toBe(1);
  });

  it("have the share of pauses in each column", async () => {
    const core = await emptyCore();
    const { streams } = writeStreams({
      calls: written(3),
      start: START,
      pauses: [
        [1500, 1000],
        [1000, 250],
      ],
    });
    const runs = await readFolder(core, asFolder(streams, `dump/web/2024/02/03/${START}`));
    const calls = await Calls.of(core, runs, () => {});
    const { paused, pausedMs } = calls.density({ filter: {}, from: START, to: START + 4000, columns: 4, rows: 1 });
    expect([...paused]).toEqual([0.5, 0.5, 0.25, 0]);
    expect(pausedMs).toBe(1250);
  });
});

describe("downloads", () => {
  const request = (filter: Filter, more = {}) => ({
    profile: null,
    filter,
    options: { format: "speedscope" as const },
    gzip: false,
    withRecordings: false,
    ...more,
  });

  it("of picked calls have every invocation; other requests have samples", async () => {
    const { calls, core } = await opened();
    const [slow, next] = calls.list(QUESTION, 0, 2).rows;
    const picked = parts({ part: "ids", ids: [slow!.id, next!.id] });
    const file = await calls.file(request(picked));
    expect(file).toMatchObject({ profiles: 2, invocations: 4 });
    const profiles = readEvented(await file!.blob.text());
    expect(profiles.map(({ invocations }) => invocations.map(({ total }) => total))).toEqual([
      [190, 3],
      [200, 3],
    ]);
    const net = core.profiles().find(({ type }) => type === "net")!.id;
    expect(await calls.file(request(picked, { profile: net }))).toBeNull();
    expect(await calls.file(request(parts({ part: "min", text: "10" })))).toBeNull();
    expect(await calls.file(request(picked, { options: { format: "otlp" } }))).toBeNull();
  });
});
