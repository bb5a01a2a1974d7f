import { describe, expect, it } from "vitest";
import { type Chip, chipsOf, hasChip } from "./chips.ts";
import type { QueryState } from "./query.ts";
import { EMPTY_QUERY, filterKey, filterOf, rankFilterOf, reduceQuery } from "./query.ts";

const ROOT: Chip = { kind: "local-root", id: 7n };
const SPAN: Chip = { kind: "span", id: 8n };
const ACME: Chip = { kind: "attribute", key: "tenant", value: "acme" };

function after(...chips: Chip[]): QueryState {
  return chips.reduce((state, chip) => reduceQuery(state, { kind: "add", chip }), EMPTY_QUERY);
}

describe("reduceQuery", () => {
  it("adds and removes chips", () => {
    const state = after(ROOT, SPAN, ACME);
    expect(chipsOf(state)).toEqual([ROOT, SPAN, ACME]);
    expect(chipsOf(reduceQuery(state, { kind: "remove", chip: SPAN }))).toEqual([ROOT, ACME]);
    expect(hasChip(state, ACME)).toBe(true);
    expect(hasChip(state, { ...ACME, value: "other" })).toBe(false);
  });

  it("narrows one list only, and takes the order along to the next", () => {
    const sorted = reduceQuery(EMPTY_QUERY, { kind: "sort", sort: "first", reversed: true });
    const narrowed = reduceQuery(sorted, { kind: "rows", rows: "12" });
    expect(narrowed).toMatchObject({ sort: "first", reversed: true, rows: "12" });
    expect(reduceQuery(narrowed, { kind: "rows", rows: "12" })).toBe(narrowed);
    expect(reduceQuery(narrowed, { kind: "explore", by: "span" })).toEqual({ ...narrowed, by: "span", rows: "" });
  });

  it("goes from an id to what it belongs to, and keeps the other filters", () => {
    const chosen = { ...after(ROOT, SPAN, ACME), rows: "7", focus: 3 };
    const chip: Chip = { kind: "attribute", key: "operation", value: "GET" };
    const grouped = reduceQuery(chosen, { kind: "group", by: "operation", chip });
    expect(chipsOf(grouped)).toEqual([ACME, chip]);
    expect(grouped).toMatchObject({ by: "operation", rows: "", focus: 0 });
    expect(chipsOf(reduceQuery(chosen, { kind: "group", by: "operation", chip: null }))).toEqual([ACME]);
  });

  it("keeps one value per attribute key", () => {
    expect(after(ACME, { ...ACME, value: "globex" }).filter.attributes).toEqual([{ key: "tenant", value: "globex" }]);
  });

  it("takes several ids and values as alternatives", () => {
    const also = (state: QueryState, chip: Chip) => reduceQuery(state, { kind: "also", chip });
    const globex: Chip = { ...ACME, value: "globex" };
    const state = also(also(also(after(ROOT, ACME), { ...ROOT, id: 9n }), globex), globex);
    expect(state.filter.localRoot).toEqual([7n, 9n]);
    expect(chipsOf(state).slice(2)).toEqual([ACME, globex]);
    expect(chipsOf(reduceQuery(state, { kind: "remove", chip: ACME })).at(-1)).toEqual(globex);
  });

  it("keeps what is excluded beside the value that is wanted", () => {
    const not: Chip = { ...ACME, value: "dev", exclude: true };
    expect(after(ACME, not, { ...ACME, value: "globex" }).filter.attributes).toEqual([
      { key: "tenant", value: "dev", exclude: true },
      { key: "tenant", value: "globex" },
    ]);
  });

  it("has one range of time and any number of frames", () => {
    const frame = (pattern: string, exclude?: boolean): Chip => ({
      kind: "frame",
      pattern,
      ...(exclude && { exclude }),
    });
    const time = (from: bigint): Chip => ({ kind: "time", from, to: 9n });
    const state = after(frame("a"), frame("b", true), time(1n), time(2n));
    expect(chipsOf(state)).toEqual([frame("a"), frame("b", true), time(2n)]);
    expect(filterOf(state)).toEqual({
      frames: [{ pattern: "a" }, { pattern: "b", exclude: true }],
      time: { from: 2n, to: 9n },
    });
    const { filter } = reduceQuery(reduceQuery(state, { kind: "remove", chip: frame("a") }), {
      kind: "remove",
      chip: time(2n),
    });
    expect(filter).toEqual({ frames: [{ pattern: "b", exclude: true }] });
  });

  it("keeps the view and what is searched for when the filters go", () => {
    const state = reduceQuery(reduceQuery(after(ROOT), { kind: "function", name: "f" }), {
      kind: "search",
      pattern: "x",
    });
    expect(reduceQuery(state, { kind: "clear" })).toEqual({
      ...EMPTY_QUERY,
      view: "sandwich",
      function: "f",
      search: "x",
    });
  });

  it("drops the span when another root is chosen, and both ids for a pasted one", () => {
    expect(after(SPAN, ROOT).filter).toEqual({ localRoot: [7n] });
    const pasted = reduceQuery(after(ROOT, SPAN, ACME), { kind: "only-id", chip: { kind: "span", id: 9n } });
    expect(chipsOf(pasted)).toEqual([{ kind: "span", id: 9n }, ACME]);
  });

  it("zooms out whenever the samples change", () => {
    const zoomed = reduceQuery(after(ROOT), { kind: "focus", node: 12 });
    expect(zoomed.focus).toBe(12);
    expect(reduceQuery(zoomed, { kind: "add", chip: ACME }).focus).toBe(0);
    expect(reduceQuery(zoomed, { kind: "type", type: "wall" }).focus).toBe(0);
  });

  it("looks for a pattern no more once it is a filter, or merged", () => {
    const searched = reduceQuery(EMPTY_QUERY, { kind: "search", pattern: "run$" });
    const chips: Chip[] = [
      { kind: "frame", pattern: "run$" },
      { kind: "frame", pattern: "run$", exclude: true },
      { kind: "merged", pattern: "run$" },
    ];
    for (const chip of chips) {
      const state = reduceQuery(searched, { kind: "add", chip });
      expect(state.search).toBe("");
      expect(chipsOf(state)).toEqual([chip]);
    }
    expect(reduceQuery(searched, { kind: "add", chip: ACME }).search).toBe("run$");
  });

  it("changes of the table only what is said", () => {
    const named = reduceQuery(EMPTY_QUERY, { kind: "top", top: { sort: "name" } });
    const found = reduceQuery(named, { kind: "top", top: { found: true } });
    expect(found.top).toEqual({ sort: "name", reversed: false, found: true });
    expect(reduceQuery(found, { kind: "clear" }).top).toEqual(found.top);
  });

  it("keeps the profile when the filters are cleared", () => {
    const state = reduceQuery(after(ROOT), { kind: "type", type: "wall" });
    expect(reduceQuery(state, { kind: "clear" })).toEqual({ ...EMPTY_QUERY, type: "wall" });
    expect(reduceQuery(state, { kind: "reset" })).toEqual(EMPTY_QUERY);
  });
});

