/** What stands in two places says the same: version, diagnostics, catalogue. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PROFILES, type ValueRule, wireType } from "./catalogue.ts";
import { catalogueBytes } from "./catalogue-bytes.ts";
import { JFR_DIAGNOSTICS } from "./diagnostics/jfr.ts";
import { DIAGNOSED, wordingOf } from "./diagnostics/words.ts";
import { FACTS } from "./resource.ts";
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

describe("diagnostics", () => {
  const members = enumMembers(read("assembly/read/jfr/codes.ts"), "Diagnostic");

  it("have words, one for each of the core's", () => {
    expect(members.length).toBeGreaterThan(10);
    expect(members.every((member) => /^\w+$/.test(member))).toBe(true);
    expect(JFR_DIAGNOSTICS).toHaveLength(members.length);
  });

  it("have codes of their own, which stay", () => {
    const codes = JFR_DIAGNOSTICS.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes.slice(1)) expect(code).toMatch(/^[a-z]+(\.[a-z-]+)+$/);
    // Users' scripts know these; a new diagnostic is a new line, nothing else here changes.
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
      SampleFailed: "jfr.sample.failed",
      SnapshotSuperseded: "jfr.snapshot.superseded",
    });
  });

  it.each(DIAGNOSED)("of $room have words, in the order of its room", ({ room, first, words }) => {
    const own = enumMembers(read(`assembly/read/${room}/codes.ts`), "Diagnostic");
    expect(words).toHaveLength(own.length);
    expect(new Set(words.map(({ code }) => code)).size).toBe(own.length);
    for (const { code } of words) expect(code).toMatch(new RegExp(`^(none|${room}(\\.[a-z-]+)+)$`));
    expect(Number(/= (\d+)$/.exec(own[0] ?? "= 0")?.[1] ?? 0)).toBe(first);
    expect(wordingOf(first)).toBe(words[0]);
    expect(wordingOf(first + own.length - 1)).toBe(words.at(-1));
  });

  it("say something for every value and count", () => {
    for (const { code, severity, text } of DIAGNOSED.flatMap(({ words }) => words)) {
      if (code === "none") continue;
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
  const rows = PROFILES.flatMap((profile) => profile.events.map((event) => ({ profile, event })));

  it("has a name in OTLP for every profile, and each event in one place", () => {
    const names = PROFILES.map((_, i) => wireType(PROFILES, i));
    expect(new Set(names).size).toBe(names.length);
    const own = rows.filter(({ event }) => event.routed !== true).map(({ event }) => event.event);
    expect(new Set(own).size).toBe(own.length);
  });

  it("gives the plain names to the events that Datadog's draft converter reads", () => {
    const plain = [
      ["datadog.ExecutionSample", "cpu", "samples", "field"],
      ["datadog.MethodSample", "wall", "samples", "field"],
      ["datadog.ObjectSample", "alloc-samples", "bytes", "scaled"],
      ["jdk.JavaMonitorEnter", "lock-contention", "nanoseconds", "duration"],
      ["jdk.JavaMonitorWait", "lock-contention", "nanoseconds", "duration"],
    ];
    expect(
      rows.map(({ profile, event }) => [
        event.event,
        wireType(PROFILES, PROFILES.indexOf(profile)),
        profile.unit,
        event.value.rule,
      ]),
    ).toEqual(expect.arrayContaining(plain));
  });

  it("has a routed row behind every row that routes, and no other", () => {
    const events = rows.map(({ event }) => event);
    for (const [i, event] of events.entries()) {
      if (event.routed === true) expect(events.slice(0, i).some((e) => e.event === event.event && e.route)).toBe(true);
      if (event.route !== undefined)
        expect(events.slice(i).some((e) => e.event === event.event && e.routed)).toBe(true);
    }
  });

  it("gives a second measure to all events of a profile or to none", () => {
    for (const { profile, event } of rows) {
      expect([event.event, event.second === undefined]).toEqual([event.event, profile.second === undefined]);
      const kinds = profile.events.map((e) => e.second?.rule === "count");
      expect(new Set(kinds).size, profile.type).toBe(1);
    }
  });

  it("is the same behind its bytes", () => {
    const bytes = catalogueBytes(PROFILES);
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let at = 0;
    const byte = () => bytes[at++] ?? -1;
    const text = () => {
      const n = byte();
      at += n;
      return decoder.decode(bytes.subarray(at - n, at));
    };
    const times = <T>(n: number, one: () => T) => Array.from({ length: n }, one);
    const list = <T>(one: () => T) => times(byte(), one);
    const profiles = list(() => [...times(7, text), byte(), list(text)]);
    const rule = () => [byte(), ...times(3, text)];
    const events = list(() => [
      text(),
      byte(),
      byte(),
      rule(),
      rule(),
      ...times(3, text),
      list(text),
      list(() => [text(), text()]),
      list(text),
    ]);
    const facts = list(() => [text(), list(text), list(text)]);
    expect(at).toBe(bytes.length);
    expect(profiles).toEqual(
      PROFILES.map(({ unit, second, period, snapshot }, i) => [
        wireType(PROFILES, i),
        unit,
        second?.type ?? "",
        second?.unit ?? "",
        period?.type ?? "",
        period?.unit ?? "",
        period?.configField ?? "",
        snapshot === true ? 1 : 0,
        period?.settings ?? [],
      ]),
    );
    const rules = enumMembers(read("assembly/read/jfr/catalogue.ts"), "Rule").map((name) => name.toLowerCase());
    const ruleOf = (value?: ValueRule) => {
      if (value === undefined) return [255, "", "", ""];
      const { rule: name, ...rest } = value;
      const fields = Object.values(rest) as string[];
      if (name === "amount" && fields.length > 1) fields.splice(1, 0, "");
      return [rules.indexOf(name.replaceAll("-", "")), ...[...fields, "", "", ""].slice(0, 3)];
    };
    expect(events).toEqual(
      rows.map(({ profile, event: e }) => [
        e.event,
        PROFILES.indexOf(profile),
        e.routed === true ? 1 : 0,
        ruleOf(e.value),
        ruleOf(e.second),
        e.skip ?? "",
        e.route?.field ?? "",
        e.route?.where ?? "",
        e.route?.texts ?? [],
        e.attributes ?? [],
        e.known ?? [],
      ]),
    );
    expect(facts).toEqual(FACTS.map(({ event, fields, names }) => [event, fields, names ?? []]));
  });

  it("refuses what it cannot say", () => {
    const row = PROFILES[0]!;
    expect(() => catalogueBytes([{ ...row, unit: "x".repeat(256) }])).toThrow(/256 bytes/);
    expect(() => catalogueBytes(Array.from({ length: 256 }, () => row))).toThrow(/256 is no byte/);
  });
});
