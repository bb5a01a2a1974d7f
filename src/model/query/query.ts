/** The query state of the page: a profile type and its measure, the filters, the view and its options. */

import { extraType, PLAIN } from "../../core/tables/extra-events.ts";
import type {
  CallPart,
  ExtraEvent,
  Filter,
  RankBy,
  RankSort,
  ReadChoice,
  SpanChoice,
  TimeRange,
} from "../../core/types.ts";
import type { TopOrder } from "../../core/view-types.ts";
import { ENDPOINT_KEYS } from "../lists/request-keys.ts";
import { CONTEXT_KEY, CONTEXT_RULE_KEY, inferredFilter } from "./attribute.ts";
import { type Chip, withChip, withConditions, withoutChip, withoutKinds } from "./chips.ts";
import { CONTEXT_KINDS } from "./filters.ts";
import { LOOK, type Look } from "./look.ts";
import { filterFrom, type Shape, shapeKey, WHOLE } from "./shape.ts";
import type { TimeNote } from "./time-notes.ts";
import { type Truncated, withTruncated } from "./truncated.ts";

/** The views of one selection. */
export const VIEWS = [
  "overview",
  "calls",
  "trace",
  "operations",
  "flame",
  "chart",
  "events",
  "sandwich",
  "top",
  "tree",
  "diff",
] as const;
export type ViewName = (typeof VIEWS)[number];

/** Forms of the merged stacks, which share a tab: the graph, the table of functions, the tree, callers and callees. */
export const FORMS = ["flame", "top", "tree", "sandwich"] as const satisfies readonly ViewName[];

export function isFlameForm(view: ViewName): boolean {
  return FORMS.some((form) => form === view);
}

/** How the flame graph groups frames: from the threads down, or from the tops of the stacks down. */
export const GROUPINGS = ["stacks", "callers"] as const;
export type FlameGrouping = (typeof GROUPINGS)[number];

/** How two selections are compared. */
export const SCALES = ["share", "value"] as const;
export type DiffScale = (typeof SCALES)[number];

/** What the timeline unfolds into. */
export const TIMELINES = ["strip", "threads", "heat"] as const;
export type TimelineName = (typeof TIMELINES)[number];

/** What the lanes of threads are ordered by. */
export const LANE_ORDERS = ["activity", "selected", "first", "name"] as const;
export type LaneOrder = (typeof LANE_ORDERS)[number];

/** What the table of functions is ordered by. */
export const TOP_SORTS: readonly TopOrder[] = ["self", "total", "name"];

/** What the list of calls is ordered by, a column each. */
export const CALL_SORTS = [
  "start",
  "duration",
  "net",
  "suspension",
  "cpu",
  "wait",
  "queue",
  "memory",
  "io",
  "transactions",
  "frames",
  "name",
  "thread",
] as const;
/** A column of the list of calls. */
export type CallSort = (typeof CALL_SORTS)[number];

/** The form of a comparison: graph or table. */
export const DIFF_SHAPES = ["graph", "functions"] as const;
export type DiffShape = (typeof DIFF_SHAPES)[number];

