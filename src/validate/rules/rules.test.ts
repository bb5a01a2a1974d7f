/** Each rule about a message's content is violated alone, in protobuf and in JSON, and has to be reported. */
import { describe, expect, it } from "vitest";
import { jsonOf, type Plain, protobufOf } from "../../../test/kit/otlp/otlp-encode.ts";
import { broken, STRINGS, sound } from "../../../test/kit/otlp/sound-message.ts";
import { Message } from "../message.ts";
import { validateBytes } from "../validate.ts";
import { RULES } from "./rules.ts";

const PROFILE = "resourceProfiles.0.scopeProfiles.0.profiles.0";
const SAMPLE = `${PROFILE}.samples.0`;
const DICTIONARY = "dictionary";

function findings(message: Plain) {
  const reports = [validateBytes(protobufOf(message), "protobuf"), validateBytes(jsonOf(message), "json")];
  expect(reports[1]).toEqual(reports[0]);
  return reports[0]?.findings ?? [];
}

/** A sample that equals the first except for the given fields. */
const another = (rest: Plain) => ({ stackIndex: 1, attributeIndices: [3], linkIndex: 1, ...rest });
const KEY = { key: "service.name", value: { stringValue: "again" } };
const HUGE = 2n ** 63n;

/**
 * A change, the rule that it violates, and the location in the report. Other locations of the same rule are ignored.
 */
