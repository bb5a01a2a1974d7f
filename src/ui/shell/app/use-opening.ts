/** Opening of files: chosen or dropped, named by the address, found by Back, or read again for something else. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { PLAIN, readingKey } from "../../../core/tables/extra-events.ts";
import type { ReadChoice } from "../../../core/types.ts";
import type { QueryState } from "../../../model/query/query.ts";
import type { UndoableAction } from "../../../model/query/undo.ts";
import { readingIn } from "../../../model/query/written/reading-hash.ts";
import { areSpansAlone } from "../../../model/trace/shows-trace.ts";
import type { CallsOverview, InputFile } from "../../../worker/api.ts";
import { requestedByAddress, searchOfAddress } from "../../parts/files/inputs.ts";
import type { Joining } from "../../parts/files/joining.ts";
import { arriveAt, enterRecording, otherRecording, stayHere } from "../recording/address.ts";
import type { Endings, FilesToOpen } from "../recording/recording-reader.ts";
import type { Recording } from "../recording/use-recording.ts";
import { RECORDING } from "./use-query.ts";

interface Opening {
  /** Other files in place of those on the page, where many are a collection, beside them, or to compare them with. */
  open: (files: FilesToOpen, how: Joining | "arrive") => void;
  /** More or fewer files beside those on the page; the filters stay. */
  change: (files: InputFile[], then?: UndoableAction[], alone?: boolean) => void;
  /** The open recording was read for something else than the query asks for, and is read again. */
  stale: boolean;
}

/** Most visits open one recording. If the script cannot be loaded, the files are opened together. */
const sorted = (files: InputFile[]) =>
  import("../collection/collected.ts").then(
    ({ collected }) => collected(files),
    () => null,
  );

/** What follows from files that are open, after this query. */
type Then = (inputs: InputFile[], before: QueryState) => UndoableAction[];

export function useOpening(
  recording: Recording,
  query: QueryState | null,
  act: (action: UndoableAction) => void,
): Opening {
  const { state, collect, open: read } = recording;
  // Not at first only where the page is made again.
  const asked = useRef(state.phase !== "empty" || state.refusal !== null);
  /** The query of the address is for the first recording, also after files that are none. */
  const opened = useRef(state.phase === "open");
  const now = useRef(query);
  now.current = query;
  const inputs = useRef<InputFile[]>([]);
  inputs.current = state.phase === "open" ? state.inputs : [];

  /** Opens files, and does then what follows from it. */
  const enter = useCallback(
    (files: FilesToOpen, choice: ReadChoice, then: Then, more: Endings = {}) => {
      asked.current = true;
      read(files, choice, {
        ...more,
        opened: (inputs, { calls, files }) =>
          RECORDING.use(({ hashToQuery, queryToHash, reduceUndoable, undoable }) => {
            const before = now.current ?? hashToQuery(location.hash);
            const actions = then(inputs, before);
            const query = actions.reduce(reduceUndoable, undoable(before)).query;
            if (calls !== null && queryToHash({ ...query, view: "overview" }) === "")
              actions.push(...firstOfCalls(calls));
            if (areSpansAlone(files) && query.view === "overview") actions.push({ kind: "view", view: "trace" });
            const after = actions.reduce(reduceUndoable, undoable(before)).query;
            enterRecording(inputs, queryToHash(after), more.stays === true || !opened.current);
            opened.current = true;
            for (const action of actions) act(action);
          }),
      });
    },
    [act, read],
  );

  const change = useCallback(
    (files: InputFile[], then: UndoableAction[] = [], alone = false) =>
      enter(files, choiceOf(now.current), () => then, { alone }),
    [enter],
  );

  const open = useCallback(
    async (files: FilesToOpen, how: Joining | "arrive") => {
      const before = inputs.current;
      const many = how === "replace" && typeof files !== "function" && files.length > 2 ? await sorted(files) : null;
      if (how === "replace") collect(many);
      if (many !== null) return act({ kind: "files", files: { shown: before.length > 0, time: null } });
      if (how === "replace" || before.length === 0) {
        const then = (): UndoableAction[] => (opened.current ? [{ kind: "reset" }] : []);
        return enter(files, opened.current ? PLAIN : choiceOf(now.current), then, { stays: how === "arrive" });
      }
      const all = async (signal: AbortSignal) => [
        // One that has grown is there already.
        ...new Set([...before, ...(typeof files === "function" ? await files(signal) : files)]),
      ];
      const then: Then = (names, query) => (how === "compare" ? comparison(query, names, before.length) : []);
      enter(all, choiceOf(now.current), then, { stays: how === "arrive" });
    },
    [enter, collect, act],
  );

  // Before the first paint, or the welcome page would flash up.
  useLayoutEffect(() => {
    const requested = asked.current ? null : requestedByAddress(searchOfAddress());
    if (requested === null) return;
    enter(requested, choiceOf(now.current), () => []);
    return () => {
      asked.current = false;
    };
  }, [enter]);

  useFormerRecordings(read, now, act);
  useArrivals(open, state.phase === "loading" || recording.incoming !== null);

  return { open, change, stale: useStale(recording, query, act) };
}

