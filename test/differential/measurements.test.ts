/** Measurements of real recordings, against the JDK's own `jfr`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { readInputs } from "../../src/input/open.ts";
import { emptyCore } from "../kit/core/read-store.ts";
import {
  eachChunk,
  jfrTool,
  nanosOf,
  type PrintedEvent,
  printEvents,
  timeOf,
  UNREADABLE,
} from "../kit/jfr/jfr-tool.ts";
import { need } from "../kit/needs.ts";

const FOLDERS = ["../../fixtures/recorded/", "../../../shared/recordings/public/"].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);
const EVENTS = [
  "jdk.CPULoad",
  "jdk.GCHeapSummary",
  "jdk.JavaThreadStatistics",
  "jdk.SafepointBegin",
  "jdk.ExecuteVMOperation",
];
const tool = jfrTool();

const recordings = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".jfr") && !UNREADABLE.test(name))
    .map((name): [string, string] => [basename(name), join(folder, name)]),
);

type Values = Record<string, number[]>;

/** What each series must hold, added up by hand from the printed events. */
function expectedOf(events: PrintedEvent[]): Values {
  const of = (...names: string[]) => events.filter(({ type }) => names.some((name) => type.endsWith(`jdk.${name}`)));
  const numbers = (found: PrintedEvent[], ...fields: string[]) =>
    found.map(({ values }) => fields.reduce((sum, field) => sum + Number(values[field]), 0));
  const when = (text: string) => of("GCHeapSummary").filter(({ values }) => values.when === text);
  const operations = of("ExecuteVMOperation").filter(({ values }) => values.safepoint === true);
  return {
    "cpu-machine": numbers(of("CPULoad"), "machineTotal"),
    "cpu-process": numbers(of("CPULoad"), "jvmUser", "jvmSystem"),
    heap: numbers(when("After GC"), "heapUsed"),
    threads: numbers(of("JavaThreadStatistics"), "activeCount"),
    safepoints: [...of("SafepointBegin"), ...operations].map(({ values }) => nanosOf(String(values.duration))),
  };
}

need(tool !== null, "no jfr tool").describe("measurements", () => {
  it.each(recordings)("are those that jfr prints: %s", async (_, path) => {
    const core = await emptyCore();
    const bytes = new Uint8Array(readFileSync(path));
    await readInputs(core, [{ name: path, source: bytesSource(bytes) }]);
    const sizes = core.files()[0]?.chunks.map((chunk) => chunk.bytes) ?? [];
    const events: PrintedEvent[] = [];
    eachChunk(bytes, sizes, (chunk) => {
      events.push(
        ...printEvents(
          tool!,
          chunk,
          EVENTS.flatMap((name) => [name, `com.oracle.${name}`]),
        ),
      );
    });
    const summary = new Map(core.views.seriesSummary().map((row) => [row.series, row]));
    for (const [series, values] of Object.entries(expectedOf(events))) {
      const found = summary.get(series);
      if (found === undefined) {
        expect(values, series).toEqual([]);
        continue;
      }
      // What is written twice, with one time and one value, is one measurement.
      expect(found.values, series).toBeLessThanOrEqual(values.length);
      expect(found.values, series).toBeGreaterThanOrEqual(new Set(values).size);
      // The tool rounds ticks in floating point, and shares to seven digits.
      const off = series === "safepoints" ? 2_000 : 1e-6;
      expect(Math.abs(found.least - Math.min(...values)), series).toBeLessThanOrEqual(off);
      expect(Math.abs(found.most - Math.max(...values)), series).toBeLessThanOrEqual(off);
    }
    const heap = events.filter(({ type }) => type.endsWith("GCHeapSummary"));
    const rates = allocationRates(heap);
    const allocation = summary.get("allocation");
    expect(allocation?.values ?? 0).toBe(rates.length);
    if (allocation !== undefined) expect(allocation.most / Math.max(...rates)).toBeCloseTo(1, 4);
  });
});

/** Bytes a second that the heap grew by, from each collection to the next. */
function allocationRates(events: PrintedEvent[]): number[] {
  const heap = events
    .map(({ values }) => ({
      at: timeOf(String(values.startTime)),
      isAfter: values.when === "After GC",
      used: Number(values.heapUsed),
    }))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  return heap.flatMap((event, i) => {
    const next = heap[i + 1];
    if (next === undefined || !event.isAfter || next.isAfter || next.used < event.used) return [];
    return [(1e9 * (next.used - event.used)) / Number(next.at - event.at)];
  });
}
