/**
 * Recordings inside OTLP profiles: read like the plain one, in either encoding, whatever is around, before or inside.
 */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { type ByteSource, bytesSource } from "../../../src/bytes/byte-source.ts";
import { StreamSource } from "../../../src/bytes/stream-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { readInputs } from "../../../src/input/open.ts";
import { Payloads } from "../../../src/otlp/payloads.ts";
import { jsonPayloads } from "../../../src/otlp/payloads-json.ts";
import { protobufPayloads } from "../../../src/otlp/payloads-protobuf.ts";
import { codes, emptyCore, observations } from "../../kit/core/read-store.ts";
import { buildChunk } from "../../kit/jfr/jfr-builder.ts";
import { cpuChunk } from "../../kit/jfr/jfr-types.ts";
import {
  ascii,
  concat,
  DICTIONARY,
  delimited,
  field,
  frame,
  jsonOf,
  lightweight,
  type ProfileSpec,
  protobufOf,
} from "../../kit/otlp/otlp-message.ts";

const SHOP = new Uint8Array(readFileSync(new URL("../../../fixtures/shop.jfr", import.meta.url)));
const small = buildChunk(cpuChunk([{ weight: 5n }])).bytes;
const other = buildChunk(cpuChunk([{ weight: 7n }])).bytes;
const third = buildChunk(cpuChunk([{ weight: 9n }])).bytes;
const gzip = (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes));
const jfr = (payload: Uint8Array): ProfileSpec => ({ format: "jfr", payload });

async function open(input: Uint8Array | ByteSource): Promise<{ core: Core; readable: number }> {
  const core = await emptyCore();
  const source = input instanceof Uint8Array ? bytesSource(input) : input;
  return { core, ...(await readInputs(core, [{ name: "in", source }])) };
}

/** Content of a recording, by the core's answers. */
const content = (core: Core) => core.profiles().map(({ type, samples, value }) => [type, samples, value]);
const weights = (core: Core) => observations(core).map(({ value }) => value);
const names = (core: Core) => core.files().map(({ name }) => name);

/** The same bytes as a stream of unknown length in pieces of `n`. */
function streamOf(bytes: Uint8Array, n: number): StreamSource {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += n) yield bytes.slice(at, at + n);
  }
  return new StreamSource(pieces());
}

let plain: unknown;
beforeAll(async () => {
  plain = content((await open(SHOP)).core);
});

const unicode = (text: string) => text.replaceAll("+", "\\u002B");
const FORMS: [string, Uint8Array][] = [
  ["protobuf", protobufOf(jfr(SHOP))],
  ["protobuf behind its dictionary", concat([DICTIONARY, protobufOf(jfr(SHOP))])],
  ["protobuf before its dictionary", concat([protobufOf(jfr(SHOP)), DICTIONARY])],
  ["protobuf, payload first", protobufOf({ ...jfr(SHOP), payloadFirst: true })],
  ["protobuf, format in capitals", protobufOf({ format: "JFR", payload: SHOP })],
  ["protobuf, no format", protobufOf({ payload: SHOP })],
  ["protobuf in frames", concat([frame(protobufOf({})), frame(concat([DICTIONARY, protobufOf(jfr(SHOP))]))])],
  ["protobuf in a file of Jeffrey's", delimited([protobufOf({}), concat([DICTIONARY, protobufOf(jfr(SHOP))])])],
  ["Datadog's lightweight message", lightweight(SHOP)],
  ["JSON", jsonOf([jfr(SHOP)])],
  ["JSON, payload first", jsonOf([{ ...jfr(SHOP), payloadFirst: true }])],
  ["JSON in many lines", jsonOf([jfr(SHOP)], { indent: 2 })],
  ["JSON of field names", jsonOf([jfr(SHOP)], { snake: true })],
  ["JSON, every slash escaped", jsonOf([jfr(SHOP)], { base64: (text) => text.replaceAll("/", "\\/") })],
  ["JSON, every plus escaped", jsonOf([jfr(SHOP)], { base64: unicode })],
  ["JSON, url-safe without padding", jsonOf([jfr(SHOP)], { base64: urlSafe })],
  ["JSON lines", concat([jsonOf([{}]), ascii("\n"), jsonOf([jfr(SHOP)]), ascii("\r\n")])],
  ["JSON behind a byte order mark", concat([Uint8Array.of(0xef, 0xbb, 0xbf), jsonOf([jfr(SHOP)])])],
];

