/**
 * Random sequences of calls: the message passes the validator, has what was given as another reader sees it, and does
 * not depend on the order of the calls, on their form, or on calls that threw. SPANFLAME_BUILDER_CASES has the number
 * of sequences, PROFCHECK the path of profcheck (open-telemetry/sig-profiling).
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Collector, missing, startCollector } from "../../../test/kit/collector/collector.ts";
import { need } from "../../../test/kit/needs.ts";
import { loadCore } from "../../../test/kit/open-recording.ts";
import { encode, resolve } from "../../../test/kit/otlp/resolve.ts";
import { findingsOf } from "../../../test/kit/otlp/valid.ts";
import { Random } from "../../../test/kit/random.ts";
import { SpanflameError } from "../../core/instance/error.ts";
import { push } from "../../push/push.ts";
import { type BuilderLink, type BuilderMapping, ProfileBuilder } from "./builder.ts";
import type { ProfileRows } from "./profile-rows.ts";
import type { BuilderValue } from "./tables.ts";

const CASES = Number(process.env.SPANFLAME_BUILDER_CASES ?? 300);
/** Messages that a Collector gets at a time, which writes them to files then. */
const SENT = 50;
const TEXTS = ["a", "main", "λ", "\ud800x", "com.shop.Cart.total", "", "100%", "{}"];
const KEYS = ["k", "tenant", "thread.name", "\udfffkey", "http.route"];
const ROOT_KEY = "datadog.local_root_span_id";

interface Attribute {
  key: string;
  value: BuilderValue;
  unit: string;
}
interface Line {
  function: { name: string; systemName: string; file: string; startLine: number } | null;
  line: number | bigint;
  column: number;
}
interface Location {
  mapping: (BuilderMapping & { attributes: never[] }) | null;
  address: bigint;
  lines: Line[];
  type: string;
  attributes: Attribute[];
}
interface Observation {
  stack: Location[];
  link: BuilderLink | null;
  attributes: Attribute[];
  value: bigint;
  time: bigint;
}
interface Profile {
  type: string;
  periodType: string;
  period: number;
  attributes: Attribute[];
  resource: Record<string, BuilderValue>;
  scope: { name: string; version: string; attributes: Record<string, BuilderValue> } | null;
  times: boolean;
  observations: Observation[];
}

const many = <T>(n: number, make: () => T): T[] => Array.from({ length: n }, make);

/** Random content, of pools, so that much of it is equal. */
class Content {
  private readonly random: Random;
  private readonly attributes: Attribute[];
  private readonly locations: Location[];

  constructor(random: Random) {
    this.random = random;
    this.attributes = many(12, () => ({
      key: random.pick(KEYS),
      value: this.value(0),
      unit: random.pick(["", "", "By", "ns"]),
    }));
    this.locations = many(10, () => this.location());
  }

  private value(depth: number): BuilderValue {
    const { random } = this;
    switch (random.below(depth < 3 ? 8 : 6)) {
      case 0:
        return random.one(2);
      case 1:
        return BigInt.asIntN(64, (BigInt(random.next()) << 32n) | BigInt(random.next()));
      case 2:
        return random.pick([0, -0, 1.5, -1e300, Number.MAX_SAFE_INTEGER, random.next()]);
      case 3:
        return Uint8Array.from(many(random.below(9), () => random.below(256)));
      case 6:
        return many(random.below(4), () => this.value(depth + 1));
      case 7:
        return Object.fromEntries(many(random.below(4), () => [random.pick(KEYS), this.value(depth + 1)]));
      default:
        return random.pick(TEXTS);
    }
  }

  /** Of the pool, one for a key. */
  private some(): Attribute[] {
    const picked = many(this.random.below(4), () => this.random.pick(this.attributes));
    return [...new Map(picked.map((attribute) => [formed(attribute.key), attribute])).values()];
  }

  private location(): Location {
    const { random } = this;
    const start = BigInt(random.below(3)) << 40n;
    const mapping = { file: random.pick(TEXTS), start, limit: start + 0x1000n, offset: 4, buildId: "", attributes: [] };
    if (random.one(2)) mapping.buildId = random.pick(["abcd", "00ff"]);
    return {
      mapping: random.one(2) ? mapping : null,
      address: start + BigInt(1 + random.below(0xfff)),
      lines: many(random.below(4), () => ({
        function: random.one(8)
          ? null
          : { name: "f", systemName: random.pick(TEXTS), file: random.pick(TEXTS), startLine: random.below(3) },
        line: random.one(9) ? 2n ** 40n : random.below(4),
        column: random.below(2),
      })),
      type: random.pick(["", "native", "v8js"]),
      attributes: this.some(),
    };
  }

