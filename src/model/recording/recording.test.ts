import { expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import type { FileSummary } from "../../core/types.ts";
import { chunkRows, coverageTable, producersOf, settingRows } from "./recording.ts";

const chunk = (bytes: number, events: Record<string, number>) => ({
  version: "2.1",
  bytes,
  startUnixNano: 5n,
  durationNano: 7n,
  events,
});

const FILES: FileSummary[] = [
  {
    name: "a",
    bytes: 300,
    format: "jfr",
    chunks: [chunk(100, { "jdk.GCPhasePause": 2, "datadog.ExecutionSample": 9 }), chunk(200, { "jdk.ThreadPark": 1 })],
    messages: [],
    samples: 10,
    resource: {},
  },
  {
    name: "b",
    bytes: 50,
    format: "jfr",
    chunks: [chunk(50, { "my.Event": 4 })],
    messages: [],
    samples: 0,
    resource: {},
  },
];

it("tells producers by the names of their events", () => {
  expect(producersOf(FILES)).toEqual([
    { name: "Datadog", types: 1, events: 9 },
    { name: "others", types: 1, events: 4 },
    { name: "JDK Flight Recorder", types: 2, events: 3 },
  ]);
});

it("counts chunks and their offsets file by file", () => {
  expect(chunkRows(FILES).map(({ file, index, offset, events }) => [file, index, offset, events])).toEqual([
    ["a", 0, 0, 11],
    ["a", 1, 100, 1],
    ["b", 0, 0, 4],
  ]);
});

it("has a column for whatever any profile carries", () => {
  const cpu = {
    ...profileSummary({ type: "cpu" }),
    samples: 10,
    samplesWithSpan: 5,
    samplesWithRoot: 10,
    samplesWithAttribute: { a: 1 },
  };
  const wall = {
    ...cpu,
    type: "wall",
    samples: 4,
    samplesWithSpan: 0,
    samplesWithRoot: 0,
    samplesWithAttribute: { b: 4 },
  };
  const { columns, rows } = coverageTable([cpu, wall]);
  expect(columns).toEqual(["span id", "request id", "a", "b"]);
  expect(rows.map(({ shares }) => columns.map((column) => shares.get(column)))).toEqual([
    [0.5, 1, 0.1, undefined],
    [0, 0, undefined, 1],
  ]);
});

it("says each setting once, by event", () => {
  const period = { event: "b", name: "period", value: "10 ms" };
  const threshold = { event: "a", name: "threshold", value: "1 ms" };
  const profiles = [{ ...profileSummary({ type: "cpu" }), settings: [period] }];
  expect(settingRows(profiles, [threshold, { ...period }])).toEqual([threshold, period]);
});
