/** The query state, kept in the URL hash: Back and Forward follow it, a copied address brings it back. */
import { useCallback, useEffect, useReducer, useRef } from "react";
import type { QueryState } from "../../../model/query/query.ts";
import type { Undoable, UndoableAction } from "../../../model/query/undo.ts";
import { useKeys } from "../../primitives/keys/use-keys.ts";
import { Lazy } from "../../primitives/lazy/lazy.ts";
import { forgetAddress, otherRecording, settleAddress, writeAddress } from "../recording/address.ts";

/** The script that shows a recording, and knows the query: fetched while the page waits for a file. */
export const RECORDING = new Lazy(() => import("./recording-parts.ts"));

/** The first query is that of the address. */
function begun(): Undoable | null {
  const parts = RECORDING.loaded;
  return parts === null ? null : parts.undoable(parts.hashToQuery(location.hash));
}

/** After an action, or without one at the beginning. */
function after(state: Undoable | null, action: UndoableAction | null): Undoable | null {
  const now = state ?? begun();
  return now && action && RECORDING.loaded ? RECORDING.loaded.reduceUndoable(now, action) : now;
}

/** Whether two states differ in the timeline's zoom only. */
function isZoomOf(query: QueryState, former: QueryState): boolean {
  const keys = Object.keys(query) as (keyof QueryState)[];
  return query.zoom !== former.zoom && keys.every((key) => key === "zoom" || query[key] === former[key]);
}

/** Null as long as the script is not there; actions wait for it. */
export function useQuery(): [Undoable | null, (action: UndoableAction) => void] {
  const [state, take] = useReducer(after, null, begun);
  const act = useCallback((action: UndoableAction | null) => RECORDING.use(() => take(action)), []);
  const query = state?.query;
  const before = useRef<QueryState | null>(null);

  useEffect(() => act(null), [act]);

  useEffect(() => {
    if (query === undefined || RECORDING.loaded === null) return;
    const { EMPTY_QUERY, queryToHash } = RECORDING.loaded;
    const hash = queryToHash(query);
    const former = before.current;
    before.current = query;
    // A zoom of the timeline has many steps: Back leads past all of them.
    const replace = former === null || query === EMPTY_QUERY || isZoomOf(query, former);
    writeAddress(`${location.pathname}${location.search}${hash}`, replace);
  }, [query]);

  useEffect(() => {
    const follow = ({ state }: PopStateEvent) => {
      forgetAddress();
      // The files come first (use-opening.ts).
      if (otherRecording(state) !== null) return;
      RECORDING.use(({ hashToQuery }) => act({ kind: "follow", query: hashToQuery(location.hash) }));
    };
    addEventListener("popstate", follow);
    addEventListener("pagehide", settleAddress);
    return () => {
      removeEventListener("popstate", follow);
      removeEventListener("pagehide", settleAddress);
    };
  }, [act]);

  const onKey = useCallback(
    (event: KeyboardEvent) => {
      const isMeant = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "z";
      if (isMeant) act({ kind: event.shiftKey ? "redo" : "undo" });
      return isMeant;
    },
    [act],
  );
  useKeys(onKey);

  return [state, act];
}
