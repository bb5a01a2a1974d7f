/** Each rule of the encoding is violated alone, by bytes that no writer would write. */
import { describe, expect, it } from "vitest";
import { delimited, jsonOf, jsonTextOf, type Plain, protobufOf, varint } from "../../../test/kit/otlp/otlp-encode.ts";
import { broken, sound } from "../../../test/kit/otlp/sound-message.ts";
import { type Report, validateBytes } from "../validate.ts";
import { WIRE_RULES } from "./wire.ts";

const PROFILE = "resource_profiles[0].scope_profiles[0].profiles[0]";
const SAMPLE = `${PROFILE}.samples[0]`;
const utf8 = (text: string) => new TextEncoder().encode(text);

/** The scope of the sound message. */
const SCOPE = '{"name":"test","version":"1.0","attributes":[{"key":"build","value":{"stringValue":"a"}}]}';

/** The sound message in JSON, with a part of its text replaced. */
function edited(part: string, by: string): Uint8Array {
  const text = jsonTextOf(sound());
  if (!text.includes(part)) throw new Error(`${part} is not in the message`);
  return utf8(text.replace(part, by));
}

/** A protobuf message of one sample, whose bytes are given, after the sound one. */
function withSample(bytes: number[]): Uint8Array {
  const profile = delimited(2, bytes);
  return Uint8Array.from([...protobufOf(sound()), ...delimited(1, delimited(2, delimited(2, profile)))]);
}

const withDictionary = (bytes: number[]) => Uint8Array.from([...protobufOf(sound()), ...delimited(2, bytes)]);
const validate = (bytes: Uint8Array, json: boolean) => validateBytes(bytes, json ? "json" : "protobuf");

/** Deeper than anything has to be. */
function nested(depth: number): Plain {
  let value: Plain = { intValue: 1n };
  for (let i = 0; i < depth; i++) value = { arrayValue: { values: [value] } };
  return broken("resourceProfiles.0.resource.attributes.0.value", value);
}

const JSON_CASES: [rule: string, what: string, bytes: Uint8Array, where: string][] = [
  ["E17", "a number above its type", edited('"stackIndex":1', '"stackIndex":2147483648'), `${SAMPLE}.stack_index`],
  [
    "E17",
    "a number of more than 64 bits",
    edited('"values":["3"]', '"values":["9223372036854775808"]'),
    `${PROFILE}.samples[1].values[0]`,
  ],
  ["E18", "half a surrogate pair", edited('"main"', '"\\ud800"'), "string_table[5]"],
  ["E20", "a fraction", edited('"stackIndex":1', '"stackIndex":1.0'), `${SAMPLE}.stack_index`],
  ["E20", "an object for an array", edited('"values":["3"]', '"values":{"3":[]}'), `${PROFILE}.samples[1].values[0]`],
  ["E20", "a number for a string", edited('"jfr"', "7"), `${PROFILE}.original_payload_format`],
  ["E20", "a string for a payload's", edited('"RkxSAA=="', "[1]"), `${PROFILE}.original_payload`],
  ["E20", "a word for a message", edited(SCOPE, "true"), "resource_profiles[0].scope_profiles[0].scope"],
  ["E21", "a key of the .proto", edited("stackIndex", "stack_index"), `${SAMPLE}.stack_index`],
  ["E22", "a key that was one", edited('"samples":', '"sample":'), `${PROFILE}.samples`],
  ["E22", "another such key", edited('"lines":', '"line":'), "location_table[1].lines"],
  [
    "E23",
    "an id in base64",
    edited(`"profileId":"000102030405060708090a0b0c0d0e0f"`, '"profileId":"AAECAwQFBgcICQoLDA0ODw=="'),
    `${PROFILE}.profile_id`,
  ],
  ["E24", "URL-safe base64", edited("RkxSAA==", "Rkx_AA=="), `${PROFILE}.original_payload`],
  ["E24", "base64 without padding", edited("RkxSAA==", "RkxSAA"), `${PROFILE}.original_payload`],
  [
    "E24",
    "bytes of an attribute that are no base64",
    edited('{"intValue":"12"}', '{"bytesValue":"*"}'),
    "attribute_table[4].value.bytes_value",
  ],
  ["E26", "arrays in arrays", jsonOf(nested(60)), ""],
  ["W21", "a key that nobody knows", edited('"stackIndex":1', '"stackIndex":1,"colour":{"red":[1,"]"]}'), SAMPLE],
  ["W21", "such a key where more is read as it comes", edited('"period":', '"a":[[]],"period":'), PROFILE],
  ["W22", "an index as a string", edited('"stackIndex":1', '"stackIndex":"1"'), `${SAMPLE}.stack_index`],
  ["W23", "null for a value", edited('"version":"1.0"', '"version":null'), "scope.version"],
  ["W23", "null for a link", edited('"linkTable":[{}', '"linkTable":[null'), "link_table"],
  ["W24", "a byte order mark", utf8(`\ufeff${jsonTextOf(sound())}`), ""],
  ["W25", "a key twice", edited('"stackIndex":1', '"stackIndex":1,"stackIndex":1'), `${SAMPLE}.stack_index`],
  [
    "W25",
    "two members of a oneof",
    edited('{"intValue":"12"}', '{"intValue":"12","boolValue":false}'),
    "attribute_table[4].value.bool_value",
  ],
];