  private link(): BuilderLink | null {
    const { random } = this;
    const span = BigInt(1 + random.below(3));
    const localRoot = BigInt(1 + random.below(3));
    const trace = random.one(2) ? localRoot : (BigInt(random.next()) << 96n) | 7n;
    const links = [
      { span, localRoot },
      { span, trace },
      { span, localRoot, trace },
    ];
    return random.one(4) ? null : random.pick(links);
  }

  private profile(): Profile {
    const { random } = this;
    const pool = many(1 + random.below(6), () => ({
      stack: many(random.below(5), () => random.pick(this.locations)),
      link: this.link(),
      attributes: this.some(),
    }));
    return {
      type: random.pick(["cpu", "wall", "heap"]),
      periodType: "cpu",
      period: random.below(3),
      attributes: this.some(),
      resource: random.one(3) ? {} : { "service.name": random.pick(["shop", "cart"]), port: BigInt(random.below(2)) },
      scope: random.one(3) ? null : { name: random.pick(["x", "y"]), version: "1", attributes: { k: random.one(2) } },
      times: random.one(2),
      observations: many(random.below(12), () => ({
        ...random.pick(pool),
        value: BigInt(random.below(100) - 50) << BigInt(random.below(50)),
        time: (1n << 62n) + BigInt(random.below(1000)),
      })),
    };
  }

  profiles(): Profile[] {
    return many(1 + this.random.below(4), () => this.profile());
  }
}

const formed = (text: string) => text.replace(/\p{Surrogate}/gu, "\ufffd");

/** Values as protobufjs shows them. */
function shownValue(value: BuilderValue): unknown {
  if (typeof value === "string") return { stringValue: formed(value) };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "bigint") return { intValue: String(value) };
  if (typeof value === "number") return { doubleValue: value };
  if (value instanceof Uint8Array) return { bytesValue: Buffer.from(value).toString("base64") };
  if (Array.isArray(value)) return { arrayValue: value.map(shownValue) };
  return { kvlistValue: Object.entries(value).map(([key, each]) => [formed(key), shownValue(each), ""]) };
}

const shownAttributes = (attributes: readonly Attribute[]) =>
  [...new Set(attributes.map(({ key, value, unit }) => JSON.stringify([formed(key), shownValue(value), unit])))].sort();
const attributesOf = (given: Record<string, BuilderValue>): Attribute[] =>
  Object.entries(given).map(([key, value]) => ({ key, value, unit: "" }));
const text = (key: string, value: string): Attribute[] => (value === "" ? [] : [{ key, value, unit: "" }]);
/** Numbers as protobufjs shows them: 0 is absent. */
const long = (value: number | bigint | undefined) =>
  value === undefined || BigInt(value) === 0n ? null : String(value);
const hex = (id: bigint, digits: number) => id.toString(16).padStart(digits, "0");

function shownLocation({ mapping, address, lines, type, attributes }: Location): unknown {
  const { start, limit, offset, file = "", buildId = "" } = mapping ?? {};
  return [
    [
      long(start),
      long(limit),
      long(offset),
      formed(file),
      shownAttributes(text("process.executable.build_id.gnu", buildId)),
    ],
    long(address),
    lines.map(({ function: fn, line, column }) => [
      [fn?.name ?? "", formed(fn?.systemName ?? ""), formed(fn?.file ?? ""), long(fn?.startLine)],
      long(line),
      long(column),
    ]),
    shownAttributes([...attributes, ...text("profile.frame.type", type)]),
  ];
}

/** The lines that `resolve` should have. */
function expected(profiles: readonly Profile[]): string[] {
  return profiles
    .flatMap((profile) => {
      const { type, periodType, period, attributes, resource, times } = profile;
      const own = [[type, "ns"], [periodType, "ns"], long(period), shownAttributes(attributes)];
      const sums = new Map<string, bigint>();
      const lines = profile.observations.map(({ stack, link, attributes: said, value, time }) => {
        const root = link?.localRoot ?? 0n;
        const all = [...said, ...text(ROOT_KEY, root === 0n ? "" : hex(root, 16))];
        const keys = new Set(all.map(({ key }) => key));
        const inherited = attributesOf(resource).filter(({ key }) => !keys.has(key));
        const trace = link === null ? "" : hex(link.trace ?? root, 32);
        const span = link === null ? "" : hex(link.span, 16);
        const identity = [own, shownAttributes([...all, ...inherited]), trace, span, stack.map(shownLocation)];
        const key = JSON.stringify(identity);
        sums.set(key, (sums.get(key) ?? 0n) + value);
        return JSON.stringify([...identity, String(value), String(time)]);
      });
      return times ? lines : [...sums].map(([key, sum]) => `${key.slice(0, -1)},"${sum}",null]`);
    })
    .sort();
}