const CASES: [rule: string, path: string, value: unknown, where: string, besides?: string[]][] = [
  ["E01", DICTIONARY, undefined, "dictionary", ["E06", "W11", "I15"]],
  ["E01", `${DICTIONARY}.linkTable`, undefined, "link_table", ["E06"]],
  ["E02", `${DICTIONARY}.stringTable.0`, "x", "string_table[0]"],
  ["E03", `${DICTIONARY}.mappingTable.0`, { fileOffset: 1 }, "mapping_table[0]"],
  ["E03", `${DICTIONARY}.locationTable.0`, { lines: [{}] }, "location_table[0]"],
  ["E03", `${DICTIONARY}.functionTable.0`, { startLine: 1 }, "function_table[0]"],
  ["E03", `${DICTIONARY}.attributeTable.0`, { value: { intValue: 0 } }, "attribute_table[0]"],
  ["E03", `${DICTIONARY}.stackTable.0`, { locationIndices: [1] }, "stack_table[0]", ["W04"]],
  ["E04", `${DICTIONARY}.linkTable.0`, { spanId: "0000000000000001" }, "link_table[0]"],
  ["E04", `${DICTIONARY}.linkTable.0`, { traceId: "00".repeat(16) }, "link_table[0]"],
  ["E05", "resourceProfiles", [], "resource_profiles", ["W05", "W18"]],
  ["E05", "resourceProfiles.1", { resource: { attributes: [KEY] } }, "resource_profiles[1].scope_profiles"],
  ["E05", "resourceProfiles.0.scopeProfiles.1", {}, "resource_profiles[0].scope_profiles[1].profiles"],
  ["E06", `${SAMPLE}.stackIndex`, 2, `${at("samples[0]")}.stack_index`],
  ["E06", `${SAMPLE}.attributeIndices`, [3, -1], `${at("samples[0]")}.attribute_indices[1]`],
  ["E06", `${PROFILE}.attributeIndices`, [99], at("attribute_indices[0]")],
  ["E06", `${PROFILE}.periodType.unitStrindex`, 12, at("period_type.unit_strindex"), ["W05"]],
  [
    "E06",
    `${DICTIONARY}.attributeTable.4.value`,
    { stringValueStrindex: 50 },
    "attribute_table[4].value.string_value_strindex",
  ],
  [
    "E06",
    "resourceProfiles.0.scopeProfiles.0.scope.attributes",
    [{ keyStrindex: 77 }],
    "resource_profiles[0].scope_profiles[0].scope.attributes[0].key_strindex",
  ],
  ["E07", `${SAMPLE}.attributeIndices`, [3, 4, 3], `${at("samples[0]")}.attribute_indices[2]`],
  [
    "E07",
    `${SAMPLE}.attributeIndices`,
    [3, ...Array.from({ length: 20 }, (_, i) => 99 + i), 3],
    `${at("samples[0]")}.attribute_indices[21]`,
    ["E06"],
  ],
  ["E07", "resourceProfiles.0.resource.attributes", [KEY, KEY], "resource_profiles[0].resource.attributes[1]"],
  ["E08", `${SAMPLE}.values`, [1], at("samples[0]")],
  ["E08", `${SAMPLE}.timestampsUnixNano`, undefined, at("samples[0]"), ["W02"]],
  ["E08", `${PROFILE}.samples`, [another({})], at("samples[0]"), ["W05"]],
  ["E09", `${DICTIONARY}.linkTable.1.spanId`, "01", "link_table[1].span_id"],
  ["E09", `${DICTIONARY}.linkTable.1.traceId`, undefined, "link_table[1].trace_id"],
  [
    "E10",
    `${DICTIONARY}.locationTable.1.lines`,
    [{ functionIndex: 1, column: -1 }],
    "location_table[1].lines[0].column",
  ],
  ["E10", `${DICTIONARY}.functionTable.1.startLine`, -5, "function_table[1].start_line"],
  ["E11", `${DICTIONARY}.mappingTable.1.memoryLimit`, 4096, "mapping_table[1].memory_start"],
  ["E12", `${PROFILE}.originalPayload`, undefined, at("original_payload_format")],
  ["E12", `${PROFILE}.originalPayloadFormat`, undefined, at("original_payload")],
  ["E13", `${PROFILE}.profileId`, "0102", at("profile_id")],
  [
    "E14",
    "resourceProfiles.0.resource.attributes",
    [{ ...KEY, keyStrindex: STRINGS.cpu }],
    "resource_profiles[0].resource.attributes[0].key_strindex",
  ],
  ["W01", `${SAMPLE}.timestampsUnixNano`, [999, 1500], `${at("samples[0]")}.timestamps_unix_nano`],
  ["W01", `${SAMPLE}.timestampsUnixNano`, [1500, 2000], `${at("samples[0]")}.timestamps_unix_nano`],
  ["W01", `${PROFILE}.durationNano`, 2n ** 64n - 1n, at("duration_nano")],
  ["W02", `${PROFILE}.samples.1.timestampsUnixNano`, undefined, at("samples[1]")],
  ["W03", `${PROFILE}.samples.2`, another({ values: [1], timestampsUnixNano: [1001] }), at("samples[2]")],
  [
    "W03",
    `${PROFILE}.samples.2`,
    { stackIndex: 1, attributeIndices: [4, 3], values: [1], timestampsUnixNano: [1001] },
    at("samples[2]"),
  ],
  [
    "W04",
    `${DICTIONARY}.linkTable.2`,
    (sound().dictionary as Record<string, Plain[]>).linkTable?.[1],
    "link_table[2]",
    ["W05"],
  ],
  [
    "W04",
    `${DICTIONARY}.mappingTable`,
    [
      {},
      ...[
        [1, 3],
        [3, 1],
      ].map((attributeIndices) => ({ filenameStrindex: STRINGS["libc.so"], attributeIndices })),
    ],
    "mapping_table[2]",
    ["W05"],
  ],
  ["W04", `${DICTIONARY}.stringTable.12`, "cpu", "string_table[12]", ["W05"]],
  ["W05", `${DICTIONARY}.stringTable.12`, "nobody", "string_table[12]"],
  ["W05", `${DICTIONARY}.stackTable.2`, { locationIndices: [1, 1] }, "stack_table[2]"],
  ["W06", `${DICTIONARY}.linkTable.1.spanId`, "00".repeat(8), "link_table[1].span_id"],
  ["W06", `${DICTIONARY}.linkTable.1.traceId`, "00".repeat(16), "link_table[1].trace_id"],
  ["W07", `${DICTIONARY}.functionTable.1.nameStrindex`, undefined, "function_table[1]", ["W05"]],
  ["W08", `${SAMPLE}.values`, [1, -HUGE], `${at("samples[0]")}.values`],
  ["W10", `${DICTIONARY}.locationTable.1.address`, 8193, "location_table[1].address"],
  ["W11", `${PROFILE}.sampleType`, undefined, at("sample_type"), ["W05"]],
  ["W11", `${PROFILE}.sampleType.unitStrindex`, 0, at("sample_type"), ["W05"]],
  ["W12", `${PROFILE}.periodType`, undefined, at("period"), ["W05"]],
  ["W12", `${PROFILE}.period`, -1, at("period")],
  ["W13", `${DICTIONARY}.stackTable.1`, { locationIndices: [1, 0] }, "stack_table[1].location_indices[1]"],
  ["W14", `${DICTIONARY}.stringTable.${STRINGS.By}`, "bytes", "attribute_table[4].unit_strindex"],
  ["W18", `${PROFILE}.samples`, undefined, "", ["W05"]],
  ["W26", `${PROFILE}.profileId`, "00".repeat(16), at("profile_id")],
  ["I04", `${DICTIONARY}.linkTable.0`, { traceId: "00".repeat(16), spanId: "00".repeat(8) }, "link_table[0]"],
  ["I09", `${DICTIONARY}.mappingTable.1.attributeIndices`, [], "mapping_table[1].attribute_indices", ["W05"]],
  ["I15", `${DICTIONARY}.locationTable.1.attributeIndices`, [4], "location_table[1].attribute_indices", ["W05"]],
  ["I16", "resourceProfiles.0.resource", undefined, "resource_profiles[0].resource"],
];

