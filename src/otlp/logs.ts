/**
 * Profiles in OTLP logs, as Splunk's agents send them: a log record is a pprof profile, gzip-compressed and in base64.
 *
 *   ResourceLogs   resource { attributes }, scope logs [ { log records [ { body, attributes } ] } ]
 *   attributes     profiling.data.format = pprof-gzip-base64
 *                  profiling.data.type   = cpu | allocation
 */

/** The attribute that makes a log record a profile, and its value. */
const FORMAT_KEY = "profiling.data.format";
const PPROF_FORMAT = "pprof-gzip-base64";
/** The attribute that names the kind of samples. */
export const TYPE_KEY = "profiling.data.type";

/** The log records of a resource. */
export interface ResourceLogs {
  /** Attributes of the resource as texts. */
  resource: Record<string, string>;
  profiles: LoggedProfile[];
  /** How many other log records there are, and the profile formats that they state. */
  others: number;
  formats: string[];
}

export interface LoggedProfile {
  /** Value of TYPE_KEY, "" without it. */
  type: string;
  /** The body: base64. */
  body: Uint8Array;
}

/** The parts of a log record that are read. */
export interface LogRecord {
  attributes: ReadonlyMap<string, string>;
  /** Null for a body that is neither text nor bytes. */
  body: Uint8Array | null;
}

export function noLogs(resource: Record<string, string> = Object.create(null)): ResourceLogs {
  return { resource, profiles: [], others: 0, formats: [] };
}

export function addRecord(logs: ResourceLogs, { attributes, body }: LogRecord): void {
  const format = attributes.get(FORMAT_KEY);
  if (format === PPROF_FORMAT && body !== null) {
    logs.profiles.push({ type: attributes.get(TYPE_KEY) ?? "", body });
    return;
  }
  logs.others++;
  if (format !== undefined && !logs.formats.includes(format)) logs.formats.push(format);
}
