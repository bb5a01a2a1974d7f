/**
 * The event catalogue: every JFR event that becomes samples, as a row of the profile it feeds. The core gets it as a
 * compact table at its start; the page takes labels and help from it; docs/events.md is generated from it. A new event
 * type is a new row. The fields are described in catalogue-types.ts, the producers of each event in docs/events.md.
 *
 * Events that are halves of one measurement share a profile (monitor enter and wait, the two TLAB events). All others
 * have separate profiles, even if the type is the same: jdk.ExecutionSample beside datadog.ExecutionSample would count
 * the same CPU twice.
 */
import { type EventRow, type ProfileRow, RECORDER_DEFAULTS, type ValueRule } from "./catalogue-types.ts";

export type { EventRow, MeasureKind, PeriodRule, ProfileRow, ValueRule } from "./catalogue-types.ts";

const ASYNC_PROFILER = RECORDER_DEFAULTS["async-profiler"];
const COUNT: ValueRule = { rule: "count" };
const DURATION: ValueRule = { rule: "duration", field: "duration" };
const CLASS: [string, string] = ["objectClass", "alloc.class"];

/** Profiles that several recorders write. */
const CPU = { type: "cpu", unit: "samples", label: "CPU" };
const WALL = { type: "wall", unit: "samples", label: "Wall" };
const ALLOCATION = { type: "alloc-samples", unit: "bytes", label: "Allocation" };
const EXCEPTIONS = { type: "exceptions", unit: "count", label: "Exceptions" };
const MALLOC = {
  type: "malloc",
  unit: "bytes",
  label: "Native memory",
  second: { name: "calls", type: "malloc-calls", unit: "count" },
};
const LIVE_HEAP = {
  type: "live-heap",
  unit: "bytes",
  second: { name: "objects", type: "live-objects", unit: "count" },
  snapshot: true as const,
};
const THROWN: [string, string][] = [
  ["thrownClass", "exception.type"],
  ["message", "exception.message"],
];

/** Facts of a live object: the root and the path only with path-to-gc-roots=true. */
const OBJECT: [string, string][] = [
  ["object.type", "alloc.class"],
  ["objectAge", "object.age"],
  ["root.description", "gc.root"],
  ["root.type", "gc.root.type"],
  ["root.system", "gc.root.system"],
  ["object.referrer", "gc.root.path"],
];

/** round(size × weight) bytes, round(weight) objects: the profiler's unbiased estimate. */
const WEIGHED = {
  value: { rule: "scaled", size: "size", weight: "weight", fallback: "allocationSize" },
  second: { rule: "rounded", field: "weight" },
} as const satisfies Partial<EventRow>;

/** jdk.SocketRead, jdk.SocketWrite: time, and bytes as the second measure. */
function socketRow(way: string, bytes: string): ProfileRow {
  const verb = way.toLowerCase();
  return {
    type: `socket-${verb}`,
    unit: "nanoseconds",
    label: `Socket ${verb}`,
    about: `Time spent in ${verb}s of sockets from Java, above the recorder's threshold.`,
    setting: `JDK Flight Recorder: jdk.Socket${way}#threshold=10ms.`,
    second: { name: "bytes", type: `socket-${verb}-bytes`, unit: "bytes" },
    events: [
      {
        event: `jdk.Socket${way}`,
        value: DURATION,
        second: { rule: "amount", field: bytes },
        attributes: [
          ["host", "server.address"],
          ["address", "network.peer.address"],
          ["port", "network.peer.port"],
        ],
      },
    ],
  };
}

/** One event for both directions: its operation distinguishes them. */
function nativeSocketRow(way: "Read" | "Write"): ProfileRow {
  const verb = way.toLowerCase();
  return {
    type: `socket-${verb}`,
    unit: "nanoseconds",
    label: `Socket ${verb}`,
    about: `Time spent in ${verb}s of sockets, estimated from the sampled system calls.`,
    setting: "Datadog profiler (1.50 and later): natsock writes datadog.NativeSocketEvent.",
    second: { name: "bytes", type: `socket-${verb}-bytes`, unit: "bytes" },
    events: [
      {
        event: "datadog.NativeSocketEvent",
        ...(way === "Write"
          ? { routed: true }
          : { route: { field: "operation", texts: ["SEND", "WRITE"], where: "" } }),
        value: { rule: "scaled-duration", field: "duration", weight: "weight" },
        second: { rule: "scaled", size: "bytesTransferred", weight: "weight", fallback: "bytesTransferred" },
        attributes: [["remoteAddress", "network.peer.address"]],
      },
    ],
  };
}

