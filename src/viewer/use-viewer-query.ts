/** What an element shows: its options, and what its user has done since. */
import { useCallback, useEffect, useReducer, useRef } from "react";
import type { Filter } from "../core/types.ts";
import { EMPTY_QUERY, type QueryAction, type QueryState } from "../model/query/query.ts";
import { reduceUndoable, type Undoable, type UndoableAction, undoable } from "../model/query/undo.ts";
import type { ViewerOptions, ViewerView } from "./types.ts";

type Shown = Pick<ViewerOptions, "type" | "measure" | "search" | "view" | "function">;

export function useViewerQuery(filter: Filter, options: Shown): [Undoable, (action: UndoableAction) => void] {
  const [state, dispatch] = useReducer(reduceUndoable, null, () => undoable(initial(filter, options)));
  const { type = "", measure = "", search = "", view = "flame", function: name = "" } = options;
  // Another type takes the measure back, which is named for both.
  useChange(`${type}\n${measure}`, () => {
    dispatch({ kind: "type", type });
    dispatch({ kind: "measure", measure });
  });
  useChange(search, () => dispatch({ kind: "search", pattern: search }));
  useChange(name, () => dispatch(name === "" ? { kind: "view", view: viewOf(view) } : { kind: "function", name }));
  useChange(view, () => {
    dispatch({ kind: "view", view: viewOf(view) });
    dispatch({ kind: "grouping", grouping: view === "reversed" ? "callers" : "stacks" });
  });
  const act = useCallback((action: UndoableAction) => {
    if (isPossible(action)) dispatch(action);
  }, []);
  return [state, act];
}

function initial(filter: Filter, options: Shown): QueryState {
  const { type = "", measure = "", search = "", view = "flame", function: name = "" } = options;
  const grouping = view === "reversed" ? "callers" : "stacks";
  return { ...EMPTY_QUERY, filter, type, measure, search, view: viewOf(view), grouping, function: name };
}

function viewOf(view: ViewerView): "flame" | "sandwich" {
  return view === "sandwich" ? "sandwich" : "flame";
}

/** The page's other views are not here. */
function isPossible(action: UndoableAction): action is QueryAction {
  return action.kind !== "view" || action.view === "flame" || action.view === "sandwich";
}

/** Runs when a value differs from the one before; the first one is part of the initial state. */
function useChange(value: string, change: () => void): void {
  const last = useRef(value);
  const run = useRef(change);
  run.current = change;
  useEffect(() => {
    if (last.current === value) return;
    last.current = value;
    run.current();
  }, [value]);
}
