import { useCallback, useMemo } from "react";
import type { SelectionTotals, TimeRange } from "../../../core/types.ts";
import { diffTone, toneNumber } from "../../../model/flame/colour.ts";
import { describeChange, isSureChange } from "../../../model/flame/diff-detail.ts";
import { frameName, ROOT_NAME } from "../../../model/flame/flame.ts";
import { baselineOf, change, OTHER_VALUES, OTHERS, pin } from "../../../model/query/baseline.ts";
import { chipsOf } from "../../../model/query/chips.ts";
import type { QueryState } from "../../../model/query/query.ts";
import { samplesWithInferred } from "../../../model/trace/coverage.ts";
import { formatProfileValue } from "../../../model/words/format.ts";
import type { Drawing } from "../../parts/answers/use-frames.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { FilePicker } from "../../parts/files/FilePicker.tsx";
import { SearchBox } from "../../parts/search/SearchBox.tsx";
import { type Matches, useMatches } from "../../parts/search/use-matches.ts";
import { useSearch } from "../../parts/search/use-search.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import { Breadcrumb } from "../flame/Breadcrumb.tsx";
import { FlameGraph } from "../flame/FlameGraph.tsx";
import { LegendPlace } from "../flame/LegendPlace.tsx";
import { ViewMenu } from "../flame/ViewMenu.tsx";
import { ChangedTable } from "./ChangedTable.tsx";
import { DiffLegend } from "./DiffLegend.tsx";
import { DiffTools } from "./DiffTools.tsx";
import css from "./DiffView.module.css";
import { type Diff, useDiff } from "./use-diff.ts";
import { baseQuery, useInferredSides } from "./use-inferred-diff.ts";

/** The selection beside a baseline: frames as wide as both together, coloured by where they weigh more. */
export function DiffView(props: ViewProps) {
  const { profile, samples, files, query, act, width, onCompareWith } = props;
  const keys = useMemo(() => Object.keys(profile.samplesWithAttribute), [profile]);
  const isRequest = query.filter.localRoot !== undefined;
  const choice = useMemo(() => baselineOf(query.baseline, keys, isRequest), [query.baseline, keys, isRequest]);
  const diff = useDiff(profile, samples, choice, query, width);
  const search = useSearch(samples, query.search);
  const drawing = useMemo(() => diff && drawingOf(diff), [diff]);
  const matches = useMatches(drawing, search, act);
  const { onWalk } = matches;
  const isEmpty = diff !== null && isNothing(diff);

  return (
    <>
      <DiffTools
        {...{ choice, keys, files, ofCalls: profile.exact === "calls", query, act, onCompareWith }}
        words={diff?.words ?? ""}
      >
        <SearchBox pattern={query.search} search={search} act={act} {...(query.diff === "graph" && { onWalk })} />
        {query.diff === "graph" && <ViewMenu profile={profile} query={query} isGraph={false} act={act} />}
      </DiffTools>
      {diff !== null && <Sums diff={diff} />}
      {isEmpty && (
        <EmptyBaseline
          query={query}
          ofCalls={profile.exact === "calls"}
          times={props.zeros}
          act={act}
          onCompareWith={onCompareWith}
        />
      )}
      {diff !== null && !isEmpty && query.diff === "functions" && (
        <ChangedTable {...props} choice={choice} search={search} />
      )}
      {diff !== null && drawing !== null && !isEmpty && query.diff === "graph" && (
        <DiffGraph {...props} diff={diff} drawing={drawing} matches={matches} />
      )}
    </>
  );
}

/** The frames of both, as a graph draws them. */
function drawingOf({ profile, samples, baseline, page, shape, named, width }: Diff): Drawing {
  const tree = { grouping: null, path: [] };
  const own = { ...tree, label: "selection", samples, totals: page.total };
  const without = baseline.rest ? samples : undefined;
  const base = { ...tree, label: "baseline", samples: baseQuery(samples, baseline), without, totals: page.baseTotal };
  return {
    ...{ profile, shape, named, width },
    ...(page.fold && { fold: page.fold }),
    answer: page.frames,
    grouping: "stacks",
    upward: false,
    origins: [own, base],
  };
}

/** Exact values may be sums of other numbers of samples than the selection has. */
function isNothing({ page: { baseTotals }, profile }: Diff): boolean {
  return profile.exact ? baseTotals.value === 0n : baseTotals.samples === 0;
}

