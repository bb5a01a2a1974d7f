/** Small messages that have something of everything, and all that is asked of what came of one. */
import { expect } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { readInputs } from "../../../src/input/open.ts";
import { pprofOf } from "./pprof-message.ts";
import { encode } from "./resolve.ts";

const id = (n: number, length: number) => new Uint8Array(length).fill(n);

/** Every table, every kind of value, every shape. */
export const MESSAGE = encode({
  resourceProfiles: [
    {
      resource: { attributes: [{ key: "service.name", value: { stringValue: "a" } }] },
      scopeProfiles: [
        {
          scope: { name: "spanflame" },
          profiles: [
            {
              sampleType: { typeStrindex: 1, unitStrindex: 2 },
              samples: [
                {
                  stackIndex: 1,
                  attributeIndices: [1, 2],
                  linkIndex: 1,
                  values: ["1", "300"],
                  timestampsUnixNano: ["5", "6"],
                },
                { stackIndex: 2, attributeIndices: [3, 4], values: ["7"] },
                { stackIndex: 1, timestampsUnixNano: ["9"] },
              ],
              timeUnixNano: "1",
              durationNano: "100",
              periodType: { typeStrindex: 1, unitStrindex: 2 },
              period: "10",
              profileId: id(9, 16),
              attributeIndices: [5],
            },
          ],
        },
      ],
    },
  ],
  dictionary: {
    mappingTable: [{}, { memoryStart: "16", memoryLimit: "99", filenameStrindex: 3, attributeIndices: [5] }],
    locationTable: [
      {},
      {
        mappingIndex: 1,
        address: "17",
        lines: [
          { functionIndex: 1, line: "3" },
          { functionIndex: 2, line: "4", column: "5" },
        ],
      },
      { address: "300", attributeIndices: [1] },
    ],
    functionTable: [{}, { nameStrindex: 3, filenameStrindex: 4 }, { systemNameStrindex: 4, startLine: "1" }],
    linkTable: [{}, { traceId: id(1, 16), spanId: id(2, 8) }],
    stringTable: ["", "cpu", "samples", "main", "thread.name", "span.id", "list"],
    attributeTable: [
      {},
      { keyStrindex: 4, value: { stringValue: "worker" } },
      {
        keyStrindex: 6,
        value: {
          arrayValue: {
            values: [{ intValue: "1" }, { kvlistValue: { values: [{ key: "k", value: { doubleValue: 1.5 } }] } }],
          },
        },
      },
      { keyStrindex: 5, value: { stringValue: "0123456789abcdef" } },
      { keyStrindex: 2, value: { stringValueStrindex: 3 }, unitStrindex: 1 },
      { keyStrindex: 3, value: { bytesValue: id(7, 3) } },
    ],
    stackTable: [{}, { locationIndices: [1, 2] }, { locationIndices: [2, 0] }],
  },
});

export const PPROF = pprofOf({
  types: [
    ["samples", "count"],
    ["cpu", "nanoseconds"],
  ],
  samples: [
    {
      stack: [["in", "out"], "main"],
      values: [1, 2n],
      labels: { "span id": "12", "thread id": 3n, end_timestamp_ns: 9n },
    },
    { stack: ["main"], values: [0, 0], labels: { tenant: "acme", bytes: [5, "bytes"] } },
  ],
  comments: ["a comment"],
  period: ["cpu", "nanoseconds", 10],
});

/** Reads, asks everything and writes; a damaged input may be nothing at all, but never a trap. */
export async function survive(core: Core, bytes: Uint8Array): Promise<void> {
  core.reset();
  await readInputs(core, [{ name: "m", source: bytesSource(bytes) }]);
  for (const { id: profile, samples } of core.profiles()) {
    expect(core.select(profile, {}).samples).toBe(samples);
    core.views.frames({ focus: 0, width: 1000 });
    core.views.top("self", 0, 10);
    for (const kind of ["local-root", "span"] as const) core.views.rank({ kind }, 0, 10);
    core.views.rank({ kind: "attribute", key: "list" }, 0, 10);
  }
  core.diagnostics();
  core.files();
  for (const format of ["otlp", "otlp-json"] as const) core.write(null, {}, { format });
}
