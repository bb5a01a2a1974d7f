import { expect, it } from "vitest";
import type { OrderedSamples } from "../../core/view-types.ts";
import { type ChartPauses, sampleColumns } from "./sample-columns.ts";
import { boxWords } from "./words.ts";

const ORIGIN = 1_700_000_000_000_000_000n;
const NO_PAUSES: ChartPauses = {
  start: ORIGIN,
  pauses: { at: new Float64Array(0), nanos: new Float64Array(0), text: new Uint32Array(0), file: new Uint32Array(0) },
  texts: [],
};

/** Samples of threads by their lines of `time stack`, each of which lasts 10; a letter is a frame, outermost first. */
function samplesOf(threads: Record<string, [at: number, stack: string][]>, nanos = 10): OrderedSamples {
  const rows = Object.values(threads).flatMap((own, thread) => own.map(([at, stack]) => ({ at, stack, thread })));
  const stacks = [...new Set(rows.map(({ stack }) => stack))];
  const names = [...new Set(stacks.join(""))];
  return {
    origin: ORIGIN,
    count: rows.length,
    timed: rows.length,
    at: Float64Array.from(rows, ({ at }) => at),
    nanos: new Float64Array(rows.length).fill(nanos),
    rule: new Uint8Array(rows.length),
    thread: Uint32Array.from(rows, ({ thread }) => thread),
    threads: Object.keys(threads),
    threadRows: Object.keys(threads).map((_, row) => row),
    stack: Uint32Array.from(rows, ({ stack }) => stacks.indexOf(stack)),
    offsets: Uint32Array.from([0, ...stacks.map((_, i) => stacks.slice(0, i + 1).join("").length)]),
    items: Uint32Array.from(stacks.join(""), (name) => names.indexOf(name)),
    names,
    types: new Uint8Array(names.length),
    stops: { at: new Float64Array(0), nanos: new Float64Array(0) },
  };
}

const chart = (samples: OrderedSamples, pauses = NO_PAUSES, stops = true) =>
  sampleColumns(samples, null, pauses, stops).columns;
/** `main 0 a 0+20`: lane, depth, name, start and duration. */
const drawn = ({ lanes, lane, depth, name, names, start, duration }: ReturnType<typeof chart>) =>
  Array.from(lane, (at, i) => `${lanes[at].title} ${depth[i]} ${names[name[i]]} ${start[i]}+${duration[i]}`);

it("joins the frames that neighbouring samples have in common", () => {
  const columns = chart(
    samplesOf({
      main: [
        [0, "ab"],
        [10, "abc"],
        [20, "ad"],
      ],
    }),
  );
  expect(drawn(columns)).toEqual(["main 0 a 0+30", "main 1 b 0+20", "main 2 c 10+10", "main 1 d 20+10"]);
  expect([...columns.self]).toEqual([0, 10, 10, 10]);
  expect(columns.span).toBe(30);
});

it("has the threads as a request goes through them, or the busiest first", () => {
  const samples = samplesOf({
    timer: [[0, "a"]],
    worker: [
      [5, "b"],
      [15, "b"],
    ],
    main: [[3, "c"]],
  });
  const titles = (ofRequests: boolean) =>
    sampleColumns(samples, null, NO_PAUSES, true, ofRequests).columns.lanes.map(({ title }) => title);
  expect(titles(true)).toEqual(["timer", "main", "worker"]);
  expect(titles(false)).toEqual(["worker", "timer", "main"]);
});

it("keeps a frame apart that is entered again below another caller", () => {
  expect(
    drawn(
      chart(
        samplesOf({
          main: [
            [0, "abc"],
            [10, "adc"],
          ],
        }),
      ),
    ),
  ).toEqual(["main 0 a 0+20", "main 1 b 0+10", "main 2 c 0+10", "main 1 d 10+10", "main 2 c 10+10"]);
});

