import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { FramesAnswer } from "../../core/types.ts";
import { namesDownTo } from "../../model/flame/flame.ts";
import { visible } from "../../model/words/text.ts";
import type { Query, Result } from "../../worker/api.ts";
import { NoStacks } from "../analysis/NothingDrawn.tsx";
import { type Answered, useAnswer } from "../analysis/use-answer.ts";
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
import { type Around, useSurroundings } from "../surroundings.ts";
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

const SIDES = ["callers-of", "callees-of"] as const;
type Side = (typeof SIDES)[number];

interface Question {
  samples: Query;
  name: string;
  width: number;
}

/** Callers above, callees below, as wide as the picker leaves room. */
function Graphs(props: GraphsProps) {
  const { samples, name, query, act, search, onFailure } = props;
  const { viewer, isPage } = useSurroundings();
  const element = useRef<HTMLDivElement>(null);
  // Other pages may have graphs of several widths.
  const width = useWidth(element, isPage ? "sandwich" : undefined);
  const question = useMemo(
    (): Question | null => (width <= 0 ? null : { samples, name, width }),
    [samples, name, width],
  );
  // Both at once: they are drawn in one frame, and not one after the other.
  const answered = useAnswer(question, (asked) => bothOf(viewer, asked), onFailure);
  return (
    <div ref={element} className={css.graphs}>
      <ViewTools>
        <SearchBox pattern={query.search} search={search} act={act} />
      </ViewTools>
      {SIDES.map((side) => (
        <Half key={side} {...props} question={question} whole={answered} side={side} />
      ))}
    </div>
  );
}

type Both = Record<Side, FramesAnswer>;
type Asking = Around["viewer"];

async function bothOf(viewer: Asking, asked: Question): Promise<Result<Both>> {
  const [callers, callees] = await Promise.all(SIDES.map((side) => sideOf(viewer, asked, side, [])));
  if (!callers.ok) return callers;
  if (!callees.ok) return callees;
  return { ok: true, value: { "callers-of": callers.value, "callees-of": callees.value } };
}

function sideOf(viewer: Asking, { samples, name, width }: Question, side: Side, path: number[]) {
  return viewer.regroup(samples, { grouping: { kind: side, name }, path, width });
}

interface HalfProps extends GraphsProps {
  question: Question | null;
  /** Both graphs without a zoom. */
  whole: Answered<Question, Both> | null;
  side: Side;
}

const LABELS = { "callers-of": "Callers", "callees-of": "Callees" };

/** A flame graph with a separate zoom: another function or other samples start at its top. */
function Half({ profile, query, act, dark, onFailure, side, name, search, question, whole }: HalfProps) {
  const { path, setPath, answered } = useZoomed(question, whole, side, onFailure);
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
    [drawing, path, setPath],
  );
  const onOut = useCallback((step: number) => setPath(path.slice(0, step)), [path, setPath]);
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

/** The zoom of one side, and its newest answer. */
function useZoomed(
  asked: Question | null,
  whole: Answered<Question, Both> | null,
  side: Side,
  onFailure: ViewProps["onFailure"],
) {
  const { viewer } = useSurroundings();
  const [path, setPath] = useState<number[]>([]);
  const samples = asked?.samples;
  const name = asked?.name;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the zoom belongs to them
  useEffect(() => setPath((now) => (now.length === 0 ? now : [])), [samples, name]);
  const part = useMemo(() => (asked === null || path.length === 0 ? null : { asked, path }), [asked, path]);
  const zoomed = useAnswer(part, (of) => sideOf(viewer, of.asked, side, of.path), onFailure);
  const isZoomed = path.length > 0 && zoomed !== null && isWithin(zoomed.question, asked, path);
  const answered = useMemo(() => {
    if (isZoomed) return { question: zoomed.question.asked, answer: zoomed.answer };
    return whole && { question: whole.question, answer: whole.answer[side] };
  }, [isZoomed, zoomed, whole, side]);
  return { path, setPath, answered };
}

/** Whether an answer may stay on screen until that of the next zoom: it is on the way in or out of the same graph. */
function isWithin(of: { asked: Question; path: number[] }, asked: Question | null, path: number[]): boolean {
  const isSame = of.asked.samples === asked?.samples && of.asked.name === asked.name;
  return isSame && of.path.every((step, at) => at >= path.length || path[at] === step);
}
