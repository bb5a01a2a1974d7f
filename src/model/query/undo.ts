/**
 * Changes of the filters and of the tree's shape, to be taken back and made again. What else the page looks at stays as
 * it is.
 */
import { figuresKey, type QueryAction, type QueryState, reduceQuery, withFiltersOf } from "./query.ts";

export interface Undoable {
  query: QueryState;
  /** States whose filters and shape were in force, the latest last. */
  past: readonly QueryState[];
  /** Those taken back, the latest last. */
  future: readonly QueryState[];
}

export type UndoableAction =
  | QueryAction
  | { kind: "undo" }
  | { kind: "redo" }
  /** The address changed: Back, Forward, or a link. */
  | { kind: "follow"; query: QueryState }
  /** Another recording is open, with the query that it was left with. */
  | { kind: "restore"; query: QueryState };

/** Limit of undo steps. */
const STEPS = 100;

export function undoable(query: QueryState): Undoable {
  return { query, past: [], future: [] };
}

export function reduceUndoable(state: Undoable, action: UndoableAction): Undoable {
  const { query, past, future } = state;
  switch (action.kind) {
    case "undo": {
      const before = past.at(-1);
      if (before === undefined) return state;
      return { query: withFiltersOf(query, before), past: past.slice(0, -1), future: [...future, query] };
    }
    case "redo": {
      const after = future.at(-1);
      if (after === undefined) return state;
      return { query: withFiltersOf(query, after), past: [...past, query], future: future.slice(0, -1) };
    }
    case "reset":
      return undoable(reduceQuery(query, action));
    case "restore":
      return undoable(action.query);
    default: {
      const next = action.kind === "follow" ? action.query : reduceQuery(query, action);
      if (next === query) return state;
      if (figuresKey(next) === figuresKey(query)) return { ...state, query: next };
      return { query: next, past: [...past, query].slice(-STEPS), future: [] };
    }
  }
}
