import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadCore } from "../../../test/kit/open-recording.ts";
import { findingsOf } from "../../../test/kit/otlp/valid.ts";
import { SpanflameError } from "../../core/instance/error.ts";
import { FORMATS } from "../../core/tables/formats.ts";
import { type BuilderProfile, ProfileBuilder } from "./builder.ts";

/** The arguments of JavaScript callers, which no compiler checks; and JSON, whose shape the messages have. */
// biome-ignore lint/suspicious/noExplicitAny: wrong arguments are the subject
type Anything = any;

const T = 1_700_000_000_000_000_000n;
const MOST = (1n << 63n) - 1n;

let builder: ProfileBuilder;
beforeEach(async () => {
  builder = await ProfileBuilder.with(loadCore);
});
afterEach(() => builder.close());

const begin = (more: Partial<BuilderProfile> = {}) => builder.profile({ type: "cpu", unit: "ns", ...more });
const sums = (more: Partial<BuilderProfile> = {}) => begin({ times: false, ...more });
const stackOf = (...names: string[]) =>
  builder.stack(names.map((name) => builder.location({ lines: [{ function: builder.function({ name }) }] })));

/** The message as JSON has it; sound in both forms. */
function written(): Anything {
  expect(findingsOf(builder.write("otlp").bytes, "protobuf")).toEqual([]);
  const { bytes } = builder.write("otlp-json");
  expect(findingsOf(bytes, "json")).toEqual([]);
  return JSON.parse(new TextDecoder().decode(bytes));
}

const profilesOf = (message: Anything): Anything[] =>
  message.resourceProfiles.flatMap(({ scopeProfiles }: Anything) => scopeProfiles.flatMap((s: Anything) => s.profiles));

function errorOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof SpanflameError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "no error";
}

