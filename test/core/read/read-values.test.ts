/** What an observation counts: weights, sizes, durations, by the rule of its event. */
import { describe, expect, it } from "vitest";
import { profilesOf, read } from "../../kit/core/read-store.ts";
import type { FieldSpec, Item, Value } from "../../kit/jfr/jfr-builder.ts";
import {
  ALLOC,
  CONTEXT,
  Constants,
  CPU,
  ENTER,
  event,
  field,
  JVM_TYPES,
  ref,
  STACK,
  START,
  THREAD,
} from "../../kit/jfr/jfr-types.ts";

describe("a value", () => {
  const lead = [START, THREAD, STACK];
  const base = { startTime: 0n, eventThread: 0n, stackTrace: 0n, spanId: 0n, localRootSpanId: 0n, objectClass: 0n };
  async function measured(
    name: string,
    fields: FieldSpec[],
    values: Record<string, Value>,
    frequency = 1_000_000_000n,
  ) {
    const c = new Constants();
    const objectClass = typeof values.objectClass === "string" ? c.classOf(values.objectClass) : 0n;
    const item: Item = { event: name, values: { ...base, ...values, objectClass } };
    const types = [...JVM_TYPES, event(name, [...lead, ...fields, ...CONTEXT])];
    const core = await read({ types, items: [item, { checkpoint: c.all() }], ticksPerSecond: frequency });
    const [profile] = profilesOf(core);
    return {
      value: profile?.samples[0]?.values[0],
      type: profile?.type,
      unit: profile?.unit,
      attributes: profile?.samples[0]?.attributes,
    };
  }
  const SIZED = [ref("objectClass", "java.lang.Class"), field("size", "long"), field("weight", "float")];

  it("is the weight, or 1 where there is none", async () => {
    expect(await measured(CPU, [field("weight", "long")], { weight: 5n })).toMatchObject({
      value: 5n,
      unit: "samples",
    });
    expect(await measured(CPU, [], {})).toMatchObject({ value: 1n, type: "cpu" });
    expect(await measured(CPU, [field("weight", "float")], { weight: 2.9 })).toMatchObject({ value: 2n });
  });

  it.each([
    [3n, 1.5, 5n],
    [1n, 0.5, 1n],
    [16n, 1.03125, 17n],
    [1_000_000_000n, 1.1, 1_100_000_024n],
    [0n, 9, 0n],
  ])("is size %d × weight %d, rounded half up, as %d bytes", async (size, weight, value) => {
    const found = await measured(ALLOC, SIZED, { objectClass: "[B", size, weight });
    expect(found).toMatchObject({ value, type: "alloc-samples", unit: "bytes" });
  });

  it("is the allocation size where size and weight are absent", async () => {
    expect(await measured(ALLOC, [field("allocationSize", "long")], { allocationSize: 77n })).toMatchObject({
      value: 77n,
    });
  });

  it.each([
    ["[B", "byte[]"],
    ["[[I", "int[][]"],
    ["[Ljava/lang/String;", "java.lang.String[]"],
    ["java/util/Map$Entry", "java.util.Map$Entry"],
  ])("of class %s is named %s", async (name, label) => {
    const { attributes } = await measured(ALLOC, SIZED, { objectClass: name, size: 1n, weight: 1 });
    expect(attributes?.["alloc.class"]).toBe(label);
  });

  it.each([
    ["TICKS", 2_799_998_858n, 2_799_998_858n, 1_000_000_000n],
    ["TICKS", 1_800_000_000n, 1n, 0n],
    ["MILLISECONDS", 1_800_000_000n, 7n, 7_000_000n],
    ["NANOSECONDS", 3n, 7n, 7n],
    ["MICROSECONDS", 3n, 7n, 7000n],
    ["SECONDS", 3n, 7n, 7_000_000_000n],
  ])("is a duration in %s at %d Hz: %d gives %d ns", async (unit, frequency, duration, value) => {
    const found = await measured(ENTER, [field("duration", "long", { unit })], { duration }, frequency);
    expect(found).toMatchObject({ value, type: "lock-contention", unit: "nanoseconds" });
    expect(found.attributes?.["jfr.event"]).toBe(ENTER);
  });
});