export interface QueryState {
  /** Profile type; "" leaves the choice to the page. */
  type: string;
  /** Name of the measure to weigh by; "" leaves the choice to the page. */
  measure: string;
  /** Events to profile beside those of the catalogue. */
  extra: ExtraEvent[];
  /** The context of events without ids is inferred. */
  inferred: boolean;
  /** Fields without a condition are absent. */
  filter: Filter;
  shape: Shape;
  look: Look;
  /** What the explorer lists (explorer.ts); "" leaves the choice to the page. */
  by: string;
  /** Order of its rows; "" leaves the choice to the page. */
  sort: RankSort | "";
  /** Its last row first. */
  reversed: boolean;
  /** What its rows are narrowed to (row-find.ts); "" for nothing. */
  rows: string;
  view: ViewName;
  grouping: FlameGrouping;
  /** Tree node zoomed to, 0 for the whole tree. */
  focus: number;
  /** Number of its widest children to leave out, to see the frames hidden beside them. */
  past: number;
  /** Path of the zoom in a regrouped graph: names from its top down (`nameIds`). */
  path: number[];
  /** Regular expression that the graph highlights; "" for no search. */
  search: string;
  /** Function that the sandwich is about; "" leaves the choice to the page. */
  function: string;
  /** What the selection is compared with (baseline.ts); "" leaves the choice to the page. */
  baseline: string;
  scale: DiffScale;
  timeline: TimelineName;
  /** Regular expression that filters the threads' lanes; "" for all. */
  lanes: string;
  laneOrder: LaneOrder;
  /** The part of the time that the timeline shows; null for all of it. It filters nothing. */
  zoom: TimeRange | null;
  /** The timeline shows measurements of the JVM: CPU, heap, threads and the like. */
  jvm: boolean;
  /** Notes on the timeline. They filter nothing. */
  notes: readonly TimeNote[];
  diff: DiffShape;
  top: TopTable;
  list: CallList;
  chart: ChartPart;
  trace: TracePart;
  operations: OperationsPart;
  events: EventsPart;
  files: FilesPart;
}

/** What the table of operations is ordered by: figures descend, names ascend. */
export const OPERATION_SORTS = ["p95", "spans", "p50", "max", "cpu", "allocation", "operation"] as const;
/** A column of the table of operations. */
export type OperationSort = (typeof OPERATION_SORTS)[number];

/** What the view of operations is of: requests by what they asked for, or all spans by their names. */
export const OPERATION_ROWS = ["endpoint", "operation"] as const;
export type OperationRows = (typeof OPERATION_ROWS)[number];

/** The forms of the view of operations: a table of them, their spans as a list and as a map, and where time went. */
export const OPERATION_SHAPES = ["table", "list", "map", "time"] as const;
export type OperationShape = (typeof OPERATION_SHAPES)[number];

/** What lists of spans are ordered by: durations descend, others ascend. */
export const SPAN_SORTS = ["duration", "start", "operation", "cause", "id"] as const;
export type SpanSort = (typeof SPAN_SORTS)[number];

/** Spans that start and last within the ranges: ns since 1970 on the clock of the trace, and ns. */
export type SpanRegion = Required<Pick<SpanChoice, "start" | "duration">>;

/** What the view of operations shows. It filters nothing. */
export interface OperationsPart {
  shape: OperationShape;
  by: OperationRows;
  sort: OperationSort;
  /** The table's last row first. */
  reversed: boolean;
  /** Operation of the map's spans; null for all. */
  of: string | null;
  /** The part of the map whose spans are listed. */
  region: SpanRegion | null;
  /** The time is that of the slowest so many of 100 requests; null for all. */
  slowest: number | null;
  spanSort: SpanSort;
  /** The list's last row first. */
  spanReversed: boolean;
}

/** What the table of a collection's files is ordered by: figures descend, texts and times ascend. */
export const FILE_SORTS = ["start", "name", "service", "instance", "samples", "top", "share"] as const;
export type FileSort = (typeof FILE_SORTS)[number];

/** What the collection of files shows. Its profile type and its function are those of the views. It filters nothing. */
export interface FilesPart {
  /** In place of the open recording. */
  shown: boolean;
  sort: FileSort;
  /** The table's last row first. */
  reversed: boolean;
  /** Files that begin in it are selected; null for no range. */
  time: TimeRange | null;
}

/** What the list of traces is ordered by: figures descend, names ascend. */
export const TRACE_SORTS = ["duration", "start", "spans", "errors", "samples", "name"] as const;
/** A figure of a trace, its start or its name. */
export type TraceSort = (typeof TRACE_SORTS)[number];

/** What the waterfall shows. It filters nothing. */
export interface TracePart {
  /** 32 hex digits, or "all" for the list; "" leaves the choice to the page. */
  id: string;
  /** Text that its spans are searched for; "" for no search. */
  search: string;
  sort: TraceSort;
  /** The list's last row first. */
  reversed: boolean;
}