describe("entries", () => {
  it("have all types of values", () => {
    const value = { list: [1n, "x", [true]], bytes: Uint8Array.of(1, 2), none: {} };
    const values = ["text", "", true, false, -5n, 1.5, -0, Number.NaN, Uint8Array.of(255), [], value];
    const attributes = values.map((each, i) => builder.attribute(`k${i}`, each, i === 3 ? "By" : ""));
    sums().add({ attributes });
    const { attributeTable, stringTable } = written().dictionary;
    expect(attributeTable[0]).toEqual({});
    expect(attributeTable.slice(1).map((row: Anything) => row.value)).toEqual([
      { stringValue: "text" },
      { stringValue: "" },
      { boolValue: true },
      { boolValue: false },
      { intValue: "-5" },
      { doubleValue: 1.5 },
      { doubleValue: -0 },
      { doubleValue: "NaN" },
      { bytesValue: "/w==" },
      { arrayValue: {} },
      {
        kvlistValue: {
          values: [
            {
              key: "list",
              value: {
                arrayValue: {
                  values: [{ intValue: "1" }, { stringValue: "x" }, { arrayValue: { values: [{ boolValue: true }] } }],
                },
              },
            },
            { key: "bytes", value: { bytesValue: "AQI=" } },
            { key: "none", value: { kvlistValue: {} } },
          ],
        },
      },
    ]);
    expect(stringTable[attributeTable[4].unitStrindex]).toBe("By");
  });

  it("are there once: equal ones have one row", () => {
    expect(builder.attribute("k", 1)).not.toBe(builder.attribute("k", 1n));
    expect(builder.attribute("k", 0)).not.toBe(builder.attribute("k", -0));
    expect(builder.attribute("k", "v", "By")).not.toBe(builder.attribute("k", "v"));
    expect(builder.attribute("\ud800", "\ud800")).toBe(builder.attribute("\ufffd", "\udfff"));
    expect(builder.function({ name: "f", startLine: 2n ** 40n })).toBe(
      builder.function({ name: "f", startLine: 2 ** 40 }),
    );
    expect(builder.resource({ a: "1", b: "2" })).toBe(builder.resource({ b: "2", a: "1" }));
    expect([
      builder.mapping({}),
      builder.location({}),
      builder.stack([]),
      builder.resource({}),
      builder.scope({}),
    ]).toEqual([0, 0, 0, 0, 0]);
    expect(builder.stack([0, 0])).toBe(0);
    expect([...builder.stacks({ offsets: Uint32Array.of(0, 0, 2), items: Uint32Array.of(0, 0) })]).toEqual([0, 0]);
  });

  it("are whole where a getter of a value makes another one", () => {
    const value = {
      first: "x".repeat(20),
      get second() {
        return builder.attribute("inner", "value");
      },
    };
    const rows = [builder.attribute("k", value), builder.attribute("last", 1n)];
    sums().add({ attributes: rows });
    expect(written().dictionary.attributeTable).toMatchObject([
      {},
      { value: { kvlistValue: { values: [{ value: { stringValue: "x".repeat(20) } }, { key: "second" }] } } },
      { value: { intValue: "1" } },
    ]);
  });

  it("may be in shared memory, as columns may", () => {
    const shared = (value: bigint) => new BigUint64Array(new SharedArrayBuffer(8)).fill(value);
    const stack = new Uint32Array(new SharedArrayBuffer(4)).fill(stackOf("leaf"));
    const attributes = [builder.attribute("k", new Uint8Array(shared(1n).buffer))];
    begin({ attributes }).addSamples({ rows: 1, stack, time: shared(T) });
    const [profile] = profilesOf(written());
    expect(profile.samples).toEqual([{ stackIndex: 1, timestampsUnixNano: [String(T)], values: ["1"] }]);
  });

  it("are many at once, or none where one of them is wrong", () => {
    const at = [1, 2, 3].map((address) => builder.location({ address }));
    const [a = 0, b = 0, c = 0] = at;
    const offsets = Uint32Array.from({ length: 1002 }, (_, i) => 2 * i);
    const items = Uint32Array.from({ length: 2002 }, (_, i) => at[(i + (i >> 2)) % 3]!);
    items[2001] = 99;
    expect(() => builder.stacks({ offsets, items })).toThrow("location 1 of the stack");
    expect(builder.stack([a, b])).toBe(1);
    expect([
      ...builder.stacks({ offsets: Uint32Array.of(0, 3, 6, 7), items: Uint32Array.of(a, 0, b, c, b, a, 0) }),
    ]).toEqual([1, 2, 0]);
  });

  it("have inlined lines, mappings and build ids", () => {
    const mapping = builder.mapping({ file: "/lib/a.so", start: 4096, limit: 8192n, offset: 16, buildId: "00ff" });
    const go = builder.mapping({ file: "/bin/b", buildId: "a/b", buildIdKind: "go" });
    const [inner, outer] = [builder.function({ name: "inner", systemName: "_i", file: "i.c", startLine: 3 }), 0];
    const fn = builder.function({ name: "outer" });
    const lines = [
      { function: inner, line: 4, column: 5 },
      { function: fn, line: 2n ** 33n },
      { function: outer, line: 1 },
    ];
    const attributes = [builder.attribute("inlined", true)];
    const location = builder.location({ mapping, address: 5000, lines, type: "native", attributes });
    sums().add({ stack: builder.stack([location, builder.location({ mapping: go, address: 1n })]) });
    const { dictionary } = written();
    const { stringTable: texts, attributeTable, functionTable } = dictionary;
    expect(dictionary.locationTable[1]).toMatchObject({ mappingIndex: 1, address: "5000" });
    expect(dictionary.locationTable[1].lines).toEqual([
      { functionIndex: 1, line: "4", column: "5" },
      { functionIndex: 2, line: "8589934592" },
      { line: "1" },
    ]);
    expect(functionTable[1]).toMatchObject({ startLine: "3" });
    expect(dictionary.mappingTable[1]).toMatchObject({ memoryStart: "4096", memoryLimit: "8192", fileOffset: "16" });
    const keys = attributeTable.slice(1).map((row: Anything) => [texts[row.keyStrindex], Object.values(row.value)[0]]);
    expect(keys.sort()).toEqual([
      ["inlined", true],
      ["process.executable.build_id.gnu", "00ff"],
      ["process.executable.build_id.go", "a/b"],
      ["profile.frame.type", "native"],
    ]);
  });

  it("that nothing refers to are not written", () => {
    stackOf("unused");
    builder.link({ span: 1n, trace: 2n });
    builder.resource({ "service.name": "unused" });
    sums().add({ stack: stackOf("used") });
    expect(written().dictionary).toMatchObject({
      stringTable: ["", "cpu", "ns", "used"],
      functionTable: [{}, { nameStrindex: 3 }],
      linkTable: [{}],
      attributeTable: [{}],
    });
  });
});

