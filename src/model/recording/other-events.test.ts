import { describe, expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import { catalogueBytes } from "../../core/instance/catalogue-bytes.ts";
import { canBeProfile, readingKey } from "../../core/tables/extra-events.ts";
import type { EventType } from "../../core/types.ts";
import { kindsWith, otherEvents } from "./other-events.ts";
import { profileTabs } from "./profile-tabs.ts";

function kind(event: string, count = 1, stack = true): EventType {
  return { event, count, stack, contextual: false, contextFields: [], fields: [] };
}

describe("otherEvents", () => {
  it("are those with a stack trace that no profile of the catalogue has, by name", () => {
    const kinds = [
      kind("jdk.ThreadStart"),
      kind("jdk.JavaMonitorEnter"),
      kind("datadog.Endpoint"),
      kind("jdk.ActiveSetting", 414),
      kind("jdk.ActiveRecording", 2),
      kind("datadog.ProfilerSetting", 22),
      kind("jdk.ContainerConfiguration"),
      kind("jdk.CPULoad", 9, false),
      kind("jdk.SystemGC", 0),
    ];
    expect(otherEvents(kinds).map(({ event }) => event)).toEqual(["datadog.Endpoint", "jdk.ThreadStart"]);
  });

  it("leave out names that the core's catalogue has no room for", () => {
    const long = "x".repeat(200);
    const kinds = [{ ...kind(long), fields: ["n", "y".repeat(60)] }, kind("é".repeat(130))];
    expect(otherEvents(kinds)).toEqual([{ ...kind(long), fields: ["n"] }]);
    // The core accepts each event that is offered.
    expect(() => catalogueBytes(kindsWith([{ event: long, value: "n" }, { event: long }]))).not.toThrow();
    expect(canBeProfile({ event: "x".repeat(249) })).toBe(true);
    expect(() => catalogueBytes(kindsWith([{ event: "x".repeat(247), value: "n" }]))).not.toThrow();
    expect(() => catalogueBytes(kindsWith([{ event: "x".repeat(248), value: "n" }]))).toThrow("256 bytes");
    expect(canBeProfile({ event: "x".repeat(248), value: "n" })).toBe(false);
  });
});

describe("an event made a profile", () => {
  const extra = [{ event: "jdk.Deoptimization", value: "bci" }, { event: "jdk.ThreadStart" }];

  it("has a tab behind the catalogue's, before absent ones", () => {
    const present = ["jdk.ThreadStart", "jdk.Deoptimization.bci", "sleep"].map((type) => profileSummary({ type }));
    const tabs = profileTabs(kindsWith(extra), present);
    expect(tabs.slice(0, 4).map(({ label }) => label)).toEqual([
      "Sleep",
      "jdk.Deoptimization · bci",
      "jdk.ThreadStart",
      "CPU",
    ]);
  });

  it("is told apart by its field", () => {
    const reading = { extra, inferred: false };
    const others = [{ event: "jdk.Deoptimization" }, { event: "jdk.ThreadStart" }];
    expect(readingKey(reading)).not.toBe(readingKey({ extra: others, inferred: false }));
    expect(readingKey(reading)).not.toBe(readingKey({ extra, inferred: true }));
    expect(readingKey(reading)).toBe(readingKey(structuredClone(reading)));
  });
});
