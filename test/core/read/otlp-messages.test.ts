/** OTLP messages of other producers: layouts, framings, ids, resources, and diagnostics of their faults. */
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { StreamSource } from "../../../src/bytes/stream-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { readInputs } from "../../../src/input/open.ts";
import { codes, emptyCore } from "../../kit/core/read-store.ts";
import { concat, delimited, frame } from "../../kit/otlp/otlp-message.ts";
import { encode, resolve } from "../../kit/otlp/resolve.ts";

async function read(bytes: Uint8Array, streamed = false): Promise<Core> {
  const core = await emptyCore();
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 50) yield bytes.slice(at, at + 50);
  }
  const source = streamed ? new StreamSource(pieces()) : bytesSource(bytes);
  await readInputs(core, [{ name: "m", source }]);
  return core;
}

const STRINGS = ["", "cpu-time", "nanoseconds", "main", "tenant"];

interface Spec {
  samples: object[];
  service?: string;
  links?: object[];
  attributes?: object[];
  strings?: string[];
}

/** A message with one profile, one function `main` and a stack of it. */
const message = ({ samples, service, links = [], attributes = [], strings = STRINGS }: Spec) => ({
  resourceProfiles: [
    {
      resource: { attributes: service === undefined ? [] : [{ key: "service.name", value: { stringValue: service } }] },
      scopeProfiles: [{ profiles: [{ sampleType: { typeStrindex: 1, unitStrindex: 2 }, samples }] }],
    },
  ],
  dictionary: {
    mappingTable: [{}],
    locationTable: [{}, { lines: [{ functionIndex: 1 }] }],
    functionTable: [{}, { nameStrindex: 3 }],
    linkTable: [{}, ...links],
    stringTable: strings,
    attributeTable: [{}, { keyStrindex: 4, value: { stringValue: "acme" } }, ...attributes],
    stackTable: [{}, { locationIndices: [1] }],
  },
});

const totals = (core: Core) => core.profiles().map(({ type, unit, samples, value }) => [type, unit, samples, value]);
const SAMPLE = { stackIndex: 1, attributeIndices: [1], values: ["5"], timestampsUnixNano: ["1700000000000000001"] };

