import { expect, it } from "vitest";
import { isFlameForm, VIEWS } from "../../model/query/query.ts";
import { SHORTCUTS } from "../../model/words/shortcuts.ts";
import { shownView, unmetNeed, VIEW_ROWS, viewOf, viewsOf } from "./views.ts";

it("has a row for each view of the address, in the order of the tabs", () => {
  expect(VIEW_ROWS.map(({ id }) => id)).toEqual(VIEWS);
  expect(viewOf("tree")).toMatchObject({ id: "tree", label: "Tree" });
});

it("gives each tab a key, and lists the keys under the same names", () => {
  const named = SHORTCUTS[0]!.keys.flatMap(([keys, does]) => {
    const labels = does.replace("show ", "").split(", ");
    return keys.every((key) => /^\d$/.test(key)) ? keys.map((key, i) => `${key} ${labels[i]}`) : [];
  });
  const rows = VIEW_ROWS.filter(({ id }) => id === "flame" || !isFlameForm(id));
  expect(rows.map(({ key, label }) => `${key} ${label}`).sort()).toEqual(named);
});

const NEITHER = { calls: false, traces: false, times: false, roots: false, spansAlone: false };
const CALLS = { ...NEITHER, calls: true };
const TRACES = { ...NEITHER, traces: true, times: true };

it("has a list of calls for dumps only, a chart where times are known, and traces where there are spans", () => {
  const ids = (parts: typeof CALLS) => viewsOf(parts).map(({ id }) => id);
  for (const view of ["calls", "chart", "trace"] as const) expect(ids(NEITHER)).not.toContain(view);
  expect(ids(CALLS).slice(0, 2)).toEqual(["overview", "calls"]);
  expect(ids(TRACES).slice(0, 2)).toEqual(["overview", "trace"]);
  expect(ids({ ...NEITHER, roots: true }).slice(0, 2)).toEqual(["overview", "operations"]);
  expect(ids({ ...CALLS, roots: true })).not.toContain("operations");
  for (const parts of [CALLS, TRACES]) expect(ids(parts)).toContain("chart");
  expect([NEITHER, CALLS, TRACES].map((parts) => ids(parts).includes("events"))).toEqual([false, false, true]);
  expect([shownView("calls", NEITHER).id, shownView("calls", CALLS).id]).toEqual(["flame", "calls"]);
  const alone = { ...TRACES, roots: true, spansAlone: true };
  expect(ids(alone)).toEqual(["trace", "operations", "flame", "chart", "sandwich", "top", "tree", "diff"]);
  expect([shownView("overview", alone).id, shownView("events", alone).id]).toEqual(["trace", "flame"]);
  expect([shownView("trace", NEITHER).id, shownView("trace", TRACES).id]).toEqual(["flame", "trace"]);
});

it("says what of a selection a view lacks", () => {
  const lacks = (samples: number, value: bigint) => VIEWS.map((id) => unmetNeed(viewOf(id), { samples, value }));
  // The list of calls, their chart, the spans of a trace, the operations and events need no samples.
  const free = ["calls", "trace", "operations", "chart", "events"];
  expect(VIEWS.filter((_, at) => lacks(0, 0n)[at] !== "samples")).toEqual(free);
  // The overview tells of samples that weigh nothing.
  const told = ["overview", "calls", "trace", "operations", "chart", "events"];
  expect(VIEWS.filter((_, at) => lacks(2, 0n)[at] === null)).toEqual(told);
  expect(new Set(lacks(2, 7n))).toEqual(new Set([null]));
});
