/** Actions of the user on the query of an open recording, and the failure that the last question ended with. */
import { useCallback, useEffect, useRef, useState } from "react";
import { ENDPOINT_KEYS } from "../../../model/lists/explorer.ts";
import { filterChipsOf } from "../../../model/query/chips.ts";
import { CONTEXT_KINDS } from "../../../model/query/filters.ts";
import { type Find, foundWords, idChip, typeOfTrace } from "../../../model/query/find.ts";
import { EMPTY_QUERY, type QueryState, type ViewName } from "../../../model/query/query.ts";
import { oneId } from "../../../model/query/scope.ts";
import { reduceUndoable, type UndoableAction } from "../../../model/query/undo.ts";
import { queryToHash } from "../../../model/query/written/query-hash.ts";
import { MOST_FILTERS } from "../../../model/words/hash-text.ts";
import { isTrace } from "../../../model/words/ids.ts";
import type { PastedIds } from "../../../model/words/pasted-ids.ts";
import type { Failure } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { askAhead } from "../../parts/answers/ahead.ts";
import { useFailure } from "../../primitives/lazy/on-failure.ts";
import { showToast } from "../../primitives/toast/toasts.ts";
import type { PanelProps } from "./panels.tsx";

interface Page extends Pick<PanelProps, "overview" | "undoable" | "profile"> {
  act: (action: UndoableAction) => void;
}

export function useRecordingActions({ overview, undoable, profile, act }: Page) {
  const { query } = undoable;
  /** The decoder is gone, and the recording with it. */
  const onFatal = useFailure();
  const newest = useRef(undoable);
  newest.current = undoable;
  /** How many actions the user took. */
  const actions = useRef(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  const onFailure = useCallback(
    (error: Failure) => {
      if (error.lost === true) onFatal(error);
      // Other calls are selected meanwhile, or the user ended the reading.
      else if (error.code !== "calls.cancelled") setFailure(error);
    },
    [onFatal],
  );
  const user = useCallback(
    (action: UndoableAction) => {
      actions.current++;
      askAhead(newest.current.query, reduceUndoable(newest.current, action).query);
      setFailure(null);
      act(action);
    },
    [act],
  );

  const onIds = async (pasted: PastedIds) => {
    const before = actions.current;
    const answer = await viewer.carried(pasted.ids, pasted.wholeTrace);
    // Whoever went on meanwhile is not led back to what the link opens.
    if (pasted.form === "link" && actions.current !== before) return;
    if (!answer.ok) return onFailure(answer.error);
    const found = answer.value;
    const shown = typeOfTrace(overview.profiles, found?.profiles ?? [], profile?.type ?? "");
    const chip = idChip(pasted, found);
    const also = (found?.ids ?? []).slice(1, MOST_FILTERS).map((id) => ({ kind: chip.kind, id }));
    const trace = found?.trace ?? null;
    // An unknown id shows no other trace.
    const isOfFile = trace !== null && pasted.wholeTrace && (overview.traces?.files.length ?? 0) > 0;
    const hasSamples = (found?.profiles.length ?? 0) > 0;
    const view = viewOfIds(query.view, hasSamples && overview.calls === null, isOfFile);
    user({ kind: "only-id", chip, also, type: shown, trace: isOfFile ? trace : "", view });
    const words = found === null ? "" : foundWords(pasted, found);
    if (words !== "") showToast({ tone: "info", text: words });
  };
  const onFind = (find: Find) => {
    if (find.kind === "ids") return void onIds(find.pasted);
    const { chip } = find;
    // A request has one endpoint: no other one is left beside its id.
    const isEndpoint = chip.kind === "attribute" && chip.exclude !== true && ENDPOINT_KEYS.includes(chip.key);
    user(isEndpoint ? { kind: "group", by: query.by, chip } : { kind: "add", chip });
  };
  useLinkedId(query, onIds);
  return { failure, onFailure, user, onFind };
}

/** What an id opens: the answer where it has samples, but for a comparison, which goes on with it; else its trace. */
function viewOfIds(shown: ViewName, hasSamples: boolean, isOfFile: boolean): ViewName {
  if (hasSamples) return shown === "diff" ? shown : "overview";
  return isOfFile ? "trace" : shown;
}

/**
 * A link with an id and at most the list beside it opens the id as if it were pasted. Any other link shows what it was
 * copied from.
 */
function useLinkedId(query: QueryState, onIds: (pasted: PastedIds) => Promise<void>): void {
  const context = filterChipsOf(query.filter).filter(({ kind }) => CONTEXT_KINDS.includes(kind));
  const isBare = queryToHash(query) === queryToHash({ ...EMPTY_QUERY, filter: query.filter, by: query.by });
  const linked = useRef(isBare && context.length === 1 ? oneId(query) : null);
  const open = useRef(onIds);
  useEffect(() => {
    const { current } = linked;
    linked.current = null;
    if (current === null) return;
    const { id } = current;
    const trace = isTrace(id) ? id : null;
    const ids = trace === null ? [id] : [id, BigInt.asUintN(64, id)];
    void open.current({ form: "link", ids, trace, span: null, wholeTrace: trace !== null, labelled: true });
  }, []);
}
