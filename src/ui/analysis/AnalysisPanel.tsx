import { type ComponentType, useCallback, useEffect, useMemo, useRef } from "react";
import type { SelectionTotals, TimeRange } from "../../core/types.ts";
import type { QueryAction, QueryState } from "../../model/query/query.ts";
import { filterOf } from "../../model/query/query.ts";
import type { Measured } from "../../model/recording/measure.ts";
import type { ProfileTab } from "../../model/recording/profile-tabs.ts";
import type { Failure, InputFile, Query } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { Boundary } from "../boundary/Boundary.tsx";
import { FlameView } from "../flame/FlameView.tsx";
import { useWidth } from "../flame/use-width.ts";
import { prefetchViews, VIEW_PARTS } from "../part/parts.ts";
import { usePart } from "../part/use-part.ts";
import { Timeline } from "../timeline/Timeline.tsx";
import css from "./AnalysisPanel.module.css";
import { NoSamples } from "./NoSamples.tsx";
import { NoWeight } from "./NothingDrawn.tsx";
import { ProfileNote } from "./ProfileNote.tsx";
import { StatusLine } from "./StatusLine.tsx";
import { useAnswer, useSamples } from "./use-answer.ts";
import { ViewTabs } from "./ViewTabs.tsx";

interface Props {
  id: string;
  tabs: ProfileTab[];
  profile: Measured;
  /** Names of the files on the page. */
  files: string[];
  /** First and last moment of the recording. */
  time: TimeRange | null;
  query: QueryState;
  act: (action: QueryAction) => void;
  dark: boolean;
  /** Puts more files on the page, the first of them to compare the selection with. */
  onCompareWith: (files: InputFile[]) => void;
  onFailure: (failure: Failure) => void;
}

/** What every view of the selection is given. */
export interface ViewProps {
  profile: Measured;
  tabs: ProfileTab[];
  files: string[];
  /** First moment of the recording. */
  start: bigint;
  /** The samples looked at. */
  samples: Query;
  totals: SelectionTotals;
  query: QueryState;
  act: (action: QueryAction) => void;
  /** Room for a drawing, in CSS pixels; 0 until it is known. */
  width: number;
  dark: boolean;
  onCompareWith: (files: InputFile[]) => void;
  onFailure: (failure: Failure) => void;
}

const VIEW_NAMES: Record<QueryState["view"], string> = {
  flame: "Flame graph",
  sandwich: "Sandwich",
  top: "Top functions",
  tree: "Call tree",
  diff: "Difference",
  why: "Why",
};

/** The samples looked at: what they add up to, and one of the views of them. */
export function AnalysisPanel(props: Props) {
  const { id, tabs, profile, files, time, query, act, dark, onCompareWith, onFailure } = props;
  const ruler = useRef<HTMLDivElement>(null);
  const width = useWidth(ruler);
  const samples = useSamples(profile, filterOf(query), query.shape);
  const question = useMemo(() => ({ samples, profile }), [samples, profile]);
  const totals = useAnswer(question, (asked) => viewer.totals(asked.samples), onFailure);
  const present = useMemo(
    () => tabs.flatMap((tab) => (tab.profile === null ? [] : [{ profile: tab.profile, label: tab.label }])),
    [tabs],
  );
  const onView = useCallback((view: QueryState["view"]) => act({ kind: "view", view }), [act]);
  const onReset = useCallback(() => act({ kind: "defaults" }), [act]);
  useEffect(prefetchViews, []);
  // Why tells of samples as well as of their weight.
  const isWeightless =
    totals !== null && totals.answer.samples > 0 && totals.answer.value === 0n && query.view !== "why";
  const label = (type: string) => tabs.find((tab) => tab.type === type)?.label ?? type;

  return (
    <section id={id} className={css.panel} role="tabpanel" aria-label={label(profile.type)}>
      {/* As wide as the graph will be, whatever is shown meanwhile. */}
      <div ref={ruler} className={css.ruler} />
      {time !== null && (
        <Boundary what="The timeline" resetOn={query} onReset={onReset}>
          <Timeline profile={profile} whole={time} query={query} act={act} dark={dark} onFailure={onFailure} />
        </Boundary>
      )}
      <div className={css.head}>
        <ViewTabs view={query.view} onView={onView} controls={`${id}-view`} />
        {totals !== null && <StatusLine profile={totals.question.profile} totals={totals.answer} />}
        <ProfileNote
          profile={profile}
          label={label(profile.type)}
          about={tabs.find(({ type }) => type === profile.type)?.about ?? ""}
        />
      </div>
      <div id={`${id}-view`} tabIndex={-1} className={css.view} role="tabpanel" aria-label={VIEW_NAMES[query.view]}>
        {totals !== null && totals.answer.samples === 0 && (
          <NoSamples
            profile={totals.question.profile}
            profiles={present}
            filter={totals.question.samples.filter}
            label={label(totals.question.profile.type)}
            onType={(type) => act({ kind: "type", type })}
            onClear={() => act({ kind: "clear" })}
          />
        )}
        {isWeightless && <NoWeight samples={totals.answer.samples} profile={totals.question.profile} act={act} />}
        {totals !== null && totals.answer.samples > 0 && !isWeightless && (
          <Boundary what={`The view “${VIEW_NAMES[query.view]}”`} resetOn={query} onReset={onReset}>
            <View
              profile={profile}
              tabs={tabs}
              files={files}
              start={time?.from ?? 0n}
              samples={samples}
              totals={totals.answer}
              query={query}
              act={act}
              width={width}
              dark={dark}
              onCompareWith={onCompareWith}
              onFailure={onFailure}
            />
          </Boundary>
        )}
      </div>
    </section>
  );
}

function View(props: ViewProps) {
  const { view } = props.query;
  return view === "flame" ? <FlameView {...props} /> : <OtherView {...props} view={view} />;
}

function OtherView({ view, ...props }: ViewProps & { view: keyof typeof VIEW_PARTS }) {
  const Loaded = usePart<ComponentType<ViewProps>>(VIEW_PARTS[view], props.onFailure);
  return Loaded !== null && <Loaded {...props} />;
}
