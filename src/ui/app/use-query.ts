/** The query state, kept in the URL hash: Back and Forward follow it, a copied address brings it back. */
import { useCallback, useEffect, useReducer, useRef } from "react";
import { EMPTY_QUERY } from "../../model/query/query.ts";
import { hashToQuery, queryToHash } from "../../model/query/query-hash.ts";
import { reduceUndoable, type Undoable, type UndoableAction, undoable } from "../../model/query/undo.ts";
import { useKeys } from "../keys/use-keys.ts";
import { forgetAddress, otherRecording, settleAddress, writeAddress } from "./address.ts";

export function useQuery(): [Undoable, (action: UndoableAction) => void] {
  const [state, act] = useReducer(reduceUndoable, null, () => undoable(hashToQuery(location.hash)));
  const { query } = state;
  const first = useRef(true);

  useEffect(() => {
    const hash = queryToHash(query);
    const replace = first.current || (hash === "" && query === EMPTY_QUERY);
    first.current = false;
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
