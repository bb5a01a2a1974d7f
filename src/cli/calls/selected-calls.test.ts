import { beforeAll, describe, expect, it } from "vitest";
import { readFolder } from "../../../test/kit/cdt/cdt-reading.ts";
import { asFolder, type WrittenCall, writeStreams } from "../../../test/kit/cdt/cdt-writer.ts";
import { emptyCore } from "../../../test/kit/core/read-store.ts";
import type { Dumps } from "../../core/dumps/dump.ts";
import { type Call, callOf } from "../../model/calls/call.ts";
import { ALL_CALLS, type CallFilter, passes } from "../../model/calls/call-filter.ts";
import { byFigure, CALL_ORDERS, type CallOrder } from "../../model/calls/call-orders.ts";
import { SelectedCalls } from "./selected-calls.ts";

const START = Date.UTC(2024, 1, 3);
/** More than are kept at a time while the first ones are found. */
const COUNT = 2600;

/** Durations repeat, so that starts and keys decide; some calls have no record, and thus no figures. */
const calls = Array.from({ length: COUNT }, (_, i): WrittenCall => {
  const child = { method: "void shop.Tax.rate()", before: 0, after: i % 3, children: [] };
  return {
    threadId: 1 + (i % 4),
    thread: `http-${i % 4}`,
    at: START + 400 * Math.floor(i / 2),
    root: { method: `void shop.Cart${i % 5}.run()`, before: 0, after: (i * 7) % 90, children: [child] },
    isRecorded: i % 11 !== 0,
    reactive: 0,
    params: i % 11 === 0 ? {} : { tenant: [`t${i % 6}`] },
  };
});

let dumps: Dumps;
let all: Call[];

beforeAll(async () => {
  const { streams } = writeStreams({ calls, start: START, eventsPerBlock: 50, pauses: [[9000, 700]] });
  const core = await emptyCore();
  await readFolder(core, asFolder(streams, "dump/web/2024/02/03/1", false));
  dumps = await core.dumps();
  all = Array.from({ length: dumps.callCount }, (_, i) => {
    const row = dumps.call(i + 1);
    return callOf(i + 1, row, dumps.runs, dumps.word(row.run, row.method));
  });
});

const idsOf = (of: readonly Call[]) => of.map(({ id }) => id);

describe("the selected calls", () => {
  it("are those that pass the filter, by columns as by records", () => {
    const time = (ms: number) => BigInt(START + ms) * 1_000_000n;
    const filters: Partial<CallFilter>[] = [
      {},
      { roots: "recorded" },
      { roots: "unrecorded", min: 20n },
      { min: 30n, max: 60n },
      { from: time(100_000), to: time(100_400) + 1n },
      { ids: [all[5]!.id, all[2000]!.id, "web/1:9:9:9"] },
      { threads: ["http-1", "http-3"], query: "+cart2" },
      { params: [{ key: "tenant", value: "t4" }], min: 50n },
      { query: "cart1 -t3" },
    ];
    for (const part of filters) {
      const filter = { ...ALL_CALLS, ...part };
      const found = new SelectedCalls(dumps, filter);
      const wanted = all.filter(passes(filter));
      expect(wanted.length, JSON.stringify(Object.keys(part))).toBeGreaterThan(0);
      expect(idsOf(found.numbers.map((number) => found.call(number)))).toEqual(idsOf(wanted));
      expect(found.sumOf("duration")).toBe(wanted.reduce((sum, { duration }) => sum + duration, 0n));
    }
  });

  it("are in the order of a figure, then of start and key, however few are wanted", () => {
    const selected = new SelectedCalls(dumps, ALL_CALLS);
    for (const order of Object.keys(CALL_ORDERS) as CallOrder[]) {
      const wanted = idsOf([...all].sort(byFigure(order)));
      for (const limit of [1, 7, COUNT]) {
        expect(idsOf(selected.first(limit, order)), `${limit} by ${order}`).toEqual(wanted.slice(0, limit));
      }
    }
  });
});
