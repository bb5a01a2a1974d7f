import { describe, expect, it } from "vitest";
import { PROFILES } from "./catalogue.ts";
import { nanosOfUnit, profileNamed, profileOfKind } from "./kinds.ts";
import { distinctOfKind, kindAsked, kindOf, meaningOf } from "./meanings.ts";
import { hasOtelNames, outputsOf, PRESETS, type StoredProfile } from "./presets.ts";

const named = (type: string, period = "/") => {
  const [periodType = "", periodUnit = ""] = period.split("/");
  return kindOf({ type, periodType, periodUnit });
};

/** A row of the catalogue as the store has it, with a period where it may have one. */
function stored(id: number): StoredProfile {
  const row = PROFILES[id]!;
  const { type = "", unit = "" } = row.period ?? {};
  return { id, family: id, row, type: row.type, unit: row.unit, periodType: type, periodUnit: unit, period: 1000n };
}

describe("the kind of a profile", () => {
  it.each(PROFILES.map(({ type }, id) => ({ type, id })))("$type ($id) is the same by every preset", ({ type, id }) => {
    const kind = named(type);
    for (const { name } of PRESETS) {
      for (const output of outputsOf(name, [stored(id)], "all")) {
        // A number of samples or calls without a period does not tell of what.
        const isTold = output.measure === 0 || (hasOtelNames(name) && !["samples", "calls"].includes(output.type));
        if (isTold) expect([name, output.type, kindOf(output)]).toEqual([name, output.type, kind]);
      }
    }
  });

  it("is that of the producer's words", () => {
    const words = {
      cpu: ["cpu", "cpu-time", "cpu_time", "cpu-samples", "process_cpu", "on-cpu", "itimer", "ctimer", "cpu-clock"],
      wall: ["wall", "wall-time", "wall_time", "wall-clock", "wall-samples"],
      alloc: ["alloc_space", "alloc_objects", "alloc-size", "allocated_space", "allocations", "object_sampler"],
      live: ["inuse_space", "inuse_objects", "live-heap", "heap-live-size", "heap-space", "objects", "space"],
      lock: ["lock_tracer", "mutex", "lock-acquire", "lock-acquire-wait", "lock-contention"],
      "off-cpu": ["off_cpu", "offcpu"],
      other: ["goroutine", "threadcreate", "gc-count", "lock-release-hold", "cycles", "cache-misses", "cpuset", ""],
    };
    for (const [kind, types] of Object.entries(words))
      expect(types.map((type) => [type, named(type)])).toEqual(types.map((type) => [type, kind]));
  });

  it("is that of the period for a number of samples", () => {
    expect(named("samples", "cpu/nanoseconds")).toBe("cpu");
    expect(named("sample", "wall/nanoseconds")).toBe("wall");
    expect(named("samples", "itimer/ns")).toBe("cpu");
    expect(named("samples", "cpu/cycles")).toBe("other");
    expect(named("delay", "mutex/count")).toBe("lock");
    expect(named("delay", "contentions/count")).toBe("block");
    expect(named("samples")).toBe("other");
  });
});

describe("the meaning of values", () => {
  const cpu = { type: "cpu", unit: "samples", periodType: "cpu", periodUnit: "nanoseconds", period: 10_000_000n };

  it("has the nanoseconds of a value", () => {
    expect(["ns", "nanoseconds", "us", "microseconds", "ms", "milliseconds", "s", "seconds"].map(nanosOfUnit)).toEqual([
      1, 1, 1e3, 1e3, 1e6, 1e6, 1e9, 1e9,
    ]);
    expect(["bytes", "count", "", "samples", "minutes"].map(nanosOfUnit)).toEqual([null, null, null, null, null]);
    expect(meaningOf(cpu, 1)).toEqual({ kind: "cpu", each: 1, nanos: 1e7 });
    expect(meaningOf({ ...cpu, period: 0n }, 1)).toEqual({ kind: "cpu", each: 1, nanos: null });
    expect(meaningOf({ ...cpu, unit: "nanoseconds" }, 1e7)).toEqual({ kind: "cpu", each: 1e7, nanos: 1 });
  });

  it("is no time of numbers that count no samples", () => {
    const go = { type: "alloc_objects", unit: "count", periodType: "space", periodUnit: "bytes", period: 524288n };
    expect(meaningOf(go, null)).toEqual({ kind: "alloc", each: null, nanos: null });
    expect(meaningOf({ ...cpu, unit: "count" }, 1)).toMatchObject({ nanos: 1e7 });
    expect(meaningOf({ ...cpu, type: "exceptions", unit: "count" }, 1)).toMatchObject({ nanos: null });
  });
});

describe("each measurement of a kind", () => {
  it("is there once where its samples have a time and a number", () => {
    const profile = (type: string, unit: string, samples: number) => {
      const stated = { type, unit, periodType: "wall", periodUnit: "nanoseconds", period: 10n };
      return { type, otlpType: type, unit, samples, stacks: 2, threads: 1, meaning: meaningOf(stated, 0) };
    };
    const node = [profile("sample", "count", 30), profile("wall", "nanoseconds", 30)];
    const types = (profiles: typeof node) => distinctOfKind(profiles, "wall").map(({ type }) => type);
    expect(types(node)).toEqual(["wall"]);
    expect(types(node.slice(0, 1))).toEqual(["sample"]);
    expect(types([...node, profile("wall-samples", "count", 7)])).toEqual(["wall", "wall-samples"]);
  });
});

describe("what a user asks for", () => {
  it("is a kind, or a type that recordings have of it", () => {
    expect(["cpu", "alloc-samples", "alloc", "live-heap"].map(kindAsked)).toEqual(["cpu", "alloc", "alloc", "live"]);
    expect(["cpu-time", "samples", "constructor", ""].map(kindAsked)).toEqual([...Array(4)]);
  });

  it("is the profile by time or bytes, before numbers of samples or objects", () => {
    const profile = (type: string, unit: string, periodType = "", period = 0n) => {
      const meaning = meaningOf({ type, unit, periodType, periodUnit: "nanoseconds", period }, 0);
      return { type, otlpType: type, unit, meaning };
    };
    const go = [profile("samples", "count", "cpu", 10n), profile("cpu", "nanoseconds", "cpu", 10n)];
    expect(profileOfKind(go, "cpu")?.type).toBe("cpu");
    expect(profileOfKind(go.slice(0, 1), "cpu")?.type).toBe("samples");
    expect(["samples", "cpu", "wall"].map((word) => profileNamed(go, word)?.type)).toEqual([
      "samples",
      "cpu",
      undefined,
    ]);
    expect(profileNamed(go.slice(0, 1), "cpu")?.type).toBe("samples");
    const profiles = [profile("alloc_objects", "count"), profile("alloc_space", "bytes"), profile("wall", "samples")];
    expect(profileOfKind(profiles, "alloc")?.type).toBe("alloc_space");
    expect(profileOfKind(profiles, "wall")?.type).toBe("wall");
    expect(profileOfKind(profiles, "cpu")).toBeUndefined();
    expect(profileOfKind([{ ...profiles[2]!, empty: true as const }], "wall")).toBeUndefined();
  });
});
