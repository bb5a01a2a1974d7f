import { expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import { EVENT_KEY, MONITOR_WAIT } from "../../core/tables/event-key.ts";
import { askedOf, contentionOf, onlySignals, signalWords, wholeContention } from "./contention.ts";

const ENTER = "jdk.JavaMonitorEnter";
const LOCK = profileSummary({ type: "lock-contention", events: { [ENTER]: 17, [MONITOR_WAIT]: 6 } });
const WITHOUT = { key: EVENT_KEY, value: MONITOR_WAIT, exclude: true };

it("counts contention without calls of Object.wait, and says how many there are", () => {
  expect(contentionOf(LOCK, {})).toEqual({ attributes: [WITHOUT] });
  const tenant = { key: "tenant", value: "a" };
  expect(contentionOf(LOCK, { attributes: [tenant], noSpan: true })).toEqual({
    attributes: [tenant, WITHOUT],
    noSpan: true,
  });
  expect(signalWords(LOCK)).toEqual([
    "Not contention: 6 calls of Object.wait. The filter jfr.event=jdk.JavaMonitorWait shows them.",
  ]);
});

it("takes shares of contention, and of the whole profile where the filter names an event", () => {
  expect(wholeContention(LOCK, { noSpan: true })).toEqual({ attributes: [WITHOUT] });
  expect(wholeContention(LOCK, { attributes: [{ key: WITHOUT.key, value: ENTER }] })).toBeNull();
  expect(wholeContention(profileSummary({ type: "cpu" }), {})).toBeNull();
});

it("says of a selection of calls of Object.wait alone that these are no contention", () => {
  const thread = { attributes: [{ key: "thread.name", value: "timer" }] };
  expect(onlySignals(LOCK, thread, 1)).toBe(
    "Not contention: 1 call of Object.wait. The filter jfr.event=jdk.JavaMonitorWait shows it.",
  );
  expect(onlySignals(LOCK, thread, 0)).toBeNull();
  expect(askedOf(LOCK, contentionOf(LOCK, thread))).toEqual(thread);
  expect(askedOf(LOCK, contentionOf(LOCK, {}))).toEqual({});
  expect(askedOf(LOCK, thread)).toBe(thread);
  expect(onlySignals(profileSummary({ type: "cpu" }), thread, 5)).toBeNull();
});

it.each([
  ["a filter that names an event", LOCK, { attributes: [{ key: EVENT_KEY, value: MONITOR_WAIT }] }],
  ["a profile of contention", profileSummary({ type: "lock-contention", events: { [ENTER]: 17 } }), {}],
  ["a profile of calls of Object.wait", profileSummary({ type: "lock-contention", events: { [MONITOR_WAIT]: 6 } }), {}],
  ["a profile of something else", profileSummary({ type: "cpu", events: { a: 1, [MONITOR_WAIT]: 6 } }), {}],
])("leaves %s as it is", (_, profile, filter) => {
  expect(contentionOf(profile, filter)).toBe(filter);
});
