/**
 * The query state as URL hash:
 * `#type=cpu&root=4657…&attr=tenant=acme&not-attr=env=dev&frame=^java&time=17…-17…&by=span&view=top`. Ids are decimal,
 * traces of 128 bits hex, times ns since 1970; parameters may repeat. A field that is added up is after its event:
 * `event=jdk.Deoptimization=bci`.
 */
import type { Filter, TimeRange } from "../../../core/types.ts";
import { SORTS } from "../../lists/sort-words.ts";
import { decoded, encoded, MOST_FILTERS, patternsIn } from "../../words/hash-text.ts";
import { filterChipsOf, withConditions } from "../chips.ts";
import { FILTER_KINDS, type FilterChip, filterRow, timeIn } from "../filters.ts";
import { COLOURINGS, LOOK } from "../look.ts";
import {
  CALL_SORTS,
  DIFF_SHAPES,
  EMPTY_QUERY,
  EVENT_SORTS,
  FILE_SORTS,
  GROUPINGS,
  LANE_ORDERS,
  OPERATION_ROWS,
  OPERATION_SHAPES,
  OPERATION_SORTS,
  type QueryState,
  SCALES,
  SPAN_SORTS,
  TIMELINES,
  TOP_SORTS,
  TRACE_SORTS,
  VIEWS,
  type ViewName,
} from "../query.ts";
import { parseRoots, rootsText } from "../root-by.ts";
import { parseRules, ruleText } from "../run-rules.ts";
import { RECURSIONS, type Shape, WHOLE } from "../shape.ts";
import { choiceOf, parseChoice, printChoice } from "../span-choice.ts";
import { noteText, readNotes } from "../time-notes.ts";
import { readingIn } from "./reading-hash.ts";

/** Most frames that a zoom in an address goes through. */
const MOST_STEPS = 2048;
const LONGEST_OWN = 500;

export function queryToHash(state: QueryState): string {
  const params = new URLSearchParams();
  const text = (name: string, value: string, otherwise: string) => {
    if (value !== otherwise) params.set(name, value);
  };
  text("type", state.type, EMPTY_QUERY.type);
  text("measure", state.measure, EMPTY_QUERY.measure);
  for (const { event, value } of state.extra) {
    params.append("event", encoded(event) + (value === undefined ? "" : `=${value}`));
  }
  text("inferred", state.inferred ? "" : "no", "");
  const chips = filterChipsOf(state.filter);
  const print = (chip: FilterChip) => params.append(...filterRow(chip.kind).print(chip));
  // The file has always come after the list's parameters: links keep their bytes.
  chips.filter(({ kind }) => kind !== "file").forEach(print);
  const { shape, look } = state;
  text("from", shape.from, WHOLE.from);
  for (const pattern of shape.merged) params.append("merged", pattern);
  text("recursion", shape.recursion, WHOLE.recursion);
  text("lines", String(shape.lines), String(WHOLE.lines));
  text("root-by", rootsText(shape.roots), "");
  for (const rule of shape.runs) params.append("collapse", ruleText(rule));
  for (const { rule, below } of shape.opened) params.append("opened", `${encoded(rule)}=${below}`);
  text("up", String(look.up), String(LOOK.up));
  text("colour", look.colouring, LOOK.colouring);
  text("own", look.own, LOOK.own);
  text("raw-names", String(look.rawNames), String(LOOK.rawNames));
  text("prefix", look.folded ? "" : "shown", "");
  text("profiler", look.profiler ? "shown" : "", "");
  text("by", state.by, EMPTY_QUERY.by);
  text("sort", `${state.reversed ? "-" : ""}${state.sort}`, EMPTY_QUERY.sort);
  text("rows", state.rows, EMPTY_QUERY.rows);
  chips.filter(({ kind }) => kind === "file").forEach(print);
  text("view", state.view, EMPTY_QUERY.view);
  text("grouping", state.grouping, EMPTY_QUERY.grouping);
  text("focus", state.focus.toString(), "0");
  text("past", state.past.toString(), "0");
  text("path", state.path.join("."), "");
  text("search", state.search, EMPTY_QUERY.search);
  text("function", state.function, EMPTY_QUERY.function);
  text("baseline", state.baseline, EMPTY_QUERY.baseline);
  text("scale", state.scale, EMPTY_QUERY.scale);
  text("timeline", state.timeline, EMPTY_QUERY.timeline);
  text("lanes", state.lanes, EMPTY_QUERY.lanes);
  text("lane-order", state.laneOrder, EMPTY_QUERY.laneOrder);
  text("zoom", rangeText(state.zoom), "");
  text("jvm", state.jvm ? "yes" : "", "");
  for (const note of state.notes) params.append("note", noteText(note));
  text("diff", state.diff, EMPTY_QUERY.diff);
  text("top", `${state.top.reversed ? "-" : ""}${state.top.sort}`, EMPTY_QUERY.top.sort);
  text("only", state.top.found ? "found" : "", "");
  text("call-sort", `${state.list.reversed ? "-" : ""}${state.list.sort}`, EMPTY_QUERY.list.sort);
  text("chart-call", state.chart.place.toString(), "0");
  text("chart", rangeText(state.chart.zoom), "");
  text("trace", state.trace.id, "");
  text("trace-search", state.trace.search, "");
  text("trace-sort", `${state.trace.reversed ? "-" : ""}${state.trace.sort}`, EMPTY_QUERY.trace.sort);
  const { operations } = state;
  text("operations", operations.shape, EMPTY_QUERY.operations.shape);
  text("operation-sort", `${operations.reversed ? "-" : ""}${operations.sort}`, EMPTY_QUERY.operations.sort);
  text("operations-by", operations.by, EMPTY_QUERY.operations.by);
  const { requests: _, ...choice } = choiceOf(operations);
  if (Object.keys(choice).length > 0) params.set("span-map", printChoice(choice));
  text("span-sort", `${operations.spanReversed ? "-" : ""}${operations.spanSort}`, EMPTY_QUERY.operations.spanSort);
  const { events, files } = state;
  text("events", events.of, "");
  text("events-by", events.field, "");
  text("events-find", events.find, "");
  text("event-sort", `${events.reversed ? "-" : ""}${events.sort}`, EMPTY_QUERY.events.sort);
  text("files", files.shown ? "shown" : "", "");
  text("file-sort", `${files.reversed ? "-" : ""}${files.sort}`, EMPTY_QUERY.files.sort);
  text("files-in", rangeText(files.time), "");
  const hash = params.toString();
  return hash === "" ? "" : `#${hash}`;
}

