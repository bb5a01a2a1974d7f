import { describe, expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import { PROFILES } from "../../core/tables/catalogue.ts";
import type { ProfileSummary } from "../../core/types.ts";
import { chooseProfile, profileTabs } from "./profile-tabs.ts";

function profile(type: string, samples: number, samplesWithSpan = 0, otlpType = type): ProfileSummary {
  return profileSummary({ type, otlpType, samples, samplesWithSpan });
}

function of(type: string, event: string): ProfileSummary {
  return profileSummary({ type, otlpType: type, samples: 3, events: { [event]: 3 } });
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
      of("cpu", "datadog.ExecutionSample"),
      profile("cpu:jdk.ExecutionSample", 2),
    ]);
    expect(tabs.slice(0, 3).map((tab) => tab.label)).toEqual(["CPU · Datadog", "CPU · JDK", "mystery"]);
  });
});

describe("labels", () => {
  it("name the producer only where the label alone would be there twice, and the event of one producer", () => {
    const tabs = profileTabs(PROFILES, [
      profile("live-heap", 2),
      profile("live-heap:jdk.OldObjectSample", 3),
      of("alloc-samples", "jdk.ObjectAllocationInNewTLAB"),
      profile("alloc-samples:jdk.ObjectAllocationSample", 3),
    ]);
    expect(tabs.slice(0, 4).map((tab) => tab.label)).toEqual([
      "Allocation · ObjectAllocationInNewTLAB",
      "Allocation · ObjectAllocationSample",
      "Live heap",
      "Old objects",
    ]);
  });

  it("of an absent profile explain it by the recording's own settings", () => {
    const settings = [{ event: "jdk.JavaMonitorEnter", name: "threshold", value: "20 ms" }];
    const tabs = profileTabs(PROFILES, [profile("cpu", 7)], settings);
    const absence = Object.fromEntries(tabs.map((tab) => [tab.type, tab.absence]));
    expect(absence).toMatchObject({ cpu: "", wall: "", "lock-contention": "Waits under 20 ms are not recorded." });
  });
});

describe("a profile whose type stands in the catalogue more than once", () => {
  it("keeps its plain name where it is alone, and its own help", () => {
    const [tab] = profileTabs(PROFILES, [profile("cpu", 3, 0, "cpu:jdk.ExecutionSample")]);
    expect(tab?.label).toBe("CPU");
    expect(tab?.setting).toContain("jdk.ExecutionSample#period");
  });

  it("makes the absent tab of its type unnecessary", () => {
    const tabs = profileTabs(PROFILES, [profile("cpu", 3, 0, "cpu:jdk.ExecutionSample")]);
    expect(tabs.filter((tab) => tab.type.startsWith("cpu"))).toHaveLength(1);
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