/** jdk.FileRead, jdk.FileWrite, jdk.FileForce; forcing moves no bytes. */
function fileRow(way: string, bytes: string): ProfileRow {
  const verb = way.toLowerCase();
  return {
    type: `file-${verb}`,
    unit: "nanoseconds",
    label: `File ${verb}`,
    about: `Time spent in file ${verb}s from Java, above the recorder's threshold.`,
    setting: `JDK Flight Recorder: jdk.File${way}#threshold=10ms.`,
    second:
      bytes === ""
        ? { name: "calls", type: `file-${verb}-calls`, unit: "count" }
        : { name: "bytes", type: `file-${verb}-bytes`, unit: "bytes" },
    events: [
      {
        event: `jdk.File${way}`,
        value: DURATION,
        second: bytes === "" ? COUNT : { rule: "amount", field: bytes },
        attributes: [["path", "file.path"]],
      },
    ],
  };
}

export const PROFILES: ProfileRow[] = [
  {
    ...CPU,
    about: "Samples of threads running on a CPU.",
    setting: "Datadog profiler: cpu=10ms (dd.profiling.ddprof.cpu.enabled=true) writes datadog.ExecutionSample.",
    offered: true,
    period: {
      type: "cpu",
      unit: "nanoseconds",
      configField: "cpuInterval",
      settings: ["datadog.ExecutionSample#interval"],
    },
    events: [{ event: "datadog.ExecutionSample", value: { rule: "field", field: "weight" }, exactLeaf: true }],
  },
  {
    ...CPU,
    about: "Samples of running threads: Java code (JDK), or any code on a CPU (async-profiler).",
    setting: "JDK Flight Recorder: jdk.ExecutionSample#period=10ms; async-profiler: event=cpu.",
    period: {
      type: "cpu",
      unit: "nanoseconds",
      settings: ["jdk.ExecutionSample#period", "jdk.ExecutionSample#interval"],
      unset: ASYNC_PROFILER.cpu,
    },
    events: [
      {
        event: "jdk.ExecutionSample",
        value: COUNT,
        // async-profiler's wall mode writes this event too. Its CPU samples have the state STATE_DEFAULT.
        // Versions before 2.10 lack that state. The setting `event` decides first (assembly/read/jfr/periods.ts).
        route: { field: "state", texts: ["STATE_RUNNABLE", "STATE_SLEEPING"], where: "STATE_DEFAULT" },
      },
    ],
  },
  {
    type: "cpu-time",
    unit: "nanoseconds",
    label: "CPU time",
    about: "CPU time of threads running Java code, each sample represents its period.",
    setting: "JDK Flight Recorder (25, Linux): jdk.CPUTimeSample#enabled=true.",
    second: { name: "samples", type: "cpu-time-samples", unit: "samples" },
    events: [
      {
        event: "jdk.CPUTimeSample",
        value: { rule: "duration", field: "samplingPeriod" },
        second: COUNT,
        skip: "failed",
        attributes: [["biased", "biased"]],
      },
    ],
  },
  {
    type: "native",
    unit: "samples",
    label: "Native",
    about: "Samples of threads in native code that was called from Java, running or waiting.",
    setting: "JDK Flight Recorder: jdk.NativeMethodSample#period=20ms.",
    period: { type: "native", unit: "nanoseconds", settings: ["jdk.NativeMethodSample#period"] },
    events: [{ event: "jdk.NativeMethodSample", value: COUNT }],
  },
  {
    ...WALL,
    about: "Samples of threads at this place, running or waiting.",
    setting: "Datadog profiler: wall=50ms (dd.profiling.ddprof.wall.enabled=true) writes datadog.MethodSample.",
    offered: true,
    period: {
      type: "wall",
      unit: "nanoseconds",
      configField: "wallInterval",
      settings: ["datadog.MethodSample#interval"],
    },
    events: [
      {
        event: "datadog.MethodSample",
        value: { rule: "field", field: "weight" },
        exactLeaf: true,
        attributes: [["state", "thread.state"]],
      },
    ],
  },
  {
    ...WALL,
    about: "Samples of threads at this place, running or waiting.",
    setting: "async-profiler: wall=50ms or event=wall writes profiler.WallClockSample.",
    period: {
      type: "wall",
      unit: "nanoseconds",
      settings: ["jdk.ExecutionSample#wall", "profiler.WallClockSample#wall"],
      wallSettings: ["jdk.ExecutionSample#interval"],
      unset: ASYNC_PROFILER.wall,
    },
    events: [
      {
        event: "profiler.WallClockSample",
        value: { rule: "field", field: "samples" },
        attributes: [["state", "thread.state"]],
      },
    ],
  },
  {
    ...WALL,
    about: "Samples of threads at this place, running or waiting (async-profiler's wall mode before 4.0).",
    setting: "async-profiler before 4.0: event=wall.",
    period: {
      type: "wall",
      unit: "nanoseconds",
      settings: ["jdk.ExecutionSample#wall"],
      wallSettings: ["jdk.ExecutionSample#interval"],
      unset: ASYNC_PROFILER.wall,
    },
    events: [
      // The attribute is that of the second text of the route.
      { event: "jdk.ExecutionSample", routed: true, value: COUNT, attributes: [["state", "thread.state"]] },
      {
        event: "profiler.WallClockSleeping",
        value: { rule: "field", field: "samplesCount" },
        attributes: [["'STATE_SLEEPING'", "thread.state"]],
      },
    ],
  },
  {
    ...ALLOCATION,
    about: "Bytes allocated, estimated from the sampled objects.",
    setting: "Datadog profiler: memory=256k:a (dd.profiling.ddprof.alloc.enabled=true) writes datadog.ObjectSample.",
    offered: true,
    second: { name: "objects", type: "alloc-objects", unit: "count" },
    period: {
      type: "alloc-samples",
      unit: "bytes",
      configField: "allocInterval",
      settings: ["datadog.ObjectSample#interval"],
    },
    events: [{ event: "datadog.ObjectSample", ...WEIGHED, attributes: [CLASS] }],
  },
  {
    ...ALLOCATION,
    about: "Bytes allocated: each sample represents all bytes since the previous one on its thread.",
    setting: "JDK Flight Recorder (16 and later): jdk.ObjectAllocationSample#enabled=true.",
    second: { name: "samples", type: "alloc-sample-count", unit: "count" },
    events: [
      {
        event: "jdk.ObjectAllocationSample",
        value: { rule: "amount", field: "weight" },
        second: COUNT,
        attributes: [CLASS],
      },
    ],
  },
  {
    ...ALLOCATION,
    about: "Bytes allocated: a whole thread-local buffer for the object that began it, and objects outside of buffers.",
    setting: "async-profiler: alloc=512k; JDK Flight Recorder: jdk.ObjectAllocationInNewTLAB and OutsideTLAB.",
    second: { name: "samples", type: "alloc-sample-count", unit: "count" },
    period: { type: "alloc-samples", unit: "bytes", settings: ["jdk.ObjectAllocationInNewTLAB#alloc"] },
    events: [
      {
        event: "jdk.ObjectAllocationInNewTLAB",
        value: { rule: "amount", field: "tlabSize", fallback: "allocationSize" },
        second: COUNT,
        attributes: [CLASS],
      },
      {
        event: "jdk.ObjectAllocationOutsideTLAB",
        value: { rule: "amount", field: "allocationSize" },
        second: COUNT,
        attributes: [CLASS],
      },
    ],
  },
  {
    ...LIVE_HEAP,
    label: "Live heap",
    about: "Bytes of sampled objects that were still alive when the recording (its last chunk) was written.",
    setting:
      "Datadog profiler: memory=256k:l (dd.profiling.ddprof.liveheap.enabled=true) writes datadog.HeapLiveObject.",
    period: {
      type: "alloc-samples",
      unit: "bytes",
      configField: "memleakInterval",
      settings: ["datadog.HeapLiveObject#interval"],
    },
    events: [
      {
        event: "datadog.HeapLiveObject",
        ...WEIGHED,
        attributes: [CLASS],
        known: ["age", "leakTag", "leakTagIncarnation"],
      },
    ],
  },
  {
    ...LIVE_HEAP,
    label: "Live heap",
    about: "Bytes of sampled objects that were still alive when the recording (its last chunk) was written.",
    setting: "async-profiler: alloc=512k,live.",
    period: { type: "alloc-samples", unit: "bytes", settings: ["jdk.ObjectAllocationInNewTLAB#alloc"] },
    events: [
      {
        event: "profiler.LiveObject",
        value: { rule: "amount", field: "allocationSize" },
        second: COUNT,
        attributes: [CLASS],
      },
    ],
  },
  {
    ...LIVE_HEAP,
    label: "Old objects",
    about: "Bytes of sampled objects that survived.",
    setting: "JDK Flight Recorder (21 and later): jdk.OldObjectSample#enabled=true.",
    events: [
      {
        event: "jdk.OldObjectSample",
        route: { lacks: "objectSize" },
        value: { rule: "amount", field: "objectSize" },
        second: COUNT,
        attributes: OBJECT,
      },
    ],
  },
  {
    type: "live-heap",
    unit: "count",
    label: "Old objects",
    about: "Sampled objects that survived, whose size the JDK did not record.",
    setting: "JDK Flight Recorder (before 21): jdk.OldObjectSample#enabled=true.",
    snapshot: true,
    events: [{ event: "jdk.OldObjectSample", routed: true, value: COUNT, attributes: OBJECT }],
  },
  {
    ...MALLOC,
    about: "Bytes requested from malloc and similar functions.",
    setting: "async-profiler (3.0 and later): nativemem=64k writes profiler.Malloc, without nofree also profiler.Free.",
    period: { type: "malloc", unit: "bytes", settings: ["profiler.Malloc#nativemem"] },
    events: [
      { event: "profiler.Malloc", value: { rule: "allocated", field: "size", address: "address" }, second: COUNT },
      { event: "profiler.Free", value: { rule: "freed", address: "address" }, second: COUNT },
    ],
  },
  {
    ...MALLOC,
    about: "Bytes requested from malloc and similar functions, estimated from the sampled calls.",
    setting: "Datadog profiler (1.50 and later): nativemem=64k writes datadog.NativeMemoryAllocation.",
    events: [{ event: "datadog.NativeMemoryAllocation", ...WEIGHED, known: ["address"] }],
  },
  {
    type: "direct-alloc",
    unit: "bytes",
    label: "Direct buffers",
    about: "Bytes of direct buffers allocated, as sampled by the agent.",
    setting: "Datadog agent: dd.profiling.directallocation.enabled=true writes datadog.DirectAllocationSample.",
    second: { name: "samples", type: "direct-alloc-count", unit: "count" },
    events: [
      {
        event: "datadog.DirectAllocationSample",
        value: { rule: "amount", field: "allocated" },
        second: COUNT,
        attributes: [
          ["allocatingClass", "alloc.class"],
          ["source", "alloc.source"],
        ],
      },
    ],
  },
  {
    type: "lock-contention",
    unit: "nanoseconds",
    label: "Locks",
    about: "Time spent entering or waiting on Java monitors (attribute `jfr.event`), above the recorder's threshold.",
    setting: "JDK Flight Recorder: jdk.JavaMonitorEnter#threshold=10ms and jdk.JavaMonitorWait#threshold=10ms.",
    offered: true,
    second: { name: "contentions", type: "lock-contention-count", unit: "count" },
    events: [
      { event: "jdk.JavaMonitorEnter", value: DURATION, second: COUNT },
      { event: "jdk.JavaMonitorWait", value: DURATION, second: COUNT },
    ],
  },
  {
    type: "native-lock",
    unit: "nanoseconds",
    label: "Native locks",
    about: "Time spent waiting for pthread mutexes and read-write locks.",
    setting: "async-profiler (4.1 and later): nativelock=1ms writes profiler.NativeLock.",
    second: { name: "contentions", type: "native-lock-count", unit: "count" },
    period: { type: "native-lock", unit: "nanoseconds", settings: ["profiler.NativeLock#nativelock"] },
    events: [{ event: "profiler.NativeLock", value: DURATION, second: COUNT }],
  },
  {
    type: "monitor-inflate",
    unit: "nanoseconds",
    label: "Monitor inflation",
    about: "Time spent turning a light-weight lock into a heavy one.",
    setting: "JDK Flight Recorder: jdk.JavaMonitorInflate#threshold=0ms.",
    second: { name: "calls", type: "monitor-inflate-calls", unit: "count" },
    events: [
      {
        event: "jdk.JavaMonitorInflate",
        value: DURATION,
        second: COUNT,
        attributes: [
          ["monitorClass", "monitor.class"],
          ["cause", "monitor.cause"],
        ],
      },
    ],
  },
  {
    type: "park",
    unit: "nanoseconds",
    label: "Park",
    about:
      "Time that threads were parked (java.util.concurrent locks, idle pool threads), above the recorder's threshold.",
    setting: "JDK Flight Recorder: jdk.ThreadPark#threshold=10ms; async-profiler: lock=10ms.",
    second: { name: "calls", type: "park-calls", unit: "count" },
    events: [{ event: "jdk.ThreadPark", value: DURATION, second: COUNT, attributes: [["parkedClass", "park.class"]] }],
  },
  {
    type: "sleep",
    unit: "nanoseconds",
    label: "Sleep",
    about: "Time spent in Thread.sleep, above the recorder's threshold.",
    setting: "JDK Flight Recorder: jdk.ThreadSleep#threshold=10ms.",
    second: { name: "calls", type: "sleep-calls", unit: "count" },
    events: [{ event: "jdk.ThreadSleep", value: DURATION, second: COUNT }],
  },
  {
    type: "pinned",
    unit: "nanoseconds",
    label: "Pinned",
    about: "Time that a virtual thread blocked without giving up its carrier thread.",
    setting: "JDK Flight Recorder (21 and later): jdk.VirtualThreadPinned#threshold=20ms.",
    second: { name: "calls", type: "pinned-calls", unit: "count" },
    events: [
      {
        event: "jdk.VirtualThreadPinned",
        value: DURATION,
        second: COUNT,
        attributes: [
          ["pinnedReason", "pinned.reason"],
          ["blockingOperation", "pinned.operation"],
        ],
      },
    ],
  },
  {
    type: "queue-time",
    unit: "nanoseconds",
    label: "Queue time",
    about: "Time that a task waited in an executor's queue before it ran.",
    setting: "Datadog agent: dd.profiling.queueing.time.enabled=true writes datadog.QueueTime.",
    second: { name: "tasks", type: "queue-tasks", unit: "count" },
    events: [
      {
        event: "datadog.QueueTime",
        value: DURATION,
        second: COUNT,
        attributes: [
          ["task", "queue.task"],
          ["scheduler", "queue.scheduler"],
          ["queueType", "queue.type"],
        ],
        known: ["origin", "queueLength"],
      },
    ],
  },
  {
    type: "backpressure",
    unit: "count",
    label: "Backpressure",
    about: "Tasks that an executor refused, as sampled by the agent.",
    setting: "Datadog agent: dd.profiling.backpressure.sampling.enabled=true writes datadog.BackpressureSample.",
    events: [
      {
        event: "datadog.BackpressureSample",
        value: COUNT,
        attributes: [
          ["policy", "backpressure.policy"],
          ["task", "queue.task"],
        ],
      },
    ],
  },
  {
    type: "method-time",
    unit: "nanoseconds",
    label: "Method time",
    about: "Time spent in the methods chosen for tracing, callees included except chosen ones.",
    setting: "JDK Flight Recorder (25): jdk.MethodTrace#filter=…; async-profiler (4.2 and later): trace=….",
    second: { name: "calls", type: "method-time-calls", unit: "count" },
    events: [{ event: "jdk.MethodTrace", value: DURATION, second: COUNT, call: true }],
  },
  socketRow("Read", "bytesRead"),
  socketRow("Write", "bytesWritten"),
  nativeSocketRow("Read"),
  nativeSocketRow("Write"),
  fileRow("Read", "bytesRead"),
  fileRow("Write", "bytesWritten"),
  fileRow("Force", ""),
  {
    ...EXCEPTIONS,
    about: "Exceptions thrown, as sampled by the agent: a few of each type and place, not all.",
    setting: "Datadog agent: datadog.ExceptionSample, on by default.",
    events: [
      {
        event: "datadog.ExceptionSample",
        value: COUNT,
        attributes: [
          ["type", "exception.type"],
          ["message", "exception.message"],
        ],
      },
    ],
  },
  {
    ...EXCEPTIONS,
    about: "All exceptions created (JDK 22 and later: up to its throttle).",
    setting: "JDK Flight Recorder: jdk.JavaExceptionThrow#enabled=true.",
    events: [{ event: "jdk.JavaExceptionThrow", value: COUNT, attributes: THROWN }],
  },
  {
    type: "errors",
    unit: "count",
    label: "Errors",
    about: "java.lang.Errors created. jdk.JavaExceptionThrow includes them.",
    setting: "JDK Flight Recorder: jdk.JavaErrorThrow#enabled=true.",
    events: [{ event: "jdk.JavaErrorThrow", value: COUNT, attributes: THROWN }],
  },
];

/**
 * A profile's name in OTLP: its type, where an earlier row has that type with its first event: the same in every
 * message.
 */
export function wireType(profiles: readonly ProfileRow[], id: number): string {
  const { type, unit, events } = profiles[id]!;
  const [first, ...alike] = profiles.filter((row) => row.type === type);
  if (first === profiles[id]) return type;
  const name = `${type}:${events[0]?.event}`;
  const named = alike.find((row) => row.events[0]?.event === events[0]?.event);
  return named === profiles[id] ? name : `${name}:${unit}`;
}
