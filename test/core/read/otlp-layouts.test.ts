/** OTLP messages of writers of other versions, and of writers that do not reserve element 0 of the tables. */
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { readInputs } from "../../../src/input/open.ts";
import { codes, emptyCore } from "../../kit/core/read-store.ts";
import { delimited, varint } from "../../kit/otlp/otlp-encode.ts";

const number = (field: number, value: number | bigint) => [...varint(field * 8), ...varint(value)];
const packed = (field: number, values: readonly (number | bigint)[]) => delimited(field, values.flatMap(varint));
/** As writers in C++ do it: one field for each value. */
const single = (field: number, values: readonly (number | bigint)[]) => values.flatMap((value) => number(field, value));
const fixed = (field: number, value: number) => [...varint(field * 8 + 1), value, 0, 0, 0, 0, 0, 0, 0];
const times = (values: readonly number[]) =>
  values.length === 0
    ? []
    : delimited(
        5,
        values.flatMap((value) => fixed(0, value).slice(1)),
      );
const text = (value: string) => [...new TextEncoder().encode(value)];

const STRINGS = ["", "leaf", "root", "cpu", "nanoseconds", "thread", "w0", "w1"];
/** Attributes are pairs of key and value, indices of strings. */
const attribute = (key: number, value: number) => [
  ...number(1, key),
  ...delimited(2, delimited(1, text(STRINGS[value]!))),
];

function tables(reserved: boolean, attributes: number[][]): number[] {
  const zero = reserved ? [[]] : [];
  const at = reserved ? 1 : 0;
  const rows = (field: number, all: number[][]) => [...zero, ...all].flatMap((row) => delimited(field, row));
  return [
    ...delimited(1, []),
    ...rows(2, [delimited(3, number(1, at)), delimited(3, number(1, at + 1))]),
    ...rows(3, [number(1, 1), number(1, 2)]),
    ...delimited(4, []),
    ...delimited(4, [...delimited(1, Array(16).fill(7)), ...delimited(2, Array(8).fill(7))]),
    ...STRINGS.flatMap((value) => delimited(5, text(value))),
    ...rows(6, attributes),
    ...rows(7, [packed(1, [at, at + 1]), packed(1, [at + 1])]),
  ];
}

const RESERVED = tables(true, [attribute(5, 6), attribute(5, 7)]);
const messageOf = (profile: number[], dictionary: number[]) =>
  new Uint8Array([...delimited(1, delimited(2, delimited(2, profile))), ...delimited(2, dictionary)]);
const TYPE = delimited(1, [...number(1, 3), ...number(2, 4)]);
const profileOf = (samples: number[][]) => [
  ...TYPE,
  ...samples.flatMap((sample) => delimited(2, sample)),
  ...fixed(3, 9),
];

async function read(bytes: Uint8Array): Promise<Core> {
  const core = await emptyCore();
  await readInputs(core, [{ name: "m", source: bytesSource(bytes) }]);
  return core;
}

const sum = (core: Core) => core.profiles().reduce((all, { value }) => all + value, 0n);

function collapsed(core: Core): string {
  const { bytes } = core.write(core.profiles()[0]?.id ?? null, {}, { format: "collapsed" });
  return new TextDecoder().decode(bytes);
}

interface Sample {
  values: number[];
  attributes?: number[];
  link?: number;
  at?: number[];
}

type Lists = typeof packed;
const sampleOf = ({ values, attributes = [], link, at = [] }: Sample, lists: Lists, fields: readonly number[]) => [
  ...number(1, 1),
  ...(attributes.length > 0 ? lists(fields[0]!, attributes) : []),
  ...(link === undefined ? [] : number(fields[1]!, link)),
  ...(values.length > 0 ? lists(fields[2]!, values) : []),
  ...times(at),
];
/** Fields of attributes, link and values. */
const NEW = [2, 3, 4];
const OLD = [3, 4, 2];