/** The message in protobuf, by protobufjs, which has ids in base64. */
function transcoded(json: Uint8Array): Uint8Array {
  const message = JSON.parse(new TextDecoder().decode(json), (key, value) =>
    key === "traceId" || key === "spanId" ? Buffer.from(value, "hex").toString("base64") : value,
  );
  return encode(message);
}

/** Gives the content to a builder: in its order, or in another one with calls between that throw. */
class Giver {
  readonly builder: ProfileBuilder;
  private readonly random: Random | null;

  constructor(builder: ProfileBuilder, random: Random | null) {
    this.builder = builder;
    this.random = random;
  }

  private noise(): void {
    const { builder, random } = this;
    if (random === null || !random.one(3)) return;
    const wrong: (() => unknown)[] = [
      () => builder.attribute("", 1),
      () => builder.attribute("k", { a: [undefined] } as never),
      () => builder.mapping({ file: "never", start: 2, limit: 1 }),
      () => builder.function({}),
      () => builder.location({ lines: [{ function: 1e6 }] }),
      () => builder.stack([1e6]),
      () => builder.link({ span: 0n, localRoot: 1n }),
      () => builder.profile({ type: "", unit: "ns" }),
    ];
    expect(random.pick(wrong)).toThrow(SpanflameError);
    // Nothing refers to it.
    builder.stack([builder.location({ lines: [{ function: builder.function({ name: `unused ${random.next()}` }) }] })]);
  }

  private rows(attributes: readonly Attribute[]): number[] {
    this.noise();
    const rows = attributes.map(({ key, value, unit }) => this.builder.attribute(key, value, unit));
    return this.random === null ? rows : [...rows.reverse(), 0, ...rows];
  }

  private location({ mapping, address, lines, type, attributes }: Location): number {
    const { builder } = this;
    const made = () =>
      builder.location({
        mapping: mapping === null ? 0 : builder.mapping(mapping),
        address,
        lines: lines.map((line) => ({
          ...line,
          function: line.function === null ? 0 : builder.function(line.function),
        })),
        type,
        attributes: this.rows(attributes),
      });
    const row = made();
    expect(made()).toBe(row);
    return row;
  }

  private begin(profile: Profile): ProfileRows {
    const { builder } = this;
    const { scope, type, periodType, period, attributes, resource, times } = profile;
    return builder.profile({
      type,
      unit: "ns",
      periodType,
      periodUnit: "ns",
      period,
      attributes: this.rows(attributes),
      resource: builder.resource(resource),
      scope: scope === null ? 0 : builder.scope(scope),
      times,
    });
  }

  private observation({ stack, link, attributes }: Observation): { stack: number; link: number; attributes: number[] } {
    return {
      stack: this.builder.stack(stack.map((location) => this.location(location))),
      link: link === null ? 0 : this.builder.link(link),
      attributes: this.rows(attributes),
    };
  }

  single(profiles: readonly Profile[]): void {
    for (const profile of profiles) {
      const rows = this.begin(profile);
      for (const each of profile.observations) {
        const { value, time } = each;
        rows.add({ ...this.observation(each), value, ...(profile.times ? { time } : {}) });
      }
    }
  }

  /** All entries in reverse before any profile, then the samples as columns, all profiles in turns. */
  columns(profiles: readonly Profile[]): void {
    for (const { observations } of [...profiles].reverse())
      for (const each of [...observations].reverse()) this.observation(each);
    const begun = profiles.map((profile) => this.begin(profile));
    const left = profiles.map(({ observations }) => [...observations]);
    while (left.some((observations) => observations.length > 0)) {
      const i = this.random!.below(profiles.length);
      const part = left[i]!.splice(0, 1 + this.random!.below(5));
      if (part.length > 0) this.addColumns(begun[i]!, part, profiles[i]!.times);
    }
  }

