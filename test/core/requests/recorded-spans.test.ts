/** Spans that recordings know: rows of scopes and events become one span for each id, with a place in its request. */
import { beforeEach, describe, expect, it } from "vitest";
import * as Row from "../../../assembly/abi/rows/span-row.ts";
import * as Origin from "../../../assembly/abi/span-origin.ts";
import { recordedSpans } from "../../../src/core/samples/recorded-spans.ts";
import { nameInTag } from "../../../src/core/samples/span-tag.ts";
import { openSpans, type Spans } from "../../../src/core/samples/spans.ts";
import { emptyCore, read } from "../../kit/core/read-store.ts";
import { CPU, cpuType, JVM_TYPES } from "../../kit/jfr/jfr-types.ts";

let table: Spans;
beforeEach(async () => {
  table = await openSpans(await emptyCore());
});

interface Scope {
  id: bigint;
  from: bigint;
  to: bigint;
  root?: bigint;
  parent?: bigint;
  trace?: bigint;
  thread?: number;
  origin?: number;
  name?: string;
}

function add(...scopes: Scope[]): void {
  for (const {
    id,
    from,
    to,
    root = 1n,
    parent = 0n,
    trace = 0n,
    thread = 1,
    origin = Origin.Timeline,
    name = "",
  } of scopes) {
    const row = new DataView(new ArrayBuffer(Row.BYTES));
    row.setBigUint64(Row.ID, id, true);
    row.setBigUint64(Row.ROOT, root, true);
    row.setBigUint64(Row.PARENT, parent, true);
    row.setBigUint64(Row.TRACE_LOW, trace, true);
    row.setBigInt64(Row.START, from, true);
    row.setBigInt64(Row.END, to, true);
    row.setUint32(Row.THREAD, thread, true);
    row.setUint32(Row.ORIGIN, origin, true);
    row.setUint32(Row.NAME, table.text(name), true);
    table.add(new Uint8Array(row.buffer));
  }
}

/** `id of parent in trace: start..end name`, in the order of their first rows. */
function spans(): string[] {
  const { id, parent, traceLow, start, end, name } = recordedSpans(table).columns;
  return Array.from(id, (each, i) => {
    const text = table.string(name[i] ?? 0);
    return `${each} of ${parent[i]} in ${traceLow[i]}: ${start[i]}..${end[i]}${text === "" ? "" : ` ${text}`}`;
  });
}

describe("a span of a recording", () => {
  it("lasts from its first scope to its last one, on any thread", () => {
    add({ id: 1n, from: 10n, to: 20n, name: "" }, { id: 1n, from: 30n, to: 50n, thread: 2, name: "checkout" });
    expect(spans()).toEqual(["1 of 0 in 1: 10..50 checkout"]);
  });

  it("ends with the first event that says so: the agent writes one more when the trace of a root is written", () => {
    const ends = (...times: bigint[]): Scope[] =>
      times.map((to, i) => ({ id: 1n, from: 0n, to, thread: i + 1, origin: Origin.Endpoint }));
    add({ id: 1n, from: 10n, to: 20n }, ...ends(90n, 21n));
    // Its work goes on after its end.
    add({ id: 2n, from: 15n, to: 40n });
    expect(spans()).toEqual(["1 of 0 in 1: 10..21", "2 of 1 in 1: 15..40"]);
  });

  it("is below the span around it on its thread, of the same root, else below its root", () => {
    add(
      { id: 1n, from: 0n, to: 100n },
      { id: 2n, from: 10n, to: 60n },
      { id: 3n, from: 20n, to: 60n },
      // Another root's scope is around it, on a thread that serves both.
      { id: 4n, from: 30n, to: 40n, root: 9n },
      { id: 5n, from: 25n, to: 30n, thread: 2 },
      // Cut by the scope of 2, which therefore is not around it.
      { id: 6n, from: 50n, to: 70n },
    );
    expect(spans()).toEqual([
      "1 of 0 in 1: 0..100",
      "2 of 1 in 1: 10..60",
      "3 of 2 in 1: 20..60",
      "4 of 9 in 9: 30..40",
      "5 of 1 in 1: 25..30",
      "6 of 1 in 1: 50..70",
    ]);
  });

  it("has the parent and the trace that the recording states", () => {
    add(
      { id: 2n, from: 0n, to: 1n, parent: 7n, trace: 42n, root: 0n, origin: Origin.OtelSpan },
      { id: 3n, from: 0n, to: 1n, root: 0n },
    );
    expect(spans()).toEqual(["2 of 7 in 42: 0..1", "3 of 2 in 3: 0..1"]);
  });

  it("that only an event at its end states begins with the first sample of its root", async () => {
    const values = { eventThread: 0n, stackTrace: 0n, weight: 1n };
    const sample = (ticks: bigint, span: bigint, root: bigint) => ({
      event: CPU,
      values: { ...values, startTime: ticks, spanId: span, localRootSpanId: root },
    });
    const items = [sample(30n, 2n, 1n), sample(10n, 3n, 1n), sample(5n, 4n, 9n)];
    const core = await read({ types: [...JVM_TYPES, cpuType([])], items });
    table = await openSpans(core);
    const first = table.times().get(3n)?.first ?? 0n;
    const end = { id: 1n, from: first + 90n, to: first + 90n, origin: Origin.Endpoint };
    add(end, { ...end, id: 8n, root: 8n });
    expect(first).toBeGreaterThan(0n);
    expect(spans()).toEqual([`1 of 0 in 1: ${first}..${first + 90n}`, `8 of 0 in 8: ${first + 90n}..${first + 90n}`]);
  });

  it("leaves out rows without an id, and rows of trace files", () => {
    add({ id: 0n, from: 0n, to: 9n }, { id: 4n, from: 0n, to: 9n, origin: Origin.TraceFile });
    expect(spans()).toEqual([]);
  });
});

describe("the name in a tag", () => {
  it.each([
    ["span=1 root=2 op=servlet.request", "servlet.request"],
    ["name=checkout spanId=0a", "checkout"],
    ["checkout now span=12", "checkout now"],
    ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 pay", "pay"],
    ["span=12", "span=12"],
  ])("of %s is %s", (tag, name) => {
    expect(nameInTag(tag)).toBe(name);
  });
});
