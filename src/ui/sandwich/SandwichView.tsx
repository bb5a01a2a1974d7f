import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Grouping } from "../../core/view-types.ts";
import { namesDownTo } from "../../model/flame/flame.ts";
import { visible } from "../../model/words/text.ts";
import type { Query } from "../../worker/api.ts";
import { NoStacks } from "../analysis/NothingDrawn.tsx";
import { useAnswer } from "../analysis/use-answer.ts";
import { ViewTools } from "../analysis/ViewTools.tsx";
import { Breadcrumb } from "../flame/Breadcrumb.tsx";
import { FlameGraph } from "../flame/FlameGraph.tsx";
import { LegendStrip } from "../flame/LegendStrip.tsx";
import { useColours } from "../flame/use-colours.ts";
import type { Drawing } from "../flame/use-frames.ts";
import { useWidth } from "../flame/use-width.ts";
import { SearchBox } from "../search/SearchBox.tsx";
import { useMatches } from "../search/use-matches.ts";
import { type Search, useSearch } from "../search/use-search.ts";
import { useSurroundings } from "../surroundings.ts";
import type { ViewProps } from "../view-props.ts";
import { FunctionPicker } from "./FunctionPicker.tsx";
import css from "./SandwichView.module.css";

/** One function: its callers above, its callees below. Without a choice it is the function with most self time. */
export function SandwichView(props: ViewProps) {
  const { profile, samples, totals, query, act, onFailure } = props;
  const { viewer } = useSurroundings();
  const search = useSearch(samples, query.search, onFailure);
  const asked = useMemo(() => (query.function === "" ? { samples } : null), [samples, query.function]);
  const top = useAnswer(asked, (question) => viewer.top(question.samples, "self", 0, 1), onFailure);
  const name = query.function === "" ? (top?.answer.rows[0]?.name ?? "") : query.function;
  const onPick = useCallback((picked: string) => act({ kind: "function", name: picked }), [act]);
  if (name === "") return top?.answer.rows.length === 0 ? <NoStacks samples={totals.samples} /> : null;
  return (
    <div className={css.sandwich} data-testid="sandwich">
      <h2 className="visually-hidden" data-testid="sandwich-name">
        {visible(name)}
      </h2>
      <FunctionPicker
        profile={profile}
        samples={samples}
        whole={Number(totals.value)}
        name={name}
        onPick={onPick}
        onFailure={onFailure}
      />
      <Graphs {...props} name={name} search={search} />
    </div>
  );
}

interface GraphsProps extends ViewProps {
  name: string;
  search: Search;
}

/** Callers above, callees below, as wide as the picker leaves room. */
function Graphs(props: GraphsProps) {
  const { query, act, search } = props;
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  return (
    <div ref={element} className={css.graphs}>
      <ViewTools>
        <SearchBox pattern={query.search} search={search} act={act} />
      </ViewTools>
      <Half {...props} width={width} side="callers-of" />
      <Half {...props} width={width} side="callees-of" />
    </div>
  );
}

interface HalfProps extends ViewProps {
  side: "callers-of" | "callees-of";
  name: string;
  search: Search;
}

interface Question {
  samples: Query;
  grouping: Grouping;
  path: number[];
  width: number;
}

const LABELS = { "callers-of": "Callers", "callees-of": "Callees" };

/** A flame graph with a separate zoom: another function or other samples start at its top. */
function Half({ profile, samples, query, act, width, dark, onFailure, side, name, search }: HalfProps) {
  const { viewer } = useSurroundings();
  const [path, setPath] = useState<number[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the zoom belongs to them
  useEffect(() => setPath((now) => (now.length === 0 ? now : [])), [samples, name]);
  const question = useMemo(
    (): Question | null => (width <= 0 ? null : { samples, grouping: { kind: side, name }, path, width }),
    [samples, side, name, path, width],
  );
  const answered = useAnswer(question, ({ samples: of, ...request }) => viewer.regroup(of, request), onFailure);
  const drawing = useMemo(
    (): Drawing | null =>
      answered && {
        profile,
        answer: answered.answer,
        grouping: "callers",
        upward: side === "callers-of",
        shape: answered.question.samples.shape,
        width: answered.question.width,
      },
    [answered, profile, side],
  );
  const colours = useColours(drawing, query.look, side === "callers-of");
  const { matches, wanted, onWalk } = useMatches(drawing, search, act);
  const onZoom = useCallback(
    (row: number) => drawing !== null && setPath([...path, ...namesDownTo(drawing.answer.frames, row)]),
    [drawing, path],
  );
  const onOut = useCallback((step: number) => setPath(path.slice(0, step)), [path]);
  if (drawing === null || colours === null) return <div className={css.half} />;
  const { frames } = drawing.answer;
  const focus = frames.names[frames.name[0]] ?? "";
  return (
    <div className={css.half} data-testid={side} data-total={frames.total[0]}>
      <Breadcrumb path={drawing.answer.path} focus={visible(focus)} rootName={visible(name)} onStep={onOut} />
      <FlameGraph
        label={`${LABELS[side]} of ${visible(name, 80)}. Arrow keys move, Enter zooms in, Backspace zooms out, S selects another function.`}
        drawing={drawing}
        rootName={visible(name)}
        dark={dark}
        up={side === "callers-of"}
        matches={matches}
        tones={colours.tones}
        wanted={wanted}
        shape={query.shape}
        act={act}
        onZoom={onZoom}
        onOut={onOut}
        onWalk={onWalk}
        onFailure={onFailure}
      />
      <LegendStrip colours={colours} dark={dark} />
    </div>
  );
}