describe("the field numbers of samples", () => {
  const SAMPLES: [string, Sample[]][] = [
    ["values only", [{ values: [500] }, { values: [700] }]],
    ["a small value, which is the index of an attribute", [{ values: [1] }, { values: [2] }]],
    [
      "attributes",
      [
        { values: [500], attributes: [1] },
        { values: [2], attributes: [2] },
      ],
    ],
    [
      "a negative value",
      [
        { values: [1], attributes: [1] },
        { values: [-5], attributes: [1] },
      ],
    ],
    [
      "values of several times",
      [
        { values: [1, 2], at: [1, 2] },
        { values: [5], at: [3] },
      ],
    ],
    ["values of several times with attributes", [{ values: [1, 1, 1], attributes: [1], at: [1, 2, 3] }]],
    ["a link and an attribute", [{ values: [900], attributes: [1], link: 1 }]],
  ];
  for (const [name, samples] of SAMPLES) {
    const want = samples.flatMap(({ values }) => values).reduce((a, b) => a + b, 0);
    it.each([
      ["packed", packed],
      ["one by one", single],
    ] as [string, Lists][])(`are those of the message: ${name}, %s`, async (_, lists) => {
      const old = await read(messageOf(profileOf(samples.map((one) => sampleOf(one, lists, OLD))), RESERVED));
      expect([codes(old), sum(old)]).toEqual([["otlp.layout.old"], BigInt(want)]);
      const now = await read(messageOf(profileOf(samples.map((one) => sampleOf(one, lists, NEW))), RESERVED));
      expect([codes(now), sum(now)]).toEqual([[], BigInt(want)]);
    });
  }

  it("are said to be open where both layouts fit", async () => {
    const core = await read(messageOf(profileOf([[...number(1, 1), ...number(2, 1), ...times([3])]]), RESERVED));
    expect([codes(core), sum(core)]).toEqual([["otlp.layout.open"], 1n]);
  });

  it("are those of most samples where some are damaged", async () => {
    const sound = sampleOf({ values: [3], attributes: [1] }, packed, NEW);
    const damaged = sampleOf({ values: [3], attributes: [1] }, packed, OLD);
    const core = await read(messageOf(profileOf([damaged, sound, sound, sound]), RESERVED));
    expect([codes(core), sum(core)]).toEqual([["otlp.layout.sample"], 9n]);
  });

  it("of another version than most of a profile's samples are never read by its own", async () => {
    // By the later numbers: the attribute 2, the links 1 and 2, and one time, which would count as 1.
    const other = [...number(1, 1), ...number(2, 2), ...number(3, 1), ...number(3, 2), ...times([1])];
    const dictionary = tables(true, [attribute(5, 6), attribute(1, 7)]);
    const sound = sampleOf({ values: [3], attributes: [1] }, packed, NEW);
    const core = await read(messageOf(profileOf([sound, sound, other]), dictionary));
    expect(sum(core)).toBe(6n);
    expect(codes(core)).toEqual(["otlp.layout.sample"]);
  });

  describe("of several profiles in a message", () => {
    const old = profileOf([sampleOf({ values: [500], attributes: [1] }, packed, OLD)]);
    const later = profileOf([sampleOf({ values: [70], attributes: [2] }, packed, NEW)]);
    /** One sample of value 2 in the old layout, of value 1 and attribute 2 in the later one. */
    const open = profileOf([[...number(1, 1), ...number(2, 2), ...times([3])]]);
    const scopeOf = (...profiles: number[][]) =>
      delimited(
        2,
        profiles.flatMap((profile) => delimited(2, profile)),
      );
    const message = (...resources: number[][][]) =>
      new Uint8Array([...resources.flatMap((scopes) => delimited(1, scopes.flat())), ...delimited(2, RESERVED)]);

    it.each([
      ["in one scope", message([scopeOf(old, later)])],
      ["in two scopes", message([scopeOf(later), scopeOf(old)])],
      ["in two Resources", message([scopeOf(old)], [scopeOf(later)])],
    ])("are those of each, and that is said: %s", async (_, bytes) => {
      const core = await read(bytes);
      expect([codes(core), sum(core)]).toEqual([["otlp.layout.old"], 570n]);
      expect(core.diagnostics()[0]?.message).toMatch(/^otlp: a profile with .*; 1 of the message with those of v1\.10/);
      for (const value of ["w0", "w1"])
        expect(core.select(null, { attributes: [{ key: "thread", value }] }).samples).toBe(1);
    });

    it("are those of its scope, else of its Resource, else of the message, where a profile fits both", async () => {
      const ofScope = await read(message([scopeOf(old, open), scopeOf(later)]));
      expect([codes(ofScope), sum(ofScope)]).toEqual([["otlp.layout.old"], 572n]);
      const ofResource = await read(message([scopeOf(old), scopeOf(open)], [scopeOf(later)]));
      expect([codes(ofResource), sum(ofResource)]).toEqual([["otlp.layout.old"], 572n]);
      const ofMessage = await read(message([scopeOf(old)], [scopeOf(open)]));
      expect([codes(ofMessage), sum(ofMessage)]).toEqual([["otlp.layout.old"], 502n]);
    });

    it("are open where a profile fits both and the others differ", async () => {
      const core = await read(message([scopeOf(old, open, later)]));
      expect([codes(core).sort(), sum(core)]).toEqual([["otlp.layout.old", "otlp.layout.open"], 571n]);
    });
  });

  it("are known of JSON, whatever a sample lacks", async () => {
    const core = await read(
      new TextEncoder().encode(
        JSON.stringify({
          resourceProfiles: [
            {
              scopeProfiles: [
                {
                  profiles: [
                    {
                      sampleType: { type: 1, unit: 2 },
                      samples: [{ stackIndex: 1, attributeIndices: [1] }],
                    },
                  ],
                },
              ],
            },
          ],
          dictionary: {
            locationTable: [{}, {}],
            stringTable: ["", "cpu", "nanoseconds", "k"],
            attributeTable: [{}, { keyStrindex: 3, value: { stringValue: "v" } }],
            stackTable: [{}, { locationIndices: [1] }],
          },
        }),
      ),
    );
    expect(codes(core).sort()).toEqual(["otlp.json.old-key", "otlp.sample.empty"]);
  });
});

