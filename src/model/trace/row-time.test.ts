import { expect, test } from "vitest";
import { rowTime } from "./row-time.ts";

const START = 1_700_000_000_000_000_000n;
const ROWS = [{ from: START }, { from: START + 10_000_000_000_000_000n }];

test("a row's time is its start and its duration", () => {
  const row = { first: START + 12_310_000_000n, last: START + 14_100_000_000n };
  expect(rowTime(row, ROWS)).toEqual({
    start: "+0:12.31",
    duration: "≥ 1.79 s",
    sentence: "from +0:12.31 after the start of the recording, for ≥ 1.79 s",
  });
});

test("a duration that a trace states is shown as it is, also of a single sample", () => {
  const row = { first: START + 12_310_000_000n, last: START + 12_310_000_000n, stated: 169_000_000n };
  expect(rowTime(row, ROWS)).toMatchObject({ start: "+0:12.31", duration: "169 ms" });
});

test("each file has its own zero", () => {
  const first = START + 10_000_001_500_000_000n;
  expect(rowTime({ first, last: first + 2_180_000_000_000n }, ROWS)).toMatchObject({
    start: "+0:01.50",
    duration: "≥ 36 min 20 s",
  });
});

test("one moment is one figure, and no time is none", () => {
  const moment = START + 483_400_000n;
  expect(rowTime({ first: moment, last: moment }, ROWS)).toEqual({
    start: "+0:00.48",
    duration: "",
    sentence: "at +0:00.48 after the start of the recording",
  });
  expect(rowTime({ first: START, last: START }, ROWS)?.start).toBe("+0:00.00");
  expect(rowTime({ first: 0n, last: 0n }, ROWS)).toBeNull();
});
