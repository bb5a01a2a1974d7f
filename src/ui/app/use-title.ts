/** Title of the browser's tab, for as long as a recording is on the page. */
import { useEffect } from "react";
import { filterKey, filterOf, type QueryState } from "../../model/query/query.ts";
import { subjectOf } from "../../model/query/subject.ts";
import { pageTitle } from "../../model/words/page-title.ts";
import type { Outlined } from "../selection/use-outline.ts";

const EMPTY = document.title;

export function useTitle(query: QueryState, outlined: Outlined | null, files: readonly string[]): void {
  const { rawNames: _, ...filter } = filterOf(query);
  const isCurrent = outlined !== null && filterKey(outlined.filter) === filterKey(filter);
  const title = pageTitle(subjectOf(query), isCurrent ? outlined.outline : null, files);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    return () => {
      document.title = EMPTY;
    };
  }, []);
}
