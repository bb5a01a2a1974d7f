/** The table of environment variables that commands read. */

export interface EnvironmentRow {
  name: string;
  /** A phrase without a full stop. */
  about: string;
}

/**
 * Variables of `push`, by the parts of a receiver. OTEL_EXPORTER_OTLP_PROFILES_ENDPOINT is of profiles alone and wins:
 * https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
const RECEIVER: readonly [part: string, about: string][] = [
  ["ENDPOINT", "address of the receiver"],
  ["HEADERS", "headers as key=value, separated by commas, values with percent-encoding"],
  ["TIMEOUT", "maximum time of one request, in milliseconds"],
  ["COMPRESSION", "gzip or none"],
  ["PROTOCOL", "http/protobuf or http/json; grpc is refused"],
  ["CERTIFICATE", "a file with the certificates to trust, in PEM; needs Node 22.19, 24.5 or newer"],
];

export const ENVIRONMENT: readonly EnvironmentRow[] = [
  ...RECEIVER.flatMap(([part, about]) => [
    { name: `OTEL_EXPORTER_OTLP_${part}`, about: generalAbout(part, about) },
    { name: `OTEL_EXPORTER_OTLP_PROFILES_${part}`, about: profilesAbout(part, about) },
  ]),
  { name: "DD_TRACE_AGENT_URL", about: "address of Datadog's agent (push --datadog)" },
  { name: "NODE_EXTRA_CA_CERTS", about: "a file with further certificates to trust, in PEM" },
  { name: "NODE_USE_ENV_PROXY", about: "1 makes Node 24 and newer use HTTP_PROXY and HTTPS_PROXY" },
  { name: "NO_COLOR", about: "has no effect: no output has colours" },
  { name: "TERM", about: "a dumb terminal gets no progress line" },
];

function generalAbout(part: string, about: string): string {
  return part === "ENDPOINT" ? `${about} (push); v1development/profiles is appended to its path` : `${about} (push)`;
}

function profilesAbout(part: string, about: string): string {
  return part === "ENDPOINT" ? "address for profiles, which is used unchanged" : `${about}; for profiles`;
}
