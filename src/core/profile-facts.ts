/** What is said of a profile beside its samples: its name among the others, and its recorder's settings. */
import type { ProfileRow } from "./catalogue.ts";
import type { Setting } from "./types.ts";

/** Names of the profiles of a store: the type, where an earlier one has it with the first event, `cpu:jdk.ExecutionSample`. */
export function profileNames(rows: readonly ProfileRow[]): string[] {
  return rows.map(({ type, events }, i) =>
    rows.findIndex((row) => row.type === type) === i ? type : `${type}:${events[0]?.event}`,
  );
}

/** Settings that say what a recorder left out or how often it looked. */
const TELLING = new Set([
  "threshold",
  "period",
  "throttle",
  "cutoff",
  "interval",
  "wall",
  "alloc",
  "lock",
  "nativemem",
]);

/** The telling settings of a profile's events; zero and empty ones say nothing. */
export function settingsOf({ events, period }: ProfileRow, settings: readonly Setting[]): Setting[] {
  const own = new Set(events.map(({ event }) => event));
  const named = new Set(period?.settings);
  return settings.filter(
    ({ event, name, value }) =>
      (own.has(event.replace(/^com\.oracle\./, "")) ? TELLING.has(name) : named.has(`${event}#${name}`)) &&
      !/^(0( ?[a-z]+)?|off|)$/.test(value),
  );
}
