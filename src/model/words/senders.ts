/** What to set in each kind of sender, as the command prints it and docs/receive.md lists it. */

export interface SenderRow {
  name: string;
  /** The setting for a receiver at this address. */
  set: (url: string) => string;
}

export const SENDERS: readonly SenderRow[] = [
  {
    name: "OpenTelemetry",
    set: (url) => `OTEL_EXPORTER_OTLP_ENDPOINT=${url} OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf`,
  },
  { name: "Collector", set: (url) => `exporters: { otlp_http: { endpoint: "${url}" } }` },
  { name: "async-profiler", set: (url) => `asprof -d 30 -o otlp -f ${url} PID` },
  { name: "Datadog", set: (url) => `DD_TRACE_AGENT_URL=${url} DD_PROFILING_ENABLED=true` },
  { name: "Pyroscope", set: (url) => `PYROSCOPE_SERVER_ADDRESS=${url} PYROSCOPE_FORMAT=jfr` },
  { name: "Splunk", set: (url) => `SPLUNK_PROFILER_ENABLED=true SPLUNK_PROFILER_LOGS_ENDPOINT=${url}/v1/logs` },
];
