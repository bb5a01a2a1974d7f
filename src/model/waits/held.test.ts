import { describe, expect, it } from "vitest";
import { blockedBy, waitedFor, waitedWords } from "./held.ts";
import type { Held, Wait } from "./waits.ts";

const MS = 1_000_000n;
const UNKNOWN = { thread: "worker-1", threadId: null, file: null, span: null, localRoot: null, operation: null };

const held = (ms: bigint, part: Partial<Held> = {}): Held => ({
  ...{ ...UNKNOWN, thread: "worker-2", attributes: {}, startUnixNano: 0n, certain: true },
  ...part,
  durationNano: ms * MS,
});

const wait = (ms: bigint, own: Held[], part: Partial<Wait> = {}): Wait => ({
  ...{ ...UNKNOWN, kind: "monitor", class: "demo.Holders$Stock", address: null, target: null, startUnixNano: 0n },
  ...part,
  durationNano: ms * MS,
  held: own,
});

const words = (...waits: Wait[]) => {
  const waited = waitedFor(waits);
  return waited && waitedWords(waited);
};

const REINDEX = { operation: "POST /reindex", localRoot: 0x2an, attributes: { tenant: "42" } };

describe("the words for a wait", () => {
  it("name the holder's request, and what is not known", () => {
    expect(words(wait(312n, [held(240n, REINDEX)]))).toBe(
      "Waited 312 ms for Holders$Stock; 240 ms of it held by POST /reindex (request 0x000000000000002a, tenant 42), 72 ms by unknown holders.",
    );
    expect(words(wait(312n, []))).toBe("Waited 312 ms for Holders$Stock; the holder is unknown.");
    expect(words(wait(10n, [held(10n)], { class: null }))).toBe(
      "Waited 10 ms for an object of an unknown class; 10 ms of it held by worker-2.",
    );
    expect(words(wait(10n, [held(10n, { thread: "" })]))).toContain("held by a thread without a name");
  });

  it("distinguish what is inferred", () => {
    const inferred = { ...REINDEX, certain: false };
    expect(words(wait(100n, [held(100n, inferred)]))).toContain(
      "POST /reindex (request 0x000000000000002a, tenant 42, inferred).",
    );
    expect(words(wait(100n, [held(60n, REINDEX), held(40n, inferred)]))).toContain("tenant 42, 40 ms inferred).");
  });

  it("add up the requests of an endpoint, over all waits for the class", () => {
    const first = wait(100n, [held(30n, REINDEX), held(70n, { ...REINDEX, localRoot: 7n, attributes: {} })]);
    const second = wait(50n, [held(50n, { operation: "GET /stock", localRoot: 9n })], { thread: "worker-3" });
    expect(words(first, second, wait(1n, [], { class: "demo.Other" }))).toBe(
      "Waited 150 ms for Holders$Stock (2 waits of 2 threads); 100 ms of it held by POST /reindex (2 requests, the longest for 70 ms: request 0x0000000000000007), 50 ms by GET /stock (request 0x0000000000000009).",
    );
  });

  it("are none if no thread waited for a lock", () => {
    expect(words()).toBeNull();
    expect(words(wait(5n, [], { kind: "sleep", class: null }))).toBeNull();
  });
});

describe("who blocks whom", () => {
  const all = [
    wait(100n, [held(30n, REINDEX), held(70n, { certain: false })], { operation: "GET /stock", localRoot: 1n }),
    wait(20n, [held(10n, REINDEX), held(10n, REINDEX)], { operation: "GET /stock", localRoot: 2n }),
  ];
  const rows = (by: Parameters<typeof blockedBy>[1]) =>
    blockedBy(all, by).map(({ holder, waiter, waits, durationNano, certainNano, longest }) => {
      return [
        holder,
        waiter,
        waits,
        ...[durationNano, certainNano, longest.durationNano].map((nano) => Number(nano / MS)),
      ];
    });

  it("adds up by endpoint, and by thread pool where none is known", () => {
    expect(rows("endpoint")).toEqual([
      ["worker-*", "GET /stock", 1, 70, 0, 70],
      ["POST /reindex", "GET /stock", 2, 50, 50, 30],
    ]);
  });

  it("adds up by thread pool and by thread", () => {
    expect(rows("thread-pool")).toEqual([["worker-*", "worker-*", 2, 120, 50, 70]]);
    expect(rows("thread")).toEqual([["worker-2", "worker-1", 2, 120, 50, 70]]);
  });
});
