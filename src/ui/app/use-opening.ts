/** Opening of files: chosen or dropped, named by the address, or read again with other events. */
import { useCallback, useLayoutEffect, useRef } from "react";
import { extraKey } from "../../core/extra-events.ts";
import type { QueryState } from "../../model/query/query.ts";
import type { UndoableAction } from "../../model/query/undo.ts";
import type { InputFile } from "../../worker/api.ts";
import { requestedByAddress } from "../open/inputs.ts";
import type { FilesToOpen, Recording } from "./use-recording.ts";

interface Opening {
  /** Other files in place of those on the page. */
  open: (files: FilesToOpen) => void;
  /** More or fewer files beside those on the page. */
  change: (files: InputFile[], onOpened?: () => void) => void;
  /** The open recording was read with other events than the query asks for, and is read again. */
  stale: boolean;
}

export function useOpening(
  { state, open: read, reread }: Recording,
  { extra }: QueryState,
  act: (action: UndoableAction) => void,
): Opening {
  // Not at first only where the page is made again.
  const opened = useRef(state.phase !== "empty" || state.refusal !== null);
  const inAddress = useRef(extra);

  // The query of the address is for the first recording; another one starts without.
  const open = useCallback(
    (files: FilesToOpen) => {
      const first = !opened.current;
      opened.current = true;
      read(files, first ? inAddress.current : [], first ? {} : { opened: () => act({ kind: "reset" }) });
    },
    [act, read],
  );

  // Before the first paint, or the welcome page would flash up.
  useLayoutEffect(() => {
    const requested = opened.current ? null : requestedByAddress(location.search);
    if (requested === null) return;
    opened.current = true;
    read(requested, inAddress.current);
    return () => {
      opened.current = false;
    };
  }, [read]);

  // Events were added or taken away, here or by Back and Forward: only the files know their samples.
  const stale = state.phase === "open" && extraKey(state.extra) !== extraKey(extra);
  useLayoutEffect(() => {
    if (stale) reread(extra, { kept: (former) => act({ kind: "events", extra: former }) });
  }, [stale, extra, reread, act]);

  const change = useCallback(
    (changed: InputFile[], onOpened?: () => void) =>
      read(changed, extra, onOpened === undefined ? {} : { opened: onOpened }),
    [read, extra],
  );
  return { open, change, stale };
}
