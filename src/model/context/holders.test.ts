import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LockWaits } from "../../core/samples/waits.ts";
import { heldStretches, NO_WORK, type WorkAt } from "./holders.ts";

const UNKNOWN = -1;

interface Row {
  thread: number;
  owner: number;
  from: number;
  to: number;
  object: number;
}

const wait = (thread: number, owner: number, from: number, to: number, object = 0): Row => ({
  thread,
  owner,
  from,
  to,
  object,
});

function waitsOf(rows: readonly Row[]): LockWaits {
  const words = (of: (row: Row) => number) => Uint32Array.from(rows, of);
  return {
    count: rows.length,
    object: words(({ object }) => object),
    objects: 3,
    thread: words(({ thread }) => thread),
    threadRow: words(({ thread }) => thread + 100),
    owner: Int32Array.from(rows, ({ owner }) => owner),
    ownerRow: words(({ owner }) => (owner < 0 ? 0 : owner + 100)),
    start: Float64Array.from(rows, ({ from }) => from),
    end: Float64Array.from(rows, ({ to }) => to),
  };
}

/** Stretches of a wait: thread, from, to, and ! where it is not certain. */
function heldOf(rows: readonly Row[], of: number, workAt: (thread: number, time: number) => WorkAt = () => NO_WORK) {
  const held = heldStretches(waitsOf(rows), workAt);
  return held.wait.flatMap((row, i) => {
    if (row !== of) return [];
    return `${held.thread[i]} ${held.from[i]} ${held.to[i]}${held.certain[i] === 1 ? "" : " !"}`;
  });
}

describe("holders of a wait", () => {
  it("is the thread that gave the monitor up last", () => {
    expect(heldOf([wait(1, 2, 10, 50)], 0)).toEqual(["2 10 50"]);
  });

  it("are those of the waits that ended in it, in turn", () => {
    const rows = [wait(1, 2, 10, 50), wait(2, 3, 5, 40), wait(3, 4, 0, 20)];
    expect(heldOf(rows, 0)).toEqual(["4 10 20", "3 20 40", "2 40 50"]);
    expect(heldOf(rows, 2)).toEqual(["4 0 20"]);
  });

  it("are not certain around a thread that came without a wait", () => {
    const rows = [wait(1, 3, 10, 50), wait(2, 4, 5, 20)];
    expect(heldOf(rows, 0)).toEqual(["4 10 20", "2 20 35 !", "3 35 50 !"]);
    const bounds: Partial<Record<number, Partial<WorkAt>>> = { 2: { to: 24 }, 3: { from: 22 } };
    const spans = (thread: number): WorkAt => ({ ...NO_WORK, ...bounds[thread] });
    expect(heldOf(rows, 0, spans)).toEqual(["4 10 20", "2 20 23 !", "3 23 50 !"]);
  });

  it("is unknown where the event names no owner, and is never the waiter itself", () => {
    expect(heldOf([wait(1, UNKNOWN, 10, 50)], 0)).toEqual([]);
    expect(heldOf([wait(1, UNKNOWN, 10, 50), wait(2, 7, 0, 20)], 0)).toEqual(["7 10 20", "2 20 35 !"]);
    expect(heldOf([wait(1, 1, 10, 50)], 0)).toEqual([]);
  });

  it("are of one object", () => {
    const rows = [wait(1, 2, 10, 50), wait(2, 3, 5, 40, 1)];
    expect(heldOf(rows, 0)).toEqual(["2 10 50"]);
  });

  it("is what it worked for in the middle of the stretch", () => {
    const asked: [number, number][] = [];
    heldStretches(waitsOf([wait(1, 2, 10, 50)]), (thread, time) => {
      asked.push([thread, time]);
      return NO_WORK;
    });
    expect(asked).toEqual([[2, 30]]);
  });

  it("are within the wait, in order and without overlap", () => {
    const row = fc.record({
      thread: fc.nat(4),
      owner: fc.oneof(fc.nat(4), fc.constant(UNKNOWN)),
      from: fc.nat(100),
      to: fc.nat(100),
      object: fc.nat(2),
    });
    const rows = fc.array(row, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(rows, (some) => {
        const all = some.map((each) => ({ ...each, to: Math.max(each.to, each.from + 1) }));
        const held = heldStretches(waitsOf(all), () => NO_WORK);
        const end = new Map<number, number>();
        for (const [i, of] of held.wait.entries()) {
          const [from, to] = [held.from[i]!, held.to[i]!];
          expect(from).toBeGreaterThanOrEqual(Math.max(all[of]!.from, end.get(of) ?? 0));
          expect(to).toBeGreaterThan(from);
          expect(to).toBeLessThanOrEqual(all[of]!.to);
          expect(held.thread[i]).not.toBe(all[of]!.thread);
          end.set(of, to);
        }
      }),
    );
  });
});
