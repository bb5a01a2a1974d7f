/** Scopes, schema URLs and profile ids of other producers: they are in the message that is written again. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import type { Filter } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { emptyCore } from "../../kit/core/read-store.ts";
import { need } from "../../kit/needs.ts";
import { jsonOf, type Plain, protobufOf } from "../../kit/otlp/otlp-encode.ts";
import { resolve } from "../../kit/otlp/resolve.ts";
import { findingsOf } from "../../kit/otlp/valid.ts";

const SHOP = new Uint8Array(readFileSync(new URL("../../../fixtures/shop.jfr", import.meta.url)));
const CASES = new URL("../../../../shared/otlp-cases/", import.meta.url);
const IDS = ["11", "22", "33"].map((byte) => byte.repeat(16));

/** A type that the catalogue has, one that it has not, and one whose values count samples. */
const TYPES = ["cpu/samples", "cpu-time/nanoseconds", "samples/count"];
const MANY = Array.from({ length: 1500 }, (_, i) => `t${i}`);
const STRINGS = ["", "cpu", "samples", "cpu-time", "nanoseconds", "count", "main", "tenant", ...MANY];

interface Scope {
  resourceUrl?: string;
  url?: string;
  scope?: Plain;
  profiles: { type: string; period?: number; id?: string; value?: bigint }[];
}

/** A message with a ResourceProfiles for each scope, of one function. */
function message(scopes: readonly Scope[]): Plain {
  const typed = (type: string) => {
    const [name = "", unit = ""] = type.split("/");
    return { typeStrindex: STRINGS.indexOf(name), unitStrindex: STRINGS.indexOf(unit) };
  };
  const sample = (value: bigint) => ({ stackIndex: 1, values: [value], timestampsUnixNano: [1500n] });
  return {
    resourceProfiles: scopes.map(({ resourceUrl, url, scope, profiles }) => ({
      resource: { attributes: [{ key: "service.name", value: { stringValue: "shop" } }] },
      scopeProfiles: [
        {
          ...(scope === undefined ? {} : { scope }),
          profiles: profiles.map(({ type, period, id, value = 1n }) => ({
            sampleType: typed(type),
            samples: [sample(value)],
            timeUnixNano: 1000n,
            durationNano: 1000n,
            ...(period === undefined ? {} : { periodType: typed("cpu/nanoseconds"), period: BigInt(period) }),
            ...(id === undefined ? {} : { profileId: id }),
          })),
          ...(url === undefined ? {} : { schemaUrl: url }),
        },
      ],
      ...(resourceUrl === undefined ? {} : { schemaUrl: resourceUrl }),
    })),
    dictionary: {
      mappingTable: [{}],
      locationTable: [{}, { lines: [{ functionIndex: 1, line: 7n }] }],
      functionTable: [{}, { nameStrindex: STRINGS.indexOf("main") }],
      linkTable: [{}],
      stringTable: STRINGS,
      attributeTable: [{}],
      stackTable: [{}, { locationIndices: [1] }],
    },
  };
}

/** All reads use one core: what a former one gave is void. */
async function read(...files: Uint8Array[]): Promise<Core> {
  const core = await emptyCore();
  await readInputs(
    core,
    files.map((bytes, i) => ({ name: `${i}`, source: bytesSource(bytes) })),
  );
  return core;
}

interface Written {
  resourceUrl: string;
  url: string;
  scope: string;
  type: string;
  period: string;
  id: string;
}

/** Each Profile with all that is around it, as JSON has it; the message is valid and the same in protobuf. */
async function written(core: Core, filter: Filter = {}, preset?: "aggregated"): Promise<Written[]> {
  const options = preset === undefined ? {} : { preset };
  const { bytes } = core.write(null, filter, { format: "otlp", ...options });
  const json = core.write(null, filter, { format: "otlp-json", ...options }).bytes;
  expect(findingsOf(bytes, "protobuf")).toEqual([]);
  expect(findingsOf(json, "json")).toEqual([]);
  const found = profilesOf(json);
  if (core.select(null, filter).samples > 0) {
    const again = (await read(bytes)).write(null, {}, { format: "otlp-json" }).bytes;
    expect(new Set(profilesOf(again))).toEqual(new Set(found));
  }
  return found;
}

