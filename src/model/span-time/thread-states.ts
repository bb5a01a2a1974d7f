/** States of threads for the sentence and the command line, each with the filter that selects its wall samples. */
import type { Filter } from "../../core/types.ts";
import { framesOf, STACK_STATES } from "../context/stack-states.ts";
import { BLOCKED, recordedState, type SpanState, STATE_KEY } from "./states.ts";

/** What a thread did by its samples; without CPU samples `running` is also ready to run. */
export type ThreadState = "running" | "blocked" | "asleep" | "parked" | "waiting" | "io" | "idle" | "gc" | "other";

const THREAD_STATES: Readonly<Record<SpanState, ThreadState>> = {
  running: "running",
  lock: "blocked",
  idle: "idle",
  sleep: "asleep",
  wait: "waiting",
  park: "parked",
  socket: "io",
  file: "io",
  call: "io",
  gc: "gc",
  unknown: "waiting",
};

/** What a recorder's word for a state means, where the stack tells nothing. */
export function threadState(label: string): ThreadState {
  return THREAD_STATES[recordedState(label)];
}

/** The filter of each wait, and of the rest: together the samples of `filter`, each exactly once. */
export function stateFilters(
  filter: Filter,
  hasStates: boolean,
): { kinds: { part: SpanState; state: ThreadState; filter: Filter }[]; rest: Filter } {
  // Values of one key are alternatives, so that a filter by state cannot be narrowed by another state.
  const asked = (filter.attributes ?? []).some(({ key, exclude }) => key === STATE_KEY && exclude !== true);
  const byState = hasStates && !asked;
  const attributes = filter.attributes ?? [];
  const blocked = BLOCKED.map((value) => ({ key: STATE_KEY, value }));
  const rest: Filter = {
    ...filter,
    ...(byState ? { attributes: [...attributes, ...blocked.map((each) => ({ ...each, exclude: true }))] } : {}),
  };
  const ofStack = (state: Parameters<typeof framesOf>[0]): Filter => ({
    ...rest,
    frames: [...(filter.frames ?? []), ...framesOf(state)],
  });
  const kinds = STACK_STATES.map((part) => ({ part, state: THREAD_STATES[part], filter: ofStack(part) }));
  const ofState = { ...filter, attributes: [...attributes, ...blocked] };
  if (byState) kinds.unshift({ part: "lock", state: "blocked", filter: ofState });
  return { kinds, rest: ofStack(null) };
}
