/** Each rule of a receiver is violated by one change of a message that the receiver takes, and has to be reported. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { jsonOf, type Plain, protobufOf } from "../../../test/kit/otlp/otlp-encode.ts";
import { broken, STRINGS, sound } from "../../../test/kit/otlp/sound-message.ts";
import { bytesSource } from "../../bytes/byte-source.ts";
import { Core } from "../../core/core.ts";
import { readInputs } from "../../input/open.ts";
import { RuleDiagnostics } from "../diagnostics.ts";
import { Message } from "../message.ts";
import { RECEIVER_NAMES, type ReceiverName } from "../receiver-names.ts";
import { validate, validateBytes } from "../validate.ts";
import { RECEIVERS } from "./receivers.ts";
import { RULES } from "./rules.ts";

const PROFILE = "resourceProfiles.0.scopeProfiles.0.profiles.0";
const SAMPLE = `${PROFILE}.samples.0`;
const DICTIONARY = "dictionary";
const ZEROS = { traceId: "00".repeat(16), spanId: "00".repeat(8) };

/** Rules of a receiver that a message breaks, in both encodings. */
function brokenBy(message: Plain, name: ReceiverName): string[] {
  const own = (bytes: Uint8Array, form: "protobuf" | "json") =>
    validateBytes(bytes, form, { for: [name] })
      .findings.map(({ rule }) => rule)
      .filter((rule) => rule.startsWith(`${name}.`) && rule !== "pyroscope.W02");
  const rules = own(protobufOf(message), "protobuf");
  expect(own(jsonOf(message), "json")).toEqual(rules);
  return rules;
}

/** The rules that the sound message breaks: it has several values, links and no build id of Elastic's kind. */
const SOUND: Record<ReceiverName, string[]> = {
  collector: [],
  pyroscope: ["pyroscope.E02", "pyroscope.I02"],
  parca: ["parca.W01", "parca.I01"],
  elastic: ["elastic.I01", "elastic.I02"],
};

/** A change of the sound message and the rule that it breaks. */
const CASES: [rule: string, path: string, value: unknown][] = [
  ["parca.E01", `${PROFILE}.periodType`, undefined],
  ["parca.E02", "resourceProfiles.0.scopeProfiles.0.profiles.1", { sampleType: {}, periodType: {} }],
  ["parca.E03", `${PROFILE}.sampleType`, undefined],
  ["parca.E04", "resourceProfiles.0.resource", undefined],
  ["parca.E04", "resourceProfiles.0.scopeProfiles.0.scope", undefined],
  ["parca.E05", `${DICTIONARY}.linkTable.0`, ZEROS],
  ["parca.E06", `${SAMPLE}.timestampsUnixNano`, [1000n, 2001n]],
  ["parca.E07", `${PROFILE}.profileId`, "00".repeat(16)],
  ["parca.E08", `${PROFILE}.period`, -1n],
  ["parca.E09", "resourceProfiles.0.resource.attributes.1", { keyStrindex: STRINGS.main, value: { stringValue: "x" } }],
  ["parca.E10", "resourceProfiles.0.resource.attributes.1", { key: "empty" }],
  ["parca.E10", `${DICTIONARY}.attributeTable.3.value`, undefined],
  ["parca.W01", `${SAMPLE}.attributeIndices`, [4]],
  ["parca.I01", `${SAMPLE}.linkIndex`, 1],
  ["pyroscope.E01", `${PROFILE}.sampleType`, undefined],
  ["pyroscope.E02", `${SAMPLE}.linkIndex`, 1],
  ["pyroscope.W01", `${PROFILE}.periodType`, undefined],
  ["pyroscope.W03", `${DICTIONARY}.attributeTable.3.value`, { boolValue: true }],
  [
    "pyroscope.W04",
    "resourceProfiles.0.scopeProfiles.0.scope.attributes",
    [{ keyStrindex: STRINGS.main, value: { stringValue: "x" } }],
  ],
  ["pyroscope.I01", "resourceProfiles.0.resource", undefined],
  ["pyroscope.I02", `${SAMPLE}.linkIndex`, 1],
  ["elastic.E01", `${PROFILE}.sampleType.typeStrindex`, STRINGS.cpu],
  ["elastic.E02", `${PROFILE}.periodType.unitStrindex`, STRINGS.count],
  ["elastic.E03", `${DICTIONARY}.locationTable.1.attributeIndices`, []],
  ["elastic.W01", `${SAMPLE}.timestampsUnixNano`, undefined],
  ["elastic.I01", `${SAMPLE}.linkIndex`, 1],
  ["elastic.I02", `${SAMPLE}.linkIndex`, 1],
  ["collector.E01", `${PROFILE}.samples`, []],
  ["collector.W01", `${DICTIONARY}.linkTable.1.spanId`, "00".repeat(8)],
];

/** Cases below: they need another encoding or a large message. */
const ELSEWHERE = ["pyroscope.W02", "collector.E02", "collector.E03", "collector.E04", "collector.I01"];