/** What the table of event types is ordered by: figures descend, names ascend. */
export const EVENT_SORTS = ["time", "count", "p50", "p95", "max", "type"] as const;
export type EventSort = (typeof EVENT_SORTS)[number];

/** What the view of events shows. It filters nothing. */
export interface EventsPart {
  /** The type that is open; "" for the table of all. */
  of: string;
  /** Field of its histogram; "" leaves the choice to the page. */
  field: string;
  /** Words that type, thread or fields have. */
  find: string;
  sort: EventSort;
  /** The table's last row first. */
  reversed: boolean;
}

/** What the flame chart shows of the selected calls. It filters nothing. */
export interface ChartPart {
  /** Which of them: 0 is the slowest. */
  place: number;
  /** The part of its time; null for all of it. */
  zoom: TimeRange | null;
}

/** The order of the list of calls: figures and starts descend, texts ascend. */
export interface CallList {
  sort: CallSort;
  /** Its last row first. */
  reversed: boolean;
}

/** The order of the table of functions. */
export interface TopTable {
  sort: TopOrder;
  /** Its last row first. */
  reversed: boolean;
  /** Only functions that the search finds. */
  found: boolean;
}

export type QueryAction =
  | { kind: "type"; type: string }
  | { kind: "measure"; measure: string }
  /** Another event becomes a profile, which is then selected. */
  | { kind: "add-event"; extra: ExtraEvent }
  | { kind: "remove-event"; extra: ExtraEvent }
  | { kind: "add"; chip: Chip }
  /** As an alternative to the ids or values in force. */
  | { kind: "also"; chip: Chip }
  /** `also`: others that go with it. */
  | { kind: "remove"; chip: Chip; also?: readonly Chip[] }
  /**
   * A pasted id takes the place of all ids in force; `type` is the profile to show it in. `also`: the other roots or
   * spans of its trace, and `trace` the trace to show.
   */
  | { kind: "only-id"; chip: Chip; also?: readonly Chip[]; type?: string; trace?: string; view?: ViewName }
  /**
   * Exactly these samples in a profile and a view: in place of all filters and transforms. `zoom`: the part of the time
   * that the chart shows.
   */
  | { kind: "open"; chips: readonly Chip[]; type: string; view: ViewName; zoom?: TimeRange }
  | { kind: "explore"; by: string }
  /** Replaces the selected ids by a list of the groups that contain them, filtered if the group is known. */
  | { kind: "group"; by: string; chip: Chip | null }
  | { kind: "sort"; sort: RankSort; reversed: boolean }
  | { kind: "rows"; rows: string }
  | { kind: "view"; view: ViewName }
  | { kind: "recursion"; recursion: Shape["recursion"] }
  | { kind: "lines"; lines: boolean }
  | { kind: "roots"; roots: Shape["roots"] }
  | { kind: "truncated"; how: Truncated }
  /** Shows the frames of a collapsed run. */
  | { kind: "open-run"; run: Shape["opened"][number] }
  | { kind: "look"; look: Partial<Look> }
  | { kind: "grouping"; grouping: FlameGrouping }
  | { kind: "focus"; node: number; past?: number }
  | { kind: "path"; path: number[] }
  | { kind: "search"; pattern: string }
  /** The sandwich of this function; with `stays` it is chosen for the sandwich, and the view stays. */
  | { kind: "function"; name: string; stays?: true }
  /** With `file`, only that file is shown: it is compared with another one. */
  | { kind: "baseline"; baseline: string; file?: string }
  | { kind: "scale"; scale: DiffScale }
  | { kind: "timeline"; timeline: TimelineName }
  | { kind: "lanes"; lanes: string }
  | { kind: "lane-order"; order: LaneOrder }
  | { kind: "zoom"; zoom: TimeRange | null }
  | { kind: "jvm"; jvm: boolean }
  | { kind: "notes"; notes: readonly TimeNote[] }
  | { kind: "diff"; shape: DiffShape }
  | { kind: "top"; top: Partial<TopTable> }
  | { kind: "list"; list: CallList }
  | { kind: "chart"; chart: ChartPart }
  | { kind: "trace"; trace: Partial<TracePart> }
  | { kind: "operations"; operations: Partial<OperationsPart> }
  | { kind: "events"; events: Partial<EventsPart> }
  /** Where the time of the requests of the present selection went. */
  | { kind: "request-time" }
  | { kind: "files"; files: Partial<FilesPart> }
  /** The selected spans, in place of ids selected before, compared with the rest of theirs; `type` is the profile. */
  | { kind: "compare-spans"; spans: SpanChoice; type?: string }
  /** The selected calls, in place of those selected before. */
  | { kind: "calls"; calls: readonly CallPart[] }
  /** The events that are profiles from now on, and whether context is inferred. */
  | { kind: "reading"; choice: ReadChoice }
  | { kind: "inferred"; inferred: boolean }
  /** Samples with inferred context, those with recorded context, or all. */
  | { kind: "context"; only: "inferred" | "recorded" | null }
  | { kind: "clear" }
  /**
   * All but profile, measure and events as on a page just opened: no filter, search or view that a question may fail
   * on.
   */
  | { kind: "defaults" }
  | { kind: "reset" };

