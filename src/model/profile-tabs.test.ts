import { describe, expect, it } from "vitest";
import { PROFILES } from "../core/catalogue.ts";
import type { ProfileSummary } from "../core/types.ts";
import { chooseProfile, profileTabs } from "./profile-tabs.ts";

function profile(type: string, samples: number, samplesWithSpan = 0): ProfileSummary {
  return {
    id: 0,
    type,
    unit: "samples",
    periodType: "",
    periodUnit: "",
    period: 0n,
    events: {},
    samples,
    value: BigInt(samples),
    stacks: 1,
    threads: 1,
    samplesWithSpan,
  };
}

describe("profileTabs", () => {
  it("shows present types in catalogue order, absent ones after them with their setting", () => {
    const tabs = profileTabs(PROFILES, [profile("alloc-samples", 3), profile("cpu", 7), profile("wall", 0)]);
    expect(tabs.map((tab) => [tab.type, tab.profile !== null])).toEqual([
      ["cpu", true],
      ["alloc-samples", true],
      ["wall", false],
      ["lock-contention", false],
    ]);
    for (const tab of tabs) expect(tab.setting).not.toBe("");
  });

  it("keeps two profiles of one type side by side, and unknown ones at the end", () => {
    const tabs = profileTabs(PROFILES, [
      profile("mystery", 1),
      profile("cpu", 7),
      profile("cpu:jdk.ExecutionSample", 2),
    ]);
    expect(tabs.slice(0, 3).map((tab) => tab.label)).toEqual(["CPU", "CPU · jdk.ExecutionSample", "mystery"]);
  });
});

describe("chooseProfile", () => {
  const tabs = profileTabs(PROFILES, [profile("cpu", 7), profile("wall", 5, 5)]);
  it("takes the wanted one, else the first with spans, else the first", () => {
    expect(chooseProfile(tabs, "cpu")?.type).toBe("cpu");
    expect(chooseProfile(tabs, "")?.type).toBe("wall");
    expect(chooseProfile(tabs, "alloc-samples")?.type).toBe("wall");
    expect(chooseProfile(profileTabs(PROFILES, [profile("wall", 5)]), "")?.type).toBe("wall");
    expect(chooseProfile([], "cpu")).toBeNull();
  });
});
