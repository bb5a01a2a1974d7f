/** Actions of the user on the query of an open recording, and the failure that the last question ended with. */
import { useCallback, useEffect, useRef, useState } from "react";
import { ENDPOINT_KEYS } from "../../../model/lists/request-keys.ts";
import { type Find, foundWords, idChip, typeOfTrace } from "../../../model/query/find.ts";
import type { QueryState, ViewName } from "../../../model/query/query.ts";
import { oneId } from "../../../model/query/scope.ts";
import { reduceUndoable, type UndoableAction } from "../../../model/query/undo.ts";
import { askedTrace, bareId } from "../../../model/query/written/linked-trace.ts";
import { MOST_FILTERS } from "../../../model/words/hash-text.ts";
import type { PastedIds } from "../../../model/words/pasted-ids.ts";
import type { Failure } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { askAhead } from "../../parts/answers/ahead.ts";
import { useFailure } from "../../primitives/lazy/on-failure.ts";
import { showToast } from "../../primitives/toast/toasts.ts";
import { ASKED } from "../recording/address.ts";
import { linkedIds, openLinked, soleTrace } from "./linked-trace.ts";
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

  const onIds = async (pasted: PastedIds, at?: ViewName) => {
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
    const hasSamples = (found?.profiles.length ?? 0) > 0;
    // An unknown id shows no other trace. A span without samples is in its trace alone.
    const asTrace = pasted.wholeTrace || !hasSamples;
    const isOfFile = trace !== null && asTrace && (overview.traces?.files.length ?? 0) > 0;
    const view = at ?? viewOfIds(query.view, hasSamples && overview.calls === null, isOfFile);
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
  const note = useLinkedId({ query, overview, user, onIds, acted: () => actions.current > 0 });
  return { failure, onFailure, user, onFind, note };
}

/** What an id opens: the answer where it has samples, but for a comparison, which goes on with it; else its trace. */
function viewOfIds(shown: ViewName, hasSamples: boolean, isOfFile: boolean): ViewName {
  if (hasSamples) return shown === "diff" ? shown : "overview";
  return isOfFile ? "trace" : shown;
}

interface Linked extends Pick<Page, "overview"> {
  query: QueryState;
  user: (action: UndoableAction) => void;
  onIds: (pasted: PastedIds, at?: ViewName) => Promise<void>;
  acted: () => boolean;
}

/** Until it led to something: a recording or a trace file may be added that has it. */
let asked = ASKED;

/**
 * A link with an id and at most the list beside it opens the id as if it were pasted, and one of another tool what it
 * asks for, which the answer says. Any other link shows what it was copied from. The only trace of a file is selected.
 * While files are read, the samples may be among those that are not read yet.
 */
function useLinkedId(page: Linked): string {
  const [note, setNote] = useState("");
  const newest = useRef(page);
  newest.current = page;
  const { isPart = false } = page.overview;
  useEffect(() => {
    const { query, overview, user, onIds, acted } = newest.current;
    if (isPart || acted()) return;
    const { traces } = overview;
    const link = askedTrace(asked);
    const id = bareId(query);
    const isFirst = query.view === "overview" || query.view === "trace";
    const isSole = isFirst && traces?.traces === 1 && traces.files.length > 0 && query.trace.id === "";
    // An id that nothing knew is all that the link selected.
    const isWaiting = Object.keys(query.filter).length === 0 || oneId(query) !== null;
    if (link !== null && isWaiting)
      void openLinked(link, overview, query.type).then(({ actions, words, isNothing = false }) => {
        if (!isNothing) asked = "";
        for (const action of actions) user(action);
        setNote(words);
      });
    else if (id !== null) void onIds(linkedIds(id));
    else if (isSole && Object.keys(query.filter).length === 0)
      void soleTrace().then((sole) => sole && onIds(sole, query.view === "trace" ? "trace" : undefined));
  }, [isPart]);
  return note;
}
