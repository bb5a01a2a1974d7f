import { useEffect } from "react";
import { filterKey, filterOf, type QueryState } from "../../../model/query/query.ts";
import { subjectOf } from "../../../model/query/subject.ts";
import { pageTitle } from "../../../model/recording/page-title.ts";
import { shownNames } from "../../../model/recording/shown-names.ts";
import type { Measured } from "../../../model/words/measure.ts";
import { visible } from "../../../model/words/text.ts";
import type { Outlined } from "../../parts/selection/use-outline.ts";
import css from "./PrintHead.module.css";

/** The text of the page's bars, for paper. */
export function PrintHead({ names, profile, search }: { names: string[]; profile: Measured; search: string }) {
  return (
    <div className={css.head} data-testid="print-head">
      <p className={css.title}>
        {visible(profile.type, 80)} ·{" "}
        <bdi>
          {shownNames(names)
            .map((name) => visible(name, 120))
            .join(", ")
            .slice(0, 400)}
        </bdi>
      </p>
      {search !== "" && <p>Search: /{visible(search, 120)}/</p>}
    </div>
  );
}

/** Title of the browser's tab, for as long as a recording is on the page. */
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