describe("a message of v1.7", () => {
  it("is read alone; beside a profile of today it is refused by its version", async () => {
    const earlier = [
      ...TYPE,
      ...delimited(2, [...number(2, 2), ...packed(3, [500]), ...packed(4, [1])]),
      ...packed(3, [1, 2]),
      ...number(4, 1_700_000_000_000_000_000n),
      ...number(5, 9),
      ...delimited(6, [...number(1, 3), ...number(2, 4)]),
      ...number(7, 10),
    ];
    const alone = await read(messageOf(earlier, RESERVED));
    expect([codes(alone), sum(alone)]).toEqual([[], 500n]);
    const today = profileOf([sampleOf({ values: [7] }, packed, NEW)]);
    const both = new Uint8Array([
      ...delimited(1, delimited(2, [...delimited(2, earlier), ...delimited(2, today)])),
      ...delimited(2, RESERVED),
    ]);
    const core = await read(both);
    expect([codes(core), sum(core)]).toEqual([["otlp.layout.earlier"], 7n]);
  });
});

describe("JSON of v1.7", () => {
  const earlier = {
    sampleType: [{ typeStrindex: 1, unitStrindex: 2 }],
    sample: [{ locationsStartIndex: 0, locationsLength: 1, value: [5] }],
    locationIndices: [1],
  };
  const today = { sampleType: { typeStrindex: 1, unitStrindex: 2 }, samples: [{ stackIndex: 1, values: [7] }] };
  const ofOlder = { ...today, samples: [{ locationsStartIndex: 0, locationsLength: 1, values: [5] }] };
  const json = (...profiles: object[]) =>
    new TextEncoder().encode(
      JSON.stringify({
        resourceProfiles: [{ scopeProfiles: [{ profiles }] }],
        dictionary: {
          stringTable: ["", "cpu", "nanoseconds"],
          locationTable: [{}, {}],
          stackTable: [{}, { locationIndices: [1] }],
        },
      }),
    );

  it.each([
    ["in any member", [earlier, today]],
    ["in samples only", [today, ofOlder]],
  ])("is refused by its keys %s, and a profile of today beside it is read", async (_, profiles) => {
    const core = await read(json(...profiles));
    expect(codes(core)).toContain("otlp.json.earlier-key");
    expect(codes(core)).not.toContain("otlp.sample.empty");
    expect(sum(core)).toBe(7n);
    expect(sum(await read(json(profiles[0] === today ? ofOlder : earlier)))).toBe(0n);
  });
});

describe("tables whose element 0 is an entry", () => {
  const message = messageOf(
    profileOf([
      [...packed(2, [0]), ...packed(4, [500])],
      [...number(1, 1), ...packed(2, [1]), ...packed(4, [700])],
    ]),
    tables(false, [attribute(5, 6), attribute(5, 7)]),
  );

  it("are read with it, and named once", async () => {
    const core = await read(message);
    expect(codes(core)).toEqual(["otlp.table.zero"]);
    expect(core.diagnostics()[0]?.message).toMatch(
      /element 0 of location_table, function_table, attribute_table, stack_table .* read as that element/,
    );
    expect(collapsed(core)).toBe("root;leaf 500\nroot 700\n");
    for (const value of ["w0", "w1"])
      expect(core.select(null, { attributes: [{ key: "thread", value }] }).samples).toBe(1);
  });

  it("do not give a link to samples without one", async () => {
    const dictionary = new Uint8Array([
      ...RESERVED.slice(0, 2),
      ...delimited(4, [...delimited(1, Array(16).fill(9)), ...delimited(2, Array(8).fill(9))]),
      ...RESERVED.slice(2),
    ]);
    const core = await read(messageOf(profileOf([sampleOf({ values: [7] }, packed, NEW)]), [...dictionary]));
    expect(core.diagnostics().map(({ message: said }) => said)).toEqual([
      expect.stringMatching(/references to 0 of link_table are read as no reference/),
    ]);
    core.select(null, {});
    expect(core.views.rank({ kind: "span" }, 0, 9).rows).toEqual([]);
  });
});