describe("links", () => {
  it("have ids of 64 and 128 bits, and their root is an attribute", () => {
    const profile = begin();
    const trace = (1n << 127n) | 5n;
    for (const link of [{ localRoot: 7n }, { trace }, { localRoot: 7n, trace }]) {
      profile.add({ link: builder.link({ span: 0xabn, ...link }), time: T });
    }
    const { dictionary, resourceProfiles } = written();
    expect(dictionary.linkTable).toEqual([
      {},
      { traceId: "00000000000000000000000000000007", spanId: "00000000000000ab" },
      { traceId: "80000000000000000000000000000005", spanId: "00000000000000ab" },
    ]);
    expect(resourceProfiles[0].scopeProfiles[0].profiles[0].samples).toMatchObject([
      { linkIndex: 1, attributeIndices: [1] },
      { linkIndex: 2 },
      { linkIndex: 2, attributeIndices: [1] },
    ]);
    expect(dictionary.attributeTable[1].value).toEqual({ stringValue: "0000000000000007" });
    expect(dictionary.stringTable).toContain("datadog.local_root_span_id");
  });

  it("have what they had once they are read", async () => {
    const trace = (1n << 127n) | 5n;
    begin().add({ time: T, link: builder.link({ span: 1n, trace }) });
    begin({ type: "wall" }).add({ time: T, link: builder.link({ span: 2n, localRoot: 9n }) });
    const attributes = [builder.attribute("spanflame.trace_id", "trace_id_64_bit")];
    begin({ type: "heap", attributes }).add({ time: T, link: builder.link({ span: 3n, trace: 9n }) });
    using recording = await builder.open();
    const links = [...recording.select(null).samples()].map(({ link }) => link);
    expect(links).toMatchObject([
      { span: 1n, localRoot: 0n, trace },
      { span: 2n, localRoot: 9n, trace: 0n },
      { span: 3n, localRoot: 0n, trace: 9n },
    ]);
  });

  it("with the attribute of their root beside them make one sample", () => {
    const link = builder.link({ span: 1n, localRoot: 10n });
    const attribute = builder.attribute("datadog.local_root_span_id", "000000000000000a");
    const profile = sums();
    profile.add({ link });
    expect(profile.add({ link, attributes: [attribute, attribute, 0] })).toBe(2);
    expect(profilesOf(written())[0].samples).toMatchObject([{ values: ["2"] }]);
    const other = builder.attribute("datadog.local_root_span_id", "x");
    expect(errorOf(() => profile.add({ link, attributes: [other] }))).toMatch(/^option\.value/);
  });
});

