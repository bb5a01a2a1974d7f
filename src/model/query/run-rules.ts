/** Rules for runs of frames: presets, and rules of users. */
import type { RunRule } from "../../core/view-types.ts";
import { plainPattern } from "../../pattern/plain.ts";
import { decoded, encoded, MOST_FILTERS } from "../words/hash-text.ts";
import type { Look } from "./look.ts";
import { partPattern } from "./pattern.ts";

export type { RunRule };

/** Characters of a rule's name. */
export const LONGEST_NAME = 40;

const starting = (...names: string[]) => names.map((name) => `^${partPattern(name)}`);

/** Of native code a recorder may write the library before the name. */
const NATIVE = [
  ...["WallClock", "WallClockASGCT", "WallClockJVMTI", "CTimer", "ITimer", "PerfEvents"].flatMap((engine) => [
    `${engine}::signalHandler`,
    `${engine}::sharedSignalHandler`,
  ]),
  ...["timerLoop", "sharedTimerLoop"].map((loop) => `WallClock::${loop}`),
  ...["recordSample", "recordJVMTISample", "recordExternalSample", "recordEvent", "timerLoop", "dump", "start", "stop"],
].map((name) => (name.includes("::") ? name : `Profiler::${name}`));

const NATIVE_EVENTS = [
  ...["recordContendedLock", "getLockName", "getParkBlocker", "MonitorContendedEnter"].map(
    (name) => `LockTracer::${name}`,
  ),
  ...["AllocTracer::recordAllocation", "ObjectSampler::recordAllocation", "MallocTracer::recordMalloc"],
  ...["FlightRecorder::", "JfrThreadSampler::", "JfrRecorderService::"],
];

const THREADS = starting(
  "com.datadoghq.profiler.",
  "com.datadog.profiling.",
  "datadog.trace.agent.common.writer.TraceProcessingWorker$TraceSerializingHandler.",
  "datadog.trace.agent.common.metrics.Aggregator.",
  "datadog.trace.agent.core.datastreams.DefaultDataStreamsMonitoring$InboxProcessor.",
  "datadog.trace.util.AgentTaskScheduler$Worker.",
  "io.opentelemetry.sdk.trace.export.BatchSpanProcessor$Worker.",
  "io.pyroscope.javaagent.",
  "jdk.jfr.internal.PlatformRecorder.",
  "one.profiler.",
);

/**
 * Code of profilers and of agents' own threads: its cost is that of looking, and not of the application. Functions that
 * a profiler puts between those of the application, as async-profiler's hook of Unsafe.park, are not in it.
 */
export const PROFILER = [...NATIVE, ...NATIVE_EVENTS, ...THREADS].join("|");

const PROFILERS = plainPattern(PROFILER, false);

export function isProfiler(name: string): boolean {
  return PROFILERS?.test(name) === true;
}

/** By the names that links and the option `--collapse` have. The patterns are plain beginnings of names. */
export const RUN_PRESETS: ReadonlyMap<string, RunRule & { about: string }> = new Map(
  Object.entries({
    web: {
      name: "Web server",
      pattern:
        "^org\\.apache\\.catalina\\.|^org\\.apache\\.coyote\\.|^org\\.apache\\.tomcat\\.|^org\\.eclipse\\.jetty\\.|" +
        "^io\\.undertow\\.|^jakarta\\.servlet\\.|^javax\\.servlet\\.|^com\\.sun\\.net\\.httpserver\\.|^sun\\.net\\.httpserver\\.|" +
        "^io\\.vertx\\.|^io\\.quarkus\\.|^org\\.jboss\\.resteasy\\.|^io\\.helidon\\.|^io\\.grpc\\.",
      about: "Tomcat, Jetty, Undertow, servlets, Vert.x, Quarkus, Helidon, gRPC",
    },
    pool: {
      name: "Thread pool",
      pattern:
        "^java\\.lang\\.Thread\\.run|^java\\.lang\\.VirtualThread\\.run|^java\\.util\\.concurrent\\.ThreadPoolExecutor|" +
        "^java\\.util\\.concurrent\\.ForkJoin|^java\\.util\\.concurrent\\.FutureTask\\.|^java\\.util\\.concurrent\\.Executors\\$|" +
        "^java\\.util\\.concurrent\\.ScheduledThreadPoolExecutor",
      about: "threads, executors, fork and join",
    },
    spring: {
      name: "Spring",
      pattern: "^org\\.springframework\\.",
      about: "org.springframework",
    },
    netty: { name: "Netty", pattern: "^io\\.netty\\.", about: "io.netty" },
    reactive: {
      name: "Reactive",
      pattern: "^reactor\\.|^io\\.reactivex\\.|^rx\\.|^kotlinx\\.coroutines\\.|^kotlin\\.coroutines\\.",
      about: "Reactor, RxJava, Kotlin coroutines",
    },
    jdk: {
      name: "JDK",
      pattern: "^java\\.|^javax\\.|^jdk\\.|^sun\\.|^com\\.sun\\.",
      about: "java, javax, jdk, sun, com.sun",
    },
    profiler: {
      name: "Profiler",
      pattern: PROFILER,
      about: "signal handlers and threads of profilers and agents",
      whole: true,
    },
    carrier: {
      name: "Carrier",
      pattern:
        "^jdk\\.internal\\.vm\\.Continuation\\.enter|^jdk\\.internal\\.vm\\.Continuation\\.run|^JVM Continuation$|" +
        "^kotlin\\.coroutines\\.jvm\\.internal\\.BaseContinuationImpl\\.resumeWith$",
      about: "the thread that carries a virtual thread or a coroutine",
      border: true,
    },
  }),
);

export const PRESET_NAMES: readonly string[] = [...RUN_PRESETS.keys()];

/** What graphs draw as one frame unless they are to show it. */
export function foldOf({ profiler }: Look): { fold?: RunRule } {
  const fold = presetRule("profiler");
  return profiler || fold === null ? {} : { fold };
}

export function presetRule(preset: string): RunRule | null {
  const rule = RUN_PRESETS.has(preset) ? RUN_PRESETS.get(preset) : undefined;
  if (rule === undefined) return null;
  const { about: _, ...known } = rule;
  return known;
}

/** A preset's name, or `NAME=PATTERN` with `%` and `=` of the name encoded: as links have it. */
export function ruleText({ name, pattern }: RunRule): string {
  const preset = PRESET_NAMES.find(
    (each) => RUN_PRESETS.get(each)?.name === name && RUN_PRESETS.get(each)?.pattern === pattern,
  );
  return preset ?? `${encoded(name)}=${pattern}`;
}

/** The rule of a text of `ruleText`; null for other texts. */
export function parseRule(text: string): RunRule | null {
  const at = text.indexOf("=");
  if (at < 0) return presetRule(text);
  const name = decoded(text.slice(0, at))?.trim().slice(0, LONGEST_NAME) ?? "";
  const pattern = text.slice(at + 1);
  return name === "" || pattern === "" ? null : { name, pattern };
}

/** One rule for each name. */
export function parseRules(texts: readonly string[]): RunRule[] {
  const rules = texts.slice(0, MOST_FILTERS).flatMap((text) => parseRule(text) ?? []);
  return rules.filter(({ name }, i) => rules.findIndex((rule) => rule.name === name) === i);
}

/** The rules with another one, in the place of one of its name. */
export function withRule(rules: readonly RunRule[], rule: RunRule): RunRule[] {
  return [...rules.filter(({ name }) => name !== rule.name), rule];
}
