/** OTLP logs whose records are profiles, as Splunk's agents and the Collector's file exporter write them. */
import { gzipSync } from "node:zlib";
import protobuf from "protobufjs";

const message = (id: number, type: string) => ({ id, type });
const many = (id: number, type: string) => ({ id, type, rule: "repeated" });

const root = protobuf.Root.fromJSON({
  nested: {
    LogsData: { fields: { resourceLogs: many(1, "ResourceLogs") } },
    ResourceLogs: { fields: { resource: message(1, "Resource"), scopeLogs: many(2, "ScopeLogs") } },
    Resource: { fields: { attributes: many(1, "KeyValue") } },
    ScopeLogs: { fields: { scope: message(1, "Scope"), logRecords: many(2, "LogRecord") } },
    Scope: { fields: { name: message(1, "string"), version: message(2, "string") } },
    LogRecord: {
      fields: { timeUnixNano: message(1, "fixed64"), body: message(5, "AnyValue"), attributes: many(6, "KeyValue") },
    },
    KeyValue: { fields: { key: message(1, "string"), value: message(2, "AnyValue") } },
    AnyValue: {
      fields: {
        stringValue: message(1, "string"),
        intValue: message(3, "int64"),
        arrayValue: message(5, "ArrayValue"),
      },
    },
    ArrayValue: { fields: { values: many(1, "AnyValue") } },
  },
});

type AnyValue = { stringValue: string } | { intValue: string } | { arrayValue: { values: AnyValue[] } };

export interface LoggedSpec {
  resource?: Record<string, AnyValue>;
  records: { type?: string; format?: string; pprof?: Uint8Array; body?: string }[];
}

const pairs = (of: Record<string, AnyValue>) => Object.entries(of).map(([key, value]) => ({ key, value }));

function data(specs: readonly LoggedSpec[]): object {
  return {
    resourceLogs: specs.map(({ resource = {}, records }) => ({
      resource: { attributes: pairs(resource) },
      scopeLogs: [
        {
          scope: { name: "otel.profiling", version: "0.1.0" },
          logRecords: records.map(({ type = "cpu", format = "pprof-gzip-base64", pprof, body }) => ({
            timeUnixNano: "1700000000000000000",
            body: { stringValue: body ?? gzipSync(pprof ?? new Uint8Array(0)).toString("base64") },
            attributes: pairs({
              "com.splunk.sourcetype": { stringValue: "otel.profiling" },
              "profiling.data.format": { stringValue: format },
              "profiling.data.type": { stringValue: type },
              "profiling.data.total.frame.count": { intValue: "2" },
            }),
          })),
        },
      ],
    })),
  };
}

export function logsProtobuf(...specs: LoggedSpec[]): Uint8Array {
  const type = root.lookupType("LogsData");
  return Uint8Array.from(type.encode(type.fromObject(data(specs))).finish());
}

/** A message with its length before it, for each of the specs. */
export function logsFrames(...specs: LoggedSpec[]): Uint8Array {
  const frames = specs.map((spec) => {
    const bytes = logsProtobuf(spec);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  });
  return Uint8Array.from(Buffer.concat(frames));
}

/** A line for each of the specs. */
export function logsJson(...specs: LoggedSpec[]): Uint8Array {
  return new TextEncoder().encode(specs.map((spec) => `${JSON.stringify(data([spec]))}\n`).join(""));
}