/** Files that arrive while the page is open join the others when these are read. */
function useArrivals(open: Opening["open"], isBusy: boolean): void {
  const [arrived, setArrived] = useState<InputFile[]>([]);
  useEffect(() => {
    if (!new URLSearchParams(location.search).has("live")) return;
    const abort = new AbortController();
    const follow = async () => {
      const { fetchArriving } = await import("../../parts/files/served.ts");
      for await (const files of fetchArriving(abort.signal)) setArrived((before) => [...before, ...files]);
    };
    // The receiver ended: the page goes on without it.
    follow().catch(() => {});
    return () => abort.abort();
  }, []);
  useEffect(() => {
    if (isBusy || arrived.length === 0) return;
    setArrived([]);
    open(arrived, "arrive");
  }, [open, isBusy, arrived]);
}

/** Events were added or taken away, or inference, here or by Back and Forward: only the files know their samples. */
function useStale({ state, reread }: Recording, query: QueryState | null, act: (action: UndoableAction) => void) {
  const stale = state.phase === "open" && query !== null && readingKey(state.choice) !== readingKey(query);
  useLayoutEffect(() => {
    if (stale) reread(choiceOf(query), { kept: (choice) => act({ kind: "reading", choice }) });
  }, [stale, query, reread, act]);
  return stale;
}

/** Before the query is there, the address says it. */
export function choiceOf(query: QueryState | null): ReadChoice {
  const { extra, inferred } = query ?? readingIn(new URLSearchParams(location.hash.slice(1)));
  return { extra, inferred };
}

/** Back and Forward to another recording: its files are read again, and the query of the entry is theirs. */
function useFormerRecordings(
  read: Recording["open"],
  now: RefObject<QueryState | null>,
  act: (action: UndoableAction) => void,
): void {
  useEffect(() => {
    const follow = (event: PopStateEvent) => {
      const other = otherRecording(event.state);
      if (other === null) return;
      RECORDING.use(({ hashToQuery, queryToHash }) => {
        const wanted = hashToQuery(location.hash);
        read(other.files, choiceOf(wanted), {
          again: true,
          opened: () => {
            arriveAt(other.id);
            act({ kind: "restore", query: wanted });
          },
          kept: () => stayHere(now.current === null ? "" : queryToHash(now.current)),
        });
      });
    };
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, [read, now, act]);
}

/** The calls that a dump begins with, unless a link asks for more than a view. */
function firstOfCalls({ start }: CallsOverview): UndoableAction[] {
  return start.length === 0 ? [] : [{ kind: "calls", calls: start }];
}

/** The first added file is the baseline of the other files, or of the file on screen. */
function comparison({ filter }: QueryState, inputs: InputFile[], added: number): UndoableAction[] {
  const [first, other] = [inputs[0], inputs[added]];
  if (first === undefined || other === undefined) return [];
  const file = filter.file ?? first.name;
  return [
    { kind: "baseline", baseline: `file:${other.name}`, file },
    { kind: "view", view: "diff" },
  ];
}
