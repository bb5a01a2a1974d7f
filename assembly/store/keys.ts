/**
 * Attribute keys with a meaning in the core: the keys that its writers make of columns, and the labels of pprof.
 * Readers turn them back into columns, filters find them there, and context fields of the same name get a prefix.
 */
import { isText } from "../memory/ascii";

export const THREAD_NAME_KEY: string = "thread.name";
export const THREAD_ID_KEY: string = "thread.id";
/** Name of the event row. */
export const EVENT_KEY: string = "jfr.event";
/** Type of the profile. */
export const TYPE_KEY: string = "profile.type";
/** Ids of a link that has only one of the two. */
export const SPAN_KEY: string = "span.id";
export const ROOT_KEY: string = "local_root_span.id";
export const TRACE_KEY: string = "trace.id";
/** Attributes of a whole local root (roots.ts). */
export const ENDPOINT_KEY: string = "trace endpoint";
export const OPERATION_KEY: string = "trace operation";
/** Second value of each observation of the sample, an integer (docs/otlp.md). Only messages of data sets have it. */
export const SECOND_KEY: string = "spanflame.second_value";
/** Class of an allocated object. */
const CLASS_KEY: string = "alloc.class";
/** Whether an allocated block was freed; src/core/reading/read-filter.ts has the same key. */
export const FREED_KEY: string = "alloc.freed";
export const FRAME_TYPE_KEY: string = "profile.frame.type";
/** Its value for the end of a stack that is not whole, as OpenTelemetry's eBPF profiler writes it. */
export const UNWINDING_ENDED: string = "abort-marker";
export const BUILD_ID_KEY: string = "process.executable.build_id.gnu";
export const GO_BUILD_ID_KEY: string = "process.executable.build_id.go";
/**
 * Attribute of a profile, the origin of its trace ids; the value for ids of 64 bits, every other one is for local
 * roots.
 */
export const TRACE_ORIGIN_KEY: string = "spanflame.trace_id";
export const TRACES_64: string = "trace_id_64_bit";
/** Attribute of our scope in a Resource that is one of several in its message. */
export const RESOURCE_KEY: string = "spanflame.resource";
export const SEPARATE_RESOURCE: string = "separate";

/**
 * Attribute of samples of calls of dumps that the selected calls are compared with. It is in no output: the page never
 * writes these samples (src/requests/calls/call-samples.ts).
 */
export const OTHER_CALLS_KEY: string = "spanflame.calls";
export const OTHER_CALLS: string = "others";

/** Marks samples with inferred context; src/model/query/attribute.ts has the same keys. */
export const CONTEXT_KEY: string = "spanflame.context";
/** Its value is the name of a rule: `scope`, `trace` or `neighbours`; `contextual` if attributes alone are inferred. */
export const CONTEXT_RULE_KEY: string = "spanflame.context.rule";
/** Value of CONTEXT_KEY (docs/context.md). */
export const INFERRED: string = "inferred";

/** Library of the function that was running; src/core/tables/library-keys.ts has the same keys. */
export const LIBRARY_KEY: string = "library";
export const LIBRARY_VERSION_KEY: string = "library.version";

/** Labels of pprof, by the names of Datadog's profilers. */
export const SPAN_LABEL: string = "span id";
export const ROOT_LABEL: string = "local root span id";
export const TRACE_LABEL: string = "trace id";
export const THREAD_NAME_LABEL: string = "thread name";
export const THREAD_ID_LABEL: string = "thread id";
/** The span id of the local root, 16 hex digits, in profiles for Pyroscope; elsewhere the id of a profile. */
export const PROFILE_ID_LABEL: string = "profile_id";
/** Time of the sample in milliseconds, in profiles of Splunk's agents. */
export const EVENT_TIME_LABEL: string = "source.event.time";
export const START_TIME_LABEL: string = "timestamp_ns";
export const TIME_LABEL: string = "end_timestamp_ns";
/** The sample type that viewers show first, as an attribute of the profile. */
export const DEFAULT_TYPE_KEY: string = "pprof.scope.default_sample_type";

/** Prefix of a key that the core uses for a column, if a sample has the key for something else. */
export const CONTEXT_PREFIX: string = "context.";

/** Whether a sample may carry the key without a context field. */
export function isSampleKey(p: usize, n: u32): bool {
  return (
    isText(p, n, TYPE_KEY) ||
    isText(p, n, THREAD_NAME_KEY) ||
    isText(p, n, THREAD_ID_KEY) ||
    isText(p, n, EVENT_KEY) ||
    isText(p, n, SECOND_KEY) ||
    isText(p, n, CLASS_KEY) ||
    isText(p, n, SPAN_KEY) ||
    isText(p, n, ROOT_KEY) ||
    isText(p, n, TRACE_KEY) ||
    isText(p, n, ENDPOINT_KEY) ||
    isText(p, n, OPERATION_KEY) ||
    isText(p, n, CONTEXT_KEY) ||
    isText(p, n, CONTEXT_RULE_KEY)
  );
}
