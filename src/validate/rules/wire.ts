/** Rules of the encoding: notes of the walks, and faults that end them. */
import { COLLECTOR, JSON_SPEC, PROTO, type Rule } from "./rule.ts";

const ENCODING = "protobuf encoding";

export const BROKEN_PROTOBUF: Rule = { id: "E16", text: "Protobuf can be read to its end", source: ENCODING };
export const BROKEN_JSON: Rule = { id: "E19", text: "JSON can be read to its end", source: "RFC 8259" };
export const NOT_OTLP: Rule = {
  id: "E25",
  text: "The file contains OTLP profiles, and is complete if it is compressed",
  source: COLLECTOR,
};
export const PACKED: Rule = {
  id: "W20",
  text: "The message is not compressed: a receiver relies on Content-Encoding only",
  source: COLLECTOR,
};
export const FRAMED: Rule = {
  id: "I20",
  text: "The file is one message, not several in frames of the Collector's file exporter or of Jeffrey, which no receiver accepts",
  source: COLLECTOR,
};

export const WIRE_RULES: Rule[] = [
  {
    id: "E15",
    text: "A known field has its wire type; Sample has the field numbers of v1.10 and later",
    source: `${ENCODING}, ${COLLECTOR}`,
    codes: ["wire-type", "old-layout"],
  },
  BROKEN_PROTOBUF,
  { id: "E17", text: "A number fits the type of its field", source: PROTO, codes: ["out-of-range"] },
  { id: "E18", text: "Strings are UTF-8, their surrogates in pairs", source: ENCODING, codes: ["not-utf8"] },
  BROKEN_JSON,
  { id: "E20", text: "A value in JSON is of its field's type", source: JSON_SPEC, codes: ["wrong-type"] },
  { id: "E21", text: "Keys in JSON are lowerCamelCase", source: JSON_SPEC, codes: ["snake-case"] },
  {
    id: "E22",
    text: "Keys in JSON are the current ones: samples and lines instead of sample and line",
    source: PROTO,
    codes: ["old-key", "earlier-key"],
  },
  {
    id: "E23",
    text: "In JSON trace, span and profile ids are hex",
    source: `${JSON_SPEC}, ${COLLECTOR}`,
    codes: ["id-not-hex"],
  },
  {
    id: "E24",
    text: "Other bytes in JSON are base64 of the standard alphabet, padded",
    source: `${JSON_SPEC}, ${COLLECTOR}`,
    codes: ["base64"],
  },
  NOT_OTLP,
  { id: "E26", text: "Messages are nested at most 100 deep", source: ENCODING, codes: ["too-deep"] },
  PACKED,
  { id: "W21", text: "Fields and keys are known", source: PROTO, codes: ["unknown-field"] },
  { id: "W22", text: "In JSON 32-bit integers are numbers", source: JSON_SPEC, codes: ["integer-as-string"] },
  { id: "W23", text: "In JSON nothing is null", source: JSON_SPEC, codes: ["null"] },
  { id: "W24", text: "JSON starts without a byte order mark", source: COLLECTOR, codes: ["byte-order-mark"] },
  {
    id: "W25",
    text: "A field that is not repeated occurs once, and a oneof has one member",
    source: ENCODING,
    codes: ["again"],
  },
  FRAMED,
];
