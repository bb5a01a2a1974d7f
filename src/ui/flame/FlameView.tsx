import { useCallback, useMemo, useState } from "react";
import { foldedWords } from "../../model/answer-words.ts";
import { frameName, matchingRows, namesDownTo } from "../../model/flame.ts";
import type { FlameGrouping } from "../../model/query.ts";
import type { Failure } from "../../worker/api.ts";
import type { ViewProps } from "../analysis/AnalysisPanel.tsx";
import { Choice } from "../choice/Choice.tsx";
import { Breadcrumb } from "./Breadcrumb.tsx";
import { FlameGraph } from "./FlameGraph.tsx";
import css from "./FlameView.module.css";
import { SearchBox } from "./SearchBox.tsx";
import { useFrames } from "./use-frames.ts";
import { useSearch } from "./use-search.ts";

const ROOT_NAME = "all";
const GROUPINGS: { value: FlameGrouping; label: string; title: string }[] = [
  { value: "stacks", label: "Callees", title: "From the threads down: what calls what" },
  { value: "callers", label: "Callers", title: "Inverted: from the functions on top of the stacks to their callers" },
  { value: "collapsed", label: "No recursion", title: "A function that calls itself directly is one frame" },
];

/** The flame graph with what is said and asked about it. */
export function FlameView({ profile, samples, query, act, width, dark, onFailure }: ViewProps) {
  const { focus, path, grouping } = query;
  const failed = useCallback(
    (failure: Failure) => {
      // A zoom out of a link may name a frame this recording does not have.
      if (focus !== 0 && failure.code !== "core.trap") act({ kind: "focus", node: 0 });
      else onFailure(failure);
    },
    [focus, act, onFailure],
  );
  const drawing = useFrames(profile, samples, query, width, failed);
  const search = useSearch(samples, query.search, onFailure);
  const [wanted, setWanted] = useState<{ row: number } | null>(null);

  const onZoom = useCallback(
    (row: number) => {
      if (drawing === null) return;
      const { frames } = drawing.answer;
      if (drawing.grouping === "stacks") act({ kind: "focus", node: frames.node[row] });
      else act({ kind: "path", path: [...path, ...namesDownTo(frames, row)] });
    },
    [drawing, path, act],
  );
  /** Out to an ancestor by its place in the breadcrumb. */
  const onOut = useCallback(
    (step: number) => {
      if (drawing === null) return;
      if (drawing.grouping === "stacks") act({ kind: "focus", node: drawing.answer.path[step].node });
      else act({ kind: "path", path: path.slice(0, step) });
    },
    [drawing, path, act],
  );
  const matches = useMemo(
    () =>
      drawing === null || search.expression === null ? null : matchingRows(drawing.answer.frames, search.expression),
    [drawing, search.expression],
  );
  const onWalk = (step: number, from: number) => {
    if (drawing === null || matches === null) return;
    const { node } = drawing.answer.frames;
    const heaviest = drawing.grouping === "stacks" ? [...(search.answer?.nodes ?? [])] : [...matches];
    const rowOf = (match: number) => (drawing.grouping === "stacks" ? node.indexOf(match) : match);
    if (heaviest.length === 0) return;
    const at = heaviest.indexOf(drawing.grouping === "stacks" ? node[from] : from);
    const next = at < 0 && step < 0 ? heaviest.length - 1 : (at + step + heaviest.length) % heaviest.length;
    const row = rowOf(heaviest[next]);
    // One that is folded away, or beside the zoom, is zoomed to.
    if (row < 0) act({ kind: "focus", node: heaviest[next] });
    else setWanted({ row });
  };

  return (
    <>
      <div className={css.tools}>
        <Choice
          legend="Frames by"
          options={GROUPINGS}
          value={grouping}
          onChange={(next) => act({ kind: "grouping", grouping: next })}
          testId="grouping"
        />
        <SearchBox
          pattern={query.search}
          search={search}
          onPattern={(pattern) => act({ kind: "search", pattern })}
          onWalk={(step) => onWalk(step, wanted?.row ?? 0)}
          onFilter={(pattern) => act({ kind: "add", chip: { kind: "frame", pattern } })}
        />
        {drawing !== null && (
          <span className={css.folded} data-testid="folded" data-exact={drawing.answer.foldedFrames}>
            {foldedWords(drawing.answer, drawing.grouping !== "stacks")}
          </span>
        )}
      </div>
      {drawing !== null && (
        <>
          <Breadcrumb
            path={drawing.answer.path}
            focus={frameName(drawing.answer.frames, 0, ROOT_NAME)}
            rootName={ROOT_NAME}
            onStep={onOut}
          />
          <FlameGraph
            label="Flame graph. Arrow keys move, Enter zooms in, Backspace one frame out, Escape all the way, S opens the sandwich."
            drawing={drawing}
            rootName={ROOT_NAME}
            dark={dark}
            up={false}
            matches={matches}
            wanted={wanted}
            onZoom={onZoom}
            onOut={onOut}
            onFunction={(name) => act({ kind: "function", name })}
            onWalk={onWalk}
          />
        </>
      )}
    </>
  );
}
