import { describe, expect, it } from "vitest";
import type { Chip, QueryState } from "./query.ts";
import { chipsOf, EMPTY_QUERY, filterKey, filterOf, hasChip, rankFilterOf, reduceQuery } from "./query.ts";

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

  it("keeps one value per attribute key", () => {
    expect(after(ACME, { ...ACME, value: "globex" }).attributes).toEqual([{ key: "tenant", value: "globex" }]);
  });

  it("drops the span when another root is chosen, and both ids for a pasted one", () => {
    expect(after(SPAN, ROOT).span).toBeNull();
    const pasted = reduceQuery(after(ROOT, SPAN, ACME), { kind: "only-id", chip: { kind: "span", id: 9n } });
    expect(chipsOf(pasted)).toEqual([{ kind: "span", id: 9n }, ACME]);
  });

  it("zooms out whenever the samples change", () => {
    const zoomed = reduceQuery(after(ROOT), { kind: "focus", node: 12 });
    expect(zoomed.focus).toBe(12);
    expect(reduceQuery(zoomed, { kind: "add", chip: ACME }).focus).toBe(0);
    expect(reduceQuery(zoomed, { kind: "type", type: "wall" }).focus).toBe(0);
  });

  it("keeps the profile when the filters are cleared", () => {
    const state = reduceQuery(after(ROOT), { kind: "type", type: "wall" });
    expect(reduceQuery(state, { kind: "clear" })).toEqual({ ...EMPTY_QUERY, type: "wall" });
    expect(reduceQuery(state, { kind: "reset" })).toEqual(EMPTY_QUERY);
  });
});

describe("filters", () => {
  it("leaves out what is not filtered", () => {
    expect(filterOf(EMPTY_QUERY)).toEqual({});
    expect(filterOf(after(ROOT, ACME))).toEqual({ localRoot: 7n, attributes: [{ key: "tenant", value: "acme" }] });
  });

  it("ranks without the choice the ranking offers", () => {
    const state = after(ROOT, SPAN, ACME);
    expect(rankFilterOf(state, { kind: "local-root" })).toEqual({ attributes: [{ key: "tenant", value: "acme" }] });
    expect(rankFilterOf(state, { kind: "span" }).localRoot).toBe(7n);
    expect(rankFilterOf(state, { kind: "attribute", key: "tenant" })).toEqual({ localRoot: 7n, span: 8n });
  });

  it("tells filters apart by key", () => {
    expect(filterKey(filterOf(after(ROOT)))).not.toBe(filterKey(filterOf(after({ kind: "span", id: 7n }))));
    expect(filterKey({})).toBe(filterKey(filterOf(EMPTY_QUERY)));
  });
});
