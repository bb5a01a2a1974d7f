import { expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import { explorerTabs } from "../lists/explorer.ts";
import { sortsOf } from "../lists/sort-words.ts";
import { profileTabs } from "../recording/profile-tabs.ts";
import { callTabs, withExactness } from "./profile-words.ts";

const WALL = profileSummary({ type: "wall", otlpType: "wall", unit: "nanoseconds", samples: 3, events: {} });
const SAMPLED = profileSummary({
  type: "wall:jdk.ExecutionSample",
  otlpType: "wall",
  unit: "samples",
  samples: 3,
  events: { "jdk.ExecutionSample": 3 },
});

it("values of a dump are exact, those of samples beside it are not", () => {
  expect(withExactness(WALL).exact).toBe("calls");
  expect(withExactness(SAMPLED).exact).toBeUndefined();
  const tabs = callTabs(profileTabs([], [WALL, SAMPLED]));
  expect(tabs.map(({ profile }) => profile?.exact)).toEqual(["calls", undefined]);
});

it("lists of calls speak of calls, and are sorted by value and name only", () => {
  const absences = explorerTabs({ ...withExactness(WALL), threads: 0 }).map(({ absence }) => absence);
  expect(absences).not.toContainEqual(expect.stringContaining("sample"));
  expect(absences.at(-1)).toBe("No call of this profile has a thread.");
  expect(sortsOf({ kind: "attribute", key: "thread.name" }, true)).toEqual(["weight", "name"]);
});