/** A message as large as that would take a test too long. */
const OF_SIZE = ["W19", "I19"];

function at(suffix: string): string {
  return `resource_profiles[0].scope_profiles[0].profiles[0].${suffix}`;
}

describe("a rule of what a message holds", () => {
  it("has nothing against a sound one", () => {
    expect(findings(sound())).toEqual([]);
  });

  it.each(CASES)("%s is broken by %s", (rule, path, value, where, besides = []) => {
    const found = findings(broken(path, value));
    expect(found.find((finding) => finding.rule === rule)).toMatchObject({ where, count: 1 });
    expect(found.map((finding) => finding.rule).filter((id) => id !== rule && !besides.includes(id))).toEqual([]);
  });

  it("W05 is broken by what only such an entry leads to", () => {
    const { locationTable = [], ...tables } = sound().dictionary as Record<string, unknown[]>;
    const message = broken("dictionary", {
      ...tables,
      locationTable: [...locationTable, { lines: [{ functionIndex: 2 }], attributeIndices: [2] }],
      functionTable: [...(tables.functionTable ?? []), { nameStrindex: STRINGS.cpu }],
    });
    expect(findings(message)).toMatchObject([{ rule: "W05", where: "location_table[2]", count: 2 }]);
  });

  it.each([
    [20, []],
    [21, ["I19"]],
    [65, ["W19"]],
  ])("of its size: %i MiB", (mebibytes, broken) => {
    const message = new Message(() => {});
    message.byteLength = mebibytes * 2 ** 20;
    const found: string[] = [];
    for (const { id, check } of RULES.filter((rule) => OF_SIZE.includes(rule.id)))
      check?.(message, () => found.push(id));
    expect(found).toEqual(broken);
  });

  it("has a case here, each of them", () => {
    const cases = new Set([...CASES.map(([rule]) => rule), ...OF_SIZE]);
    const checked = RULES.filter(({ check }) => check !== undefined);
    expect(checked.map(({ id }) => id).filter((id) => !cases.has(id))).toEqual([]);
  });
});