/** Former names of views, which links still have. */
const FORMER: ReadonlyMap<string | null, ViewName> = new Map([["why", "overview"]]);

/** Parts of a graph. Links that have them and no view are of before Overview was the first one. */
const OF_GRAPHS = ["focus", "grouping", "path", "search"];

function readView(params: URLSearchParams): ViewName {
  const name = params.get("view");
  const first = name === null && OF_GRAPHS.some((part) => params.has(part)) ? "flame" : EMPTY_QUERY.view;
  return VIEWS.find((view) => view === name) ?? FORMER.get(name) ?? first;
}

/** Parts that cannot be read are left out: a link someone cut short still opens. */
export function hashToQuery(hash: string): QueryState {
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  // A time of the data set (lake.ts).
  if (params.has("lake")) params.delete("from");
  // What the ids of another tool's link mean is known once the files are (linked-trace.ts).
  if (params.has("around")) for (const name of ["trace", "span", "root"]) params.delete(name);
  return {
    type: params.get("type") ?? "",
    measure: params.get("measure") ?? "",
    ...readingIn(params),
    filter: readFilter(params),
    shape: {
      from: params.get("from") ?? "",
      merged: patternsIn(params.getAll("merged")),
      recursion: readRecursion(params),
      lines: params.get("lines") === "true",
      roots: parseRoots(params.get("root-by") ?? ""),
      runs: parseRules(params.getAll("collapse")),
      opened: readOpened(params.getAll("opened")),
    },
    look: {
      up: params.get("up") === "true",
      colouring: COLOURINGS.find((colouring) => colouring === params.get("colour")) ?? LOOK.colouring,
      own: (params.get("own") ?? "").slice(0, LONGEST_OWN),
      rawNames: params.get("raw-names") === "true",
      folded: params.get("prefix") !== "shown",
      profiler: params.get("profiler") === "shown",
    },
    by: params.get("by") ?? "",
    sort: SORTS.find((sort) => sort === params.get("sort")?.replace(/^-/, "")) ?? EMPTY_QUERY.sort,
    reversed: params.get("sort")?.startsWith("-") === true,
    rows: params.get("rows") ?? "",
    view: readView(params),
    grouping: GROUPINGS.find((grouping) => grouping === params.get("grouping")) ?? EMPTY_QUERY.grouping,
    focus: readIndex(params.get("focus") ?? "") ?? 0,
    past: readIndex(params.get("past") ?? "") ?? 0,
    path: readPath(params.get("path") ?? ""),
    search: params.get("search") ?? "",
    function: params.get("function") ?? "",
    baseline: params.get("baseline") ?? "",
    scale: SCALES.find((scale) => scale === params.get("scale")) ?? EMPTY_QUERY.scale,
    timeline: TIMELINES.find((timeline) => timeline === params.get("timeline")) ?? EMPTY_QUERY.timeline,
    lanes: params.get("lanes") ?? "",
    laneOrder: LANE_ORDERS.find((order) => order === params.get("lane-order")) ?? EMPTY_QUERY.laneOrder,
    zoom: readZoom(params),
    jvm: params.get("jvm") === "yes",
    notes: readNotes(params.getAll("note")),
    diff: DIFF_SHAPES.find((shape) => shape === params.get("diff")) ?? EMPTY_QUERY.diff,
    top: {
      sort: TOP_SORTS.find((sort) => sort === params.get("top")?.replace(/^-/, "")) ?? EMPTY_QUERY.top.sort,
      reversed: params.get("top")?.startsWith("-") === true,
      found: params.get("only") === "found",
    },
    list: {
      sort: CALL_SORTS.find((sort) => sort === params.get("call-sort")?.replace(/^-/, "")) ?? EMPTY_QUERY.list.sort,
      reversed: params.get("call-sort")?.startsWith("-") === true,
    },
    chart: {
      place: readIndex(params.get("chart-call") ?? "") ?? 0,
      zoom: timeIn(params.get("chart") ?? "")[0] ?? null,
    },
    trace: {
      id: /^(?:all|[0-9a-f]{32})$/.exec(params.get("trace") ?? "")?.[0] ?? "",
      search: params.get("trace-search") ?? "",
      sort: TRACE_SORTS.find((sort) => sort === params.get("trace-sort")?.replace(/^-/, "")) ?? EMPTY_QUERY.trace.sort,
      reversed: params.get("trace-sort")?.startsWith("-") === true,
    },
    operations: readOperations(params),
    events: {
      of: params.get("events") ?? "",
      field: params.get("events-by") ?? "",
      find: params.get("events-find") ?? "",
      sort: EVENT_SORTS.find((sort) => sort === params.get("event-sort")?.replace(/^-/, "")) ?? EMPTY_QUERY.events.sort,
      reversed: params.get("event-sort")?.startsWith("-") === true,
    },
    files: readFiles(params),
  };
}