/** The baseline of the other spans of an operation. */
export const OTHER_SPANS = "spans";

/** What every change of the samples or of the tree's shape takes back: a frame of before may not be there now. */
const ZOOMED_OUT = { focus: 0, past: 0, path: [], chart: { place: 0, zoom: null } };

export const EMPTY_QUERY: QueryState = {
  type: "",
  measure: "",
  ...PLAIN,
  filter: {},
  shape: WHOLE,
  look: LOOK,
  by: "",
  sort: "",
  reversed: false,
  rows: "",
  view: "overview",
  grouping: "stacks",
  ...ZOOMED_OUT,
  search: "",
  function: "",
  baseline: "",
  scale: "share",
  timeline: "strip",
  lanes: "",
  laneOrder: "activity",
  zoom: null,
  jvm: false,
  notes: [],
  diff: "graph",
  top: { sort: "self", reversed: false, found: false },
  list: { sort: "duration", reversed: false },
  trace: { id: "", search: "", sort: "duration", reversed: false },
  operations: {
    ...{ shape: "table", by: "endpoint", sort: "p95", reversed: false },
    ...{ of: null, region: null, slowest: null, spanSort: "duration", spanReversed: false },
  },
  events: { of: "", field: "", find: "", sort: "time", reversed: false },
  files: { shown: false, sort: "start", reversed: false, time: null },
};

