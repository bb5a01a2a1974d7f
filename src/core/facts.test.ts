/** What stands in two places says the same: version, findings, catalogue. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { EVENTS, PROFILES } from "./catalogue.ts";
import { catalogueBytes } from "./catalogue-bytes.ts";
import { FINDINGS } from "./diagnostics.ts";
import { VERSION } from "./version.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** Members of an enum without initializers, in order. */
function enumMembers(source: string, name: string): string[] {
  const body = new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(source)?.[1] ?? "";
  const members = body.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "").split(",");
  return members.map((member) => member.trim()).filter((member) => member !== "");
}

describe("the version", () => {
  it("is the package's", () => {
    expect(VERSION).toBe(JSON.parse(read("package.json")).version);
  });
});

describe("findings", () => {
  const members = enumMembers(read("assembly/read/jfr/codes.ts"), "Finding");

  it("have words, one for each of the core's", () => {
    expect(members.length).toBeGreaterThan(10);
    expect(members.every((member) => /^\w+$/.test(member))).toBe(true);
    expect(FINDINGS).toHaveLength(members.length);
  });

  it("have codes of their own, which stay", () => {
    const codes = FINDINGS.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes.slice(1)) expect(code).toMatch(/^[a-z]+(\.[a-z-]+)+$/);
    // Users' scripts know these; a new finding is a new line, nothing else here changes.
    expect(Object.fromEntries(members.map((member, i) => [member, codes[i]]))).toMatchObject({
      ChunkTruncated: "jfr.chunk.truncated",
      ChunkUnfinished: "jfr.chunk.unfinished",
      NoMetadata: "jfr.metadata.missing",
      MetadataDamaged: "jfr.metadata.damaged",
      MetadataMoved: "jfr.metadata.moved",
      PoolsMoved: "jfr.pools.moved",
      ChainBroken: "jfr.pools.chain",
      CheckpointDamaged: "jfr.checkpoint.damaged",
      PoolUndefined: "jfr.pool.undefined",
      EventSize: "jfr.event.size",
      EventUndefined: "jfr.event.undefined",
      EventShort: "jfr.event.short",
      TicksPerSecond: "jfr.clock.frequency",
      ContextAttributes: "jfr.context.many",
      FixedWidth: "jfr.integers.fixed",
      TooComplex: "jfr.too-complex",
      StackDamaged: "jfr.stack.damaged",
    });
  });

  it("say something for every value and count", () => {
    for (const { severity, text } of FINDINGS.slice(1)) {
      expect(["error", "warning", "info"]).toContain(severity);
      for (const n of [0n, -1n, (1n << 63n) - 1n]) {
        for (const times of [1, 2, 1000]) {
          expect(text(n, times)).toMatch(/\S/);
          expect(text(n, times)).not.toMatch(/undefined|NaN|\[object/);
        }
      }
    }
  });
});

describe("the catalogue", () => {
  it("names a profile that there is for every event, each event and each type once", () => {
    const types = PROFILES.map(({ type }) => type);
    for (const { profile } of EVENTS) expect(types).toContain(profile);
    expect(new Set(types).size).toBe(types.length);
    expect(new Set(EVENTS.map(({ event }) => event)).size).toBe(EVENTS.length);
    for (const type of types) expect(EVENTS.map(({ profile }) => profile)).toContain(type);
  });

  it("is what the issue says of the seed", () => {
    const rows = EVENTS.map(({ event, profile, value }) => [
      event,
      profile,
      PROFILES.find((p) => p.type === profile)?.unit,
      value.rule,
    ]);
    expect(rows).toEqual(
      expect.arrayContaining([
        ["datadog.ExecutionSample", "cpu", "samples", "field"],
        ["datadog.MethodSample", "wall", "samples", "field"],
        ["datadog.ObjectSample", "alloc-samples", "bytes", "scaled"],
        ["jdk.JavaMonitorEnter", "lock-contention", "nanoseconds", "duration"],
        ["jdk.JavaMonitorWait", "lock-contention", "nanoseconds", "duration"],
      ]),
    );
  });

  it("is the same behind its bytes", () => {
    const bytes = catalogueBytes(PROFILES, EVENTS);
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let at = 0;
    const byte = () => bytes[at++] ?? -1;
    const text = () => {
      const n = byte();
      at += n;
      return decoder.decode(bytes.subarray(at - n, at));
    };
    const times = <T>(n: number, one: () => T) => Array.from({ length: n }, one);
    const profiles = times(byte(), () => times(6, text));
    const events = times(byte(), () => {
      const [event, profile, rule, fields] = [text(), byte(), byte(), times(3, text)];
      return {
        event,
        profile: PROFILES[profile]?.type,
        rule,
        fields,
        attributes: times(byte(), () => [text(), text()]),
      };
    });
    expect(at).toBe(bytes.length);
    expect(profiles).toEqual(
      PROFILES.map(({ type, unit, period }) => [
        type,
        unit,
        period?.type ?? "",
        period?.unit ?? "",
        period?.configField ?? "",
        period?.setting ?? "",
      ]),
    );
    const rules = enumMembers(read("assembly/read/jfr/catalogue.ts"), "Rule").map((rule) => rule.toLowerCase());
    expect(events).toEqual(
      EVENTS.map(({ event, profile, value, attributes }) => {
        const { rule, ...rest } = value;
        const fields = Object.values(rest) as string[];
        return { event, profile, rule: rules.indexOf(rule), fields: [...fields, "", "", ""].slice(0, 3), attributes };
      }),
    );
  });

  it("refuses what it cannot say", () => {
    const row = EVENTS[0]!;
    expect(() => catalogueBytes(PROFILES, [{ ...row, profile: "gpu" }])).toThrow(/gpu/);
    expect(() => catalogueBytes(PROFILES, [{ ...row, event: "x".repeat(256) }])).toThrow(/256 bytes/);
  });
});