describe("a rule of a receiver", () => {
  it.each(RECEIVERS.map(({ name }) => name))("reports of the sound message only the data that %s ignores", (name) => {
    expect(brokenBy(sound(), name)).toEqual(SOUND[name]);
  });

  it.each(CASES)("%s is broken by %s", (rule, path, value) => {
    const name = rule.split(".")[0] as ReceiverName;
    expect(brokenBy(broken(path, value), name)).toContain(rule);
  });

  it("Parca takes a timestamp at the end of its profile", () => {
    expect(brokenBy(broken(`${SAMPLE}.timestampsUnixNano`, [1000n, 2000n]), "parca")).toEqual(SOUND.parca);
  });

  it("pyroscope.W02 is broken by JSON", () => {
    const { findings } = validateBytes(jsonOf(sound()), "json", { for: ["pyroscope"] });
    expect(findings.map(({ rule }) => rule)).toContain("pyroscope.W02");
  });

  it("collector.E03 and E04 are broken by several messages and by a byte order mark", async () => {
    const bytes = jsonOf(sound());
    const text = new TextDecoder().decode(bytes);
    const { findings, valid } = await validate(new TextEncoder().encode(`\ufeff${text}\n${text}`), {
      for: ["collector"],
    });
    expect(findings.map(({ rule }) => rule).filter((rule) => rule.startsWith("collector"))).toEqual([
      "collector.E03",
      "collector.E04",
    ]);
    expect(valid).toBe(false);
  });

  it.each([
    [4, []],
    [5, ["collector.I01"]],
    [21, ["I19", "collector.E02", "collector.I01"]],
    [65, ["W19", "collector.E02", "collector.I01"]],
  ])("of the size of a body: %i MiB", (mebibytes, expected) => {
    const message = new Message(() => {});
    message.byteLength = mebibytes * 2 ** 20;
    const { rules } = RECEIVERS.find(({ name }) => name === "collector")!;
    const diagnostics = new RuleDiagnostics(RECEIVERS.filter(({ name }) => name === "collector"));
    const sized = [...RULES.filter(({ id }) => id === "I19" || id === "W19"), ...rules];
    for (const rule of sized) rule.check?.(message, (where, says) => diagnostics.add(rule, where, says));
    const found = diagnostics.report().findings.map(({ rule }) => rule);
    expect(found.sort()).toEqual(expected.sort());
  });

  it("is checked for the receivers that are named, each of them", () => {
    const rulesFor = (names: readonly ReceiverName[]) =>
      validateBytes(protobufOf(broken(`${PROFILE}.periodType`, undefined)), "protobuf", { for: names }).findings.map(
        ({ rule }) => rule,
      );
    expect(rulesFor([]).filter((rule) => rule.includes("."))).toEqual([]);
    expect(rulesFor(["parca", "elastic"])).toEqual(expect.arrayContaining(["parca.E01", "elastic.E02"]));
  });

  it("has a case here, each of them", () => {
    const cases = new Set([...CASES.map(([rule]) => rule), ...ELSEWHERE]);
    const ids = RECEIVERS.flatMap(({ rules }) => rules.map(({ id }) => id));
    expect(ids.filter((id) => !cases.has(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is of a receiver with a name, in the order of the names", () => {
    expect(RECEIVERS.map(({ name }) => name)).toEqual([...RECEIVER_NAMES]);
  });

  it("names general rules that exist", () => {
    const general = new Set(RULES.map(({ id }) => id));
    const named = RECEIVERS.flatMap(({ rules }) => rules.flatMap(({ of = [] }) => of));
    expect(named.filter((id) => !general.has(id))).toEqual([]);
  });
});

describe("a message of ours", () => {
  async function coreOf(path: string): Promise<Core> {
    const module = new Uint8Array(readFileSync(new URL("../../../build/core.wasm", import.meta.url)));
    const core = await Core.instantiate(await WebAssembly.compile(module));
    const source = bytesSource(new Uint8Array(readFileSync(new URL(`../../../${path}`, import.meta.url))));
    await readInputs(core, [{ name: path, source }]);
    return core;
  }

  async function errorsFor(bytes: Uint8Array, name: ReceiverName) {
    return (await validate(bytes, { for: [name] })).findings.filter(({ severity }) => severity === "error");
  }

  it.each([
    ["parca", "otel"],
    ["parca", "default"],
    ["pyroscope", "pyroscope"],
    ["collector", "otel"],
  ] as const)("is taken by %s with the preset %s", async (name, preset) => {
    const core = await coreOf("fixtures/shop.jfr");
    expect(await errorsFor(core.write(null, {}, { format: "otlp", preset }).bytes, name)).toEqual([]);
  });

  it("is taken by Elastic, with truncated stacks, if it has CPU samples of a known period only", async () => {
    const core = await coreOf("public/sample.jfr");
    const cpu = core.profiles().find(({ type }) => type === "cpu")!.id;
    const { bytes } = core.write(cpu, {}, { format: "otlp", preset: "otel" });
    expect(new TextDecoder().decode(bytes)).toContain("[truncated]");
    expect(await errorsFor(bytes, "elastic")).toEqual([]);
    expect(await errorsFor(core.write(null, {}, { format: "otlp" }).bytes, "elastic")).not.toEqual([]);
  });
});
