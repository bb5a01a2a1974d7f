/** Ways from a collection: to some of its files, to its table, and back. */
import type { QueryState } from "../../../model/query/query.ts";
import type { UndoableAction } from "../../../model/query/undo.ts";
import type { InputFile } from "../../../worker/api.ts";
import { isIn } from "./collected.ts";
import type { Collected } from "./use-collection.ts";

/** Files of the collection that are open. */
export function openOf({ collection, inputs }: Collected): InputFile[] {
  return inputs.filter((file) => isIn(collection, file));
}

/** Opens some of the files, and then does more. */
export function openSome(
  collected: Collected,
  files: readonly InputFile[],
  then: readonly UndoableAction[] = [],
): void {
  const { collection, inputs, query, change } = collected;
  // Filters are of the recording before, unless that is one of these.
  const isOther = inputs.length > 0 && openOf(collected).length === 0;
  const kept: UndoableAction[] = [
    { kind: "type", type: query.type },
    { kind: "files", files: query.files },
  ];
  const before = isOther ? [{ kind: "reset" } as const, ...kept] : withoutFiles(query);
  change([...files, ...collection.beside], [...before, ...then, { kind: "files", files: { shown: false } }]);
}

/** Shows the open recording, or the welcome page and no collection. */
export function closeTable({ inputs, act, onDiscard }: Collected): void {
  if (inputs.length === 0) onDiscard();
  act({ kind: "files", files: { shown: false } });
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
