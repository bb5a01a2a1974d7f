/** A small OTLP/JSON message from which convert makes a large output. */

/** One profile of `stacks` stacks, each of `depth` frames of a function whose name has `nameLength` letters. */
export function repeatedFrames(stacks: number, depth: number, nameLength: number): string {
  const below = Array(depth).fill(1);
  const functions = Array.from({ length: stacks }, (_, i) => ({ nameStrindex: 4 + i }));
  return JSON.stringify({
    resourceProfiles: [
      {
        scopeProfiles: [
          {
            profiles: [
              {
                sampleType: { typeStrindex: 1, unitStrindex: 2 },
                samples: Array.from({ length: stacks }, (_, i) => ({ stackIndex: i + 1, values: ["1"] })),
                timeUnixNano: "1700000000000000000",
                durationNano: "1000000000",
              },
            ],
          },
        ],
      },
    ],
    dictionary: {
      stringTable: ["", "cpu", "samples", "f".repeat(nameLength), ...functions.map((_, i) => `leaf${i}`)],
      functionTable: [{}, { nameStrindex: 3 }, ...functions],
      locationTable: [{}, ...[...Array(stacks + 1).keys()].map((i) => ({ lines: [{ functionIndex: i + 1 }] }))],
      stackTable: [{}, ...functions.map((_, i) => ({ locationIndices: [i + 2, ...below] }))],
      mappingTable: [{}],
      linkTable: [{}],
      attributeTable: [{}],
    },
  });
}
