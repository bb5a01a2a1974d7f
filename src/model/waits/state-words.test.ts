import { expect, it } from "vitest";
import { type State, stateLines } from "./state-words.ts";
import type { Held, Wait } from "./waits.ts";

const NOBODY = { thread: "worker-1", threadId: null, file: null, span: null, localRoot: null, operation: null };
const HELD: Held = { ...NOBODY, attributes: {}, startUnixNano: 0n, durationNano: 5_000_000n, certain: true };
const WAIT: Wait = {
  ...{ ...NOBODY, kind: "monitor", class: "demo.Stock", address: 1n, target: null },
  ...{ startUnixNano: 0n, durationNano: 12_000_000n, held: [] },
};
const STATE: State = { part: "lock", from: 0n, to: 12_000_000n, samples: 0, request: "", wait: null, stack: [] };

it("state, length, what was waited for, its holders, the request and the stack, leaf first", () => {
  const held = [
    { ...HELD, certain: false },
    { ...HELD, operation: "POST /reindex", localRoot: 42n, durationNano: 7_000_000n },
  ];
  const wait = { ...WAIT, held };
  expect(stateLines({ ...STATE, wait, request: "GET /stock", stack: ["run", "demo.Stock.take"] })).toEqual([
    "lock 12 ms for Stock",
    "held by POST /reindex (worker-1, request 0x000000000000002a) for 7 ms",
    "held by worker-1 for 5 ms, inferred",
    "in GET /stock",
    "demo.Stock.take",
    "run",
  ]);
});

it("samples, hosts and paths, and that a holder is not known", () => {
  expect(stateLines({ ...STATE, part: "running", samples: 3 })).toEqual([
    "running or ready to run 12 ms, by 3 samples",
  ]);
  expect(stateLines({ ...STATE, wait: WAIT })).toEqual(["lock 12 ms for Stock", "the holder is unknown"]);
  const socket: Wait = { ...WAIT, kind: "socket", class: null, target: "db:5432" };
  expect(stateLines({ ...STATE, part: "socket", wait: socket })).toEqual(["socket 12 ms on db:5432"]);
});

it("leaves out holders and frames that a tooltip has no room for", () => {
  const lines = stateLines({
    ...STATE,
    wait: { ...WAIT, held: Array<Held>(5).fill(HELD) },
    stack: Array<string>(20).fill("frame"),
  });
  expect(lines).toContain("… and 2 more holders");
  expect(lines.at(-1)).toBe("… 8 more");
});
