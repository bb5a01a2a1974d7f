/**
 * Attribute values that are no scalar: what a message has of them is encoded again (assembly/read/encoded.ts), so
 * nothing of it that is unknown, mistyped, doubled or too long reaches an output, and no number in it is taken for a
 * length.
 */
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { anyValueText, encodedFault } from "../../../src/core/instance/any-value.ts";
import { readInputs } from "../../../src/input/open.ts";
import { validateBytes } from "../../../src/validate/validate.ts";
import { codes, emptyCore } from "../../kit/core/read-store.ts";
import { delimited, varint } from "../../kit/otlp/otlp-encode.ts";

const utf8 = (text: string) => [...new TextEncoder().encode(text)];
const tag = (field: number, wire: number) => varint(field * 8 + wire);
const MEGABYTE = varint(1 << 20);
const EIGHT = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * AnyValues of one field that none has, or with a wire type that it must not have; as a length each would be a
 * mebibyte.
 */
const HOSTILE: Record<string, number[]> = Object.fromEntries([
  ...[1, 4, 5, 6, 7, 9, 15, 16, 100, 2 ** 28].map((field) => [
    `field ${field} as a varint`,
    [...tag(field, 0), ...MEGABYTE],
  ]),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((field) => [`field ${field} as fixed32`, [...tag(field, 5), 0, 0, 16, 0]]),
  ...[1, 2, 3, 5, 6, 7, 8, 9].map((field) => [`field ${field} as fixed64`, [...tag(field, 1), ...EIGHT]]),
  ...[2, 3, 4, 8, 9].map((field) => [`field ${field} as bytes`, delimited(field, MEGABYTE)]),
  ...[3, 4, 6, 7].map((wire) => [`field 3 of wire type ${wire}`, [...tag(3, wire), ...MEGABYTE]]),
]);

const array = (...values: number[][]) =>
  delimited(
    5,
    values.flatMap((value) => delimited(1, value)),
  );
const pairs = (...list: [key: number[], value: number[]][]) =>
  delimited(
    6,
    list.flatMap(([key, value]) => delimited(1, [...key, ...delimited(2, value)])),
  );
const key = (text: string) => delimited(1, utf8(text));

/** A message with one sample that has the attribute `list` of this value; `text` is string 3. */
function messageOf(value: number[], text = "main"): Uint8Array {
  const strings = ["", "cpu", "samples", text, "list"].flatMap((each) => delimited(5, utf8(each)));
  const attribute = delimited(6, [...tag(1, 0), 4, ...delimited(2, value)]);
  const tables = [...[1, 2, 3, 4].flatMap((table) => delimited(table, [])), ...strings];
  const dictionary = [...tables, ...delimited(6, []), ...attribute, ...delimited(7, [])];
  const sample = [...delimited(2, [1]), ...delimited(4, [7])];
  const profile = [...delimited(1, [...tag(1, 0), 1, ...tag(2, 0), 2]), ...delimited(2, sample)];
  const resource = delimited(2, delimited(2, profile));
  return Uint8Array.from([...delimited(1, resource), ...delimited(2, dictionary)]);
}

async function read(bytes: Uint8Array): Promise<Core> {
  const core = await emptyCore();
  await readInputs(core, [{ name: "m", source: bytesSource(bytes) }]);
  return core;
}

/** The value of the attribute as JSON writes it, after the message was found sound in both encodings. */
function writtenValue(core: Core): unknown {
  const protobuf = core.write(null, {}, { format: "otlp" }).bytes;
  const json = core.write(null, {}, { format: "otlp-json" }).bytes;
  for (const report of [validateBytes(protobuf, "protobuf"), validateBytes(json, "json")]) {
    expect(report.findings.filter(({ severity }) => severity === "error")).toEqual([]);
  }
  expect(protobuf.length).toBeLessThan(5000);
  const { dictionary } = JSON.parse(new TextDecoder().decode(json));
  const { stringTable, attributeTable } = dictionary;
  return attributeTable.find(({ keyStrindex }: { keyStrindex: number }) => stringTable[keyStrindex] === "list")?.value;
}

const label = (core: Core) => {
  core.select(core.profiles()[0]?.id ?? 0, {});
  return core.views.rank({ kind: "attribute", key: "list" }, 0, 9).rows.map((row) => row.label);
};