export function reduceQuery(state: QueryState, action: QueryAction): QueryState {
  switch (action.kind) {
    case "type":
      if (action.type === state.type) return state;
      return { ...state, type: action.type, measure: "", ...ZOOMED_OUT, chart: state.chart };
    case "measure":
      // The same samples and frames, weighed again: the zoom holds.
      return action.measure === state.measure ? state : { ...state, measure: action.measure };
    case "add-event":
      return addEvent(state, action.extra);
    case "remove-event":
      return removeEvent(state, action.extra);
    case "add": {
      // The searched frame is now in every stack, or in no stack.
      const { chip } = action;
      const isDone = (chip.kind === "frame" || chip.kind === "merged") && chip.pattern === state.search;
      const search = isDone ? "" : state.search;
      return { ...withChip(state, chip, false), search, ...ZOOMED_OUT };
    }
    case "also":
      return { ...withChip(state, action.chip, true), ...ZOOMED_OUT };
    case "remove":
      return { ...[action.chip, ...(action.also ?? [])].reduce(withoutChip, state), ...ZOOMED_OUT };
    case "only-id": {
      const { chip, also = [], type = state.type, trace, view = state.view } = action;
      const measure = type === state.type ? state.measure : "";
      const only = also.reduce((to, each) => withChip(to, each, true), withChip(withoutContext(state), chip, false));
      const shown = trace === undefined ? state.trace : { ...state.trace, id: trace };
      return { ...only, type, measure, view, trace: shown, ...ZOOMED_OUT };
    }
    case "open":
      return opened(state, action);
    case "explore":
      // What one list is narrowed by means nothing in another.
      return { ...state, by: action.by, rows: "" };
    case "group": {
      const grouped = { ...withoutContext(state), by: action.by, rows: "", ...ZOOMED_OUT };
      return action.chip === null ? grouped : withChip(grouped, action.chip, false);
    }
    case "rows":
      return action.rows === state.rows ? state : { ...state, rows: action.rows };
    case "recursion":
    case "lines":
    case "roots": {
      const { kind: _, ...rules } = action;
      return { ...state, shape: { ...state.shape, ...rules }, ...ZOOMED_OUT };
    }
    case "truncated":
      return { ...withTruncated(state, action.how), ...ZOOMED_OUT };
    case "open-run":
      return { ...state, shape: { ...state.shape, opened: [...state.shape.opened, action.run] }, ...ZOOMED_OUT };
    case "look":
      // Other names are other frames.
      return {
        ...state,
        look: { ...state.look, ...action.look },
        ...(action.look.rawNames !== undefined && ZOOMED_OUT),
      };
    case "grouping":
      return { ...state, grouping: action.grouping, path: [] };
    case "focus": {
      const { node, past = 0 } = action;
      return node === state.focus && past === state.past ? state : { ...state, focus: node, past };
    }
    case "search":
      return action.pattern === state.search ? state : { ...state, search: action.pattern };
    case "function":
      return { ...state, view: action.stays ? state.view : "sandwich", function: action.name };
    case "baseline":
      return withFile({ ...state, baseline: action.baseline }, action.file);
    case "sort":
    case "view":
    case "path":
    case "scale":
    case "timeline":
    case "lanes":
    case "zoom":
    case "notes":
    case "jvm":
    case "list":
    case "chart": {
      // They have the fields that they set.
      const { kind: _, ...fields } = action;
      return { ...state, ...fields };
    }
    case "lane-order":
      return { ...state, laneOrder: action.order };
    case "diff":
      return { ...state, diff: action.shape };
    case "top":
      return { ...state, top: { ...state.top, ...action.top } };
    case "trace":
      return { ...state, trace: { ...state.trace, ...action.trace } };
    case "operations":
      return { ...state, operations: { ...state.operations, ...action.operations } };
    case "events":
      return { ...state, events: { ...state.events, ...action.events } };
    case "request-time": {
      const operations = { ...state.operations, shape: "time" as const, of: null, region: null, slowest: null };
      return { ...state, view: "operations", operations };
    }
    case "files":
      return { ...state, files: { ...state.files, ...action.files } };
    case "compare-spans": {
      const filter = withConditions(withoutContext(state).filter, "spans", [action.spans]);
      const { type = state.type } = action;
      const measure = type === state.type ? state.measure : "";
      return { ...state, filter, type, measure, baseline: OTHER_SPANS, view: "diff", ...ZOOMED_OUT };
    }
    case "calls":
      return { ...state, filter: withConditions(state.filter, "calls", [...action.calls]), ...ZOOMED_OUT };
    case "reading":
      return { ...state, type: "", measure: "", ...action.choice, ...ZOOMED_OUT };
    case "inferred":
      return withInferred(state, action.inferred);
    case "context":
      return { ...withContext(state, action.only), ...ZOOMED_OUT };
    case "defaults": {
      const { type, measure, extra, inferred, notes } = state;
      return { ...EMPTY_QUERY, type, measure, extra, inferred, notes };
    }
    case "clear":
      return withFiltersOf(state, { ...EMPTY_QUERY, shape: { ...WHOLE, lines: state.shape.lines } });
    case "reset":
      return EMPTY_QUERY;
  }
}

