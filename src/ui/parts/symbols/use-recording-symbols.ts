/** Names of symbols for the open recording: what it needs is asked for once it is painted, and named as files come. */
import { useEffect, useMemo, useRef, useState } from "react";
import { filterOf, type QueryState } from "../../../model/query/query.ts";
import { foldOf } from "../../../model/query/run-rules.ts";
import type { UndoableAction } from "../../../model/query/undo.ts";
import type { Measured } from "../../../model/words/measure.ts";
import { type LibraryRow, libraryRows } from "../../../symbols/library-rows.ts";
import type { Overview } from "../../../worker/api.ts";
import { incomplete } from "../../primitives/lazy/lazy.ts";
import { useFailure } from "../../primitives/lazy/on-failure.ts";
import { whenPainted } from "../answers/after-paint.ts";
import { useSymbols } from "../answers/symbol-store.ts";
import type { NamedPage } from "./shelf.ts";
import { SHELF } from "./sort-files.ts";

interface Page {
  overview: Overview;
  query: QueryState;
  profile: Measured | null;
  act: (action: UndoableAction) => void;
}

/** Returns a number that changes with the names. */
export function useRecordingSymbols({ overview, query, profile, act }: Page): number {
  const onFailure = useFailure();
  const [named, setNamed] = useState(0);
  const now = useRef({ query, profile, act, onFailure });
  now.current = { query, profile, act, onFailure };
  const isNeeded = overview.hasAddresses && profile !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another overview is another recording
  useEffect(() => {
    if (!isNeeded) return;
    let wanted = true;
    const page: NamedPage = {
      shown: () => {
        const { query: shown, profile: of } = now.current;
        const { id = 0, measure = 0 } = of ?? {};
        return {
          samples: { profile: id, measure, filter: filterOf(shown), shape: shown.shape, ...foldOf(shown.look) },
          focus: shown.focus,
          name: shown.view === "sandwich" ? shown.function : "",
        };
      },
      onNamed: (focus, name) => {
        if (name !== null) now.current.act({ kind: "function", name });
        if (focus !== now.current.query.focus) now.current.act({ kind: "focus", node: focus });
        setNamed((times) => times + 1);
      },
      onFailure: (failure) => now.current.onFailure(failure),
    };
    whenPainted(() => {
      SHELF.fetch().then(
        (shelf) => (wanted ? shelf.attend(page) : undefined),
        (error: unknown) => page.onFailure(incomplete(error)),
      );
    });
    return () => {
      wanted = false;
    };
  }, [overview, isNeeded]);
  useEffect(() => () => void SHELF.loaded?.attend(null), []);
  return named;
}

/** Libraries of the open recording with native frames that are known by their address; null until they are known. */
export function useLibraryRows(): LibraryRow[] | null {
  const { native, names, files } = useSymbols();
  return useMemo(
    () =>
      native === null
        ? null
        : libraryRows(
            native.libraries,
            names,
            files.filter(({ kind }) => kind === "readable"),
          ),
    [native, names, files],
  );
}
