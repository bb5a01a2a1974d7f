import { expect, test } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import { attributeChoices, attributeHint, chooseTab, emptyWords, explorerTabs, groupTab, rowWord } from "./explorer.ts";

const traced = profileSummary({
  type: "cpu",
  samplesWithSpan: 8,
  samplesWithRoot: 8,
  samplesWithAttribute: { "http.route": 7, operation: 8, tenant: 3 },
});
const plain = profileSummary({ type: "cpu", events: { "jdk.A": 4, "jdk.B": 6 } });
const names = (profile: typeof plain) => explorerTabs(profile).map(({ name }) => name);

test("operations and endpoints are there where a tracer named them", () => {
  expect(names(traced)).toEqual(["endpoint", "operation", "root", "span", "thread"]);
  expect(
    explorerTabs(traced)
      .slice(0, 2)
      .map(({ by }) => by),
  ).toEqual([
    { kind: "attribute", key: "http.route" },
    { kind: "attribute", key: "operation" },
  ]);
  expect(names(plain)).toEqual(["root", "span", "thread"]);
});

test("the span's own operation goes before its root's, what was asked for before a resource", () => {
  const profile = profileSummary({
    type: "cpu",
    samplesWithAttribute: {
      "trace operation": 1,
      "_dd.trace.resource": 1,
      "trace endpoint": 1,
      "_dd.trace.operation": 1,
    },
  });
  const keys = explorerTabs(profile).flatMap(({ by }) => (by.kind === "attribute" ? [by.key] : []));
  expect(keys).toEqual(["trace endpoint", "_dd.trace.operation", "thread.name"]);
});

test("the first tab is the most useful that has rows", () => {
  const first = (profile: typeof plain) => chooseTab(explorerTabs(profile), "").name;
  expect(first(traced)).toBe("endpoint");
  expect(first({ ...traced, samplesWithAttribute: {} })).toBe("root");
  expect(first({ ...traced, samplesWithAttribute: {}, samplesWithRoot: 0 })).toBe("span");
  expect(first(plain)).toBe("thread");
  expect(first({ ...plain, threads: 0 })).toBe("root");
});

test("a tab is found by its name, and an attribute that has a tab is that tab", () => {
  const tabs = explorerTabs(traced);
  expect(chooseTab(tabs, "span").by).toEqual({ kind: "span" });
  expect(chooseTab(tabs, "key:operation").name).toBe("operation");
  expect(chooseTab(tabs, "key:tenant")).toMatchObject({ name: "key:tenant", by: { kind: "attribute", key: "tenant" } });
  // A link of another recording may name what this one has not.
  expect(chooseTab(explorerTabs(plain), "operation").name).toBe("thread");
});

test("attributes are those that the profile's samples carry, and its events where there are several", () => {
  expect(attributeChoices(["tenant", "nobody", "operation"], traced)).toEqual(["tenant", "operation"]);
  expect(attributeChoices([], plain)).toEqual(["jfr.event"]);
});

test("m5: of keys with the same values one is a tab's, and the others say which span they describe", () => {
  const keys = ["trace endpoint", "_dd.trace.resource", "trace operation", "_dd.trace.operation", "tenant"];
  const profile = profileSummary({
    type: "cpu",
    samplesWithAttribute: Object.fromEntries(keys.map((key) => [key, 1])),
  });
  const tabs = explorerTabs(profile);
  expect(keys.map((key) => attributeHint(key, tabs))).toEqual([
    "Endpoints",
    "of the span",
    "of the root",
    "Operations",
    "",
  ]);
});

test("an empty list says why", () => {
  const [root, , thread] = explorerTabs(plain);
  expect(emptyWords(root!, "")).toContain("No sample of this profile carries a span id.");
  expect(emptyWords(thread!, "pool")).toBe("No row matches pool.");
  expect(emptyWords(thread!, "")).toBe("No sample here has a value for thread.name.");
  expect(emptyWords(chooseTab(explorerTabs(traced), "span"), "")).toBe(
    "No sample under the current filters belongs to a span.",
  );
});

test("roots are grouped by what was asked for, spans by what they do", () => {
  const tabs = explorerTabs(traced);
  expect(groupTab({ kind: "local-root" }, tabs)?.name).toBe("endpoint");
  expect(groupTab({ kind: "span" }, tabs)?.name).toBe("operation");
  expect(groupTab({ kind: "attribute", key: "operation" }, tabs)).toBeNull();
  const without = explorerTabs({ ...traced, samplesWithAttribute: { operation: 8 } });
  expect(groupTab({ kind: "local-root" }, without)?.name).toBe("operation");
  expect(groupTab({ kind: "span" }, explorerTabs(plain))).toBeNull();
});

test("a row is named by its list", () => {
  const words = (profile: typeof plain) => explorerTabs(profile).map(({ by }) => rowWord(by));
  expect(words(traced)).toEqual(["endpoint", "operation", "request", "span", "thread"]);
  expect(rowWord({ kind: "attribute", key: "tenant" })).toBe("value");
});
