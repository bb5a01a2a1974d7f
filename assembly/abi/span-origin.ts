/** Source of a row of the table of spans. */
export const TraceFile = 1;
/** datadog.Timeline: a part of a span on one thread. */
export const Timeline = 2;
/** io.opentelemetry.context.Scope */
export const OtelScope = 3;
/** io.opentelemetry.trace.Span */
export const OtelSpan = 4;
/** profiler.Span of async-profiler, with ids in its tag. */
export const ProfilerSpan = 5;
/** Any event with a duration whose span id is @Contextual. */
export const Contextual = 6;
/** datadog.Endpoint: a local root. */
export const Endpoint = 7;
/** Any other event with a duration and a span id that is no sample: it states the time of the span, and no scope. */
export const SpanEvent = 8;
