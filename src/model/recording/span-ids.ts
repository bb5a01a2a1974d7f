/**
 * What to add to a recording without span ids, by its profiler: one table for the Overview, the command line and
 * docs/recording.md, whose test compares them.
 */
import type { ProfileSummary } from "../../core/types.ts";

interface IdsRow {
  /** The beginning of the profiler's events; "" fits any other producer. */
  events: string;
  words: string;
  /** Ready to copy. */
  setting: string;
}

/** The first row that fits counts: a recording of async-profiler may have events of the JDK, too. */
export const ID_ROWS: readonly IdsRow[] = [
  {
    events: "datadog.",
    words: "Datadog's profiler samples them where its tracer is active, or where the program sets them:",
    setting: "-javaagent:dd-java-agent.jar -Ddd.profiling.enabled=true -Ddd.trace.enabled=true",
  },
  {
    events: "profiler.",
    words: "async-profiler takes them from spans that the program states:",
    setting: 'long start = one.profiler.Span.start(); /* work */ one.profiler.Span.end(start, "span=ID root=ID");',
  },
  {
    events: "jdk.",
    words: "The JDK records none; Datadog's agent adds them, without an account:",
    setting: "-javaagent:dd-java-agent.jar -Ddd.profiling.enabled=true -Ddd.profiling.debug.dump_path=dumps",
  },
  {
    events: "",
    words:
      "In Node our recorder adds them; other producers have them in links of OTLP, or in the label span id of pprof:",
    setting: "SPANFLAME_RECORD_FILE=profile.pb node --import spanflame/record app.js",
  },
];

/** CPU samples of the JDK's sampler, and of async-profiler, which states an interval where the JDK states a period. */
export const EXECUTION_SAMPLE = "jdk.ExecutionSample";

type Produced = Pick<ProfileSummary, "events" | "settings">;

/** Events of a profile by the names of their profiler. */
export function eventsOf({ events, settings }: Produced): string[] {
  const isAsync = settings.some(({ event, name }) => event === EXECUTION_SAMPLE && name === "interval");
  return Object.keys(events).map((event) =>
    isAsync && event === EXECUTION_SAMPLE ? "profiler.ExecutionSample" : event,
  );
}

/** Of settings by the beginning of the profiler's events, the first that fits these profiles. */
export function settingFor(
  settings: Readonly<Record<string, string>>,
  profiles: readonly Produced[],
): string | undefined {
  const events = profiles.flatMap(eventsOf);
  return Object.entries(settings).find(
    ([prefix]) => prefix === "" || events.some((name) => name.startsWith(prefix)),
  )?.[1];
}

/** Null where samples have ids. */
export function missingIds(profiles: readonly ProfileSummary[]): Pick<IdsRow, "words" | "setting"> | null {
  const have = profiles.some(
    ({ samplesWithSpan, samplesWithRoot, inferredSpan = 0, inferredRoot = 0 }) =>
      samplesWithSpan + samplesWithRoot + inferredSpan + inferredRoot > 0,
  );
  if (have || profiles.length === 0) return null;
  const events = profiles.flatMap(eventsOf);
  const row = ID_ROWS.find(({ events: prefix }) => prefix === "" || events.some((name) => name.startsWith(prefix)));
  return row === undefined ? null : { words: `No sample has a span id. ${row.words}`, setting: row.setting };
}