describe("profiles", () => {
  it("have values and times in the order of the calls, or one sum", () => {
    const [stack, other] = [stackOf("a"), stackOf("b")];
    const timed = begin();
    timed.add({ stack, time: T + 5n, value: 1 });
    timed.add({ stack: other, time: T });
    timed.addSamples({
      rows: 1,
      stack: Uint32Array.of(stack),
      time: BigInt64Array.of(T + 1n),
      value: BigInt64Array.of(-2n),
    });
    const summed = sums();
    summed.addSamples({ rows: 3 });
    expect(summed.add({ value: -5n })).toBe(4);
    expect(summed.count).toBe(4);
    const [first, second] = profilesOf(written());
    expect(first.samples).toEqual([
      { stackIndex: 1, values: ["1", "-2"], timestampsUnixNano: [`${T + 5n}`, `${T + 1n}`] },
      { stackIndex: 2, values: ["1"], timestampsUnixNano: [`${T}`] },
    ]);
    expect(first).toMatchObject({ timeUnixNano: `${T}`, durationNano: "6" });
    expect(second.samples).toEqual([{ values: ["-2"] }]);
    expect(second.timeUnixNano).toBeUndefined();
  });

  it("state what was given", () => {
    const id = Uint8Array.from({ length: 16 }, (_, i) => i);
    const attributes = [builder.attribute("k", 1n)];
    const head = { periodType: "cpu", periodUnit: "ns", period: 10, start: T, duration: 100, id, attributes };
    begin(head).add({ time: T + 99n });
    id.fill(7);
    expect(profilesOf(written())[0]).toMatchObject({
      timeUnixNano: `${T}`,
      durationNano: "100",
      period: "10",
      periodType: { typeStrindex: 1, unitStrindex: 2 },
      profileId: "000102030405060708090a0b0c0d0e0f",
      attributeIndices: [1],
    });
  });

  it.each<[Partial<BuilderProfile>, bigint[], string, string]>([
    [{ start: T }, [T + 3n], `${T}`, "4"],
    [{ duration: 9 }, [T + 3n, T], `${T}`, "9"],
    [{ start: 5n, duration: 6n, times: false }, [], "5", "6"],
    [{}, [1n, 2n ** 64n - 2n], "1", `${2n ** 64n - 2n}`],
  ])("with %o have a range", (head, times, start, duration) => {
    const profile = begin(head);
    for (const time of times) profile.add({ time });
    expect(profilesOf(written())[0]).toMatchObject({ timeUnixNano: start, durationNano: duration });
  });

  it("are in their resources and scopes, each once", () => {
    const shop = builder.resource({ "service.name": "shop", port: 80n }, "https://example.com/r");
    const cart = builder.resource({ "service.name": "cart" });
    const scope = builder.scope({
      name: "x",
      version: "1",
      attributes: { k: [1n] },
      schemaUrl: "https://example.com/s",
    });
    for (const head of [
      { resource: shop, scope },
      { resource: cart },
      {},
      { resource: shop },
      { resource: shop, scope },
    ])
      sums(head).add();
    const { resourceProfiles, dictionary } = written();
    expect(resourceProfiles.map((r: Anything) => r.scopeProfiles.map((s: Anything) => s.profiles.length))).toEqual([
      [2, 1],
      [1],
      [1],
    ]);
    expect(resourceProfiles[0]).toMatchObject({
      schemaUrl: "https://example.com/r",
      resource: {
        attributes: [
          { key: "service.name", value: { stringValue: "shop" } },
          { key: "port", value: { intValue: "80" } },
        ],
      },
    });
    const [first, second] = resourceProfiles[0].scopeProfiles;
    expect(first.scope).toMatchObject({ name: "x", version: "1", attributes: [{ key: "k" }] });
    expect([first.schemaUrl, second.scope, second.schemaUrl]).toEqual(["https://example.com/s", {}, undefined]);
    expect(dictionary.stringTable).toEqual(["", "cpu", "ns"]);
  });
});

