import { describe, expect, it } from "vitest";
import { EMPTY_QUERY, type QueryState } from "./query.ts";
import { reduceUndoable, type UndoableAction, undoable } from "./undo.ts";

const SPAN: UndoableAction = { kind: "add", chip: { kind: "span", id: 7n } };
const ACME: UndoableAction = { kind: "add", chip: { kind: "attribute", key: "tenant", value: "acme" } };
const UNDO: UndoableAction = { kind: "undo" };
const REDO: UndoableAction = { kind: "redo" };

const after = (...actions: UndoableAction[]) => actions.reduce(reduceUndoable, undoable(EMPTY_QUERY));
const filters = ({ query: { filter } }: { query: QueryState }) => [
  filter.span ?? [],
  (filter.attributes ?? []).map(({ value }) => value),
];

describe("reduceUndoable", () => {
  it("takes filters back one by one, and makes them again", () => {
    expect(filters(after(SPAN, ACME, UNDO))).toEqual([[7n], []]);
    expect(filters(after(SPAN, ACME, UNDO, UNDO))).toEqual([[], []]);
    expect(filters(after(SPAN, ACME, UNDO, UNDO, REDO, REDO))).toEqual([[7n], ["acme"]]);
  });

  it("has nothing to do at either end", () => {
    const state = after(SPAN);
    expect(reduceUndoable(state, REDO)).toBe(state);
    expect(after(UNDO)).toEqual(undoable(EMPTY_QUERY));
  });

  it("has no step from one recording to another", () => {
    const other = { ...EMPTY_QUERY, type: "wall" };
    expect(after(SPAN, { kind: "restore", query: other })).toEqual(undoable(other));
  });

  it("leaves the profile and the view as they are, and zooms out", () => {
    const state = after(SPAN, { kind: "type", type: "wall" }, { kind: "view", view: "top" }, UNDO);
    expect(state.query).toMatchObject({ type: "wall", view: "top", filter: {} });
    expect(after(SPAN, { kind: "focus", node: 5 }, UNDO).query.focus).toBe(0);
  });

  it("forgets what was taken back once something else is filtered", () => {
    expect(after(SPAN, UNDO, ACME).future).toEqual([]);
    expect(after(SPAN, UNDO, { kind: "view", view: "top" }).future).toHaveLength(1);
  });

  it("takes back what the address did, and forgets all with another recording", () => {
    const follow: UndoableAction = { kind: "follow", query: { ...EMPTY_QUERY, filter: { span: [9n] } } };
    expect(filters(after(SPAN, follow, UNDO))).toEqual([[7n], []]);
    expect(after(SPAN, { kind: "reset" })).toEqual(undoable(EMPTY_QUERY));
  });

  it("keeps a hundred steps", () => {
    const steps = Array.from(
      { length: 150 },
      (_, i): UndoableAction => ({ kind: "add", chip: { kind: "span", id: BigInt(i + 1) } }),
    );
    expect(after(...steps).past).toHaveLength(100);
  });
});
