/**
 * The content of a message of OTLP profiles without any index: one line for each observation, in alphabetical order.
 * Two messages that say the same give equal lines, however their tables are laid out. Decoded by protobufjs.
 */
import protobuf from "protobufjs";
import { TYPES } from "../../../src/otlp/schema.ts";

// biome-ignore lint/suspicious/noExplicitAny: objects of a decoder, of the shape that the .proto says
type Row = Record<string, any>;

const SCALARS: Record<string, string> = { payload: "bytes" };

/** The .proto, as protobufjs takes it. */
const root = protobuf.Root.fromJSON({
  nested: Object.fromEntries(
    Object.values(TYPES).map((type) => [
      type.name,
      {
        ...(type.oneof ? { oneofs: { value: { oneof: type.fields.map(({ json }) => json) } } } : {}),
        fields: Object.fromEntries(
          type.fields.map((field) => {
            const kind = field.message?.name ?? SCALARS[field.kind] ?? field.kind;
            const packs = field.repeated && field.message === null && field.kind !== "string";
            const options = packs ? { options: { packed: true } } : {};
            return [
              field.json,
              { id: field.number, type: kind, ...(field.repeated ? { rule: "repeated" } : {}), ...options },
            ];
          }),
        ),
      },
    ]),
  ),
});
const Message = root.lookupType("ProfilesData");

/** Makes a message of plain objects in the shape of OTLP/JSON; 64-bit numbers are strings, ids bytes. */
export function encode(message: object): Uint8Array {
  return Uint8Array.from(Message.encode(Message.fromObject(message)).finish());
}

const hex = (bytes: string) => Buffer.from(bytes, "base64").toString("hex");

export function resolve(bytes: Uint8Array): string[] {
  const options = { longs: String, bytes: String, arrays: true } as const;
  const data: Row = Message.toObject(Message.decode(bytes), options);
  return linesOf(data).sort();
}

function linesOf(data: Row): string[] {
  const tables: Row = data.dictionary ?? {};
  const text = (i: number | undefined) => tables.stringTable?.[i ?? 0] ?? "";
  const entry = (table: string, i: number | undefined): Row => (i ? (tables[table]?.[i] ?? {}) : {});
  const value = (any: Row | undefined): unknown => {
    const [member, content] = Object.entries(any ?? {}).find(([key]) => key !== "value") ?? [];
    if (member === "stringValueStrindex") return { stringValue: text(content) };
    if (member === "arrayValue") return { arrayValue: (content.values ?? []).map(value) };
    if (member === "kvlistValue") return { kvlistValue: (content.values ?? []).map(pair) };
    return member === undefined ? {} : { [member]: content };
  };
  const pair = (kv: Row) => [kv.key || text(kv.keyStrindex), value(kv.value), ""] as const;
  const attributes = (indices: number[] | undefined) =>
    (indices ?? [])
      .filter((i) => i > 0)
      .map((i) => entry("attributeTable", i))
      .map((kv) => [text(kv.keyStrindex), value(kv.value), text(kv.unitStrindex)] as const);
  const sorted = (list: (readonly unknown[])[]) => [...new Set(list.map((one) => JSON.stringify(one)))].sort();
  const mapping = (m: Row) => [
    m.memoryStart,
    m.memoryLimit,
    m.fileOffset,
    text(m.filenameStrindex),
    sorted(attributes(m.attributeIndices)),
  ];
  const fn = (f: Row) => [text(f.nameStrindex), text(f.systemNameStrindex), text(f.filenameStrindex), f.startLine];
  const line = (l: Row) => [fn(entry("functionTable", l.functionIndex)), l.line, l.column];
  const location = (l: Row) => [
    mapping(entry("mappingTable", l.mappingIndex)),
    l.address,
    (l.lines ?? []).map(line),
    sorted(attributes(l.attributeIndices)),
  ];
  const type = (t: Row | undefined) => [text(t?.typeStrindex), text(t?.unitStrindex)];

  return (data.resourceProfiles ?? []).flatMap((resourced: Row) => {
    const resource = (resourced.resource?.attributes ?? []).map(pair);
    const profiles: Row[] = (resourced.scopeProfiles ?? []).flatMap((scoped: Row) => scoped.profiles ?? []);
    return profiles.flatMap((profile) => {
      const own = [
        type(profile.sampleType),
        type(profile.periodType),
        profile.period,
        sorted(attributes(profile.attributeIndices)),
      ];
      return (profile.samples ?? []).flatMap((sample: Row) => {
        const said = attributes(sample.attributeIndices);
        const keys = new Set(said.map(([key]) => key));
        // Attributes of a sample take precedence over those of its resource.
        const all = sorted([...said, ...resource.filter(([key]: [string]) => !keys.has(key))]);
        const { traceId = "", spanId = "" } = entry("linkTable", sample.linkIndex);
        const stack = (entry("stackTable", sample.stackIndex).locationIndices ?? []).map((i: number) =>
          location(entry("locationTable", i)),
        );
        const values: string[] = sample.values ?? [];
        const times: string[] = sample.timestampsUnixNano ?? [];
        return Array.from({ length: Math.max(values.length, times.length) }, (_, i) =>
          JSON.stringify([own, all, hex(traceId), hex(spanId), stack, values[i], times[i]]),
        );
      });
    });
  });
}