it("keeps samples with inferred context apart, each with its rule", () => {
  const samples = samplesOf({
    main: [
      [0, "ab"],
      [10, "ab"],
      [20, "ab"],
    ],
  });
  expect(chart(samples).rule).toBeNull();
  samples.rule.set([0, 1, 1]);
  const columns = chart(samples);
  expect(drawn(columns)).toEqual(["main 0 a 0+10", "main 1 b 0+10", "main 0 a 10+20", "main 1 b 10+20"]);
  expect([...(columns.rule ?? [])]).toEqual([0, 0, 1, 1]);
  expect(boxWords(columns, 1).parts).not.toContain("context inferred (scope)");
  expect(boxWords(columns, 3).parts).toContain("context inferred (scope)");
});

it("leaves time without a sample empty, but not the delay of the sampler", () => {
  expect(
    drawn(
      chart(
        samplesOf({
          main: [
            [0, "a"],
            [14, "a"],
            [40, "a"],
          ],
        }),
      ),
    ),
  ).toEqual(["main 0 a 0+24", "main 0 a 40+10"]);
});

it("ends a sample where the next one of its thread begins, and not one of another thread", () => {
  expect(
    drawn(
      chart(
        samplesOf({
          main: [
            [0, "a"],
            [4, "b"],
          ],
          other: [[2, "a"]],
        }),
      ),
    ),
  ).toEqual(["main 0 a 0+4", "main 0 b 4+10", "other 0 a 2+10"]);
});

it("draws samples of no known length as moments", () => {
  expect(
    drawn(
      chart(
        samplesOf(
          {
            "": [
              [0, "a"],
              [5, "a"],
            ],
          },
          0,
        ),
      ),
    ),
  ).toEqual(["Unknown thread 0 a 0+0", "Unknown thread 0 a 5+0"]);
});

it("has a lane for pauses, which stop only the threads of their process", () => {
  const pauses = {
    start: ORIGIN - 5n,
    pauses: {
      at: Float64Array.of(0, 10, 12, 900),
      nanos: Float64Array.of(3, 5, 8, 10),
      text: Uint32Array.of(0, 0, 0, 0),
      file: new Uint32Array(4),
    },
    texts: ["G1 Evacuation Pause"],
  };
  const samples = samplesOf({
    main: [
      [0, "a"],
      [10, "a"],
    ],
  });
  const own = chart(samples, pauses);
  expect(drawn(own).slice(1)).toEqual(["GC pauses 0 G1 Evacuation Pause 5+5", "GC pauses 0 G1 Evacuation Pause 7+8"]);
  expect([[...own.pauses.from], [...own.pauses.to]]).toEqual([[5], [15]]);
  expect(own.lanes.map(({ stopped }) => stopped)).toEqual([true, false]);
  const other = chart(samples, pauses, false);
  expect(other.pauses.from).toHaveLength(0);
  expect(other.lanes[0]!.stopped).toBe(false);
});

it("begins with the trace where that begins before the samples", () => {
  const spans = {
    start: ORIGIN - 100n,
    duration: 400,
    up: Int32Array.of(-1),
    size: Uint32Array.of(1),
    from: Float64Array.of(0),
    length: Float64Array.of(400),
    self: Float64Array.of(400),
    nameOf: Uint32Array.of(0),
    resourceOf: Uint32Array.of(1),
    texts: ["GET /"],
  };
  const { columns } = sampleColumns(samplesOf({ main: [[0, "a"]] }), spans, NO_PAUSES, true);
  expect(drawn(columns)).toEqual(["Spans of the trace 0 GET / 0+400", "main 0 a 100+10"]);
  expect([columns.origin, columns.span]).toEqual([ORIGIN - 100n, 400]);
  expect(columns.lanes.map(({ beside }) => beside)).toEqual(["spans", undefined]);
});

it("has nothing of an empty selection", () => {
  expect(chart(samplesOf({})).lane).toHaveLength(0);
});

it("has a lane of safepoints, cut to the chart and apart from each other", () => {
  const samples = samplesOf({ main: [[100, "a"]] }, 50);
  samples.stops = { at: Float64Array.of(-20, 105, 110, 140), nanos: Float64Array.of(10, 10, 20, 100) };
  expect(drawn(chart(samples)).slice(1)).toEqual([
    "Safepoints and VM operations 0 Threads stopped 105+10",
    "Safepoints and VM operations 0 Threads stopped 115+15",
    "Safepoints and VM operations 0 Threads stopped 140+10",
  ]);
});