function profilesOf(json: Uint8Array): Written[] {
  const data = JSON.parse(new TextDecoder().decode(json));
  const word = (i = 0): string => data.dictionary.stringTable[i];
  return data.resourceProfiles.flatMap((resourced: Plain) =>
    (resourced.scopeProfiles as Plain[]).flatMap((scoped) =>
      (scoped.profiles as Record<string, Record<string, number>>[]).map(({ sampleType, period, profileId }) => ({
        resourceUrl: resourced.schemaUrl ?? "",
        url: scoped.schemaUrl ?? "",
        scope: scopeText(scoped.scope as Plain),
        type: `${word(sampleType?.typeStrindex)}/${word(sampleType?.unitStrindex)}`,
        period: `${period ?? ""}`,
        id: `${profileId}`,
      })),
    ),
  );
}

/** Attributes are sorted: their order means nothing. */
function scopeText({ attributes = [], ...scope }: Plain & { attributes?: Plain[] }): string {
  const pairs = attributes.map((pair) => JSON.stringify(pair)).sort();
  return JSON.stringify(pairs.length === 0 ? scope : { ...scope, attributes: pairs });
}

const OURS = expect.stringMatching(/^\{"name":"spanflame"/);
const AGENT = {
  name: "agent",
  version: "1.2",
  attributes: [
    { key: "build", value: { stringValue: "a" } },
    { key: "flags", value: { arrayValue: { values: [{ intValue: 1n }, { boolValue: true }] } } },
  ],
};

describe("a message of another producer", () => {
  it("is written with its scopes, schema URLs and profile ids", async () => {
    const scopes: Scope[] = [
      { resourceUrl: "r:1", url: "s:1", scope: AGENT, profiles: [{ type: "cpu-time/nanoseconds", id: IDS[0]! }] },
      { scope: { name: "other" }, profiles: [{ type: "cpu/samples", id: IDS[1]! }] },
      { resourceUrl: "r:1", url: "s:2", scope: AGENT, profiles: [{ type: "samples/count", id: IDS[2]! }] },
    ];
    for (const bytes of [protobufOf(message(scopes)), jsonOf(message(scopes))]) {
      const core = await read(bytes);
      const agent = scopeText(
        JSON.parse(JSON.stringify(AGENT, (_, value) => (typeof value === "bigint" ? `${value}` : value))),
      );
      const one = { resourceUrl: "r:1", scope: agent, period: "" };
      expect(new Set(await written(core))).toEqual(
        new Set([
          { ...one, url: "s:1", type: "cpu-time/nanoseconds", id: IDS[0] },
          { ...one, url: "s:2", type: "samples/count", id: IDS[2] },
          { resourceUrl: "", url: "", scope: '{"name":"other"}', type: "cpu/samples", period: "", id: IDS[1] },
        ]),
      );
      const again = core.write(null, {}, { format: "otlp" }).bytes;
      expect((await read(again)).write(null, {}, { format: "otlp" }).bytes).toEqual(again);
    }
  });

  it("without a scope has that of our writer", async () => {
    const core = await read(protobufOf(message([{ profiles: [{ type: "cpu/samples" }] }])));
    expect(await written(core)).toMatchObject([{ scope: OURS, type: "cpu/samples" }]);
  });

  it("has another profile id when a part of it is written, or its sums", async () => {
    const bytes = protobufOf(message([{ scope: AGENT, profiles: [{ type: "cpu/samples", id: IDS[0]! }] }]));
    const idOf = async (filter: Filter = {}, preset?: "aggregated") =>
      (await written(await read(bytes), filter, preset))[0]?.id;
    expect(await idOf()).toBe(IDS[0]);
    expect(await idOf({ time: { from: 0n, to: 1501n } })).not.toBe(IDS[0]);
    expect(await idOf({ frames: [{ pattern: "^none$" }] })).not.toBe(IDS[0]);
    expect(await idOf({}, "aggregated")).not.toBe(IDS[0]);
  });

  it("loses the ids of Profiles that are joined", async () => {
    const profiles = [
      { type: "samples/count", id: IDS[0]! },
      { type: "samples/count", id: IDS[1]! },
    ];
    const found = await written(await read(protobufOf(message([{ scope: AGENT, profiles }]))));
    const ids = found.map(({ id }) => id);
    expect(ids).toHaveLength(1);
    expect(IDS).not.toContain(ids[0]);
  });

  it("beside a recording is one profile with it, and keeps its scope in the output", async () => {
    const theirs = protobufOf(message([{ scope: AGENT, profiles: [{ type: "cpu/samples", id: IDS[0]!, value: 5n }] }]));
    const alone = (await read(SHOP)).profiles().find(({ type }) => type === "cpu");
    for (const files of [
      [SHOP, theirs],
      [theirs, SHOP],
    ]) {
      const core = await read(...files);
      const cpu = core.profiles().filter(({ type }) => type.startsWith("cpu"));
      expect(cpu).toMatchObject([{ samples: alone!.samples + 1, value: alone!.value + 5n, unit: "samples" }]);
      const outputs = (await written(core)).filter(({ type }) => type === "cpu/samples");
      expect(outputs.map(({ scope }) => scope).sort()).toEqual([
        expect.stringContaining('"agent"'),
        expect.stringContaining('"spanflame"'),
      ]);
      expect(outputs.filter(({ id }) => id === IDS[0])).toHaveLength(1);
    }
  });

  it("counts samples of one period, whatever their scopes are", async () => {
    const profiles = [{ type: "cpu/samples", period: 10_000_000, value: 2n }];
    const core = await read(
      protobufOf(
        message([
          { scope: { name: "a" }, profiles },
          { scope: { name: "b" }, profiles },
        ]),
      ),
    );
    expect(core.profiles()).toMatchObject([{ unit: "samples", value: 4n, samples: 2, period: 10_000_000n }]);
    expect(core.profiles()[0]).not.toHaveProperty("periods");
    expect((await written(core)).map(({ scope, period }) => [scope, period])).toEqual([
      ['{"name":"a"}', "10000000"],
      ['{"name":"b"}', "10000000"],
    ]);
  });

  it("of more scopes than there are rows keeps every sample", async () => {
    const scopes = Array.from({ length: 1200 }, (_, i) => ({
      scope: { name: `scope ${i}` },
      profiles: [{ type: TYPES[i % 3]!, period: 10_000_000 }],
    }));
    const core = await read(protobufOf(message(scopes)));
    expect(core.samples()).toBe(1200);
    expect(core.diagnostics().map(({ code }) => code)).toContain("otlp.profiles.many");
    expect(findingsOf(core.write(null, {}, { format: "otlp" }).bytes, "protobuf")).toEqual([]);
  });

  it("of more periods than there are rows keeps every value", async () => {
    const profiles = MANY.map((_, i) => ({ type: "cpu/samples", period: i + 1, value: 2n }));
    const core = await read(protobufOf(message([{ profiles }])));
    expect(core.samples()).toBe(1500);
    expect(core.profiles().reduce((sum, { value }) => sum + value, 0n)).toBe(3000n);
    expect(core.profiles()[0]?.unit).toBe("samples");
  });

  it("of more types than there are rows says how many are lost", async () => {
    const profiles = MANY.map((name) => ({ type: `${name}/count` }));
    const core = await read(protobufOf(message([{ profiles }])));
    const [lost] = core.diagnostics().filter(({ code }) => code === "otlp.types.many");
    expect(lost?.severity).toBe("error");
    expect(lost?.message).toContain(`${1500 - core.samples()} profiles left out`);
    expect(core.samples()).toBeGreaterThan(900);
  });
});

describe("any message", () => {
  const text = fc.constantFrom("", "a", "β", 'quote " and \\');
  const scope = fc.record(
    {
      name: text,
      version: text,
      attributes: fc.uniqueArray(
        fc.record({ key: fc.constantFrom("k", "l"), value: fc.constantFrom({ intValue: 1n }, { stringValue: "" }) }),
        { selector: ({ key }) => key, maxLength: 2 },
      ),
    },
    { requiredKeys: [] },
  );
  const profile = fc.record(
    { type: fc.constantFrom(...TYPES), period: fc.constantFrom(5, 10_000_000), id: fc.constantFrom(...IDS) },
    { requiredKeys: ["type"] },
  );
  const scopes = fc.array(
    fc.record(
      { resourceUrl: text, url: text, scope, profiles: fc.array(profile, { minLength: 1, maxLength: 3 }) },
      { requiredKeys: ["profiles"] },
    ),
    { minLength: 1, maxLength: 5 },
  );

  /** What tells the written Profiles apart; ids are kept for those that nothing else is joined to. */
  const identity = (one: Omit<Written, "id">) =>
    JSON.stringify([one.resourceUrl, one.url, one.scope, one.type, one.period]);

  it("keeps its scopes, URLs, and the ids of Profiles that are not joined", async () => {
    await fc.assert(
      fc.asyncProperty(scopes, async (all) => {
        const wanted = new Map<string, (string | undefined)[]>();
        for (const { resourceUrl = "", url = "", scope: named = {}, profiles } of all as Scope[]) {
          const isEmpty = resourceUrl === "" && url === "" && (named.name ?? "") === "" && (named.version ?? "") === "";
          const isBare = isEmpty && ((named.attributes as unknown[] | undefined) ?? []).length === 0;
          for (const { type, period, id } of profiles) {
            const around = isBare
              ? "ours"
              : identity({ resourceUrl, url, scope: plainScope(named), type, period: `${period ?? ""}` });
            // The smallest period counts where it is no factor.
            const key = around === "ours" ? `ours ${type} ${period}` : around;
            wanted.set(key, [...(wanted.get(key) ?? []), id]);
          }
        }
        const original = protobufOf(message(all as Scope[]));
        const found = await written(await read(original));
        const theirs = found.filter((one) => !one.scope.includes('"name":"spanflame"'));
        expect(theirs.map(identity).sort()).toEqual([...wanted.keys()].filter((key) => !key.startsWith("ours")).sort());
        for (const one of theirs) {
          const ids = wanted.get(identity(one)) ?? [];
          if (ids.length === 1 && ids[0] !== undefined) expect(one.id).toBe(ids[0]);
          else expect(IDS).not.toContain(one.id);
        }
        const { bytes } = (await read(original)).write(null, {}, { format: "otlp" });
        expect(resolve(bytes).sort()).toEqual(resolve(original).sort());
      }),
      { numRuns: 150 },
    );
  });

  function plainScope({ name, version, attributes }: Plain): string {
    const pairs = (attributes as { key: string; value: Plain }[] | undefined) ?? [];
    return scopeText({
      ...(name === undefined || name === "" ? {} : { name }),
      ...(version === undefined || version === "" ? {} : { version }),
      attributes: pairs.map(({ key, value }) => ({ key, value: "intValue" in value ? { intValue: "1" } : value })),
    });
  }
});

const isThere = existsSync(CASES);
/** Messages whose JSON can be read as it is, and is what their protobuf contains. */
const SOUND = /^(good|golden|a0|d0|i02|i05|i06|n0|o|r03|r04|r05|r13|r14|r15|r17|r18|s0[4567]|z0)/;

need(isThere, "no ../shared/otlp-cases").describe("the shared messages", () => {
  const names = (isThere ? readdirSync(CASES) : []).filter((name) => SOUND.test(name) && /\.(pb|json)$/.test(name));

  it.each(names)("%s", async (name) => {
    const bytes = new Uint8Array(readFileSync(new URL(name, CASES)));
    const { resourceProfiles } = JSON.parse(readFileSync(new URL(name.replace(/pb$/, "json"), CASES), "utf8"));
    const around = new Set<string>();
    const ids: string[] = [];
    for (const { schemaUrl: resourceUrl = "", scopeProfiles } of resourceProfiles) {
      for (const { schemaUrl = "", scope = {}, profiles } of scopeProfiles) {
        const { name = "", version = "", attributes = [] } = scope;
        const isOurs =
          attributes.length === 0 && (name === "spanflame" || `${resourceUrl}${schemaUrl}${name}${version}` === "");
        around.add(isOurs ? "ours" : [resourceUrl, schemaUrl, name, version, attributes.length].join(" "));
        for (const { profileId, samples = [] } of profiles) {
          if (profileId !== undefined && !/^0*$/.test(profileId) && samples.length > 0) ids.push(profileId);
        }
      }
    }
    const found = profilesOf((await read(bytes)).write(null, {}, { format: "otlp-json" }).bytes);
    const written = found.map(({ resourceUrl, url, scope }) => {
      const { name = "", version = "", attributes = [] } = JSON.parse(scope);
      const isOurs = name === "spanflame" && attributes.length === 0;
      return isOurs ? "ours" : [resourceUrl, url, name, version, attributes.length].join(" ");
    });
    expect(new Set(written)).toEqual(around);
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });
});
