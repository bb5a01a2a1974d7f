/** Many files of the user, of which some or one are opened at a time. */
import { useCallback, useMemo } from "react";
import type { UndoableAction } from "../../../model/query/undo.ts";
import type { InputFile } from "../../../worker/api.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import type { Collection } from "../recording/recording-state.ts";
import type { Recording } from "../recording/use-recording.ts";

/** The collection on the page (`ways.ts` has the ways from it). */
export interface Collected extends Pick<ViewProps, "query" | "act"> {
  collection: Collection;
  /** Files that are open. */
  inputs: readonly InputFile[];
  change: (files: InputFile[], then?: UndoableAction[]) => void;
  onDiscard: () => void;
}

const NONE: readonly InputFile[] = [];

interface Page extends Pick<Collected, "act" | "change"> {
  query: Collected["query"] | null;
}

export function useCollection({ state, collection, collect }: Recording, { query, act, change }: Page) {
  const isOpen = state.phase === "open";
  const inputs = isOpen ? state.inputs : NONE;

  /** A table of the open files. */
  const onTable = useCallback(async () => {
    const found = await (await import("./collected.ts")).tableOf(collection, inputs);
    if (found === null) return;
    collect(found);
    act({ kind: "files", files: { shown: true } });
  }, [collection, collect, inputs, act]);

  const collected = useMemo(
    () => collection && query && { collection, inputs, query, act, change, onDiscard: () => collect(null) },
    [collection, collect, inputs, query, act, change],
  );
  const isShown = collected !== null && (isOpen ? collected.query.files.shown : state.phase === "empty");
  return { onTable, collected, isShown };
}
