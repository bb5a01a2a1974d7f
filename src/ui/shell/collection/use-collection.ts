/** Many files of the user, of which some or one are opened at a time. */
import { useCallback, useMemo, useState } from "react";
import type { UndoableAction } from "../../../model/query/undo.ts";
import type { InputFile } from "../../../worker/api.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import type { Joining } from "../../parts/files/joining.ts";
import type { FilesToOpen } from "../recording/recording-reader.ts";
import type { RecordingState } from "../recording/recording-state.ts";
import type { Collection } from "./collected.ts";

/** The collection on the page (`ways.ts` has the ways from it). */
export interface Collected extends Pick<ViewProps, "query" | "act"> {
  collection: Collection;
  /** Files that are open. */
  inputs: readonly InputFile[];
  change: (files: InputFile[], then?: UndoableAction[]) => void;
  onDiscard: () => void;
}

interface Page extends Pick<Collected, "act" | "change"> {
  query: Collected["query"] | null;
  state: RecordingState;
  open: (files: FilesToOpen, how: Joining) => void;
}

// Most visits open one recording.
const sorter = () => import("./collected.ts");
const NONE: readonly InputFile[] = [];

export function useCollection({ state, open: openFiles, query, act, change }: Page) {
  const [collection, setCollection] = useState<Collection | null>(null);
  const isOpen = state.phase === "open";
  const inputs = isOpen ? state.inputs : NONE;

  /** As `openFiles`; many files that take the place of others become a collection. */
  const open = useCallback(
    async (files: FilesToOpen, how: Joining) => {
      const isMany = how === "replace" && typeof files !== "function" && files.length > 2;
      // If the script cannot be loaded, the files are opened together.
      const many = isMany
        ? await sorter().then(
            (sort) => sort.collected(files),
            () => null,
          )
        : null;
      if (how === "replace") setCollection(many);
      if (many === null) return openFiles(files, how);
      act({ kind: "files", files: { shown: isOpen, time: null } });
    },
    [openFiles, act, isOpen],
  );
  /** A table of the open files. */
  const onTable = useCallback(async () => {
    const found = await (await sorter()).tableOf(collection, inputs);
    if (found === null) return;
    setCollection(found);
    act({ kind: "files", files: { shown: true } });
  }, [collection, inputs, act]);

  const collected = useMemo(
    () => collection && query && { collection, inputs, query, act, change, onDiscard: () => setCollection(null) },
    [collection, inputs, query, act, change],
  );
  const isShown = collected !== null && (isOpen ? collected.query.files.shown : state.phase === "empty");
  return { open, onTable, collected, isShown };
}
