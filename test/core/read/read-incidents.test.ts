/**
 * Pauses, collections and losses as recordings state them; against real recordings: test/differential/marks.test.ts.
 */
import { describe, expect, it } from "vitest";
import { read } from "../../kit/core/read-store.ts";
import type { Item, TypeSpec } from "../../kit/jfr/jfr-builder.ts";
import { CPU, cpuType, DURATION, event, field, JVM_TYPES, START } from "../../kit/jfr/jfr-types.ts";

const PAUSE = event("jdk.GCPhasePause", [START, DURATION, field("gcId", "int"), field("name", "java.lang.String")]);
const COLLECTION = event("jdk.GarbageCollection", [
  START,
  DURATION,
  field("gcId", "int"),
  field("cause", "java.lang.String"),
  field("sumOfPauses", "long", { unit: "TICKS" }),
]);
const LOSS = event("jdk.DataLoss", [
  START,
  field("amount", "long", { unit: "BYTES", annotation: "jdk.jfr.DataAmount" }),
]);
const TYPES = [...JVM_TYPES, cpuType(), PAUSE, COLLECTION, LOSS];

const pause = (startTime: bigint, duration: bigint, gcId: bigint, name = "GC Pause"): Item => ({
  event: PAUSE.name,
  values: { startTime, duration, gcId, name },
});
const collection = (startTime: bigint, sumOfPauses: bigint, gcId: bigint, cause: string): Item => ({
  event: COLLECTION.name,
  values: { startTime, duration: 10n * sumOfPauses, gcId, cause, sumOfPauses },
});

/** Moments count from the first sample on. */
const SAMPLE: Item = {
  event: CPU,
  values: { startTime: 50n, eventThread: 0n, stackTrace: 0n, weight: 1n, spanId: 0n, localRootSpanId: 0n },
};

async function marksOf(items: Item[], types: TypeSpec[] = TYPES) {
  const core = await read({ types, items: [SAMPLE, ...items] });
  const { pauses, texts, ...rest } = core.views.marks();
  const said = Array.from(pauses.at, (_, i) => [pauses.nanos[i], texts[pauses.text[i]!]]);
  return { said, at: [...pauses.at], ...rest };
}

describe("a pause", () => {
  it("has the cause of its collection, wherever that stands, else its own name", async () => {
    const { said } = await marksOf([
      pause(100n, 5n, 1n),
      collection(90n, 7n, 1n, "System.gc()"),
      pause(110n, 2n, 1n),
      pause(120n, 1n, 2n, "Mark Start"),
    ]);
    expect(said).toEqual([
      [5, "System.gc()"],
      [2, "System.gc()"],
      [1, "Mark Start"],
    ]);
  });

  it("stands for a collection whose pauses are not written, as long as they were together", async () => {
    const { said, at } = await marksOf([collection(300n, 9n, 4n, "Allocation Failure"), pause(100n, 5n, 1n)]);
    expect(said).toEqual([
      [5, "GC Pause"],
      [9, "Allocation Failure"],
    ]);
    expect(at).toEqual([50, 250]);
  });

  it("is read under the names of JDK 9 and 10, and not under others", async () => {
    const renamed = (name: string) => ({ ...PAUSE, name });
    const old = renamed("com.oracle.jdk.GCPhasePause");
    const level = renamed("jdk.GCPhasePauseLevel1");
    const types = [...JVM_TYPES, cpuType(), old, level];
    const { said } = await marksOf(
      [
        { ...pause(1n, 5n, 1n), event: level.name },
        { ...pause(1n, 6n, 1n), event: old.name },
      ],
      types,
    );
    expect(said).toEqual([[6, "GC Pause"]]);
  });

  it("that lasts less than nothing lasts nothing", async () => {
    expect((await marksOf([pause(5n, -3n, 1n)])).said).toEqual([[0, "GC Pause"]]);
  });

  it("is counted only, behind a hundred thousand", async () => {
    const many = Array.from({ length: 100_007 }, (_, i) => pause(BigInt(i), 1n, BigInt(i)));
    const { said, beyond } = await marksOf(many);
    expect([said.length, beyond]).toEqual([100_000, 7]);
  });
});

it("lost data adds up", async () => {
  const loss = (amount: bigint): Item => ({ event: LOSS.name, values: { startTime: amount, amount } });
  expect((await marksOf([loss(100n), loss(28n)])).lost).toEqual({ times: 2, bytes: 128 });
});