function readFiles(params: URLSearchParams): QueryState["files"] {
  const sorted = params.get("file-sort") ?? "";
  return {
    shown: params.get("files") === "shown",
    sort: FILE_SORTS.find((each) => each === sorted.replace(/^-/, "")) ?? EMPTY_QUERY.files.sort,
    reversed: sorted.startsWith("-"),
    time: timeIn(params.get("files-in") ?? "")[0] ?? null,
  };
}

function readOperations(params: URLSearchParams): QueryState["operations"] {
  const { shape, by, sort, spanSort } = EMPTY_QUERY.operations;
  const [sorted, spansSorted] = [params.get("operation-sort") ?? "", params.get("span-sort") ?? ""];
  const { operation, slowest, start, duration } = parseChoice(params.get("span-map") ?? "") ?? {};
  return {
    shape: OPERATION_SHAPES.find((each) => each === params.get("operations")) ?? shape,
    by: OPERATION_ROWS.find((each) => each === params.get("operations-by")) ?? by,
    sort: OPERATION_SORTS.find((each) => each === sorted.replace(/^-/, "")) ?? sort,
    reversed: sorted.startsWith("-"),
    of: operation ?? null,
    slowest: slowest ?? null,
    region: start === undefined || duration === undefined ? null : { start, duration },
    spanSort: SPAN_SORTS.find((each) => each === spansSorted.replace(/^-/, "")) ?? spanSort,
    spanReversed: spansSorted.startsWith("-"),
  };
}

/** A separate grouping in older links. */
function readRecursion(params: URLSearchParams): Shape["recursion"] {
  if (params.get("grouping") === "collapsed") return "direct";
  return RECURSIONS.find((recursion) => recursion === params.get("recursion")) ?? WHOLE.recursion;
}

function rangeText(range: TimeRange | null): string {
  return range === null ? "" : `${range.from}-${range.to}`;
}

/** Links of before said that the range of time is shown. */
function readZoom(params: URLSearchParams): TimeRange | null {
  const text = params.get("closer") === "yes" ? params.get("time") : params.get("zoom");
  return timeIn(text ?? "")[0] ?? null;
}

function readOpened(texts: string[]): Shape["opened"] {
  return [...new Set(texts)].slice(0, MOST_FILTERS).flatMap((text) => {
    const at = text.indexOf("=");
    const rule = at <= 0 ? null : decoded(text.slice(0, at));
    return rule === null ? [] : [{ rule, below: text.slice(at + 1) }];
  });
}

function readFilter(params: URLSearchParams): Filter {
  return FILTER_KINDS.reduce<Filter>((filter, kind) => withConditions(filter, kind, filterRow(kind).parse(params)), {});
}

function readIndex(text: string): number | null {
  const index = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  return index >= 0 && index < 2 ** 32 ? index : null;
}

function readPath(text: string): number[] {
  const steps = text === "" ? [] : text.split(".").slice(0, MOST_STEPS).map(readIndex);
  const end = steps.indexOf(null);
  return steps.slice(0, end < 0 ? steps.length : end).filter((step) => step !== null);
}
