/** The facts of a collection's files as rows, in the order of the table. */
import { useMemo } from "react";
import { chosenType, fileRow, fileTypes, sortedRows } from "../../../model/collection/rows.ts";
import type { QueryState } from "../../../model/query/query.ts";
import { useStore } from "../../primitives/store/store.ts";
import type { Collection } from "../recording/recording-state.ts";
import { readingOf } from "./facts-reading.ts";

export function useRows(collection: Collection, { type: wanted, function: name, files }: QueryState) {
  const reading = readingOf(collection);
  const state = useStore(reading.store);
  const { facts } = state;
  const types = useMemo(() => fileTypes(facts), [facts]);
  const type = chosenType(types, wanted);
  const rows = useMemo(() => {
    const asked = { type, function: name };
    return collection.files.map((file, i) => fileRow(i, file.name, facts[i] ?? null, asked, reading.names));
  }, [collection, facts, reading, type, name]);
  const { sort, reversed } = files;
  const sorted = useMemo(() => sortedRows(rows, sort, reversed), [rows, sort, reversed]);
  return { reading, state, types, type, rows, sorted };
}
