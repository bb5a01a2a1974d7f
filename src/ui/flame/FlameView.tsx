import { useCallback, useMemo } from "react";
import { describeFrame } from "../../model/flame/detail.ts";
import { frameName, namesDownTo, partName } from "../../model/flame/flame.ts";
import type { FlameGrouping } from "../../model/query/query.ts";
import { hiddenWords } from "../../model/words/answer-words.ts";
import type { Failure } from "../../worker/api.ts";
import { Choice } from "../choice/Choice.tsx";
import { SearchBox } from "../search/SearchBox.tsx";
import { useMatches } from "../search/use-matches.ts";
import { useSearch } from "../search/use-search.ts";
import type { ViewProps } from "../view-props.ts";
import { Breadcrumb } from "./Breadcrumb.tsx";
import { FlameGraph } from "./FlameGraph.tsx";
import css from "./FlameView.module.css";
import { useClasses } from "./use-classes.ts";
import { type Drawing, useFrames } from "./use-frames.ts";
import { ViewMenu } from "./ViewMenu.tsx";

const ROOT_NAME = "all";
const GROUPINGS: { value: FlameGrouping; label: string; title: string }[] = [
  { value: "stacks", label: "Callees", title: "From the threads down: what calls what" },
  { value: "callers", label: "Callers", title: "Inverted: from the functions on top of the stacks to their callers" },
];

/** The flame graph with what is said and asked about it. */
export function FlameView({ profile, samples, query, act, width, dark, onFailure }: ViewProps) {
  const { focus, past, path, grouping } = query;
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
  const classes = useClasses(drawing, query.look, onFailure);
  const toneOf = useMemo(() => classes && ((row: number) => classes(row).tone), [classes]);
  // No colour says what the line does not say too.
  const wordsOf = useMemo(() => {
    if (classes === undefined || drawing === null) return undefined;
    return (row: number) => {
      const detail = describeFrame(drawing.answer, row, drawing.profile, ROOT_NAME, drawing.upward);
      const { label } = classes(row);
      return row === 0 || label === detail.kind ? detail : { ...detail, kind: label };
    };
  }, [classes, drawing]);
  const onZoom = useCallback(
    (row: number) => {
      if (drawing === null) return;
      const { frames } = drawing.answer;
      if (drawing.grouping === "stacks") act({ kind: "focus", node: frames.node[row] });
      else act({ kind: "path", path: [...path, ...namesDownTo(frames, row)] });
    },
    [drawing, path, act],
  );
  const onPast = useCallback(
    (shown: number) => {
      if (grouping === "callers") {
        // The tops of all stacks: the table has them, by the same figures.
        act({ kind: "top", top: { sort: "self", reversed: false, found: false } });
        act({ kind: "view", view: "top" });
      } else if (shown === 0) {
        // Frames none of which is as wide as a pixel are no picture: they have a table.
        act({ kind: "view", view: "tree" });
      } else act({ kind: "focus", node: focus, past: past + shown });
    },
    [focus, past, grouping, act],
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
  const { matches, wanted, onWalk } = useMatches(drawing, search, act);

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
        <SearchBox pattern={query.search} search={search} act={act} onWalk={onWalk} />
        <ViewMenu query={query} act={act} drawing={drawing} dark={dark} onFailure={onFailure} />
        {drawing !== null && (
          <span className={css.hidden} data-testid="folded" data-exact={drawing.answer.hiddenFrames}>
            {hiddenWords(drawing.answer, drawing.grouping !== "stacks")}
          </span>
        )}
      </div>
      {drawing !== null && (
        <>
          <Breadcrumb path={drawing.answer.path} focus={focusName(drawing)} rootName={ROOT_NAME} onStep={onOut} />
          <FlameGraph
            label="Flame graph. Arrow keys move, Enter zooms in, Backspace one frame out, Escape all the way, Shift+F10 opens the menu of a frame."
            drawing={drawing}
            rootName={ROOT_NAME}
            dark={dark}
            up={query.look.up}
            matches={matches}
            toneOf={toneOf}
            wordsOf={wordsOf}
            wanted={wanted}
            shape={query.shape}
            act={act}
            onZoom={onZoom}
            onPast={drawing.grouping === "stacks" || drawing.answer.path.length === 0 ? onPast : undefined}
            onOut={onOut}
            onWalk={onWalk}
            onFailure={onFailure}
          />
        </>
      )}
    </>
  );
}

function focusName({ answer, past = 0 }: Drawing): string {
  const name = frameName(answer.frames, 0, ROOT_NAME);
  return past === 0 ? name : partName(name, past);
}
