/** Messages of rows: second measures are read again, with and without times. */
import { expect, it } from "vitest";
import { openRecording } from "../../../test/kit/open-recording.ts";
import { messageOf, type SampleRow, type StackRow } from "./rows-message.ts";

const stack: StackRow = { frames: [{ name: "leaf", file: null, frameType: "jvm" }], lines: null };
const row: SampleRow = {
  process: "part 0",
  time: 1_000n,
  type: "alloc-samples",
  unit: "bytes",
  value: 64n,
  second: 3n,
  period: null,
  event: "datadog.ObjectSample",
  root: 7n,
  span: 8n,
  trace: null,
  endpoint: "/",
  operation: null,
  thread: "main",
  threadId: 1n,
  stack,
  attributes: [["tenant", "a"]],
};

async function read(rows: SampleRow[]) {
  const data = messageOf(rows, new Map());
  return openRecording({ name: "rows.pb", data });
}

it("a second value belongs to its observation, and is no attribute", async () => {
  const seconds = [3n, 3n, 5n, 0n, -2n];
  using recording = await read(seconds.map((second, i) => ({ ...row, time: 1_000n + BigInt(i), second })));
  const samples = [...recording.select(null).samples()].sort((a, b) => Number(a.time - b.time));
  expect(samples.map(({ second, value }) => [second, value])).toEqual(seconds.map((second) => [second, 64n]));
  for (const { attributes } of samples) expect(attributes).toEqual({ "trace endpoint": "/", tenant: "a" });
});

it("second values of observations without a time add up, as their values do", async () => {
  using recording = await read([3n, 3n, 5n].map((second) => ({ ...row, time: 0n, second })));
  const samples = [...recording.select(null).samples()];
  expect(samples.map(({ second, value }) => [second, value])).toEqual([[11n, 192n]]);
});

it("a profile without a stored second measure has none", async () => {
  using recording = await read([{ ...row, type: "cpu", unit: "samples", value: 1n, event: "datadog.ExecutionSample" }]);
  const samples = [...recording.select(null).samples()];
  expect(samples.map(({ second }) => second)).toEqual([0n]);
  for (const { attributes } of samples) expect(attributes).not.toHaveProperty("spanflame.second_value");
});
