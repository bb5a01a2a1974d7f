/** The table of spans: rows in the order of reading, their texts and sets, and the times of samples by span id. */
import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import * as Row from "../../../assembly/abi/rows/span-row.ts";
import * as Origin from "../../../assembly/abi/span-origin.ts";
import * as ValueKind from "../../../assembly/abi/value-kind.ts";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { openSpans, rowsOf, type Spans } from "../../../src/core/samples/spans.ts";
import { readInputs } from "../../../src/input/open.ts";
import { emptyCore } from "../../kit/core/read-store.ts";

function row(fields: { id: bigint; start?: bigint; name?: number; origin?: number; set?: number }): Uint8Array {
  const bytes = new Uint8Array(Row.BYTES);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(Row.ID, fields.id, true);
  view.setBigInt64(Row.START, fields.start ?? 0n, true);
  view.setUint32(Row.NAME, fields.name ?? 0, true);
  view.setUint32(Row.ORIGIN, fields.origin ?? Origin.TraceFile, true);
  view.setUint32(Row.SET, fields.set ?? 0, true);
  return bytes;
}

async function shop(): Promise<Core> {
  const core = await emptyCore();
  const bytes = await readFile(new URL("../../../fixtures/shop.jfr", import.meta.url));
  await readInputs(core, [{ name: "shop.jfr", source: bytesSource(bytes) }]);
  return core;
}

let core: Core;
let spans: Spans;
beforeAll(async () => {
  core = await shop();
  spans = await openSpans(core);
});

describe("the table", () => {
  it("keeps rows, texts and sets of many batches, and drops those of trace files", () => {
    const name = spans.text("db.query");
    const key = spans.text("db.system");
    const set = spans.set([
      spans.attribute(key, ValueKind.Text, BigInt(spans.text("postgres"))),
      spans.attribute(name, ValueKind.Int, 7n),
    ]);
    const most = 2n ** 64n - 1n;
    for (let i = 0n; i < 1000n; i++) {
      const origin = i % 2n === 0n ? Origin.TraceFile : Origin.Timeline;
      expect(spans.add(row({ id: most - i, start: -i, name, origin, set }))).toBe(true);
    }
    const columns = spans.columns();
    expect(columns.count).toBe(1000);
    expect(columns.id[999]).toBe(most - 999n);
    expect(columns.start[999]).toBe(-999n);
    expect(spans.string(columns.name[500] ?? 0)).toBe("db.query");
    expect(spans.string(spans.text("\ufeffa byte order mark is a character"))).toMatch(/^\ufeffa byte/);
    expect(new Set(columns.set)).toEqual(new Set([set]));
    expect(spans.set([])).toBe(0);
    expect(Array.from(rowsOf(columns, "files").subarray(0, 3))).toEqual([0, 2, 4]);
    expect(Array.from(rowsOf(columns, "recordings").subarray(0, 3))).toEqual([1, 3, 5]);
  });

  it("is empty after a reset", () => {
    expect(spans.add(row({ id: 1n }))).toBe(true);
    core.reset();
    expect(spans.count).toBe(0);
    expect(spans.columns().id).toHaveLength(0);
  });
});

describe("times of samples by span id", () => {
  it("are those of the observations of all profiles but live heap and queue times", async () => {
    const open = await shop();
    const times = (await openSpans(open)).times();
    const wanted = new Map<bigint, { first: bigint; last: bigint }>();
    for (const { id, type } of open.profiles()) {
      if (type.startsWith("live-heap") || type.startsWith("queue-time")) continue;
      open.select(id, {});
      for (const { id: span, first, last } of open.views.rank({ kind: "span" }, 0, 1_000_000).rows) {
        if (span === 0n) continue;
        const known = wanted.get(span);
        wanted.set(span, {
          first: known === undefined || first < known.first ? first : known.first,
          last: known === undefined || last > known.last ? last : known.last,
        });
      }
    }
    expect(wanted.size).toBeGreaterThan(10);
    expect(new Map(times)).toEqual(wanted);
    expect(new Map((await openSpans(open)).times(0))).toEqual(wanted);
    expect((await openSpans(open)).times(1).size).toBe(0);
  });
});