describe("a message of another producer", () => {
  it("keeps every shape of samples, and says no more than it did", async () => {
    const bytes = encode(
      message({
        samples: [SAMPLE, { stackIndex: 1, values: ["7"] }, { stackIndex: 1, timestampsUnixNano: ["9", "11"] }],
      }),
    );
    const core = await read(bytes);
    expect([codes(core), totals(core)]).toEqual([[], [["cpu-time", "nanoseconds", 4, 14n]]]);
    expect(resolve(core.write(null, {}, { format: "otlp" }).bytes)).toEqual(resolve(bytes));
    expect(core.profiles()[0]?.events).toEqual({});
  });

  it("is filtered by its traces of 128 bits, and by their low halves", async () => {
    const id = (text: string) => Buffer.from(text, "hex").toString("base64");
    const link = { traceId: id("4bf92f3577b34da6a3ce929d0e0e4736"), spanId: id("00f067aa0ba902b7") };
    const core = await read(encode(message({ samples: [{ ...SAMPLE, linkIndex: 1 }], links: [link] })));
    const trace = 0x4bf92f3577b34da6a3ce929d0e0e4736n;
    for (const localRoot of [trace, 0xa3ce929d0e0e4736n]) expect(core.select(null, { localRoot }).samples).toBe(1);
    expect(core.select(null, { localRoot: trace + (1n << 64n) }).samples).toBe(0);
    core.select(null, {});
    expect(core.views.rank({ kind: "local-root" }, 0, 9).rows).toMatchObject([{ id: trace }]);
    expect(core.views.rank({ kind: "span" }, 0, 9).rows).toMatchObject([{ id: 0x00f067aa0ba902b7n, root: trace }]);
  });

  it("without the empty string 0 is read with indices one lower, and says so", async () => {
    // As dd-trace-java writes it: the indices are those of a table with the empty string.
    const core = await read(encode(message({ samples: [SAMPLE], strings: STRINGS.slice(1) })));
    expect([codes(core), totals(core)]).toEqual([["otlp.strings.shifted"], [["cpu-time", "nanoseconds", 1, 5n]]]);
    expect(core.views.top("self", 0, 9).rows.map(({ name }) => name)).toEqual([]);
    core.select(null, { attributes: [{ key: "tenant", value: "acme" }] });
    expect(core.views.top("self", 0, 9).rows.map(({ name }) => name)).toEqual(["main"]);
  });

  it("whose string 0 is not empty, but whose indices fit, is read as it is", async () => {
    const core = await read(encode(message({ samples: [SAMPLE], strings: ["x", ...STRINGS.slice(1), "more"] })));
    expect([codes(core), totals(core)]).toEqual([["otlp.table.zero"], [["cpu-time", "nanoseconds", 1, 5n]]]);
  });

  it("with the field numbers of v1.8 is read by those, and says so", async () => {
    // Fields 2 and 4 change places, 3 becomes 4: values 2, attribute indices 3, link 4.
    const sample = [0x08, 1, 0x12, 1, 5, 0x1a, 1, 1, 0x2a, 8, 9, 0, 0, 0, 0, 0, 0, 0];
    const bytes = encode(
      message({ samples: [{ stackIndex: 1, attributeIndices: [1], values: ["5"], timestampsUnixNano: ["9"] }] }),
    );
    const now = [0x08, 1, 0x12, 1, 1, 0x22, 1, 5, 0x2a, 8, 9, 0, 0, 0, 0, 0, 0, 0];
    const at = Buffer.from(bytes).indexOf(Buffer.from(now));
    expect(at).toBeGreaterThan(0);
    const old = bytes.slice();
    old.set(sample, at);
    const core = await read(old);
    expect(codes(core)).toEqual(["otlp.layout.old"]);
    expect(resolve(core.write(null, {}, { format: "otlp" }).bytes)).toEqual(resolve(bytes));
  });

  it("read twice adds up in one profile", async () => {
    const one = encode(message({ samples: [SAMPLE] }));
    const core = await read(concat([frame(one), frame(one)]));
    expect(totals(core)).toEqual([["cpu-time", "nanoseconds", 2, 10n]]);
  });
});

describe("the messages of a file", () => {
  const shop = message({ samples: [SAMPLE], service: "shop" });
  const cart = message({ samples: [SAMPLE, SAMPLE], service: "cart" });
  const FORMS: [string, Uint8Array][] = [
    ["frames", concat([frame(encode(shop)), frame(encode(cart))])],
    ["a file of Jeffrey's", delimited([encode(shop), encode(cart)])],
    ["two files of Jeffrey's, one appended", concat([delimited([encode(shop)]), delimited([encode(cart)])])],
    ["JSON lines", new TextEncoder().encode(`${JSON.stringify(shop)}\n${JSON.stringify(cart)}\n`)],
  ];

  it.each(FORMS)("of several services are told apart by an attribute: %s", async (_, bytes) => {
    for (const streamed of [false, true]) {
      const core = await read(bytes, streamed);
      expect(codes(core)).toEqual(["otlp.resources.differ", "otlp.resources.differ"]);
      expect(core.files()).toMatchObject([{ messages: [{ samples: 1 }, { samples: 2 }], resource: {} }]);
      const samples = (value: string) => core.select(null, { attributes: [{ key: "service.name", value }] }).samples;
      expect([samples("shop"), samples("cart"), samples("x")]).toEqual([1, 2, 0]);
    }
  });

  it("of one service say it of the file", async () => {
    const core = await read(concat([frame(encode(shop)), frame(encode(shop))]));
    expect([codes(core), core.files()[0]?.resource]).toEqual([[], { "service.name": "shop" }]);
  });

  it("of a later version of Jeffrey's file are read, with a warning", async () => {
    const core = await read(delimited([encode(shop)], 2));
    expect(core.diagnostics()).toMatchObject([{ code: "otlp.file-version", severity: "warning", offset: 0 }]);
    expect(totals(core)).toEqual([["cpu-time", "nanoseconds", 1, 5n]]);
  });

  it("are a million at most, also where they are empty", async () => {
    const core = await read(concat([delimited([encode(shop)]), new Uint8Array(2 ** 20)]));
    expect(core.diagnostics()).toMatchObject([{ code: "otlp.messages", severity: "error" }]);
    expect(totals(core)).toEqual([["cpu-time", "nanoseconds", 1, 5n]]);
  });

  it.each(FORMS.slice(0, 3))("are read as far as the file goes: %s", async (_, both) => {
    const core = await read(both.subarray(0, -10));
    expect(codes(core)).toContain("otlp.frame.cut");
    expect(core.files()[0]?.messages).toHaveLength(2);
  });

  it("are read as far as JSON can be read", async () => {
    const lines = new TextEncoder().encode(
      `${JSON.stringify(shop)}\n{"resourceProfiles":[{]}\n${JSON.stringify(shop)}\n`,
    );
    const rest = await read(lines);
    expect([codes(rest), totals(rest)]).toEqual([["otlp.damaged"], [["cpu-time", "nanoseconds", 2, 10n]]]);
  });
});