const CASES: [expected: RegExp, call: (make: Anything) => unknown][] = [
  [/^option\.value: the key of an attribute is not empty/, (b) => b.attribute("", 1)],
  [/^option\.value: the key of an attribute is a string/, (b) => b.attribute(1, 1)],
  [/^option\.value: the unit of "k" is a string/, (b) => b.attribute("k", 1, 2)],
  [/^option\.value: the value of "k" is a string, a boolean/, (b) => b.attribute("k", null)],
  [/^option\.value: the value of "k" is a number from -9223372036854775808/, (b) => b.attribute("k", MOST + 1n)],
  [/^option\.value: the value of "k": 1 is /, (b) => b.attribute("k", [1, undefined])],
  [/^option\.value: the value of "k" is /, (b) => b.attribute("k", new Map())],
  [/^option\.value: a key in the value of "k" is not empty/, (b) => b.attribute("k", { "": 1 })],
  [/^option\.value: a key in/, (b) => b.attribute("k", { "\ud800": 1, "\udfff": 2 })],
  [
    /^option\.value: .* at most 16 lists/,
    (b) => {
      const list: unknown[] = [];
      list.push(list);
      b.attribute("k", list);
    },
  ],
  [/^option\.value: mapping: limit is above its start/, (b) => b.mapping({ start: 5, limit: 5 })],
  [/^option\.value: mapping: offset is a bigint or a safe/, (b) => b.mapping({ offset: 1.5 })],
  [/^option\.value: mapping: start is a number from 0/, (b) => b.mapping({ start: -1n, limit: 1 })],
  [/^option\.value: mapping: buildId is bytes in hex/, (b) => b.mapping({ buildId: "xyz" })],
  [/^option\.value: mapping: buildIdKind/, (b) => b.mapping({ buildIdKind: "md5" })],
  [/^option\.unknown: mapping has no option "fil"/, (b) => b.mapping({ fil: "a" })],
  [/^builder\.row: mapping: attributes\[0\]/, (b) => b.mapping({ attributes: [99] })],
  [/^option\.value: mapping: attributes is an array/, (b) => b.mapping({ attributes: 1 })],
  [/^option\.value: function: name is not empty/, (b) => b.function({})],
  [/^option\.value: function: startLine is a number from 0/, (b) => b.function({ name: "f", startLine: -1 })],
  [/^option\.value: location: lines is an array/, (b) => b.location({ lines: {} })],
  [/^builder\.row: location: lines\[0\]: function/, (b) => b.location({ lines: [{ function: 77 }] })],
  [/^option\.unknown: location: lines\[0\] has no option/, (b) => b.location({ lines: [{ fn: 1 }] })],
  [/^builder\.row: location: mapping/, (b) => b.location({ mapping: "1" })],
  [
    /^option\.value: location: attributes has two values of "profile.frame.type"/,
    (b) => b.location({ type: "jvm", attributes: [b.attribute("profile.frame.type", "native")] }),
  ],
  [/^builder\.row: location 1 of the stack/, (b) => b.stack([0, 9])],
  [/^builder\.row: location 0 of the stack/, (b) => b.stack([undefined])],
  [/^builder\.row: location 0 of the stack is .* not 1n$/, (b) => b.stack([1n])],
  [/^builder\.row: location 0 of the stack/, (b) => b.stack([Symbol.iterator])],
  [/^option\.value: stack is an array/, (b) => b.stack("12")],
  [/^option\.value: stacks is \{ offsets, items \}/, (b) => b.stacks({ offsets: [0] })],
  [/^option\.value: stacks: offsets/, (b) => b.stacks({ offsets: Uint32Array.of(0, 2, 1), items: new Uint32Array(1) })],
  [/^builder\.row/, (b) => b.stacks({ offsets: Uint32Array.of(0, 1), items: Uint32Array.of(9) })],
  [/^option\.id: link: span/, (b) => b.link({ span: 0n, trace: 1n })],
  [/^option\.id: link: span/, (b) => b.link({ span: 5, trace: 1n })],
  [/^option\.id: link: span/, (b) => b.link({ trace: 1n })],
  [/^option\.id: link: localRoot/, (b) => b.link({ span: 1n })],
  [/^option\.id: link: localRoot/, (b) => b.link({ span: 1n, localRoot: 1n << 64n })],
  [/^option\.id: link: trace/, (b) => b.link({ span: 1n, trace: 1n << 128n })],
  [/^option\.value: resource is an object/, (b) => b.resource([])],
  [/^option\.value: the key of an attribute/, (b) => b.resource({ "": "x" })],
  [/^option\.value: resource: schemaUrl/, (b) => b.resource({}, 5)],
  [/^option\.unknown: scope has no option/, (b) => b.scope({ title: "x" })],
  [/^option\.value: profile: type is not empty/, (b) => b.profile({ unit: "ns" })],
  [/^option\.value: profile: unit is not empty/, (b) => b.profile({ type: "cpu", unit: "" })],
  [/^option\.value: profile: id is/, (b) => b.profile({ type: "cpu", unit: "ns", id: new Uint8Array(16) })],
  [/^option\.value: profile: period is/, (b) => b.profile({ type: "cpu", unit: "ns", period: -1 })],
  [
    /^option\.value: profile: duration/,
    (b) => b.profile({ type: "cpu", unit: "ns", start: 1n, duration: 2n ** 64n - 1n }),
  ],
  [/^builder\.row: profile: resource/, (b) => b.profile({ type: "cpu", unit: "ns", resource: 3 })],
  [/^format\.unknown/, (b) => b.write("svg")],
  [/^format\.unknown/, (b) => b.writeAsync("svg")],
  [/^option\.unknown: write has no option "gzip"/, (b) => b.write("otlp", { gzip: true })],
  [/^option\.unknown: otlp has no option "pretty"/, (b) => b.write("otlp", { pretty: true })],
];

