import { useCallback, useMemo } from "react";
import { diffTone } from "../../model/flame/colour.ts";
import { describeChange } from "../../model/flame/diff-detail.ts";
import { frameName } from "../../model/flame/flame.ts";
import { baselineOf, change } from "../../model/query/baseline.ts";
import { formatCounted } from "../../model/words/format.ts";
import { Breadcrumb } from "../flame/Breadcrumb.tsx";
import { FlameGraph } from "../flame/FlameGraph.tsx";
import type { Drawing } from "../flame/use-frames.ts";
import { SearchBox } from "../search/SearchBox.tsx";
import { useMatches } from "../search/use-matches.ts";
import { useSearch } from "../search/use-search.ts";
import type { ViewProps } from "../view-props.ts";
import { ChangedTable } from "./ChangedTable.tsx";
import { DiffTools } from "./DiffTools.tsx";
import css from "./DiffView.module.css";
import { useDiff } from "./use-diff.ts";

const ROOT_NAME = "all";

/** The selection beside a baseline: frames as wide as both together, coloured by where they weigh more. */
export function DiffView(props: ViewProps) {
  const { profile, samples, files, query, act, width, dark, onCompareWith, onFailure } = props;
  const keys = useMemo(() => Object.keys(profile.samplesWithAttribute), [profile]);
  const choice = useMemo(() => baselineOf(query.baseline, keys), [query.baseline, keys]);
  const diff = useDiff(profile, samples, choice, query, width, onFailure);
  const search = useSearch(samples, query.search, onFailure);
  const drawing = useMemo(
    (): Drawing | null =>
      diff && {
        profile: diff.profile,
        answer: diff.page.frames,
        grouping: "stacks",
        upward: false,
        shape: diff.shape,
        width: diff.width,
      },
    [diff],
  );
  const { matches, wanted, onWalk } = useMatches(drawing, search, act);
  const toneOf = useCallback(
    (row: number) => {
      if (diff === null) return null;
      const { total, baseTotal, totals, baseTotals } = diff.page;
      const own = Number(totals.value) || 1;
      const base = Number(baseTotals.value) || 1;
      // Of absolute values the difference is that of the values.
      const scale = diff.normalised ? own / base : 1;
      return diffTone(change(total[row], baseTotal[row] * scale));
    },
    [diff],
  );
  const wordsOf = useCallback(
    (row: number) => (diff === null ? null : describeChange(diff.page, row, diff.profile, ROOT_NAME)),
    [diff],
  );
  const onZoom = useCallback(
    (row: number) => drawing !== null && act({ kind: "focus", node: drawing.answer.frames.node[row] }),
    [drawing, act],
  );
  const onOut = useCallback(
    (step: number) => drawing !== null && act({ kind: "focus", node: drawing.answer.path[step].node }),
    [drawing, act],
  );

  return (
    <>
      <DiffTools choice={choice} keys={keys} files={files} query={query} act={act} onCompareWith={onCompareWith}>
        <SearchBox pattern={query.search} search={search} act={act} {...(query.diff === "graph" && { onWalk })} />
      </DiffTools>
      {diff !== null && drawing !== null && (
        <>
          <p className={css.sums} role="status">
            <span className={css.own} data-testid="diff-own" data-exact={diff.page.totals.value.toString()}>
              selection: {formatCounted(diff.page.totals.samples, "sample")}
            </span>
            <span className={css.base} data-testid="diff-base" data-exact={diff.page.baseTotals.value.toString()}>
              {diff.words}: {formatCounted(diff.page.baseTotals.samples, "sample")}
            </span>
          </p>
          {diff.page.baseTotals.samples === 0 && (
            <p className={css.nothing} data-testid="diff-nothing">
              There is nothing to compare with: the baseline has no sample beside the selection. Choose a root, a span
              or a value, or pin this selection and choose another one.
            </p>
          )}
          {diff.page.baseTotals.samples > 0 && query.diff === "functions" && (
            <ChangedTable {...props} choice={choice} search={search} />
          )}
          {diff.page.baseTotals.samples > 0 && query.diff === "graph" && (
            <>
              <Breadcrumb
                path={drawing.answer.path}
                focus={frameName(drawing.answer.frames, 0, ROOT_NAME)}
                rootName={ROOT_NAME}
                onStep={onOut}
              />
              <FlameGraph
                label="Difference of two flame graphs. Arrow keys move, Enter zooms in, Backspace one frame out, Escape all the way."
                drawing={drawing}
                rootName={ROOT_NAME}
                dark={dark}
                up={query.look.up}
                matches={matches}
                wanted={wanted}
                shape={query.shape}
                act={act}
                toneOf={toneOf}
                wordsOf={wordsOf}
                onZoom={onZoom}
                onOut={onOut}
                onWalk={onWalk}
                onFailure={onFailure}
              />
            </>
          )}
        </>
      )}
    </>
  );
}