const PROTOBUF_CASES: [rule: string, what: string, bytes: Uint8Array, where: string][] = [
  [
    "E15",
    "another wire type",
    withSample([...varint(8 + 1), 0, 0, 0, 0, 0, 0, 0, 0, ...delimited(4, [1])]),
    "resource_profiles[1].scope_profiles[0].profiles[0].samples[0].stack_index",
  ],
  [
    "E15",
    "the old layout",
    withSample([...delimited(2, [1]), ...delimited(3, [3])]),
    "resource_profiles[1].scope_profiles[0].profiles[0].samples[0].link_index",
  ],
  [
    "E17",
    "an index of 33 bits",
    withSample([...varint(8), ...varint(2n ** 32n), ...delimited(4, [1])]),
    "resource_profiles[1].scope_profiles[0].profiles[0].samples[0].stack_index",
  ],
  ["E18", "bytes that are not UTF-8", withDictionary(delimited(5, [0xff])), "string_table[12]"],
  ["E26", "arrays in arrays", protobufOf(nested(60)), ""],
  [
    "W21",
    "a field that nobody knows",
    withDictionary([...varint(99 * 8), 1, ...delimited(98, [1, 2]), ...varint(97 * 8 + 5), 1, 2, 3, 4]),
    "",
  ],
  [
    "W25",
    "a field twice",
    withSample([8, 0, 8, 0, ...delimited(4, [1])]),
    "resource_profiles[1].scope_profiles[0].profiles[0].samples[0].stack_index",
  ],
];

const rulesOf = ({ findings }: Report) => findings.map(({ rule }) => rule);

describe("a rule of the encoding", () => {
  it.each(JSON_CASES)("%s is broken in JSON by %s", (rule, _, bytes, where) => {
    expect(validate(bytes, true).findings.find((finding) => finding.rule === rule)?.where).toContain(where);
  });

  it.each(PROTOBUF_CASES)("%s is broken in protobuf by %s", (rule, _, bytes, where) => {
    expect(validate(bytes, false).findings.find((finding) => finding.rule === rule)?.where).toContain(where);
  });

  it("is not broken by a fault that has another", () => {
    for (const [rule, what, bytes] of JSON_CASES.filter(([id]) => id.startsWith("W") || ["E21", "E22"].includes(id))) {
      expect([what, rulesOf(validate(bytes, true))]).toEqual([what, [rule]]);
    }
  });

  it("E19 is broken by JSON that is cut, anywhere", () => {
    const whole = jsonOf(sound());
    const cuts = Array.from({ length: whole.length - 1 }, (_, n) => rulesOf(validate(whole.subarray(0, n + 1), true)));
    expect(cuts.filter((rules) => !rules.includes("E19"))).toEqual([]);
  });

  it("E16 is broken by protobuf that is cut, but where a field ends", () => {
    const whole = protobufOf(sound());
    const cuts = Array.from({ length: whole.length - 1 }, (_, n) => rulesOf(validate(whole.subarray(0, n + 1), false)));
    // Between the resource and the dictionary.
    expect(cuts.filter((rules) => !rules.includes("E16"))).toHaveLength(1);
  });

  it.each([
    ["a length behind the end of its message", [...varint(10), 1, ...varint(18), 9]],
    ["a field of number 0", [0, 1]],
    ["a group", [11]],
    ["a varint without an end", Array(11).fill(0xff)],
    ["fixed64 in a row that are cut", delimited(1, delimited(2, delimited(2, delimited(2, delimited(5, [1, 2, 3])))))],
  ])("E16 is broken by %s", (_, bytes) => {
    expect(rulesOf(validate(Uint8Array.from(bytes), false))).toEqual(["E16"]);
  });

  it("has a case here, if a walk notes it", () => {
    const cases = new Set([...JSON_CASES, ...PROTOBUF_CASES].map(([rule]) => rule));
    expect(WIRE_RULES.filter(({ id, codes }) => codes !== undefined && !cases.has(id)).map(({ id }) => id)).toEqual([]);
  });
});
