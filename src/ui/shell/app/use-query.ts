/** The query state, kept in the URL hash: Back and Forward follow it, a copied address brings it back. */
import { useCallback, useEffect, useReducer, useRef } from "react";
import { EMPTY_QUERY, type QueryState } from "../../../model/query/query.ts";
import { reduceUndoable, type Undoable, type UndoableAction, undoable } from "../../../model/query/undo.ts";
import { hashToQuery, queryToHash } from "../../../model/query/written/query-hash.ts";
import { useKeys } from "../../primitives/keys/use-keys.ts";
import { forgetAddress, otherRecording, settleAddress, writeAddress } from "../recording/address.ts";

/** Whether two states differ in the timeline's zoom only. */
function isZoomOf(query: QueryState, former: QueryState): boolean {
  const keys = Object.keys(query) as (keyof QueryState)[];
  return query.zoom !== former.zoom && keys.every((key) => key === "zoom" || query[key] === former[key]);
}

export function useQuery(): [Undoable, (action: UndoableAction) => void] {
  const [state, act] = useReducer(reduceUndoable, null, () => undoable(hashToQuery(location.hash)));
  const { query } = state;
  const before = useRef<QueryState | null>(null);

  useEffect(() => {
    const hash = queryToHash(query);
    const former = before.current;
    before.current = query;
    // A zoom of the timeline has many steps: Back leads past all of them.
    const replace = former === null || (hash === "" && query === EMPTY_QUERY) || isZoomOf(query, former);
    writeAddress(`${location.pathname}${location.search}${hash}`, replace);
  }, [query]);

  useEffect(() => {
    const follow = ({ state }: PopStateEvent) => {
      forgetAddress();
      // The files come first (use-opening.ts).
      if (otherRecording(state) !== null) return;
      act({ kind: "follow", query: hashToQuery(location.hash) });
    };
    addEventListener("popstate", follow);
    addEventListener("pagehide", settleAddress);
    return () => {
      removeEventListener("popstate", follow);
      removeEventListener("pagehide", settleAddress);
    };
  }, []);

  const onKey = useCallback((event: KeyboardEvent) => {
    const isMeant = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "z";
    if (isMeant) act({ kind: event.shiftKey ? "redo" : "undo" });
    return isMeant;
  }, []);
  useKeys(onKey);

  return [state, act];
}
