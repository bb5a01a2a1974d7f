/** Rules of the encoding: notes of the walks, and faults that end them. */
import type { EncodingCode } from "../../otlp/sink.ts";
import { COLLECTOR, JSON_SPEC, PROTO, type Rule, rule } from "./rule.ts";

const ENCODING = "protobuf encoding";

function coded(id: string, text: string, source: string, codes: EncodingCode[]): Rule {
  return { id, text, source, codes };
}

export const BROKEN_PROTOBUF = rule("E16", "Protobuf can be read to its end", ENCODING);
export const BROKEN_JSON = rule("E19", "JSON can be read to its end", "RFC 8259");
export const NOT_OTLP = rule("E25", "The file contains OTLP profiles, and is complete if it is compressed", COLLECTOR);
export const PACKED = rule(
  "W20",
  "The message is not compressed: a receiver relies on Content-Encoding only",
  COLLECTOR,
);
export const FRAMED = rule(
  "I20",
  "The file is one message, not several in frames of the Collector's file exporter or of Jeffrey, which no receiver accepts",
  COLLECTOR,
);

export const WIRE_RULES: Rule[] = [
  coded(
    "E15",
    "A known field has its wire type; Sample has the field numbers of v1.10 and later",
    `${ENCODING}, ${COLLECTOR}`,
    ["wire-type", "old-layout"],
  ),
  BROKEN_PROTOBUF,
  coded("E17", "A number fits the type of its field", PROTO, ["out-of-range"]),
  coded("E18", "Strings are UTF-8, their surrogates in pairs", ENCODING, ["not-utf8"]),
  BROKEN_JSON,
  coded("E20", "A value in JSON is of its field's type", JSON_SPEC, ["wrong-type"]),
  coded("E21", "Keys in JSON are lowerCamelCase", JSON_SPEC, ["snake-case"]),
  coded("E22", "Keys in JSON are the current ones: samples and lines instead of sample and line", PROTO, [
    "old-key",
    "earlier-key",
  ]),
  coded("E23", "In JSON trace, span and profile ids are hex", `${JSON_SPEC}, ${COLLECTOR}`, ["id-not-hex"]),
  coded("E24", "Other bytes in JSON are base64 of the standard alphabet, padded", `${JSON_SPEC}, ${COLLECTOR}`, [
    "base64",
  ]),
  NOT_OTLP,
  coded("E26", "Messages are nested at most 100 deep", ENCODING, ["too-deep"]),
  PACKED,
  coded("W21", "Fields and keys are known", PROTO, ["unknown-field"]),
  coded("W22", "In JSON 32-bit integers are numbers", JSON_SPEC, ["integer-as-string"]),
  coded("W23", "In JSON nothing is null", JSON_SPEC, ["null"]),
  coded("W24", "JSON starts without a byte order mark", COLLECTOR, ["byte-order-mark"]),
  coded("W25", "A field that is not repeated occurs once, and a oneof has one member", ENCODING, ["again"]),
  FRAMED,
];