  private addColumns(rows: ProfileRows, part: readonly Observation[], times: boolean): void {
    const given = part.map((each) => this.observation(each));
    const lists = given.map(({ attributes }) => attributes);
    const columns = {
      rows: part.length,
      stack: Uint32Array.from(given, ({ stack }) => stack),
      link: Uint32Array.from(given, ({ link }) => link),
      attributes: {
        offsets: Uint32Array.from([0, ...lists.map((_, i) => lists.slice(0, i + 1).flat().length)]),
        items: Uint32Array.from(lists.flat()),
      },
      value: BigInt64Array.from(part, ({ value }) => value),
      ...(times ? { time: BigUint64Array.from(part, ({ time }) => time) } : {}),
    };
    expect(() => rows.addSamples({ ...columns, link: Uint32Array.from(given, () => 1e6) })).toThrow(SpanflameError);
    expect(() => rows.add({ stack: 0, ...(times ? {} : { time: 1n }) })).toThrow(SpanflameError);
    rows.addSamples(columns);
  }
}

/** Content of a case, given by single calls and as columns. */
async function built(i: number) {
  const random = new Random(20261127, i);
  const profiles = new Content(random).profiles();
  const single = await ProfileBuilder.with(loadCore);
  const columns = await ProfileBuilder.with(loadCore);
  new Giver(single, null).single(profiles);
  new Giver(columns, random).columns(profiles);
  return { profiles, single, columns };
}

describe("random sequences of calls", () => {
  it(`make sound messages with what was given (${CASES})`, { timeout: CASES * 1000 }, async () => {
    for (let i = 0; i < CASES; i++) {
      const { profiles, single, columns } = await built(i);
      using first = single;
      using second = columns;
      const { bytes } = first.write("otlp");
      expect(findingsOf(bytes, "protobuf"), `case ${i}`).toEqual([]);
      const lines = expected(profiles);
      expect(resolve(bytes), `case ${i}`).toEqual(lines);
      const json = first.write("otlp-json").bytes;
      expect(findingsOf(json, "json"), `case ${i} in JSON`).toEqual([]);
      expect(resolve(transcoded(json)), `case ${i} in JSON`).toEqual(lines);
      const again = second.write("otlp").bytes;
      expect(resolve(again), `case ${i} in columns`).toEqual(lines);
      expect(findingsOf(again, "protobuf"), `case ${i} in columns`).toEqual([]);
      expect(second.write("otlp").bytes, `case ${i} again`).toEqual(again);
    }
  });
});

const { PROFCHECK } = process.env;

need(PROFCHECK !== undefined, "no profcheck").it(
  `profcheck passes random messages, without duplicates and orphans (${CASES})`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "spanflame-profcheck-"));
    const file = join(folder, "message.pb");
    try {
      for (let i = 0; i < CASES; i++) {
        const { single, columns } = await built(i);
        using first = single;
        using second = columns;
        for (const builder of [first, second]) {
          await writeFile(file, builder.write("otlp").bytes);
          const { status, stdout } = spawnSync(PROFCHECK!, ["-check-dupes", "-check-orphans", file], {
            encoding: "utf8",
          });
          expect({ status, stdout }, `case ${i}`).toEqual({
            status: 0,
            stdout: `${file}: conformance checks passed\n`,
          });
        }
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  CASES * 1000,
);

const reason = await missing();
const sent = CASES;

need(reason === null, reason ?? "").describe("a Collector", () => {
  let collector: Collector;
  beforeAll(async () => {
    collector = await startCollector();
  });
  afterAll(() => collector.stop());

  it(`takes random messages, and writes what it got (${sent})`, { timeout: sent * 1000 }, async () => {
    for (let from = 0; from < sent; from += SENT) {
      const given: string[] = [];
      for (let i = from; i < from + SENT; i++) {
        const profiles = new Content(new Random(20261127, i)).profiles();
        using builder = await ProfileBuilder.with(loadCore);
        new Giver(builder, null).single(profiles);
        const { bytes, observations } = builder.write("otlp");
        const outcome = await push(bytes, "otlp", { url: collector.url });
        expect(outcome, `case ${i}`).toEqual({ result: "accepted", message: "" });
        // It drops messages without samples.
        if (observations > 0) given.push(samplesOf(new TextDecoder().decode(builder.write("otlp-json").bytes)));
      }
      const { lines, frames } = await collector.written(given.length);
      expect(lines.map(samplesOf)).toEqual(given);
      expect(frames.length).toBe(given.length);
    }
  });
});

/** Values and times of all samples of a message in JSON, in their order. */
function samplesOf(json: string): string {
  const samples: string[] = [];
  JSON.parse(json, (key, value) => {
    if (key !== "samples") return value;
    for (const { values = [], timestampsUnixNano = [] } of value) samples.push(`${values} at ${timestampsUnixNano}`);
    return null;
  });
  return samples.join("\n");
}
