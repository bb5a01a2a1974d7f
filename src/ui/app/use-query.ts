/** The query state, kept in the URL hash: Back and Forward undo and redo it, a copied address brings it back. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { QueryAction, QueryState } from "../../model/query.ts";
import { EMPTY_QUERY, reduceQuery } from "../../model/query.ts";
import { hashToQuery, queryToHash } from "../../model/query-hash.ts";

export function useQuery(): [QueryState, (action: QueryAction) => void] {
  const [state, setState] = useState<QueryState>(() => hashToQuery(location.hash));
  const first = useRef(true);

  useEffect(() => {
    const hash = queryToHash(state);
    const replace = first.current || (hash === "" && state === EMPTY_QUERY);
    first.current = false;
    if (hash === location.hash) return;
    const url = `${location.pathname}${location.search}${hash}`;
    if (replace) history.replaceState(null, "", url);
    else history.pushState(null, "", url);
  }, [state]);

  useEffect(() => {
    const follow = () => setState(hashToQuery(location.hash));
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);

  const act = useCallback((action: QueryAction) => setState((now) => reduceQuery(now, action)), []);
  return [state, act];
}
