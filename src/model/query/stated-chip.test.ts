import { expect, test } from "vitest";
import { statedChip } from "./stated-chip.ts";

const stated = { name: "POST /checkout", start: 0n, spans: 5, duration: 169_000_000n };

test("all local roots of a trace are one chip, with the duration of the trace", () => {
  const chip = statedChip({ localRoot: [7n, 8n] }, { ...stated, are: "trace" });
  expect(chip).toMatchObject({ label: "trace", value: "POST /checkout 169 ms", full: "POST /checkout, 169 ms" });
  expect(chip?.chips).toEqual([
    { kind: "local-root", id: 7n },
    { kind: "local-root", id: 8n },
  ]);
});

test("several spans are one chip, one is its id", () => {
  const spans = { span: [1n, 2n, 3n], localRoot: 7n };
  expect(statedChip(spans, { ...stated, are: "below" })?.value).toBe("POST /checkout with its children");
  expect(statedChip(spans, { ...stated, are: "some" })?.value).toBe("POST /checkout and 2 more");
  expect(statedChip({ span: 1n }, { ...stated, are: "below" })).toBeNull();
});

test("other roots, and those that no trace states, are shown one by one", () => {
  expect(statedChip({ localRoot: 7n }, { ...stated, are: "some" })).toBeNull();
  expect(statedChip({ localRoot: 7n }, undefined)).toBeNull();
});
