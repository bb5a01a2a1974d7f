/**
 * Code of profilers and of agents' own threads: its cost is that of looking, and not of the application. Functions that
 * a profiler puts between those of the application, as async-profiler's hook of Unsafe.park, are not in it.
 */
import { partPattern } from "../query/pattern.ts";

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

/** The pattern of such functions. It needs no engine. */
export const PROFILER = [...NATIVE, ...NATIVE_EVENTS, ...THREADS].join("|");