describe("wrong arguments", () => {
  it.each(CASES)("throw %s", (expected, call) => {
    begin().add({ time: T });
    const before = builder.write("otlp").bytes;
    expect(errorOf(() => call(builder))).toMatch(expected);
    expect(builder.write("otlp").bytes).toEqual(before);
  });

  const SAMPLES: [expected: RegExp, call: (rows: Anything, sums: Anything) => unknown][] = [
    [/^builder\.shape: an observation without a time/, (rows) => rows.add()],
    [/^builder\.shape: a time in/, (_, without) => without.add({ time: 1n })],
    [/^builder\.shape: an observation without a time/, (rows) => rows.addSamples({ rows: 1 })],
    [/^builder\.shape/, (rows) => rows.addSamples({ rows: 2, time: BigUint64Array.of(T, 0n) })],
    [/^builder\.shape/, (_, without) => without.addSamples({ rows: 1, time: BigUint64Array.of(T) })],
    [/^builder\.row: stack/, (rows) => rows.add({ stack: 5, time: T })],
    [/^builder\.row: link/, (rows) => rows.add({ link: -1, time: T })],
    [/^builder\.row: attributes\[0\]/, (rows) => rows.add({ attributes: [1.5], time: T })],
    [/^option\.unknown: a sample has no field "at"/, (rows) => rows.add({ at: T })],
    [/^option\.value: the sample is an object/, (rows) => rows.add(5)],
    [/^option\.value: value is a number from/, (rows) => rows.add({ value: MOST + 1n, time: T })],
    [/^option\.value: time is in the range/, (rows) => rows.add({ time: T - 1n })],
    [/^option\.value: time is in the range/, (rows) => rows.add({ time: T + 10n })],
    [
      /^option\.value: time is in the range/,
      (rows) => rows.addSamples({ rows: 2, time: BigUint64Array.of(T, T + 10n) }),
    ],
    [/^option\.value: value is such that the sum/, (_, without) => without.add({ value: MOST })],
    [
      /^option\.value: time is not negative, not -2n/,
      (rows) => rows.addSamples({ rows: 2, time: BigInt64Array.of(T, -2n) }),
    ],
    [
      /^option\.value: value is such that the sum/,
      (_, without) => without.addSamples({ rows: 3, value: BigInt64Array.of(-1n, MOST, 1n) }),
    ],
    [
      /^option\.value: addSamples: time is a column of 1 rows/,
      (rows) => {
        const time = BigUint64Array.of(T);
        structuredClone(time, { transfer: [time.buffer] });
        rows.addSamples({ rows: 1, time });
      },
    ],
    [
      /^option\.value: addSamples: value is a column of 2 rows/,
      (rows) => rows.addSamples({ rows: 2, value: new BigInt64Array(1) }),
    ],
    [/^option\.value: addSamples: stack is a Uint32Array/, (rows) => rows.addSamples({ rows: 1, stack: [1] })],
    [/^core\.samples/, (_, without) => without.addSamples({ rows: 2 ** 32 })],
    [/^option\.value: addSamples: rows is/, (rows) => rows.addSamples({})],
    [/^option\.unknown: addSamples has no option/, (rows) => rows.addSamples({ rows: 1, times: [] })],
    [/^builder\.row/, (rows) => rows.addSamples({ rows: 1, stack: Uint32Array.of(9), time: BigUint64Array.of(T) })],
    [
      /^builder\.row: addSamples: attributes/,
      (rows) => {
        const attributes = { offsets: Uint32Array.of(0, 1), items: Uint32Array.of(9) };
        rows.addSamples({ rows: 1, attributes, time: BigUint64Array.of(T) });
      },
    ],
    [
      /^option\.value: addSamples: attributes has two values of "k"/,
      (rows) => {
        const items = Uint32Array.of(builder.attribute("k", 1n), builder.attribute("k", 2n));
        rows.addSamples({ rows: 1, attributes: { offsets: Uint32Array.of(0, 2), items }, time: BigUint64Array.of(T) });
      },
    ],
  ];

  it.each(SAMPLES)("of samples throw %s and add nothing", (expected, call) => {
    const rows = begin({ start: T, duration: 10n });
    const without = sums();
    rows.add({ time: T });
    without.add({ value: 1n });
    const before = builder.write("otlp").bytes;
    expect(errorOf(() => call(rows, without))).toMatch(expected);
    expect(builder.write("otlp").bytes).toEqual(before);
    expect([rows.count, without.count]).toEqual([1, 1]);
  });
});

