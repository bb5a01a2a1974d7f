/** Recognition of OTLP profiles messages, as opposed to files of other formats, text and random bytes. */
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { sniff } from "../../../src/input/classify.ts";
import { ascii, concat, DICTIONARY, delimited, field, frame, jsonOf, protobufOf } from "../../kit/otlp/otlp-message.ts";
import { Random } from "../../kit/random.ts";

const FIXTURES = new URL("../../../fixtures/", import.meta.url);
const recording = (path: string) => new Uint8Array(readFileSync(new URL(path, FIXTURES)));
const RECORDED = readdirSync(FIXTURES).filter((name) => name.endsWith(".jfr"));
const kindOf = (bytes: Uint8Array) => sniff(bytes.subarray(0, 64)).kind;

describe("an OTLP profiles message", () => {
  const message = protobufOf({ format: "jfr", payload: new Uint8Array(900) });
  const KEY = field(1, ascii("k".repeat(20)));
  const SIXTY = field(1, field(1, field(1, concat([KEY, field(2, field(1, ascii("v".repeat(30))))]))));
  const zeros = Uint8Array.of(0x12, 14, 0x0a, 0, 0x12, 0, 0x1a, 0, 0x22, 0, 0x2a, 0, 0x32, 0, 0x3a, 0);
  it.each([
    ["protobuf", message, "protobuf"],
    ["a dictionary in front", concat([DICTIONARY, message]), "protobuf"],
    ["nothing but a dictionary of zero elements", zeros, "protobuf"],
    ["no resource, no scope", field(1, field(2, field(2, field(9, ascii("jfr"))))), "protobuf"],
    ["a resource of 60 bytes, which is <", SIXTY, "protobuf"],
    [
      "a field of a later version behind the fourth",
      concat([message.subarray(0, 38), Uint8Array.of(0xfa, 1, 0)]),
      "protobuf",
    ],
    ["frames", frame(message), "frames"],
    ["frames of one field", frame(field(1, new Uint8Array())), "frames"],
    ["Jeffrey's magic and version", delimited([message]), "delimited"],
    ["Jeffrey's magic and a later version", delimited([message], 2), "delimited"],
    ["an empty file of Jeffrey's", delimited([]), "delimited"],
    ["JSON", jsonOf([{}]), "json"],
    ["JSON in many lines", jsonOf([{}], { indent: 4 }), "json"],
    ["JSON of field names", jsonOf([{}], { snake: true }), "json"],
    ["JSON of profiles only", ascii(' {"resourceProfiles" : [{}]}'), "json"],
    ["JSON of an empty dictionary", ascii('{"dictionary":{},"resourceProfiles":[]}'), "json"],
  ])("is known by its first bytes: %s", (_, bytes, form) => {
    expect(sniff(bytes.subarray(0, 64))).toEqual({ kind: "otlp", form });
  });
});

describe("something else", () => {
  it.each([
    ["a recording", recording(RECORDED[0] ?? ""), "jfr"],
    ["a packed one", new Uint8Array(gzipSync(recording("shop.jfr"))), "gzip"],
    ["an archive", zipSync({ "a.jfr": Uint8Array.of(1) }), "zip"],
    ["other JSON", ascii('{"resourceSpans":[{"scopeSpans":[]}]}'), "foreign"],
    ["JSON with a dictionary of its own", ascii('{"dictionary":{"a":1}}'), "foreign"],
    ["JSON with a key deeper down", ascii('{"a":{"resourceProfiles":[]}}'), "foreign"],
    ["an array of messages", ascii('[{"resourceProfiles":[]}]'), "foreign"],
    ["short lines of text", ascii("\n}\n{\nzA\n"), "foreign"],
    ["pprof", field(1, Uint8Array.of(0x08, 1, 0x10, 2)), "pprof"],
    ["a child longer than its message", concat([Uint8Array.of(0x0a, 10), field(2, new Uint8Array(40))]), "foreign"],
    [
      "a child of a frame longer than that",
      concat([Uint8Array.of(0, 0, 0, 9), field(1, new Uint8Array(40))]),
      "foreign",
    ],
  ])("is not taken for one: %s", (_, bytes, kind) => {
    expect(kindOf(bytes)).toBe(kind);
  });

  it("at the beginning of any recording, cut anywhere, is none either", () => {
    for (const name of RECORDED) {
      const bytes = recording(name);
      for (let n = 0; n < 64; n++) expect(sniff(bytes.subarray(0, n)).kind).not.toBe("otlp");
      for (let at = 0; at + 64 < bytes.length; at += 997) expect(kindOf(bytes.subarray(at))).not.toBe("otlp");
    }
  });

  it("by chance, is fewer than one in a million of random beginnings", () => {
    let taken = 0;
    for (let i = 0; i < 200_000; i++) {
      const random = new Random(1, i);
      // Those that have the first byte right, of which there are two in 256.
      const head = Uint8Array.from({ length: 64 }, () => random.below(256));
      head[0] = i % 2 === 0 ? 0x0a : 0x12;
      if (sniff(head).kind === "otlp") taken++;
    }
    expect((taken / 200_000) * (2 / 256)).toBeLessThan(1e-6);
  });
});
