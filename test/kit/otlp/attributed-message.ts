/** An OTLP message of one sample with attributes, as JSON: values are those of OTLP/JSON. */
export interface OtlpMessage {
  attributes: Readonly<Record<string, object>>;
  /** Ids in base64. */
  link?: { traceId?: string; spanId?: string };
}

const hexOf = (id = "") => Buffer.from(id, "base64").toString("hex");

export function otlpMessage({ attributes, link }: OtlpMessage): Uint8Array {
  const strings = ["", "samples", "count"];
  const table = Object.entries(attributes).map(([key, value]) => ({ keyStrindex: strings.push(key) - 1, value }));
  const sample = {
    attributeIndices: table.map((_, i) => i + 1),
    ...(link && { linkIndex: 1 }),
    values: ["1"],
    timestampsUnixNano: ["1700000000000000000"],
  };
  const profiles = [{ sampleType: { typeStrindex: 1, unitStrindex: 2 }, samples: [sample] }];
  const message = {
    resourceProfiles: [{ scopeProfiles: [{ profiles }] }],
    dictionary: {
      mappingTable: [{}],
      locationTable: [{}],
      functionTable: [{}],
      linkTable: [{}, ...(link ? [{ traceId: hexOf(link.traceId), spanId: hexOf(link.spanId) }] : [])],
      stringTable: strings,
      attributeTable: [{}, ...table],
      stackTable: [{}],
    },
  };
  return new TextEncoder().encode(JSON.stringify(message));
}
