import { useCallback, useMemo } from "react";
import { describeFrame } from "../../../model/flame/detail.ts";
import { frameName, partName, ROOT_NAME } from "../../../model/flame/flame.ts";
import { FAMILY_WORDS } from "../../../model/flame/frame-classes.ts";
import type { FlameGrouping, QueryAction, QueryState } from "../../../model/query/query.ts";
import { hiddenWords } from "../../../model/words/answer-words.ts";
import type { Failure } from "../../../worker/api.ts";
import { useSurroundings } from "../../parts/answers/surroundings.ts";
import { type Drawing, useFolded, useFrames } from "../../parts/answers/use-frames.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { SearchBox } from "../../parts/search/SearchBox.tsx";
import { useMatches } from "../../parts/search/use-matches.ts";
import { useSearch } from "../../parts/search/use-search.ts";
import { ViewTools } from "../../parts/view/ViewTools.tsx";
import { Choice } from "../../primitives/choice/Choice.tsx";
import { useFailure } from "../../primitives/lazy/on-failure.ts";
import { Breadcrumb } from "./Breadcrumb.tsx";
import { FlameGraph } from "./FlameGraph.tsx";
import css from "./FlameView.module.css";
import { LegendPlace } from "./LegendPlace.tsx";
import { LegendStrip } from "./LegendStrip.tsx";
import { idsDown } from "./shown-frame.ts";
import { type Colours, useColours } from "./use-colours.ts";

const GROUPINGS: { value: FlameGrouping; label: string; title: string }[] = [
  { value: "stacks", label: "Callees", title: "From root frames down to leaf functions" },
  { value: "callers", label: "Callers", title: "Inverted: from leaf functions up to their callers" },
];

/** Narrower graphs have the grouping in the menu. */
const ROOM_PX = 760;

/** The flame graph with its tools: grouping, search, settings, the way out of a zoom. */
export function FlameView({ profile, samples, query, act, width }: ViewProps) {
  const { focus, grouping } = query;
  const { isPage, settings: Settings } = useSurroundings();
  const onFailure = useFailure();
  const failed = useCallback(
    (failure: Failure) => {
      // A zoom out of a link may name a frame this recording does not have.
      if (focus !== 0 && failure.code !== "core.trap") act({ kind: "focus", node: 0 });
      else onFailure(failure);
    },
    [focus, act, onFailure],
  );
  const whole = useFrames(profile, samples, query, width, failed);
  const drawing = useFolded(whole, query.look);
  const search = useSearch(samples, query.search, drawing !== null);
  const colours = useColours(drawing, query.look, grouping === "callers");
  const own = useMemo(
    () => ({ look: query.look, onOwn: (prefix: string) => act({ kind: "look", look: { own: prefix } }) }),
    [query.look, act],
  );
  const wordsOf = useWords(drawing, colours, query);
  const { onZoom, onPast, onOut } = useZoom(drawing, query, act);
  const { matches, wanted, onWalk } = useMatches(drawing, search, act);
  const isInMenu = Settings !== null && width < ROOM_PX;
  const choice = (
    <Choice
      legend="Frames by"
      options={GROUPINGS}
      value={grouping}
      onChange={(next) => act({ kind: "grouping", grouping: next })}
      testId="grouping"
    />
  );

  return (
    <>
      <ViewTools>
        {!isInMenu && choice}
        <SearchBox pattern={query.search} search={search} act={act} onWalk={onWalk} />
        {Settings !== null && <Settings {...{ profile, query, act, ...(isInMenu && { grouping: choice }) }} />}
      </ViewTools>
      {drawing !== null && colours !== null && (
        <>
          <Breadcrumb path={drawing.answer.path} focus={focusName(drawing)} rootName={ROOT_NAME} onStep={onOut} />
          <FlameGraph
            view="flame"
            label="Flame graph. Arrow keys move, Enter zooms in, Backspace zooms out one step, Escape resets the zoom, Shift+F10 opens the menu of a frame."
            drawing={drawing}
            rootName={ROOT_NAME}
            up={query.look.up}
            matches={matches}
            tones={colours.tones}
            wordsOf={wordsOf}
            wanted={wanted}
            shape={query.shape}
            act={act}
            onZoom={onZoom}
            onPast={drawing.grouping === "stacks" || (isPage && drawing.answer.path.length === 0) ? onPast : undefined}
            onOut={onOut}
            onWalk={onWalk}
          >
            <LegendPlace>{(isPanel) => <LegendStrip {...{ colours, own, isPanel }} />}</LegendPlace>
            <span className={css.hidden} data-testid="folded" data-exact={drawing.answer.hiddenFrames}>
              {hiddenWords(drawing.answer, drawing.grouping !== "stacks")}
            </span>
          </FlameGraph>
        </>
      )}
    </>
  );
}

function focusName({ answer, past = 0 }: Drawing): string {
  const name = frameName(answer.frames, 0, ROOT_NAME);
  return past === 0 ? name : partName(name, past);
}

/** Whose code a frame is, where that is its colour. */
function useWords(drawing: Drawing | null, colours: Colours | null, { look }: QueryState) {
  return useMemo(() => {
    if (look.colouring !== "origin" || drawing === null || colours === null) return undefined;
    return (row: number) => {
      const detail = describeFrame(drawing.answer, row, drawing.profile, ROOT_NAME, drawing.upward);
      return row === 0 ? detail : { ...detail, kind: FAMILY_WORDS[colours.classes(row).family] };
    };
  }, [drawing, colours, look.colouring]);
}

/** The zoom of the flame graph: into a frame, to hidden frames, and out to an ancestor. */
function useZoom(
  drawing: Drawing | null,
  { focus, past, path, grouping }: QueryState,
  act: (action: QueryAction) => void,
) {
  const onZoom = useCallback(
    (row: number) => {
      if (drawing === null) return;
      if (drawing.grouping === "stacks") act({ kind: "focus", node: drawing.answer.frames.node[row] });
      else act({ kind: "path", path: [...path, ...idsDown(drawing, row)] });
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
        // If every frame is narrower than half a pixel there is no picture: the frames are in a table.
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
  return { onZoom, onPast, onOut };
}
