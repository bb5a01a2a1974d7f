/**
 * States of threads in wall samples. The functions of a stack tell why a thread waits; recorders often note only that
 * it does not run, and not even that for a sleep in a system call. Each sample is in the first state that fits:
 *
 *   blocked   state CONTENDED, BLOCKED
 *   asleep    Thread.sleep
 *   parked    Unsafe.park
 *   waiting   Object.wait
 *   io        reading, writing, connecting, accepting on sockets and files
 *   else      the recorded state; running without one
 */
import type { Filter } from "../../core/types.ts";

export type ThreadState = "running" | "blocked" | "asleep" | "parked" | "waiting" | "io" | "other";

export const STATE_KEY = "thread.state";

const BLOCKED = ["CONTENDED", "BLOCKED"];

const WAITS: [state: ThreadState, pattern: string][] = [
  ["asleep", "^java\\.lang\\.Thread\\.sleep"],
  ["parked", "^jdk\\.internal\\.misc\\.Unsafe\\.park$|^sun\\.misc\\.Unsafe\\.park$"],
  ["waiting", "^java\\.lang\\.Object\\.wait"],
  [
    "io",
    [
      "java.net.SocketInputStream.",
      "java.net.SocketOutputStream.",
      "java.net.PlainSocketImpl.",
      "sun.nio.ch.NioSocketImpl.",
      "sun.nio.ch.SocketChannelImpl.",
      "sun.nio.ch.SocketDispatcher.",
      "sun.nio.ch.EPoll",
      "sun.nio.ch.FileDispatcherImpl.",
      "sun.nio.ch.UnixFileDispatcherImpl.",
      "java.io.FileInputStream.",
      "java.io.FileOutputStream.",
      "java.io.RandomAccessFile.",
    ]
      .map((name) => `^${name.replace(/\./g, "\\.")}`)
      .join("|"),
  ],
];

const STATES: ReadonlyMap<string, ThreadState> = new Map(
  Object.entries({
    SLEEPING: "asleep",
    PARKED: "parked",
    WAITING: "waiting",
    OBJECT_WAIT: "waiting",
    STATE_SLEEPING: "waiting",
    SYSCALL: "io",
    IO_WAIT: "io",
  }),
);

/** What a recorder's word for a state means. */
export function stateOf(label: string): ThreadState {
  if (BLOCKED.includes(label)) return "blocked";
  return STATES.get(label) ?? "running";
}

/** The filter of each wait, and of the rest: together the samples of `filter`, each exactly once. */
export function stateFilters(
  filter: Filter,
  hasStates: boolean,
): { kinds: { state: ThreadState; filter: Filter }[]; rest: Filter } {
  // Values of one key are alternatives, so that a filter by state cannot be narrowed by another state.
  const asked = (filter.attributes ?? []).some(({ key, exclude }) => key === STATE_KEY && exclude !== true);
  const byState = hasStates && !asked;
  const attributes = filter.attributes ?? [];
  const blocked = BLOCKED.map((value) => ({ key: STATE_KEY, value }));
  const kinds: { state: ThreadState; filter: Filter }[] = byState
    ? [{ state: "blocked", filter: { ...filter, attributes: [...attributes, ...blocked] } }]
    : [];
  const rest: Filter = {
    ...filter,
    ...(byState ? { attributes: [...attributes, ...blocked.map((each) => ({ ...each, exclude: true }))] } : {}),
  };
  const frames = [...(filter.frames ?? [])];
  for (const [state, pattern] of WAITS) {
    kinds.push({ state, filter: { ...rest, frames: [...frames, { pattern }] } });
    frames.push({ pattern, exclude: true });
  }
  return { kinds, rest: { ...rest, frames } };
}