describe("OTLP/JSON", () => {
  const most = "9223372036854775807";
  it.each([
    ["as the specification has it", (text: string) => text],
    [
      "with the names of the .proto",
      (text: string) => text.replace(/"(\w+)":/g, (key) => key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)),
    ],
    ["with numbers for strings", (text: string) => text.replace(/"(\d{19})"/g, "$1")],
    ["behind a byte order mark, over lines", (text: string) => `\ufeff${JSON.stringify(JSON.parse(text), null, 2)}`],
  ])("keeps 64 bits %s", async (_, change) => {
    // A sum at the limit may be more.
    for (const [exact, found] of [
      ["9223372036854770001", []],
      [most, ["core.sums"]],
    ]) {
      const sample = { ...SAMPLE, values: [exact], timestampsUnixNano: [most] };
      const core = await read(new TextEncoder().encode(change(JSON.stringify(message({ samples: [sample] })))));
      expect([codes(core), totals(core)]).toEqual([found, [["cpu-time", "nanoseconds", 1, BigInt(`${exact}`)]]]);
      const [line] = resolve(core.write(null, {}, { format: "otlp" }).bytes);
      expect(JSON.parse(line ?? "").slice(-2)).toEqual([exact, most]);
    }
  });

  it("takes ids in hex and in base64", async () => {
    const hex = { traceId: "00000000000000000000000000000001", spanId: "0000000000000002" };
    const base64 = { traceId: "AAAAAAAAAAAAAAAAAAAAAQ==", spanId: "AAAAAAAAAAI=" };
    for (const link of [hex, base64]) {
      const text = JSON.stringify(message({ samples: [{ ...SAMPLE, linkIndex: 1 }], links: [link] }));
      const core = await read(new TextEncoder().encode(text));
      expect(core.select(null, { span: 2n, localRoot: 1n }).samples).toBe(1);
    }
  });
});

describe("a reference beyond its table", () => {
  it("is reported at its field, not at the beginning of the sample", async () => {
    const bytes = Buffer.from(encode(message({ samples: [{ stackIndex: 99, linkIndex: 1, values: ["7"] }] })));
    const [stack, link] = [Buffer.of(0x08, 99), Buffer.of(0x18, 1)];
    // The encoder writes fields by their numbers, others do not.
    bytes.set([...link, ...stack], bytes.indexOf(Buffer.concat([stack, link])));
    const core = await read(Uint8Array.from(bytes));
    const found = core.diagnostics().find(({ code }) => code === "otlp.stack.range");
    expect(found?.offset).toBe(bytes.indexOf(Buffer.concat([link, stack])) + link.length);
  });
});
