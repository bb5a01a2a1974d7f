import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { visible } from "../../../model/words/text.ts";
import type { Query, SandwichAnswer } from "../../../worker/api.ts";
import { answerTo } from "../../parts/answers/ahead.ts";
import { useSurroundings } from "../../parts/answers/surroundings.ts";
import { type Answered, useAnswer, useSame } from "../../parts/answers/use-answer.ts";
import { type Drawing, useFolded } from "../../parts/answers/use-frames.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { sandwichQuestion } from "../../parts/answers/view-questions.ts";
import { useWidth } from "../../parts/drawing/use-width.ts";
import { SearchBox } from "../../parts/search/SearchBox.tsx";
import { useMatches } from "../../parts/search/use-matches.ts";
import { type Search, useSearch } from "../../parts/search/use-search.ts";
import { NoStacks } from "../../parts/view/NothingDrawn.tsx";
import { FootSlot, ViewTools } from "../../parts/view/ViewTools.tsx";
import { Breadcrumb } from "../flame/Breadcrumb.tsx";
import { FlameGraph } from "../flame/FlameGraph.tsx";
import { LegendPlace } from "../flame/LegendPlace.tsx";
import { LegendStrip } from "../flame/LegendStrip.tsx";
import { idsDown } from "../flame/shown-frame.ts";
import { useColours } from "../flame/use-colours.ts";
import { FunctionPicker } from "./FunctionPicker.tsx";
import css from "./SandwichView.module.css";

/** One function: its callers above, its callees below. Without a choice it is the function with most self time. */
export function SandwichView(props: ViewProps) {
  const { profile, samples, totals, query, act } = props;
  const { viewer, isPage } = useSurroundings();
  const graphs = useRef<HTMLDivElement>(null);
  // Other pages may have graphs of several widths.
  const width = useWidth(graphs, isPage ? "sandwich" : undefined);
  const asked = useSame<Question | null>(width <= 0 ? null : { samples, name: query.function, width });
  // The function and both graphs at once: they are drawn in one frame, and not one after the other.
  const whole = useAnswer(asked, (of) => answerTo(sandwichQuestion(viewer, of.samples, of.name, of.width)));
  const search = useSearch(samples, query.search, whole !== null);
  const name = query.function === "" ? (whole?.answer?.name ?? "") : query.function;
  const onPick = useCallback((picked: string) => act({ kind: "function", name: picked }), [act]);
  if (whole?.answer === null && name === "") return <NoStacks samples={totals.samples} />;
  return (
    <div className={css.sandwich} data-testid="sandwich">
      {name !== "" && (
        <h2 className="visually-hidden" data-testid="sandwich-name">
          {visible(name)}
        </h2>
      )}
      <FunctionPicker profile={profile} samples={samples} whole={Number(totals.value)} name={name} onPick={onPick} />
      <div ref={graphs} className={css.graphs}>
        <ViewTools>
          <SearchBox pattern={query.search} search={search} act={act} />
        </ViewTools>
        {/* Each graph has its words below itself. */}
        <FootSlot value={null}>
          {SIDES.map((side) => (
            <Half key={side} {...props} name={name} search={search} whole={whole} side={side} />
          ))}
        </FootSlot>
      </div>
    </div>
  );
}

const SIDES = ["callers-of", "callees-of"] as const;
type Side = (typeof SIDES)[number];

interface Question {
  samples: Query;
  /** "" asks for the function with most self time. */
  name: string;
  width: number;
  /** Of a zoom. */
  path?: readonly number[];
}

type Whole = Answered<Question, SandwichAnswer | null>;

interface HalfProps extends ViewProps {
  name: string;
  search: Search;
  /** Both graphs without a zoom. */
  whole: Whole | null;
  side: Side;
}

const LABELS = { "callers-of": "Callers", "callees-of": "Callees" };

/** A flame graph with a separate zoom: another function or other samples start at its top. */
function Half({ profile, samples, query, act, side, name, search, whole }: HalfProps) {
  const { path, setPath, answered } = useZoomed(samples, name, whole, side);
  const unfolded = useMemo(
    (): Drawing | null =>
      answered && {
        profile,
        answer: answered.answer,
        grouping: "callers",
        upward: side === "callers-of",
        shape: answered.question.samples.shape,
        width: answered.question.width,
        origins: [
          {
            samples: answered.question.samples,
            grouping: { kind: side, name },
            path: answered.question.path ?? [],
          },
        ],
      },
    [answered, profile, side, name],
  );
  const drawing = useFolded(unfolded, query.look);
  const colours = useColours(drawing, query.look, side === "callers-of");
  const { matches, wanted, onWalk } = useMatches(drawing, search, act);
  const onZoom = useCallback(
    (row: number) => drawing !== null && setPath([...path, ...idsDown(drawing, row)]),
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
        {...{ drawing, matches, wanted, act, onZoom, onOut, onWalk }}
        view="sandwich"
        label={`${LABELS[side]} of ${visible(name, 80)}. Arrow keys move, Enter zooms in, Backspace zooms out, S selects another function.`}
        rootName={visible(name)}
        up={side === "callers-of"}
        tones={colours.tones}
        shape={query.shape}
      >
        <LegendPlace>{(isPanel) => <LegendStrip {...{ colours, isPanel }} />}</LegendPlace>
      </FlameGraph>
    </div>
  );
}

/** A frame of one side that is shown alone, by the names down to it. */
interface Zoom extends Question {
  path: number[];
}

/** The zoom of one side, and its newest answer. */
function useZoomed(samples: Query, name: string, whole: Whole | null, side: Side) {
  const { viewer } = useSurroundings();
  const [path, setPath] = useState<number[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the zoom belongs to them
  useEffect(() => setPath((now) => (now.length === 0 ? now : [])), [samples, name]);
  const width = whole?.question.width ?? 0;
  const zoom = useSame<Zoom | null>(width === 0 || path.length === 0 ? null : { samples, name, width, path });
  const ask = (of: Zoom) =>
    viewer.regroup(of.samples, { grouping: { kind: side, name: of.name }, path: of.path, width: of.width });
  const zoomed = useAnswer(zoom, ask);
  const isZoomed = zoom !== null && zoomed !== null && isWithin(zoomed.question, zoom);
  const answered = useMemo(() => {
    if (isZoomed) return zoomed;
    return whole?.answer ? { question: whole.question, answer: whole.answer[side] } : null;
  }, [isZoomed, zoomed, whole, side]);
  return { path, setPath, answered };
}

/** Whether an answer may stay on screen until that of the next zoom: it is on the way in or out of the same graph. */
function isWithin(of: Zoom, asked: Zoom): boolean {
  const isSame = of.samples === asked.samples && of.name === asked.name;
  return isSame && of.path.every((step, at) => at >= asked.path.length || asked.path[at] === step);
}
