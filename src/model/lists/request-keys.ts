/** Attribute keys under which tracers name requests. */
/** What the root of a request is called, said of all its samples. */
export const ROOT_OPERATION = "trace operation";
/** Keys under which tracers name what a span does; the first one that a profile has is the one. */
export const OPERATION_KEYS = ["_dd.trace.operation", "operation", "span_name", ROOT_OPERATION];
const ENDPOINTS = [
  "trace endpoint",
  "http.route",
  "_dd.trace.resource",
  "spanName",
  "endpoint",
  "route",
  "rest_endpoint",
];
/** And what a request asked for; also as OpenTelemetry's eBPF profiler writes labels. */
export const ENDPOINT_KEYS = [...ENDPOINTS, ...ENDPOINTS.map((key) => `process.context.label.${key}`)];

/** Attributes that name a selection of requests: the operation is that of the root where tracers name it. */
export const SELECTION_KEYS = { endpoint: ENDPOINT_KEYS, operation: [ROOT_OPERATION, ...OPERATION_KEYS] };