function urlSafe(text: string): string {
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

describe("a recording as original_payload", () => {
  it.each(FORMS)("reads like the plain one: %s", async (_, bytes) => {
    for (const input of [bytes, streamOf(bytes, 1021)]) {
      const { core, readable } = await open(input);
      expect([codes(core), readable]).toEqual([[], 1]);
      expect(content(core)).toEqual(plain);
      expect(core.files()).toMatchObject([{ name: "in/original_payload[0]", bytes: SHOP.length }]);
    }
  });

  it.each([
    ["gzip in protobuf", protobufOf(jfr(gzip(SHOP)))],
    ["gzip in protobuf, payload first", protobufOf({ ...jfr(gzip(SHOP)), payloadFirst: true })],
    ["gzip in JSON", jsonOf([jfr(gzip(SHOP))])],
    ["gzip in JSON, payload first", jsonOf([{ ...jfr(gzip(SHOP)), payloadFirst: true }])],
    ["gzip around protobuf around gzip", gzip(protobufOf(jfr(gzip(SHOP))))],
    ["zip around JSON around zip", zipSync({ "a.pb": jsonOf([jfr(zipSync({ "b.jfr": SHOP }))]) })],
  ])("is unpacked, and so is what is around it: %s", async (_, bytes) => {
    const { core, readable } = await open(bytes);
    expect([codes(core), readable]).toEqual([[], 1]);
    expect(content(core)).toEqual(plain);
  });

  it("a layer too deep is left alone", async () => {
    const { core } = await open(gzip(gzip(gzip(protobufOf(jfr(gzip(SHOP)))))));
    expect(core.diagnostics()[0]?.message).toContain("otlp inside 3 other wrappers");
  });

  it.each([
    ["protobuf", (...profiles: ProfileSpec[]) => protobufOf(...profiles)],
    ["frames", (...profiles: ProfileSpec[]) => concat(profiles.map((spec) => frame(protobufOf(spec))))],
    ["delimited", (...profiles: ProfileSpec[]) => delimited(profiles.map((spec) => protobufOf(spec)))],
    ["JSON", (...profiles: ProfileSpec[]) => jsonOf(profiles)],
    [
      "JSON lines",
      (...profiles: ProfileSpec[]) => concat(profiles.map((spec) => concat([jsonOf([spec]), ascii("\n")]))),
    ],
  ])("has an entry of its own, between others: %s", async (_, make) => {
    const pprof = { format: "pprof", payload: gzip(ascii("pprof")) };
    const packed = { ...jfr(gzip(other)), payloadFirst: true };
    const { core } = await open(make({}, jfr(small), pprof, packed, { format: "jfr" }, jfr(small)));
    expect(names(core)).toEqual(["in/original_payload[0]", "in/original_payload[2]", "in/original_payload[3]"]);
    // The third is the first one again.
    expect(weights(core).sort()).toEqual([5n, 7n]);
    expect(codes(core)).toEqual(["source.copy"]);
  });

  it("that is none is called what it is, where it is said to be one", async () => {
    const { core, readable } = await open(protobufOf(jfr(ascii("hello"))));
    expect(core.diagnostics()).toMatchObject([{ code: "source.foreign", file: "in/original_payload[0]" }]);
    expect([readable, core.diagnostics()[0]?.message]).toEqual([0, expect.stringContaining("plain text")]);
  });

  it("that is of no known beginning, with its format behind it, is not read and told", async () => {
    for (const make of [(spec: ProfileSpec) => protobufOf(spec), (spec: ProfileSpec) => jsonOf([spec])]) {
      const { core } = await open(make({ ...jfr(ascii("hello")), payloadFirst: true }));
      expect(codes(core)).toEqual(["otlp.damaged", "otlp.no-recording"]);
      expect(core.diagnostics()[0]?.message).toContain("original_payload starts with 68 65 6c 6c 6f");
    }
  });
});

describe("a message without a recording", () => {
  it.each([
    ["protobuf", protobufOf({}, { format: "pprof", payload: gzip(ascii("pprof")) }), 2, '"pprof"'],
    ["JSON", jsonOf([{}, {}, { format: "linux_perf", payload: ascii("PERFILE2") }]), 3, '"linux_perf"'],
  ])("says so, with what it has instead: %s", async (_, bytes, profiles, format) => {
    const { core, readable } = await open(bytes);
    expect([readable, core.files()]).toMatchObject([
      0,
      [{ name: "in", bytes: bytes.length, chunks: [], messages: [] }],
    ]);
    expect(core.diagnostics()).toEqual([
      {
        code: "otlp.no-recording",
        severity: "error",
        message: `otlp: ${profiles} profiles, none with samples or with a JFR recording in its original_payload, original_payload_format is ${format} (offset 0)`,
        file: "in",
        chunk: null,
        offset: 0,
      },
    ]);
  });

  it("is a warning beside recordings in an archive", async () => {
    const { core, readable } = await open(zipSync({ "a.pb": protobufOf({}), "b.jfr": small }));
    expect([readable, names(core)]).toEqual([1, ["in/b.jfr"]]);
    expect(core.diagnostics()).toMatchObject([{ code: "otlp.no-recording", severity: "warning", file: "in/a.pb" }]);
  });
});

describe("a damaged message", () => {
  const two = [jfr(small), jfr(other)];
  /** More bytes than there are of a message before and behind its payload. */
  const AROUND = 60;
  const SPARSE = 11;

  it.each([
    ["protobuf", protobufOf(...two)],
    ["frames", concat(two.map((spec) => frame(protobufOf(spec))))],
    ["delimited", delimited(two.map((spec) => protobufOf(spec)))],
    ["JSON", jsonOf(two)],
    ["gzip in protobuf", protobufOf(...two.map(({ payload }) => jfr(gzip(payload ?? small))))],
  ])("cut anywhere says so, and what stands before is read: %s", async (form, bytes) => {
    expect(weights((await open(bytes)).core)).toEqual([5n, 7n]);
    // The profile of both, after none, one and two recordings. A message to decode for each cut would take a minute.
    const states = [[], [["cpu", 1, 5n]], [["cpu", 2, 12n]]];
    const half = bytes.length / 2;
    const first = form === "protobuf" ? half : undefined;
    let before = 0;
    for (let length = 0; length < bytes.length; length++) {
      // Every byte of what is around the payloads, and some of their own.
      const toEnd = Math.min(length, Math.abs(length - half), bytes.length - length);
      if (toEnd > AROUND && length % SPARSE > 0) continue;
      // Nothing but the second profile is missing: a message as sound as the whole one.
      if (form !== "JSON" && (length === first || isWhole(bytes, length, form))) continue;
      const cut = bytes.subarray(0, length);
      const { core } = await open(cut);
      const said = core.diagnostics().map(({ message, file }) => [file, message]);
      const read = core.profiles().reduce((samples, profile) => samples + profile.samples, 0);
      expect(content(core), `cut at ${length}`).toEqual(states[read]);
      expect(said.length, `cut at ${length}`).toBeGreaterThan(0);
      // One fault is not told of twice.
      expect(codes(core).filter((code) => code === "otlp.damaged").length, `cut at ${length}`).toBeLessThan(2);
      expect(read, `cut at ${length}`).toBeGreaterThanOrEqual(before);
      before = read;
      if (length % 7 > 0) continue;
      const streamed = await open(streamOf(cut, 7));
      expect(streamed.core.diagnostics().map(({ message, file }) => [file, message])).toEqual(said);
    }
    expect(before).toBe(2);
  });

  /** Whether the cut is between two top-level messages, by their own lengths. */
  function isWhole(bytes: Uint8Array, length: number, form: string): boolean {
    if (form === "frames") return length === 4 + new DataView(bytes.buffer).getUint32(0);
    if (form === "delimited") return length === delimited([protobufOf(two[0] ?? {})]).length;
    const high = bytes[2] ?? 0;
    const size = (bytes[1] ?? 0) < 128 ? (bytes[1] ?? 0) + 2 : ((bytes[1] ?? 0) & 127) + high * 128 + 3;
    return length === size;
  }

  it("ends inside something, and says inside what and where", async () => {
    const bytes = protobufOf(...two);
    const { core } = await open(bytes.subarray(0, -20));
    expect(core.diagnostics().at(-1)).toMatchObject({
      code: "otlp.damaged",
      severity: "error",
      file: "in",
      offset: bytes.length - 20,
      message: `otlp: the file ends inside a Profile that goes on to offset ${bytes.length} (offset ${bytes.length - 20})`,
    });
  });

  const inProfile = (...parts: Uint8Array[]) => field(1, field(2, field(2, concat(parts))));
  const FORMAT = field(9, ascii("jfr"));
  const DAMAGE: [string, Uint8Array, string][] = [
    [
      "a payload longer than its Profile",
      inProfile(FORMAT, field(10, small, 1e6)),
      "field 10 of a Profile gives 1000000",
    ],
    [
      "a length of 2⁶³",
      inProfile(FORMAT, Uint8Array.of(0x52, ...Array(9).fill(0xff), 1)),
      "field 10 of a Profile gives",
    ],
    [
      "a Profile longer than its ScopeProfiles",
      field(1, field(2, field(2, FORMAT, 99))),
      "field 2 of a ScopeProfiles gives 99",
    ],
    [
      "a varint that does not end",
      inProfile(FORMAT, Uint8Array.of(0x20, ...Array(11).fill(0xff))),
      "a varint of more than 10",
    ],
    ["a tag that does not end", inProfile(FORMAT, new Uint8Array(12).fill(0xff)), "a tag of more than 10"],
    ["a group", inProfile(FORMAT, Uint8Array.of(0x23, 0x24)), "wire type 3 of field 4"],
    ["field number 0", inProfile(FORMAT, Uint8Array.of(0, 0)), "field number 0 in a Profile"],
    [
      "a value that is cut",
      inProfile(FORMAT, Uint8Array.of(0x19, 1)),
      "field 3 of a Profile gives 8 bytes, 1 are left",
    ],
  ];
  it.each(DAMAGE)("loses nothing around the damage: %s", async (_, damaged, message) => {
    const { core } = await open(concat([protobufOf(jfr(other)), damaged, protobufOf(jfr(third))]));
    expect(weights(core)).toEqual(expect.arrayContaining([7n, 9n]));
    const said = core.diagnostics().filter(({ code }) => code === "otlp.damaged");
    expect(said).toMatchObject([{ file: "in", message: expect.stringContaining(message), offset: expect.any(Number) }]);
    const at = said[0]?.offset ?? 0;
    expect(at).toBeGreaterThan(protobufOf(jfr(other)).length);
    expect(at).toBeLessThan(protobufOf(jfr(other)).length + damaged.length);
  });

  it("that is too short for what is in it is told of there, and where what is in it goes on", async () => {
    const profile = field(2, concat([FORMAT, field(10, small)]));
    const { core } = await open(concat([protobufOf(jfr(other)), field(1, field(2, concat([profile, profile])), 40)]));
    const said = core.diagnostics().filter(({ code }) => code === "otlp.damaged");
    expect(said).toHaveLength(2);
    expect(said[0]?.message).toContain("field 2 of a ResourceProfiles gives");
    expect(said[1]?.message).toContain("in a ProfilesData");
  });

  it("that ends inside a tag is told of as that", async () => {
    const { core } = await open(inProfile(FORMAT, Uint8Array.of(0x80, 1, 1)).subarray(0, -2));
    expect(core.diagnostics()[0]?.message).toMatch(/^otlp: the file ends inside a /);
  });

  it("that ends inside a length has no payload there", async () => {
    const { core } = await open(inProfile(FORMAT, field(10, small)).subarray(0, 1 - small.length - 2));
    expect(codes(core)).toEqual(["otlp.damaged", "otlp.no-recording"]);
  });

  it("with a payload that is cut at its Profile's end still gives that", async () => {
    const { core } = await open(inProfile(FORMAT, field(1, Uint8Array.of(8, 1)), field(10, small, 1e6)));
    expect(weights(core)).toEqual([5n]);
  });

  it("with bytes behind it that are no message is read before them", async () => {
    const { core } = await open(concat([protobufOf(jfr(small)), Uint8Array.of(0x0b, 7)]));
    expect(weights(core)).toEqual([5n]);
    expect(codes(core)).toEqual(["otlp.damaged"]);
  });

  it("of endless faults names a few", async () => {
    const { core } = await open(concat([protobufOf({}), ...Array(500).fill(inProfile(Uint8Array.of(0, 0)))]));
    expect(core.diagnostics()).toHaveLength(12);
    expect(core.diagnostics().at(-2)?.message).toBe("otlp: 490 more faults like these");
  });

  it.each([
    [
      "a character that is none",
      (text: string) => `${text.slice(0, 400)}*${text.slice(401)}`,
      "2a is not one of its characters, after 400",
    ],
    ["text behind the padding", (text: string) => `${text.replaceAll("=", "")}=A`, "41 follows the padding"],
    ["a character too many", (text: string) => `${text.slice(0, 401)}`, "401 characters"],
  ])("of base64 gives what stands before the fault, and the next one: %s", async (_, base64, message) => {
    let n = 0;
    const bytes = jsonOf([jfr(concat([small, small])), jfr(other)], {
      base64: (text) => (n++ === 0 ? base64(text) : text),
    });
    const { core } = await open(bytes);
    expect(weights(core).at(-1)).toBe(7n);
    const said = core.diagnostics().find(({ code }) => code === "otlp.damaged");
    expect(said).toMatchObject({ file: "in/original_payload[0]", message: expect.stringContaining(`base64: `) });
    expect(said?.message).toContain(message);
  });

  it.each([
    [
      "a line that breaks off in a payload",
      '{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"originalPayload":"RkxS',
    ],
    ["a line that is no JSON", '{"resourceProfiles":[{]}'],
    [
      "an escape that is none",
      '{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"originalPayload":"Rk\\xS"}]}]}]}',
    ],
    ["a value that is missing", '{"resourceProfiles":[{"schemaUrl":}]}'],
  ])("of JSON lines loses that line: %s", async (_, line) => {
    const { core } = await open(
      concat([jsonOf([jfr(small)]), ascii(`\n${line}\n`), jsonOf([jfr(other)]), ascii("\n")]),
    );
    expect(weights(core)).toEqual([5n, 7n]);
    const [said] = core.diagnostics();
    expect([codes(core), said?.message]).toEqual([
      ["otlp.damaged"],
      expect.stringMatching(/^otlp: JSON: .*\(offset \d+\)$/),
    ]);
  });

  it.each(["protobuf", "JSON"])("of a payload that does not unpack is read behind that: %s", async (form) => {
    const torn = gzip(SHOP);
    // No kind of block, right after the header: most of the payload is never asked for.
    torn[10] = 0xff;
    const make = form === "JSON" ? jsonOf : (profiles: ProfileSpec[]) => protobufOf(...profiles);
    const bytes = make([jfr(torn), jfr(other)]);
    const { core } = await open(lateSource(bytes));
    expect(weights(core).at(-1)).toBe(7n);
    expect(codes(core)).toContain("gzip.damaged");
    expect(codes(core)).not.toContain("otlp.damaged");
  });

  it.each(["protobuf", "JSON"])("whose payload somebody still asks for is walked on all the same: %s", async (form) => {
    const faults: string[] = [];
    const found = new Payloads(
      (message) => faults.push(message),
      () => true,
    );
    const profiles = [jfr(SHOP), jfr(ascii("second"))];
    const file = lateSource(form === "JSON" ? jsonOf(profiles) : protobufOf(...profiles));
    const payloads = form === "JSON" ? jsonPayloads(file, found) : protobufPayloads(file, "protobuf", found);
    const first = await payloads.next();
    // As a decompressor does that gives up with a read under way.
    const pending = first.value?.source.slice(0, 50_000);
    await new Promise((resolve) => setTimeout(resolve));
    expect(file.busy).toBe(1);
    const second = await payloads.next();
    expect(new TextDecoder().decode(await second.value?.source.slice(0, 99))).toBe("second");
    expect(await pending).toBeInstanceOf(Uint8Array);
    expect((await payloads.next()).done).toBe(true);
    expect([found.profiles, faults, file.most]).toEqual([2, [], 1]);
  });
});

/** Bytes that come late and few at a time. Counts how many of its slices are under way, and were at most. */
function lateSource(bytes: Uint8Array) {
  const source = {
    byteLength: bytes.length,
    busy: 0,
    most: 0,
    slice: async (start: number, end: number): Promise<Uint8Array> => {
      source.most = Math.max(source.most, ++source.busy);
      await new Promise((resolve) => setTimeout(resolve, 10));
      source.busy--;
      return bytes.subarray(start, Math.min(end, start + 9000));
    },
  };
  return source;
}
