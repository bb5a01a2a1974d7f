/** Many files of the user, of which some or one are opened at a time. */
import { useCallback, useMemo, useState } from "react";
import type { QueryAction, QueryState } from "../../model/query/query.ts";
import type { UndoableAction } from "../../model/query/undo.ts";
import type { InputFile } from "../../worker/api.ts";
import type { FilesToOpen, RecordingState } from "../app/use-recording.ts";
import type { Joining } from "../open/joining.ts";
import type { Collection } from "./collected.ts";

/** The collection on the page, and the ways from it. */
export interface OpenCollection {
  collection: Collection;
  /** Files of the collection that are open. */
  openFiles: readonly InputFile[];
  /** Opens some of the files, and then does more. */
  onOpen: (files: readonly InputFile[], then?: readonly UndoableAction[]) => void;
  onShow: () => void;
  /** Shows the open recording, or the welcome page and no collection. */
  onClose: () => void;
}

interface Page {
  state: RecordingState;
  query: QueryState;
  act: (action: QueryAction) => void;
  open: (files: FilesToOpen, how: Joining) => void;
  change: (files: InputFile[], then?: UndoableAction[]) => void;
}

// Most visits open one recording.
const sorter = () => import("./collected.ts");
const NONE: readonly InputFile[] = [];

export function useCollection({ state, query, act, open: openFiles, change }: Page) {
  const [collection, setCollection] = useState<Collection | null>(null);
  const isOpen = state.phase === "open";
  const inputs = isOpen ? state.inputs : NONE;

  /** As `openFiles`; many files that take the place of others become a collection. */
  const open = useCallback(
    async (files: FilesToOpen, how: Joining) => {
      const isMany = how === "replace" && typeof files !== "function" && files.length > 2;
      const many = isMany ? await manyOf(files) : null;
      if (how === "replace") setCollection(many);
      if (many === null) return openFiles(files, how);
      act({ kind: "files", files: { shown: isOpen, time: null } });
    },
    [openFiles, act, isOpen],
  );
  /** A table of the open files. */
  const onTable = useCallback(async () => {
    const isOfThese = collection !== null && inputs.some((file) => isIn(collection, file));
    const found = isOfThese ? collection : await manyOf(inputs, 2);
    if (found === null) return;
    setCollection(found);
    act({ kind: "files", files: { shown: true } });
  }, [collection, inputs, act]);

  const shown = useMemo((): OpenCollection | null => {
    if (collection === null) return null;
    const openOnes = inputs.filter((file) => isIn(collection, file));
    const hide: UndoableAction = { kind: "files", files: { shown: false } };
    return {
      collection,
      openFiles: openOnes,
      onOpen: (files, then = []) => {
        // Filters are of the recording before, unless that is one of these.
        const kept: UndoableAction[] = [
          { kind: "type", type: query.type },
          { kind: "files", files: query.files },
        ];
        const reset: UndoableAction[] = inputs.length === 0 || openOnes.length > 0 ? [] : [{ kind: "reset" }, ...kept];
        change([...files, ...collection.beside], [...reset, ...withoutFiles(query), ...then, hide]);
      },
      onShow: () => act({ kind: "files", files: { shown: true } }),
      onClose: () => {
        if (inputs.length === 0) setCollection(null);
        act({ kind: "files", files: { shown: false } });
      },
    };
  }, [collection, inputs, query, act, change]);
  const isShown = shown !== null && (isOpen ? query.files.shown : state.phase === "empty");
  return { open, onTable: inputs.length > 1 ? onTable : undefined, collected: shown, isShown };
}

/** A filter by a file, and a comparison with one, are of the files that were open. */
function withoutFiles({ filter, baseline, view }: QueryState): UndoableAction[] {
  const actions: UndoableAction[] = [];
  if (filter.file !== undefined) actions.push({ kind: "remove", chip: { kind: "file", name: filter.file } });
  if (!baseline.startsWith("file:")) return actions;
  actions.push({ kind: "baseline", baseline: "" });
  if (view === "diff") actions.push({ kind: "view", view: "flame" });
  return actions;
}

/** If the script cannot be loaded, the files are opened together. */
async function manyOf(files: readonly InputFile[], least?: number): Promise<Collection | null> {
  try {
    return await (await sorter()).collected(files, least);
  } catch {
    return null;
  }
}

function isIn({ files }: Collection, { blob }: InputFile): boolean {
  return files.some((file) => file.blob === blob);
}
