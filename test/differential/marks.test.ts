/** Pauses and gaps of real recordings: against the JDK's own `jfr`, and against plain lists of the samples' times. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import type { Core } from "../../src/core/core.ts";
import type { Filter } from "../../src/core/types.ts";
import { readInputs } from "../../src/input/open.ts";
import { emptyCore } from "../kit/core/read-store.ts";
import { eachChunk, jfrTool, nanosOf, printEvents, timeOf, UNREADABLE } from "../kit/jfr/jfr-tool.ts";
import { need } from "../kit/needs.ts";
import { flatten, readOtlp } from "../kit/otlp/otlp-schema.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures/recorded/", import.meta.url));
const SHARED = fileURLToPath(new URL("../../../shared/recordings/public/", import.meta.url));
const tool = jfrTool();

async function open(path: string): Promise<Core> {
  const core = await emptyCore();
  await readInputs(core, [{ name: path, source: bytesSource(new Uint8Array(readFileSync(path))) }]);
  return core;
}

const recordings = [FIXTURES, SHARED].flatMap((folder) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(".jfr"))
        .map((name) => join(folder, name))
    : [],
);

/** When each pause began, how long it was, and the cause of its collection. */
function printedPauses(path: string, sizes: number[]): [at: bigint, nanos: number, cause: string][] {
  const found: [bigint, number, string][] = [];
  eachChunk(new Uint8Array(readFileSync(path)), sizes, (chunk) => {
    const wanted = ["jdk.GCPhasePause", "jdk.GarbageCollection"];
    const events = printEvents(tool!, chunk, [...wanted, ...wanted.map((name) => `com.oracle.${name}`)]);
    const text = (value: unknown) => String(value);
    const causes = new Map(
      events.filter(({ type }) => type.endsWith("Collection")).map(({ values }) => [values.gcId, text(values.cause)]),
    );
    for (const { type, values } of events) {
      if (!type.endsWith("GCPhasePause")) continue;
      const cause = causes.get(values.gcId) ?? text(values.name);
      found.push([timeOf(text(values.startTime)), nanosOf(text(values.duration)), cause]);
    }
  });
  return found.sort((a, b) => (a[0] < b[0] ? -1 : 1));
}

const named = recordings.map((path): [string, string] => [basename(path), path]);

need(tool !== null, "no jfr tool").describe("pauses of the collector", () => {
  it.each(named.filter(([name]) => !UNREADABLE.test(name)))("are those that jfr prints: %s", async (_, path) => {
    const core = await open(path);
    const { start, pauses, texts } = core.views.marks();
    const sizes = core.files()[0]?.chunks.map(({ bytes }) => bytes) ?? [];
    const printed = printedPauses(path, sizes);
    expect(pauses.at.length).toBe(printed.length);
    for (const [i, [at, nanos, cause]] of printed.entries()) {
      // The tool rounds ticks in floating point.
      expect(Math.abs(Number(at - start) - pauses.at[i]!)).toBeLessThan(2_000);
      expect(Math.abs(nanos - pauses.nanos[i]!)).toBeLessThan(2_000);
      expect(texts[pauses.text[i]!]).toBe(cause);
    }
  });
});

describe("gaps", () => {
  it.each(named)("are where the samples' times say so: %s", async (_, path) => {
    const core = await open(path);
    const { start, gaps } = core.views.marks();
    // Gaps are those of the recorded time; before it are events that began earlier.
    const [row] = core.views.timeRows();
    expect(core.views.timeRows().length).toBeLessThan(2);
    const recorded = timesOf(core).filter((time) => row !== undefined && time >= row.from && time < row.to);
    const times = recorded.map((time) => Number(time - start));
    const zero = Number((row?.from ?? start) - start);
    const seconds = new Map<number, number>();
    for (const time of times) {
      const second = Math.floor((time - zero) / 1e9);
      seconds.set(second, (seconds.get(second) ?? 0) + 1);
    }
    const counts = [...seconds.values()].sort((a, b) => a - b);
    const least = Math.max(1e9, 20 * (1e9 / (counts[counts.length >> 1] ?? 1)));
    const wanted = times.slice(1).flatMap((time, i) => {
      const nanos = time - times[i]!;
      return nanos >= least ? [[times[i], nanos]] : [];
    });
    expect(gaps.map(({ at, nanos }) => [at, nanos])).toEqual(wanted);
  });
});

describe("a selection", () => {
  const profiled = named.filter(([name]) =>
    ["ddagent-jdk17.jfr", "jdk17-profile.jfr", "jdk25-cputime.jfr"].includes(name),
  );
  it.each(profiled)("lies to the pauses as its samples' times say: %s", async (_, path) => {
    const core = await open(path);
    const marks = core.views.marks();
    const { start, pauses } = marks;
    const all = Array.from(pauses.at, (at, i): [bigint, bigint] => {
      return [start + BigInt(at), start + BigInt(at + pauses.nanos[i]!)];
    });
    expect(all.length).toBeGreaterThan(0);
    const { from } = core.views.timeBounds()!;
    for (const { id } of core.profiles()) {
      for (const filter of [{}, { time: { from, to: all[0]![1] } }]) {
        const times = timesOf(core, id, filter);
        core.select(id, filter);
        const first = times[0]!;
        const last = times.at(-1)!;
        const inside = times.filter((time) => all.some(([begin, end]) => time >= begin && time < end));
        const met = all.filter(([begin, end]) => begin <= last && end >= first);
        // As numbers: ns from the first sample on are exact in them.
        const nanos = met
          .map((pause) => pause.map((moment) => Number(moment - start)) as [number, number])
          .reduce((sum, [begin, end]) => {
            return sum + Math.min(end, Number(last - start)) - Math.max(begin, Number(first - start));
          }, 0);
        const none = { time: null, samples: 0, pauses: 0, nanos: 0 };
        const some = { time: { from: first, to: last }, samples: inside.length, pauses: met.length, nanos };
        expect(core.views.pauseCover(marks)).toEqual(times.length === 0 ? none : some);
      }
    }
  });
});

describe("a heat map", () => {
  it.each([300, 3])("of %i columns has each sample in the cell of its 20 ms", async (most) => {
    const core = await open(join(FIXTURES, "jdk17-profile.jfr"));
    for (const { id } of core.profiles()) {
      const whole = core.views.timeBounds()!;
      const range = { from: whole.from + 1_500_000_000n, to: whole.to, zero: whole.from };
      core.select(id, {});
      const { from, columns, seconds, cells } = core.views.heat(id, most, range);
      // The column of the range's begin, counted from the beginning of the file.
      expect(from).toBe(whole.from + (seconds > 1 ? 0n : 1_000_000_000n));
      expect([columns <= most, columns * seconds >= Number(whole.to - from) / 1e9]).toEqual([true, true]);
      const wanted = new Uint32Array(columns * 50);
      for (const time of timesOf(core, id)) {
        const since = Number(time - from);
        if (since < 0) continue;
        const second = Math.floor(since / 1e9);
        wanted[Math.floor(second / seconds) * 50 + Math.floor((since - second * 1e9) / 20e6)]!++;
      }
      expect(cells.samples).toEqual(wanted);
    }
  });
});

/** Times of samples as a message has them, ascending. */
function timesOf(core: Core, profile: number | null = null, filter: Filter = {}): bigint[] {
  const { bytes } = core.write(profile, filter, { format: "otlp", measure: 0 });
  return flatten(readOtlp(bytes))
    .flatMap((profile) => profile.samples.flatMap(({ timestamps }) => timestamps))
    .sort((a, b) => (a < b ? -1 : 1));
}
