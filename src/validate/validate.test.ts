/**
 * Validation of whole files: in pieces, compressed, framed, of another format; and the messages that other validators
 * judged.
 */
import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { need } from "../../test/kit/needs.ts";
import { jsonOf, jsonTextOf, protobufOf } from "../../test/kit/otlp/otlp-encode.ts";
import { broken, sound } from "../../test/kit/otlp/sound-message.ts";
import { FORMATS } from "../input/formats.ts";
import { type Report, validate, validateBytes } from "./validate.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const rulesOf = ({ findings }: Report) => findings.map(({ rule }) => rule);
const NO_SPAN = broken("dictionary.linkTable.1.spanId", "");

/** A source that gives a few bytes at a time, so that everything is cut somewhere. */
function inPieces(bytes: Uint8Array, size: number) {
  return { byteLength: bytes.length, slice: async (start: number) => bytes.slice(start, start + size) };
}

const framed = (...messages: Uint8Array[]) =>
  Uint8Array.from(messages.flatMap((bytes) => [0, 0, bytes.length >> 8, bytes.length & 255, ...bytes]));

describe("a file", () => {
  it.each([
    ["protobuf", protobufOf(sound()), []],
    ["JSON", jsonOf(sound()), []],
    [
      "JSON with white space and escapes",
      utf8(JSON.stringify(JSON.parse(jsonTextOf(sound())), null, 2).replace("RkxSAA", "Rkx\\u0053AA")),
      [],
    ],
    ["what the file exporter writes", framed(protobufOf(sound()), protobufOf(NO_SPAN)), ["E09", "I20"]],
    ["lines of JSON", utf8(`${jsonTextOf(sound())}\n${jsonTextOf(NO_SPAN)}\n`), ["E09", "I20"]],
    ["gzip", new Uint8Array(gzipSync(protobufOf(sound()))), ["W20"]],
    ["gzip twice", new Uint8Array(gzipSync(gzipSync(jsonOf(sound())))), ["W20"]],
    ["a JFR recording", utf8("FLR\0…"), ["E25"]],
    ["a recording in gzip", new Uint8Array(gzipSync(utf8("FLR\0…"))), ["E25", "W20"]],
    ["a text", utf8("once upon a time"), ["E25"]],
    ["an archive", Uint8Array.of(0x50, 0x4b, 3, 4), ["E25"]],
    ["nothing", new Uint8Array(0), ["E01", "E05", "W18"]],
    ["JSON of something else", utf8('[{"a":1}]'), ["E19"]],
    ["bytes that are nothing", Uint8Array.of(0xff, 0xff, 7, 0), ["E16"]],
    ["frames that are cut", framed(protobufOf(sound())).slice(0, -1), ["E16", "I20"]],
    ["a message and two bytes of a length", Uint8Array.of(...framed(protobufOf(sound())), 0, 0), ["E16", "I20"]],
  ])("of %s is told the same, whole or in pieces", async (_, bytes, rules) => {
    const whole = await validate(bytes);
    expect(rulesOf(whole)).toEqual(rules);
    expect(whole.valid).toBe(!rules.some((rule) => rule.startsWith("E")));
    // The head that shows a file's format arrives as one piece.
    for (const size of [64, 67, 1000]) expect(await validate(inPieces(bytes, size))).toEqual(whole);
  });

  it.each([
    ["a JFR recording, of which", utf8("FLR\0…")],
    ["a pprof profile, of which", [0x0a, 4, 8, 1, 0x10, 2, 0x32, 0]],
    ["a capture of a Cloud Profiler agent, of whose calls", [0x14, 0, 0, 0, 0, 0, 2, 0, 0]],
    ["collapsed stacks, of which", utf8("main;run 3\nmain;wait 4\n")],
    ["OTLP logs, of whose pprof profiles", utf8('{"resourceLogs":[{"scopeLogs":[{"logRecords":[]}]}]}')],
  ])("says that it is %s a conversion makes profiles", async (what, bytes) => {
    const { findings } = await validate(Uint8Array.from(bytes));
    expect(findings[0]?.message).toBe(`this is ${what} \`convert\` makes OTLP profiles`);
  });

  it("names every other format in the diagnostic", () => {
    expect(Object.entries(FORMATS).flatMap(([kind, { what }]) => (what === undefined ? kind : []))).toEqual(["otlp"]);
  });

  it("is decompressed three times and no more: one that decompresses to itself has no end", async () => {
    const packedBy = (layers: number) =>
      Array.from({ length: layers }).reduce<Uint8Array>((bytes) => gzipSync(bytes), protobufOf(sound()));
    expect(await validate(packedBy(3))).toMatchObject({ valid: true, findings: [{ rule: "W20", count: 3 }] });
    const { findings } = await validate(packedBy(4));
    expect(findings).toMatchObject([
      { rule: "E25", message: "this is gzip inside 3 other wrappers" },
      { rule: "W20", count: 3 },
    ]);
  });

  it("that is cut within its compressed data has a diagnostic, and the bytes before the cut are read", async () => {
    const cut = await validate(new Uint8Array(gzipSync(protobufOf(sound()))).slice(0, -4));
    expect(rulesOf(cut)).toEqual(expect.arrayContaining(["E25", "W20"]));
  });

  it("says in which of several messages a fault is", async () => {
    const { findings } = await validate(framed(protobufOf(sound()), protobufOf(NO_SPAN)));
    expect(findings[0]?.where).toBe("message[1].link_table[1].span_id");
  });

  it("of whatever bytes gets a report", () => {
    const wholes = [protobufOf(sound()), jsonOf(sound())] as const;
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.nat({ max: 1 }), edits, fc.nat({ max: 40 }), (which, changes, cut) => {
        const bytes = wholes[which as 0 | 1].slice(cut % 5 === 0 ? cut : 0);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        const { valid, findings } = validateBytes(bytes, which === 0 ? "protobuf" : "json");
        expect(valid).toBe(findings.every(({ severity }) => severity !== "error"));
      }),
      { numRuns: 3000 },
    );
  });

  it("counts a fault and tells its first place", () => {
    const message = broken("resourceProfiles.0.scopeProfiles.0.profiles.0.samples", [
      { stackIndex: 1, attributeIndices: [3, 4], linkIndex: 1, values: [1], timestampsUnixNano: [1500] },
      { stackIndex: 7, attributeIndices: [9, 8], values: [1], timestampsUnixNano: [1500] },
    ]);
    expect(validateBytes(protobufOf(message), "protobuf")).toEqual({
      valid: false,
      findings: [
        {
          rule: "E06",
          severity: "error",
          message: "7 is no index of stack_table, which has 2 entries",
          where: "resource_profiles[0].scope_profiles[0].profiles[0].samples[1].stack_index",
          count: 3,
        },
      ],
    });
  });
});

