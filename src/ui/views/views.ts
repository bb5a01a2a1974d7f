/** The views of the selection: one row for each tab. A new view is an id in `VIEWS`, a row here, and its component. */
import type { ComponentType } from "react";
import type { SelectionTotals } from "../../core/types.ts";
import { VIEWS, type ViewName } from "../../model/query/query.ts";
import type { ViewProps } from "../parts/answers/view-props.ts";
import { Lazy, likelySoon } from "../primitives/lazy/lazy.ts";
import { OverviewView } from "./overview/OverviewView.tsx";

type Totals = Pick<SelectionTotals, "samples" | "value">;

/** What a view cannot do without. */
export type Need =
  /** A sample in the selection. */
  | "samples"
  /** A value other than 0 by the chosen measure: frames are as wide as their value. */
  | "weight";

export interface View {
  id: ViewName;
  /** On the tab, where a word has room. */
  label: string;
  /** Of one that shares a tab with others (FORMS), in the choice between them. */
  form?: string;
  /** Name of the view, for messages and assistive technology. */
  title: string;
  /** What the view shows, as the tab's tooltip. */
  about: string;
  /** Opens it wherever the focus is. */
  key?: string;
  load: Lazy<ComponentType<ViewProps>>;
  /**
   * In the order in which they are checked. The tab of a view stays enabled where a need is not met: its panel explains
   * the missing data and offers a remedy, which a disabled tab cannot.
   */
  needs: readonly Need[];
  /**
   * Whether only recordings with calls have it, only those with spans, only those with calls or times of samples, or
   * all of them, but no trace file alone.
   */
  only?: "calls" | "traces" | "moments" | "requests" | "events" | "recordings";
}

/** Parts of a recording that some views need. */
export interface Parts {
  calls: boolean;
  traces: boolean;
  /** Times of samples. */
  times: boolean;
  /** Samples with local roots. */
  roots: boolean;
  /** Only spans are known, of which samples were made. */
  spansAlone: boolean;
}

const MET: Record<Need, (totals: Totals) => boolean> = {
  samples: ({ samples }) => samples > 0,
  weight: ({ value }) => value !== 0n,
};

const ROWS: Record<ViewName, Omit<View, "id">> = {
  calls: {
    label: "Calls",
    key: "8",
    title: "Calls",
    about: "The requests and jobs of the dump; the other views show those that are selected here",
    load: new Lazy(() => import("./calls/CallsView.tsx").then(({ CallsView }) => CallsView)),
    needs: [],
    only: "calls",
  },
  overview: {
    label: "Overview",
    key: "1",
    title: "Overview",
    about: "Where the time went, in a sentence; the slowest requests or calls; hot paths, findings, attributes",
    // In the same script as the page of a recording, because the user sees it first.
    load: Lazy.ready(OverviewView),
    // It tells of samples as well as of their weight.
    needs: ["samples"],
    only: "recordings",
  },
  trace: {
    label: "Trace",
    key: "5",
    title: "Trace",
    about: "The spans of a trace in the order of time, and the samples that each has",
    load: new Lazy(() => import("./trace/TraceView.tsx").then(({ TraceView }) => TraceView)),
    needs: [],
    only: "traces",
  },
  operations: {
    label: "Requests",
    key: "4",
    title: "Requests by operation",
    about: "How long the spans of each operation took, what they cost per request, and a map of all spans",
    load: new Lazy(() => import("./operations/OperationsView.tsx").then(({ OperationsView }) => OperationsView)),
    needs: [],
    only: "requests",
  },
  flame: {
    label: "Flame",
    key: "2",
    form: "Graph",
    title: "Flame graph",
    about: "All stacks of the selection, merged from the root down",
    load: likelySoon(() => import("./flame/FlameView.tsx").then(({ FlameView }) => FlameView)),
    needs: ["samples", "weight"],
  },
  chart: {
    label: "Chart",
    key: "3",
    title: "Flame chart",
    about: "The selection in the order of time, with pauses: a call, or a lane for each thread",
    load: new Lazy(() => import("./chart/ChartView.tsx").then(({ ChartView }) => ChartView)),
    needs: [],
    only: "moments",
  },
  events: {
    label: "Events",
    key: "7",
    title: "Events",
    about: "Every event of any type of the selection: by type, in order, with fields, stacks and a histogram",
    load: new Lazy(() => import("./events/EventsView.tsx").then(({ EventsView }) => EventsView)),
    needs: [],
    only: "events",
  },
  sandwich: {
    label: "Sandwich",
    form: "Sandwich",
    title: "Sandwich",
    about: "Callers and callees of one function",
    load: likelySoon(() => import("./sandwich/SandwichView.tsx").then(({ SandwichView }) => SandwichView)),
    needs: ["samples", "weight"],
  },
  top: {
    label: "Table",
    form: "Table",
    title: "Top functions",
    about: "Functions by self time and by total",
    load: likelySoon(() => import("./top/TopView.tsx").then(({ TopView }) => TopView)),
    needs: ["samples", "weight"],
  },
  tree: {
    label: "Tree",
    form: "Tree",
    title: "Call tree",
    about: "The call tree as a table that opens frame by frame",
    load: likelySoon(() => import("./tree/TreeView.tsx").then(({ TreeView }) => TreeView)),
    needs: ["samples", "weight"],
  },
  diff: {
    label: "Compare",
    key: "6",
    title: "Difference",
    about: "The selection compared with a baseline",
    load: likelySoon(() => import("./diff/DiffView.tsx").then(({ DiffView }) => DiffView)),
    needs: ["samples", "weight"],
  },
};

/** In the order of the tabs. */
export const VIEW_ROWS: readonly View[] = VIEWS.map((id) => ({ id, ...ROWS[id] }));

export function viewOf(id: ViewName): View {
  return VIEW_ROWS[VIEWS.indexOf(id)];
}

/** The views of a recording. */
export function viewsOf({ calls, traces, times, roots, spansAlone }: Parts): readonly View[] {
  const has = {
    ...{ calls, traces, moments: calls || times, recordings: !spansAlone },
    ...{ requests: !calls && (traces || roots), events: !calls && times && !spansAlone },
  };
  return VIEW_ROWS.filter(({ only }) => only === undefined || has[only]);
}

/** The view to show: links may name one that the recording does not have. Spans alone begin with their trace. */
export function shownView(id: ViewName, parts: Parts): View {
  const other = parts.spansAlone && id === "overview" ? "trace" : "flame";
  return viewsOf(parts).find((view) => view.id === id) ?? viewOf(other);
}

/** The first need of a view that a selection does not meet; null where the view can be shown. */
export function unmetNeed({ needs }: View, totals: Totals): Need | null {
  return needs.find((need) => !MET[need](totals)) ?? null;
}
