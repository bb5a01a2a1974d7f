import { expect, test } from "vitest";
import { rowTime } from "./row-time.ts";

const START = 1_700_000_000_000_000_000n;

test("a row's time runs from its first sample to its last, as exactly as its length asks for", () => {
  const row = { first: START + 12_310_000_000n, last: START + 14_100_000_000n };
  expect(rowTime(row, START)).toEqual({
    words: "12.31–14.1 s",
    sentence: "from 12.31–14.1 s after the first sample: 1.79 s",
  });
});

test("one moment is one figure, and no time is none", () => {
  const moment = START + 483_400_000n;
  expect(rowTime({ first: moment, last: moment }, START)).toEqual({
    words: "483.4 ms",
    sentence: "at 483.4 ms after the first sample",
  });
  expect(rowTime({ first: START, last: START }, START)?.words).toBe("0 ms");
  const late = START + 3_432_199_999n;
  expect(rowTime({ first: late, last: late }, START)?.words).toBe("3.4322 s");
  expect(rowTime({ first: 0n, last: 0n }, START)).toBeNull();
});
