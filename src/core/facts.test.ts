/** Facts that are in two places agree: version, diagnostics, catalogue. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as Catalogue from "../../assembly/abi/catalogue.ts";
import * as JfrDiagnostic from "../../assembly/abi/formats/jfr.ts";
import * as Rule from "../../assembly/abi/value-rule.ts";
import { INPUT_FORMATS } from "./inputs/formats.ts";
import { WORDINGS } from "./inputs/words.ts";
import { catalogueBytes } from "./instance/catalogue-bytes.ts";
import { FACTS } from "./instance/resource.ts";
import { type EventRow, PROFILES, type ValueRule, wireType } from "./tables/catalogue.ts";
import { COUNTERS, LIMIT_SETTINGS, LOSSES } from "./tables/losses.ts";
import { MEASUREMENTS, SERIES_KINDS } from "./tables/measurements.ts";
import { VERSION } from "./version.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe("the version", () => {
  it("is the package's", () => {
    expect(VERSION).toBe(JSON.parse(read("package.json")).version);
  });
});

/** Numbers of the diagnostics of each reader whose messages the core has; the host reports the faults of dumps. */
const READERS = await Promise.all(
  [...new Set(Object.values(INPUT_FORMATS).map(({ room }) => room))]
    .filter((room) => room !== "cdt")
    .map(async (room): Promise<[string, Record<string, number>]> => {
      const { Reader, ...numbers } = await import(`../../assembly/abi/formats/${room}.ts`);
      return [room, numbers];
    }),
);

describe("diagnostics", () => {
  it("have codes of their own, which stay", () => {
    const codes = Object.fromEntries(Object.entries(JfrDiagnostic).map(([name, n]) => [name, WORDINGS[n]?.code]));
    // Users' scripts know these; a new diagnostic is a new line, nothing else here changes.
    expect(codes).toMatchObject({
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
      FieldMissing: "jfr.event.field",
      FixedWidth: "jfr.integers.fixed",
      TooComplex: "jfr.too-complex",
      StackDamaged: "jfr.stack.damaged",
      SampleFailed: "jfr.sample.failed",
      SnapshotSuperseded: "jfr.snapshot.superseded",
      PeriodsMany: "jfr.period.many",
    });
  });

  it.each(READERS)("of %s have words, each another code", (reader, diagnostics) => {
    const codes = Object.values(diagnostics).map((n) => WORDINGS[n]?.code);
    expect(codes.length).toBeGreaterThan(0);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(new RegExp(`^${reader}(\\.[a-z-]+)+$`));
  });

  it("have numbers that no two readers share", () => {
    const numbers = READERS.flatMap(([, diagnostics]): number[] => Object.values(diagnostics));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(Object.keys(WORDINGS).length).toBe(numbers.length);
  });

  it("say something for every value and count", () => {
    for (const { severity, text } of Object.values(WORDINGS)) {
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
    const word = () => times(4, byte).reduce((n, b, i) => n + b * 2 ** (8 * i), 0);
    const profiles = list(() => [...times(7, text), byte(), word(), list(text)]);
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
      ...times(3, text),
    ]);
    const facts = list(() => [text(), list(text), list(text)]);
    const measurements = list(() => [text(), bytes[at++], list(text), text(), text()]);
    const limits = list(() => [text(), byte()]);
    expect(at).toBe(bytes.length);
    expect(measurements).toEqual([
      ...MEASUREMENTS.map(({ event, series, values, where }) => [
        event,
        SERIES_KINDS.indexOf(series) + 1,
        values,
        where?.field ?? "",
        where?.text ?? "",
      ]),
      ...COUNTERS.map(({ event, values }, i) => [event, Catalogue.LOSS_SERIES + i, values, "", ""]),
    ]);
    expect(limits).toEqual(LIMIT_SETTINGS.map(({ name, windows }) => [name, windows]));
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
        period?.unset ?? 0,
        [...(period?.settings ?? []), ...(period?.wallSettings ?? []).map((name) => `?${name}`)],
      ]),
    );
    const rules = new Map(Object.entries(Rule).map(([name, n]) => [name.toLowerCase(), n]));
    const ruleOf = (value?: ValueRule) => {
      if (value === undefined) return [Catalogue.NO_RULE, "", "", ""];
      const { rule: name, ...rest } = value;
      const fields = Object.values(rest) as string[];
      if (name === "amount" && fields.length > 1) fields.splice(1, 0, "");
      return [rules.get(name.replaceAll("-", "")), ...[...fields, "", "", ""].slice(0, 3)];
    };
    const routed = (route: EventRow["route"]) => {
      if (route === undefined) return ["", "", []];
      return "lacks" in route ? [route.lacks, "", []] : [route.field, route.where, route.texts];
    };
    expect(events).toEqual(
      rows.map(({ profile, event: e }) => [
        e.event,
        PROFILES.indexOf(profile),
        (e.routed === true ? 1 : 0) +
          (e.exactLeaf === true ? 4 : 0) +
          (e.call === true ? 8 : 0) +
          (LOSSES.some(({ event, limited }) => event === e.event && limited === true) ? 32 : 0),
        ruleOf(e.value),
        ruleOf(e.second),
        e.skip ?? "",
        ...routed(e.route),
        e.attributes ?? [],
        e.known ?? [],
        e.mapped?.stack ?? "",
        e.mapped?.thread ?? "",
        e.mapped?.unit ?? "",
      ]),
    );
    expect(facts).toEqual(FACTS.map(({ event, fields, names }) => [event, fields, names ?? []]));
  });

  it("refuses what it cannot say", () => {
    const row = PROFILES[0]!;
    expect(() => catalogueBytes([{ ...row, unit: "x".repeat(256) }])).toThrow(/256 bytes/);
    expect(() => catalogueBytes(Array.from({ length: 256 }, () => row))).toThrow(/256 is not a byte/);
  });
});
