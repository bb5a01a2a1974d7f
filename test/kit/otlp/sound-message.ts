/** A small message with nothing against it, not even an info, and how tests break it in one place. */
import type { Plain } from "./otlp-encode.ts";

const TRACE = "000102030405060708090a0b0c0d0e0f";

export const STRINGS = {
  samples: 1,
  count: 2,
  cpu: 3,
  nanoseconds: 4,
  main: 5,
  "libc.so": 6,
  "process.executable.build_id.gnu": 7,
  "profile.frame.type": 8,
  "thread.name": 9,
  By: 10,
  "alloc.size": 11,
};

/** Anew each time. */
export function sound(): Plain {
  return {
    resourceProfiles: [
      {
        resource: { attributes: [{ key: "service.name", value: { stringValue: "shop" } }] },
        schemaUrl: "https://opentelemetry.io/schemas/1.39.0",
        scopeProfiles: [
          {
            scope: { name: "test", version: "1.0", attributes: [{ key: "build", value: { stringValue: "a" } }] },
            schemaUrl: "https://opentelemetry.io/schemas/1.40.0",
            profiles: [
              {
                sampleType: { typeStrindex: STRINGS.samples, unitStrindex: STRINGS.count },
                samples: [
                  {
                    stackIndex: 1,
                    attributeIndices: [3],
                    linkIndex: 1,
                    values: [1n, 2n],
                    timestampsUnixNano: [1000n, 1999n],
                  },
                  { stackIndex: 1, attributeIndices: [3, 4], values: [3n], timestampsUnixNano: [1500n] },
                ],
                timeUnixNano: 1000n,
                durationNano: 1000n,
                periodType: { typeStrindex: STRINGS.cpu, unitStrindex: STRINGS.nanoseconds },
                period: 10_000_000n,
                profileId: TRACE,
                originalPayloadFormat: "jfr",
                originalPayload: "RkxSAA==",
              },
            ],
          },
        ],
      },
    ],
    dictionary: {
      mappingTable: [
        {},
        { memoryStart: 4096n, memoryLimit: 8192n, filenameStrindex: STRINGS["libc.so"], attributeIndices: [1] },
      ],
      locationTable: [
        {},
        { mappingIndex: 1, address: 4100n, lines: [{ functionIndex: 1, line: 7n, column: 2n }], attributeIndices: [2] },
      ],
      functionTable: [{}, { nameStrindex: STRINGS.main, startLine: 5n }],
      linkTable: [{}, { traceId: TRACE, spanId: TRACE.slice(16) }],
      stringTable: ["", ...Object.keys(STRINGS)],
      attributeTable: [
        {},
        { keyStrindex: STRINGS["process.executable.build_id.gnu"], value: { stringValue: "abcd" } },
        { keyStrindex: STRINGS["profile.frame.type"], value: { stringValue: "native" } },
        { keyStrindex: STRINGS["thread.name"], value: { stringValue: "main" } },
        { keyStrindex: STRINGS["alloc.size"], value: { intValue: 12n }, unitStrindex: STRINGS.By },
      ],
      stackTable: [{}, { locationIndices: [1] }],
    },
  };
}

/**
 * The message with another value at a path like `dictionary.linkTable.1`; undefined takes it out, a place after the
 * last adds.
 */
export function broken(path: string, value: unknown): Plain {
  const message = sound();
  const steps = path.split(".");
  const last = steps.pop() ?? "";
  const owner = steps.reduce((at, step) => at[step] as Plain, message);
  owner[last] = value;
  return message;
}