/** How much is compared: samples, or measured values. */
function Sums({ diff }: { diff: Diff }) {
  const { page, profile, samples: selected, baseline, words } = diff;
  const { totals, baseTotals } = page;
  const inferred = useInferredSides(profile, selected, baseline);
  const amount = ({ samples, value }: SelectionTotals, marked: number) =>
    profile.exact ? formatProfileValue(value, profile) : samplesWithInferred(samples, marked);
  return (
    <p className={css.sums} role="status">
      <span className={css.selection} data-testid="diff-own" data-exact={totals.value.toString()}>
        selection: {amount(totals, inferred.own)}
      </span>
      <span className={css.base} data-testid="diff-base" data-exact={baseTotals.value.toString()}>
        {profile.exact === "calls" && words === OTHERS ? OTHER_VALUES : words}: {amount(baseTotals, inferred.base)}
      </span>
    </p>
  );
}

interface GraphProps extends ViewProps {
  diff: Diff;
  drawing: Drawing;
  matches: Matches;
}

function DiffGraph({ diff, drawing, matches, query, act }: GraphProps) {
  const { answer } = drawing;
  const tones = useMemo(() => tonesOf(diff), [diff]);
  const wordsOf = useCallback((row: number) => describeChange(diff.page, row, diff.profile, ROOT_NAME), [diff]);
  const onZoom = useCallback((row: number) => act({ kind: "focus", node: answer.frames.node[row] }), [answer, act]);
  const onOut = useCallback((step: number) => act({ kind: "focus", node: answer.path[step].node }), [answer, act]);
  return (
    <>
      <Breadcrumb
        path={answer.path}
        focus={frameName(answer.frames, 0, ROOT_NAME)}
        rootName={ROOT_NAME}
        onStep={onOut}
      />
      <FlameGraph
        {...{ drawing, act, tones, wordsOf, onZoom, onOut }}
        view="diff"
        label="Difference of two flame graphs. Arrow keys move, Enter zooms in, Backspace zooms out one step, Escape resets the zoom."
        rootName={ROOT_NAME}
        up={query.look.up}
        matches={matches.matches}
        wanted={matches.wanted}
        shape={query.shape}
        onWalk={matches.onWalk}
      >
        <LegendPlace>
          {(isPanel) => (
            <DiffLegend {...{ answer, isPanel }} isShare={diff.normalised} isExact={diff.profile.exact !== undefined} />
          )}
        </LegendPlace>
      </FlameGraph>
    </>
  );
}

function tonesOf({ page, normalised, profile }: Diff): Uint8Array {
  const { total, baseTotal, totals, baseTotals } = page;
  const whole = Number(totals.value) || 1;
  const baseWhole = Number(baseTotals.value) || 1;
  // Shares are compared: a baseline of another size is scaled to that of the selection.
  const scale = normalised ? whole / baseWhole : 1;
  const tones = new Uint8Array(total.length);
  for (let row = 0; row < tones.length; row++)
    tones[row] = toneNumber(diffTone(change(total[row], baseTotal[row] * scale), isSureChange(page, row, profile)));
  return tones;
}

interface Props extends Pick<ViewProps, "query" | "act" | "onCompareWith"> {
  /** Of calls of dumps. */
  ofCalls: boolean;
  /** First and last moment of each file. */
  times: readonly TimeRange[];
}

/** The baselines to choose from where the current one has no sample. */
function EmptyBaseline({ query, ofCalls, times, act, onCompareWith }: Props) {
  const [only] = times;
  const isSelected = chipsOf(query).length > 0;
  return (
    <div className={css.nothing} data-testid="diff-nothing">
      <p>
        {isSelected
          ? "The baseline is empty. Choose another:"
          : `Everything is selected. Pick ${ofCalls ? "calls" : "a trace or an endpoint"}, or compare with:`}
      </p>
      <div className={css.offers}>
        {isSelected && query.baseline !== "rest" && (
          <Button testId="offer-rest" onClick={() => act({ kind: "baseline", baseline: "rest" })}>
            {ofCalls ? "All other calls" : "All other samples"}
          </Button>
        )}
        {only !== undefined && times.length === 1 && query.filter.time === undefined && (
          <Button testId="offer-earlier" onClick={() => compareHalves(query, only, act)}>
            An earlier time
          </Button>
        )}
        <FilePicker label="Another file…" testId="offer-file" onFiles={onCompareWith} />
      </div>
    </div>
  );
}

/** Selects the later half of the recording, with the earlier half as the baseline. */
function compareHalves(query: QueryState, { from, to }: TimeRange, act: Props["act"]): void {
  const middle = from + (to - from) / 2n;
  const earlier = { ...query.filter, time: { from, to: middle } };
  act({ kind: "baseline", baseline: pin({ ...query, filter: earlier }) });
  act({ kind: "add", chip: { kind: "time", from: middle, to: to + 1n } });
}
