/** Calls in formats that have every invocation, read by independent readers. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callOfFrames, listed, plainFrames, wordOf } from "../../../../test/kit/cdt/listed-calls.ts";
import { readEvented, readFirefox, sum } from "../../../../test/kit/shown-formats.ts";
import type { ListedFrame } from "../../../core/dumps/dump.ts";
import { methodName } from "../method.ts";
import { firefoxCalls } from "./firefox.ts";
import { speedscopeCalls } from "./speedscope.ts";

const TREE = plainFrames(5).map((root) => listed(root));
const nameOf = ({ method }: ListedFrame) => (method === null ? "[reactive]" : methodName(wordOf(0, method)));

const speedscope = (...lists: ListedFrame[][]) =>
  readEvented(
    [
      ...speedscopeCalls(
        lists.map((frames) => ({ call: callOfFrames(frames), frames })),
        wordOf,
        "test",
      ),
    ].join(""),
  );
const firefox = (...lists: ListedFrame[][]) =>
  [
    ...firefoxCalls(
      lists.map((frames) => ({ call: callOfFrames(frames), frames })),
      wordOf,
      "test",
    ),
  ].join("");

describe("speedscope", () => {
  it("has every invocation with its order, depth and duration", () => {
    fc.assert(
      fc.property(fc.array(TREE, { minLength: 1, maxLength: 3 }), (lists) => {
        const profiles = speedscope(...lists);
        expect(profiles).toHaveLength(lists.length);
        for (const [i, { unit, end, invocations }] of profiles.entries()) {
          const frames = lists[i]!;
          const zero = frames[0]!.start;
          expect([unit, end]).toEqual(["milliseconds", Number(frames[0]!.total)]);
          expect(invocations).toEqual(
            frames.map((frame) => ({
              name: nameOf(frame),
              depth: frame.depth,
              at: Number(frame.start - zero),
              total: Number(frame.total),
            })),
          );
        }
      }),
    );
  });

  it("keeps its rules where a clock was set back", () => {
    fc.assert(
      fc.property(TREE, fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1 }), (frames, steps) => {
        const moved = frames.map((frame, i) => ({ ...frame, start: frame.start + BigInt(steps[i % steps.length]!) }));
        const [profile] = speedscope(moved);
        expect(profile?.invocations.map(({ depth }) => depth)).toEqual(moved.map(({ depth }) => depth));
      }),
    );
  });

  it("has time beyond the tree as the last child of the root, which lasts as long", () => {
    const [root] = listed({ method: 0, before: 0, after: 10, suspended: 0, params: {}, children: [] });
    const rest = { ...root!, depth: 1, method: null, start: root!.start + 10n, total: 7n, self: 7n };
    expect(speedscope([root!, rest])[0]?.invocations).toEqual([
      { name: "shop.Cart.add", depth: 0, at: 0, total: 17 },
      { name: "[reactive]", depth: 1, at: 10, total: 7 },
    ]);
  });
});

describe("Firefox Profiler", () => {
  it("has the stacks of a call for the whole of its time, one after the other", () => {
    fc.assert(
      fc.property(TREE, (frames) => {
        const [thread] = readFirefox(firefox(frames));
        expect(sum(thread!.weights)).toBe(Number(frames[0]!.total));
        expect(thread!.times).toEqual(thread!.weights.map((_, i) => sum(thread!.weights.slice(0, i))));
        const self = new Map<string, number>();
        for (const frame of frames) self.set(nameOf(frame), (self.get(nameOf(frame)) ?? 0) + Number(frame.self));
        const got = new Map<string, number>();
        for (const [i, stack] of thread!.stacks.entries()) {
          got.set(stack.at(-1)!, (got.get(stack.at(-1)!) ?? 0) + thread!.weights[i]!);
        }
        expect(got).toEqual(new Map([...self].filter(([, ms]) => ms > 0)));
      }),
    );
  });

  it("has calls as threads on one clock, and parameters as markers", () => {
    const frame = { method: 0, before: 0, after: 10, suspended: 0, params: { sql: ["select 1"] }, children: [] };
    const [early, late] = [listed(frame, 1000n), listed(frame, 1500n)];
    const text = firefox(late, early);
    expect(readFirefox(text).map(({ times }) => times)).toEqual([[500], [0]]);
    const { threads, meta } = JSON.parse(text);
    expect(meta.startTime).toBe(1000);
    expect(threads[0].markers).toMatchObject({
      length: 1,
      startTime: [500],
      endTime: [510],
      data: [{ type: "parameters", text: "sql=select 1" }],
    });
  });
});