describe("measures and events", () => {
  const EVENT = { event: "jdk.ThreadStart" };
  const FIELD = { event: "jdk.Deoptimization", value: "bci" };
  const add = (state: QueryState, extra: typeof EVENT) => reduceQuery(state, { kind: "add-event", extra });

  it("keep the zoom with another measure, and forget the measure with another profile", () => {
    const zoomed = reduceQuery(after(ROOT), { kind: "focus", node: 12 });
    const objects = reduceQuery(zoomed, { kind: "measure", measure: "objects" });
    expect(objects).toEqual({ ...zoomed, measure: "objects" });
    expect(reduceQuery(objects, { kind: "type", type: "wall" }).measure).toBe("");
    expect(reduceQuery(objects, { kind: "clear" }).measure).toBe("objects");
  });

  it("go to the profile of an added event, once for each field", () => {
    const zoomed = reduceQuery(after(ROOT), { kind: "focus", node: 12 });
    const state = add(add(zoomed, EVENT), FIELD);
    expect(state).toMatchObject({
      type: "jdk.Deoptimization.bci",
      extra: [EVENT, FIELD],
      focus: 0,
      filter: { localRoot: [7n] },
    });
    expect(add(state, EVENT)).toMatchObject({ type: "jdk.ThreadStart", extra: [EVENT, FIELD] });
    expect(reduceQuery(state, { kind: "clear" }).extra).toEqual([EVENT, FIELD]);
  });

  it("leave the profile of an event that is taken away", () => {
    const state = add(add(EMPTY_QUERY, EVENT), FIELD);
    expect(reduceQuery(state, { kind: "remove-event", extra: EVENT })).toMatchObject({
      type: "jdk.Deoptimization.bci",
      extra: [FIELD],
    });
    expect(reduceQuery(state, { kind: "remove-event", extra: FIELD })).toMatchObject({ type: "", extra: [EVENT] });
  });
});

describe("filters", () => {
  it("leaves out what is not filtered", () => {
    expect(filterOf(EMPTY_QUERY)).toEqual({});
    expect(filterOf(after(ROOT, ACME))).toEqual({ localRoot: [7n], attributes: [{ key: "tenant", value: "acme" }] });
  });

  it("ranks without the choice the ranking offers", () => {
    const state = after(ROOT, SPAN, ACME);
    expect(rankFilterOf(state, { kind: "local-root" })).toEqual({ attributes: [{ key: "tenant", value: "acme" }] });
    expect(rankFilterOf(state, { kind: "span" }).localRoot).toEqual([7n]);
    expect(rankFilterOf(state, { kind: "attribute", key: "tenant" })).toEqual({ localRoot: [7n], span: [8n] });
    const { attributes } = state.filter;
    expect(rankFilterOf(state, { kind: "attribute", key: "http.route" })).toEqual({ attributes });
  });

  it("tells filters apart by key", () => {
    expect(filterKey(filterOf(after(ROOT)))).not.toBe(filterKey(filterOf(after({ kind: "span", id: 7n }))));
    expect(filterKey({})).toBe(filterKey(filterOf(EMPTY_QUERY)));
    expect(filterKey(filterOf(after(ROOT, ACME)))).toBe(filterKey(filterOf(after(ACME, ROOT))));
  });
});