describe.each(Object.entries(HOSTILE))("an AnyValue of %s", (_, hostile) => {
  it("in an array becomes a value without a member", async () => {
    const core = await read(messageOf(array(hostile, delimited(1, utf8("kept")))));
    expect(writtenValue(core)).toEqual({ arrayValue: { values: [{}, { stringValue: "kept" }] } });
    expect(label(core)).toEqual(['[null,"kept"]']);
  });

  it("in a list of pairs becomes a value without a member", async () => {
    const core = await read(messageOf(pairs([key("a"), hostile], [key("b"), [...tag(3, 0), 5]])));
    const values = [
      { key: "a", value: {} },
      { key: "b", value: { intValue: "5" } },
    ];
    expect(writtenValue(core)).toEqual({ kvlistValue: { values } });
    expect(label(core)).toEqual(['{"a":null,"b":5}']);
  });

  it("alone is no value", async () => {
    expect(writtenValue(await read(messageOf(hostile))) ?? {}).toEqual({});
  });

  it("as a field of a list or of a pair is left out", async () => {
    const list = delimited(5, [...hostile, ...delimited(1, [...tag(2, 0), 1])]);
    expect(writtenValue(await read(messageOf(array(list))))).toMatchObject({
      arrayValue: { values: [{ arrayValue: {} }] },
    });
    const pair = delimited(6, delimited(1, [...key("a"), ...hostile]));
    expect(writtenValue(await read(messageOf(pair)))).toMatchObject({ kvlistValue: {} });
  });
});

it("has a key once in a list of pairs, and reports the others", async () => {
  const core = await read(messageOf(pairs([key("a"), [...tag(3, 0), 1]], [key("a"), [...tag(3, 0), 2]])));
  expect(writtenValue(core)).toEqual({ kvlistValue: { values: [{ key: "a", value: { intValue: "1" } }] } });
  expect(codes(core)).toContain("otlp.attribute.twice");
});

it("has a key twice where the lists are two", async () => {
  const list = pairs([key("a"), [...tag(3, 0), 1]]);
  const one = { kvlistValue: { values: [{ key: "a", value: { intValue: "1" } }] } };
  expect(writtenValue(await read(messageOf(array(list, list))))).toEqual({ arrayValue: { values: [one, one] } });
});

it("reports fields of a wrong wire type", async () => {
  expect(codes(await read(messageOf(array([...tag(5, 0), ...MEGABYTE]))))).toContain("otlp.wire-type");
});

it("keeps lists that are 16 deep, and reports deeper ones", async () => {
  const nested = (levels: number) => {
    let value = [...tag(3, 0), 1];
    for (let i = 0; i < levels; i++) value = array(value);
    return value;
  };
  expect(codes(await read(messageOf(nested(16))))).toEqual([]);
  const core = await read(messageOf(nested(17)));
  expect(codes(core)).toEqual(["otlp.value.deep"]);
  writtenValue(core);
});

it("does not let indices multiply a long text", async () => {
  const bytes = messageOf(array(...new Array(2000).fill([...tag(8, 0), 3])), "x".repeat(20_000));
  const core = await read(bytes);
  expect(codes(core)).toContain("otlp.value.large");
  expect(core.write(null, {}, { format: "otlp" }).bytes.length).toBeLessThan(10 * bytes.length + (1 << 17));
});

describe("an encoded value of a caller", () => {
  const sound = Uint8Array.from(pairs([key("a"), array([...tag(3, 0), 1])]));

  it("is passed on when it is of the form", async () => {
    expect(encodedFault(sound)).toBeNull();
    const core = await read(messageOf(array()));
    const { bytes } = core.write(null, {}, { format: "otlp-json", resource: { made: sound } });
    expect(new TextDecoder().decode(bytes)).toContain('"arrayValue"');
  });

  it.each(Object.entries(HOSTILE))("is refused with %s", async (_, hostile) => {
    const core = await read(messageOf(array()));
    for (const bytes of [hostile, array(hostile), pairs([key("a"), hostile])].map((list) => Uint8Array.from(list))) {
      expect(encodedFault(bytes)).not.toBeNull();
      // Shown it may be, and ends within its bytes.
      anyValueText(bytes);
      const write = () => core.write(null, {}, { format: "otlp-json", resource: { made: bytes } });
      expect(write).toThrow(/"made" is not an AnyValue/);
    }
  });

  it("is refused when cut anywhere, or with a key twice, no UTF-8 or too many lists", () => {
    for (let n = 1; n < sound.length; n++) expect(encodedFault(sound.subarray(0, n))).not.toBeNull();
    expect(encodedFault(Uint8Array.from(pairs([key("a"), []], [key("a"), []])))).toMatch(/twice/);
    expect(encodedFault(Uint8Array.from(delimited(1, [0xff])))).toMatch(/UTF-8/);
    let deep: number[] = [];
    for (let i = 0; i < 17; i++) deep = array(deep);
    expect(encodedFault(Uint8Array.from(deep))).toMatch(/16 nested lists/);
  });
});