describe("what a builder writes", () => {
  beforeEach(() => {
    const link = builder.link({ span: 1n, localRoot: 2n });
    const rows = begin({ resource: builder.resource({ "service.name": "shop" }) });
    for (let i = 0n; i < 10n; i++) rows.add({ stack: stackOf("leaf", "root"), link, time: T + i });
  });

  it.each(FORMATS.map(({ name }) => name))("is %s, whole and in parts", async (format) => {
    const { bytes, size, observations } = builder.write(format);
    expect([bytes.length, observations]).toEqual([size, 10]);
    const parts: Uint8Array[] = [];
    builder.writeTo(format, (part) => parts.push(part.slice()));
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    const later: Uint8Array[] = [];
    for await (const part of builder.writeAsync(format)) later.push(part);
    expect(Buffer.concat(later).equals(bytes)).toBe(true);
    for await (const message of builder.messages(format)) expect(Buffer.from(message.bytes).equals(bytes)).toBe(true);
  });

  it("is several messages if one is above the limit", async () => {
    sums({ type: "heap" }).add({ stack: stackOf("leaf") });
    const types = [];
    for await (const { type, observations } of builder.messages("otlp", { limit: 1 })) types.push([type, observations]);
    expect(types).toEqual([
      ["cpu", 10],
      ["heap", 1],
    ]);
  });

  it("has the names of a preset if that is an option", () => {
    const { bytes } = builder.write("otlp-json", { preset: "aggregated", resource: { "service.name": "cart" } });
    expect(new TextDecoder().decode(bytes)).toMatch(/"cart".*"values": ?\["10"\]/s);
  });

  it("changes with the builder, and a recording does not", async () => {
    const recording = await builder.open();
    const before = builder.write("collapsed").bytes;
    builder.write("pprof");
    begin({ resource: builder.resource({ "service.name": "shop" }) }).add({ stack: stackOf("new"), time: T });
    expect(Buffer.from(before).toString()).toBe("root;leaf 10\n");
    expect(Buffer.from(builder.write("collapsed").bytes).toString()).toBe("root;leaf 10\nnew 1\n");
    expect(recording.select("cpu", { localRoot: 2n, frame: "leaf" }).total()).toEqual({ samples: 10, value: 10n });
    recording.close();
    expect((await builder.validate({ for: ["collector"] })).valid).toBe(true);
  });
});

describe("samples of a recording with very many stacks", () => {
  it("have one object for equal stacks, whose frames are those of the tables", async () => {
    const rows = begin();
    const stacks = Array.from({ length: 12_000 }, (_, i) => stackOf(`leaf${i}`, "main"));
    for (const round of [0n, 1n]) for (const stack of stacks) rows.add({ stack, time: T + round });
    const recording = await builder.open();
    const samples = [...recording.select("cpu").samples()];
    expect([samples.length, new Set(samples.map(({ stack }) => stack)).size]).toEqual([24_000, 12_000]);
    const names = new Set(samples.map(({ stack }) => stack.frames.map((frame) => frame.function).join(";")));
    expect([names.size, names.has("leaf11999;main")]).toEqual([12_000, true]);
    const [{ stack } = { stack: null }] = samples;
    expect(JSON.parse(JSON.stringify(stack, (_, value) => (typeof value === "bigint" ? `${value}` : value)))).toEqual({
      index: stack?.index,
      frames: [expect.objectContaining({ function: "leaf0" }), expect.objectContaining({ function: "main" })],
    });
    recording.close();
  });
});

describe("a builder", () => {
  it("is not made of a module that is not the core", async () => {
    const module = await WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
    await expect(ProfileBuilder.with(async () => module)).rejects.toMatchObject({ code: "core.load" });
  });

  it("has to have a profile, which may be without samples", async () => {
    expect(errorOf(() => builder.write("otlp"))).toMatch(/^profile\.missing/);
    await expect(builder.open()).rejects.toThrow("no profile");
    begin();
    expect(profilesOf(written())).toHaveLength(1);
  });

  it("refuses every call once it is closed", async () => {
    const rows = begin();
    rows.add({ time: T });
    {
      using closed = builder;
      expect(closed.isClosed).toBe(false);
    }
    const calls: (() => unknown)[] = [
      () => builder.attribute("k", 1),
      () => builder.mapping({}),
      () => builder.function({ name: "f" }),
      () => builder.location({}),
      () => builder.stack([]),
      () => builder.stacks({ offsets: Uint32Array.of(0), items: new Uint32Array(0) }),
      () => builder.link({ span: 1n, trace: 1n }),
      () => builder.resource({}),
      () => builder.scope({}),
      () => builder.profile({ type: "cpu", unit: "ns" }),
      () => rows.add({ time: T }),
      () => rows.addSamples({ rows: 0 }),
      () => builder.write("otlp"),
      () => builder.writeTo("pprof", () => {}),
      () => builder.writeAsync("otlp"),
    ];
    for (const call of calls) expect(errorOf(call)).toMatch(/^recording\.closed/);
    expect(rows.count).toBe(1);
    await expect(builder.messages("otlp").next()).rejects.toThrow("closed");
    await expect(builder.validate()).rejects.toThrow("closed");
    await expect(builder.open()).rejects.toThrow("closed");
  });
});
