/** Findings about trace files, as diagnostics: the first of each kind, and how many more there are. */
import type { Diagnostic } from "../core/types.ts";

export type TraceFormat = "otlp" | "otlp-json" | "jaeger" | "zipkin" | "datadog" | Printed;

/** What the exporters of SDKs print, also among the other lines of a log. */
type Printed = "python" | "go" | "java" | "node";

/** Names of the formats in messages. */
export const FORMAT_NAMES: Readonly<Record<TraceFormat, string>> = {
  otlp: "OTLP",
  "otlp-json": "OTLP/JSON",
  jaeger: "Jaeger",
  zipkin: "Zipkin",
  datadog: "Datadog",
  python: "Python's console exporter",
  go: "Go's stdouttrace",
  java: "Java's logging exporter",
  node: "JavaScript's console exporter",
};

/** Codes, and what they are about (docs/diagnostics.md). */
export const TRACE_FINDINGS = {
  "trace.unreadable": { severity: "error", about: "a trace file cannot be read" },
  "trace.format": { severity: "error", about: "a file is of no trace format that Spanflame knows" },
  "trace.empty": { severity: "error", about: "a trace file contains no span" },
  "trace.cut": { severity: "warning", about: "a trace file ends in the middle; the spans before were read" },
  "trace.damaged": { severity: "warning", about: "a part of a trace file is damaged; the spans around it were read" },
  "trace.packing": { severity: "warning", about: "a compressed trace file is damaged; the spans before were read" },
  "trace.span": { severity: "warning", about: "a span has no id or a damaged field; it was left out" },
  "trace.time": { severity: "warning", about: "a span has a time beyond the year 2262; it was moved to the limit" },
  "trace.time.missing": {
    severity: "warning",
    about:
      "a span has no start, and so no time: it is 0 ns long, where its parent or its trace starts; or it has no duration, or one below 0: it is 0 ns long",
  },
  "trace.full": {
    severity: "warning",
    about: "there is no room for the other spans of a file, or they are too many for its bytes; they were left out",
  },
} as const satisfies Record<string, { severity: Diagnostic["severity"]; about: string }>;

export type TraceFinding = keyof typeof TRACE_FINDINGS;

/** Findings of one kind that are kept for a file. */
const MOST = 20;

export class Findings {
  readonly list: Diagnostic[] = [];
  private readonly file: string;
  private readonly counts = new Map<TraceFinding, number>();

  constructor(file: string) {
    this.file = file;
  }

  note(code: TraceFinding, message: string, offset: number | null = null): void {
    const count = (this.counts.get(code) ?? 0) + 1;
    this.counts.set(code, count);
    if (count <= MOST) this.push(code, offset === null ? message : `${message} (offset ${offset})`, offset);
  }

  /** Adds how many findings of each kind were not kept. */
  end(): void {
    for (const [code, count] of this.counts) {
      if (count > MOST) this.push(code, `${count - MOST} more of this kind`, null);
    }
  }

  private push(code: TraceFinding, message: string, offset: number | null): void {
    const { severity } = TRACE_FINDINGS[code];
    this.list.push({ code, severity, message, file: this.file, chunk: null, offset });
  }
}