function opened(state: QueryState, { chips, type, view, zoom }: QueryAction & { kind: "open" }): QueryState {
  const measure = type === state.type ? state.measure : "";
  const cleared = reduceQuery(state, { kind: "clear" });
  const filtered = chips.reduce((query, chip) => withChip(query, chip, true), cleared);
  return { ...filtered, type, measure, view, ...ZOOMED_OUT, chart: { place: 0, zoom: zoom ?? null } };
}

/** The files are read again, and the tree of frames with them: no frame of before can be held. */
function addEvent(state: QueryState, extra: ExtraEvent): QueryState {
  const type = extraType(extra);
  const known = state.extra.some((other) => extraType(other) === type);
  return { ...state, type, measure: "", extra: known ? state.extra : [...state.extra, extra], ...ZOOMED_OUT };
}

function removeEvent(state: QueryState, extra: ExtraEvent): QueryState {
  const type = extraType(extra);
  const others = state.extra.filter((other) => extraType(other) !== type);
  const away = state.type === type ? { type: "", measure: "" } : {};
  return { ...state, ...away, extra: others, ...ZOOMED_OUT };
}

/** Without inferred context no sample has its mark. */
function withInferred(state: QueryState, inferred: boolean): QueryState {
  const marked = inferred ? state : withContext(state, null);
  return { ...marked, inferred, ...ZOOMED_OUT };
}

function withContext(state: QueryState, only: "inferred" | "recorded" | null): QueryState {
  const others = state.filter.attributes?.filter(({ key }) => key !== CONTEXT_KEY && key !== CONTEXT_RULE_KEY) ?? [];
  const asked = only === null ? [] : [inferredFilter(only === "recorded")];
  return { ...state, filter: withConditions(state.filter, "attribute", [...others, ...asked]) };
}

function withoutContext(state: QueryState): QueryState {
  return { ...state, filter: withoutKinds(state.filter, ...CONTEXT_KINDS, "spans") };
}

function withFile(state: QueryState, file: string | undefined): QueryState {
  return file === undefined ? state : withChip(state, { kind: "file", name: file }, false);
}

/** The state with the filters and the shape of another, zoomed out where they differ. */
export function withFiltersOf(state: QueryState, { filter, shape }: QueryState): QueryState {
  return { ...state, filter, shape, ...ZOOMED_OUT };
}

/** The part of a query that decides which samples are selected. */
export type Selecting = Pick<QueryState, "filter" | "shape" | "look">;

/** Equal keys, equal figures in every view. */
export function figuresKey(state: QueryState): string {
  return `${filterKey(filterOf(state))} ${shapeKey(state.shape)}`;
}

export function filterOf({ filter, shape, look }: Selecting): Filter {
  const found = filterFrom(filter, shape.from);
  return look.rawNames ? { ...found, rawNames: true } : found;
}

/**
 * The filter under which a ranking is made: without the choice the ranking itself offers, so that the list still
 * shows the other rows after one was chosen, and the other endpoints after one of their requests. Spans keep the
 * chosen roots: they are those roots' spans.
 */
export function rankFilterOf(query: Selecting, by: RankBy): Filter {
  return filterOf({ ...query, filter: withoutChoiceOf(query.filter, by) });
}

function withoutChoiceOf(filter: Filter, by: RankBy): Filter {
  switch (by.kind) {
    case "local-root":
      return withoutKinds(filter, ...CONTEXT_KINDS);
    case "span":
      return withoutKinds(filter, ...CONTEXT_KINDS.filter((kind) => kind !== "local-root"));
    case "attribute": {
      const others = filter.attributes?.filter(({ key, exclude }) => exclude || key !== by.key) ?? [];
      // A request has one endpoint: that alone would be left.
      const ids = ENDPOINT_KEYS.includes(by.key) ? CONTEXT_KINDS : [];
      return withConditions(withoutKinds(filter, ...ids), "attribute", others);
    }
  }
}

/** Of a filter, or of a question: equal keys, equal samples. For caches and effects. */
export function filterKey(filter: object): string {
  const fields = Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(fields, (_, value) => (typeof value === "bigint" ? value.toString() : value));
}