/**
 * Optional files beside a checkout of the project: messages of one fault each, with the results of other validators.
 */
const FOLDER = new URL("../../../shared/otlp-cases/", import.meta.url);
const ARE_THERE = existsSync(new URL("verdicts.tsv", FOLDER));

/** Faults that receivers may or must tolerate: an error or a warning, but never silence. */
const EITHER = ["w02", "w05", "j09", "j10", "j16", "j21", "j23", "j30", "j33"];
/** Framings of the file exporter, which others take for broken or for one message. */
const FRAMED = ["w04", "j19"];

need(ARE_THERE, "no ../shared/otlp-cases").describe("the verdict on other tools' cases", () => {
  const table = ARE_THERE ? readFileSync(new URL("verdicts.tsv", FOLDER), "utf8") : "";
  const rows = table.trimEnd().split("\n").slice(1);
  const cases = rows
    .map((row) => row.split("\t"))
    .filter(([file = ""]) => !FRAMED.some((name) => file.startsWith(name)))
    .map(([file = "", what = "", , profcheck = "", , , , , reader = "", checker = ""]) => ({
      file,
      what,
      profcheck,
      reader,
      checker,
    }));

  it.each(cases)("$file: $what", async ({ file, what, profcheck, reader, checker }) => {
    const { valid, findings } = await validate(new Uint8Array(readFileSync(new URL(file, FOLDER))));
    if (EITHER.some((name) => file.startsWith(name))) expect(findings).not.toEqual([]);
    else expect(valid).toBe(reader === "ok" && !checker.includes("E "));
    if (what.startsWith("nothing:")) expect(findings).toEqual([]);
    if (/FAIL|PANIC/.test(profcheck) && !what.includes("NOT broken")) expect(findings).not.toEqual([]);
  });
});
