/** What the page looks at: a profile type and its measure, the filters in force, and the frame zoomed to. */
import { extraType } from "../core/extra-events.ts";
import type { AttributeFilter, ExtraEvent, Filter, RankBy } from "../core/types.ts";

export interface QueryState {
  /** Profile type; "" leaves the choice to the page. */
  type: string;
  /** Name of the measure to weigh by; "" leaves the choice to the page. */
  measure: string;
  /** Events to profile beside those of the catalogue. */
  extra: ExtraEvent[];
  span: bigint | null;
  localRoot: bigint | null;
  attributes: AttributeFilter[];
  /** Tree node zoomed to, 0 for the whole tree. */
  focus: number;
}

/** One filter as a chip: what is added, shown, and removed. */
export type Chip =
  | { kind: "local-root"; id: bigint }
  | { kind: "span"; id: bigint }
  | { kind: "attribute"; key: string; value: string };

export type QueryAction =
  | { kind: "type"; type: string }
  | { kind: "measure"; measure: string }
  /** Another event becomes a profile, and that is looked at. */
  | { kind: "add-event"; extra: ExtraEvent }
  | { kind: "remove-event"; extra: ExtraEvent }
  | { kind: "add"; chip: Chip }
  | { kind: "remove"; chip: Chip }
  /** A pasted id takes the place of both ids in force. */
  | { kind: "only-id"; chip: Chip }
  | { kind: "focus"; node: number }
  | { kind: "clear" }
  | { kind: "reset" };

export const EMPTY_QUERY: QueryState = {
  type: "",
  measure: "",
  extra: [],
  span: null,
  localRoot: null,
  attributes: [],
  focus: 0,
};

/** Every change of the samples looked at zooms out: a frame of before may weigh nothing now. */
export function reduceQuery(state: QueryState, action: QueryAction): QueryState {
  switch (action.kind) {
    case "type":
      return action.type === state.type ? state : { ...state, type: action.type, measure: "", focus: 0 };
    case "measure":
      // The same samples and frames, weighed anew: the zoom holds.
      return action.measure === state.measure ? state : { ...state, measure: action.measure };
    case "add-event":
      return addEvent(state, action.extra);
    case "remove-event":
      return removeEvent(state, action.extra);
    case "add":
      return addChip(state, action.chip);
    case "remove":
      return removeChip(state, action.chip);
    case "only-id":
      return addChip({ ...state, span: null, localRoot: null }, action.chip);
    case "focus":
      return action.node === state.focus ? state : { ...state, focus: action.node };
    case "clear":
      return { ...EMPTY_QUERY, type: state.type, measure: state.measure, extra: state.extra };
    case "reset":
      return EMPTY_QUERY;
  }
}

/** The files are read again, and the tree of frames with them: no frame of before can be held. */
function addEvent(state: QueryState, extra: ExtraEvent): QueryState {
  const type = extraType(extra);
  const known = state.extra.some((other) => extraType(other) === type);
  return { ...state, type, measure: "", extra: known ? state.extra : [...state.extra, extra], focus: 0 };
}

function removeEvent(state: QueryState, extra: ExtraEvent): QueryState {
  const type = extraType(extra);
  const others = state.extra.filter((other) => extraType(other) !== type);
  const away = state.type === type ? { type: "", measure: "" } : {};
  return { ...state, ...away, extra: others, focus: 0 };
}

function addChip(state: QueryState, chip: Chip): QueryState {
  switch (chip.kind) {
    case "local-root":
      // A span of another root would leave nothing, so the old span goes.
      return { ...state, localRoot: chip.id, span: null, focus: 0 };
    case "span":
      return { ...state, span: chip.id, focus: 0 };
    case "attribute": {
      // One value per key: a sample has at most one.
      const others = state.attributes.filter((a) => a.key !== chip.key);
      return { ...state, attributes: [...others, { key: chip.key, value: chip.value }], focus: 0 };
    }
  }
}

function removeChip(state: QueryState, chip: Chip): QueryState {
  switch (chip.kind) {
    case "local-root":
      return { ...state, localRoot: null, focus: 0 };
    case "span":
      return { ...state, span: null, focus: 0 };
    case "attribute":
      return { ...state, attributes: state.attributes.filter((a) => a.key !== chip.key), focus: 0 };
  }
}

export function chipsOf(state: QueryState): Chip[] {
  const chips: Chip[] = [];
  if (state.localRoot !== null) chips.push({ kind: "local-root", id: state.localRoot });
  if (state.span !== null) chips.push({ kind: "span", id: state.span });
  for (const { key, value } of state.attributes) chips.push({ kind: "attribute", key, value });
  return chips;
}

export function hasChip(state: QueryState, chip: Chip): boolean {
  switch (chip.kind) {
    case "local-root":
      return state.localRoot === chip.id;
    case "span":
      return state.span === chip.id;
    case "attribute":
      return state.attributes.some((a) => a.key === chip.key && a.value === chip.value);
  }
}

export function filterOf(state: QueryState): Filter {
  const filter: Filter = {};
  if (state.span !== null) filter.span = state.span;
  if (state.localRoot !== null) filter.localRoot = state.localRoot;
  if (state.attributes.length > 0) filter.attributes = state.attributes;
  return filter;
}

/**
 * The filter under which a ranking is made: without the choice the ranking itself offers, so that the list still
 * shows the other rows after one was chosen. Spans keep the chosen root: they are that root's spans.
 */
export function rankFilterOf(state: QueryState, by: RankBy): Filter {
  switch (by.kind) {
    case "local-root":
      return filterOf({ ...state, localRoot: null, span: null });
    case "span":
      return filterOf({ ...state, span: null });
    case "attribute":
      return filterOf({ ...state, attributes: state.attributes.filter((a) => a.key !== by.key) });
  }
}

/** Equal keys, equal samples: for caches and effects. Focus is no part of it. */
export function filterKey(filter: Filter): string {
  const attributes = (filter.attributes ?? []).map((a) => [a.key, a.value]);
  return JSON.stringify([filter.span?.toString() ?? "", filter.localRoot?.toString() ?? "", attributes]);
}
