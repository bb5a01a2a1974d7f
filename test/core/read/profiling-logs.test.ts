/** pprof profiles in OTLP logs, as Splunk's agents send them, in all forms that the Collector writes to files. */
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { readInputs } from "../../../src/input/open.ts";
import { codes, emptyCore, observations } from "../../kit/core/read-store.ts";
import { type LoggedSpec, logsFrames, logsJson, logsProtobuf } from "../../kit/otlp/logs-writer.ts";
import { type PprofSpec, pprofOf } from "../../kit/otlp/pprof-message.ts";

const AT = 1_700_000_000_123;
const TRACE = "640f0b2a000000008000000000000001";
const SPAN = "f123456789abcdef";

async function read(bytes: Uint8Array): Promise<Core> {
  const core = await emptyCore();
  await readInputs(core, [{ name: "logs", source: bytesSource(bytes) }]);
  return core;
}

/** A profile without sample types and values. */
const bare = (...labels: Record<string, string | number>[]): Uint8Array => {
  const samples: PprofSpec["samples"] = labels.map((each) => ({ stack: ["work", "main"], values: [], labels: each }));
  return pprofOf({ types: [], samples });
};
const cpu = (n: number, more: Record<string, string | number> = {}): Uint8Array => {
  const labels = { "source.event.time": AT, "source.event.period": 1000, "thread.name": "main", "thread.id": 7 };
  return bare(...Array.from({ length: n }, (_, i) => ({ ...labels, "source.event.time": AT + i, ...more })));
};
const allocation = (bytes: number): Uint8Array =>
  pprofOf({ types: [], samples: [{ stack: ["work"], values: [bytes], labels: { "source.event.time": AT } }] });

const SHOP: LoggedSpec = {
  resource: {
    "service.name": { stringValue: "shop" },
    "process.pid": { intValue: "42" },
    "process.command_args": { arrayValue: { values: [{ stringValue: "java" }, { stringValue: "-jar" }] } },
  },
  records: [{ pprof: cpu(2, { trace_id: TRACE, span_id: SPAN }) }, { type: "allocation", pprof: allocation(512) }],
};
const CART: LoggedSpec = { resource: { "service.name": { stringValue: "cart" } }, records: [{ pprof: cpu(3) }] };

describe.each([
  ["one message of protobuf", logsProtobuf],
  ["messages after their lengths", logsFrames],
  ["lines of JSON", logsJson],
])("%s", (_, write) => {
  it("has the profiles of its records, with the types that these state", async () => {
    const core = await read(write(SHOP));
    expect(codes(core)).toEqual([]);
    const rows = core.profiles().map(({ type, unit, value, period }) => [type, unit, value, period]);
    expect(rows).toEqual([
      ["cpu", "count", 2n, 1_000_000_000n],
      ["allocation", "bytes", 512n, 0n],
    ]);
    expect(core.files()).toMatchObject([{ name: "logs", format: "pprof", samples: 3 }]);
    const { resource } = core.files()[0] ?? {};
    const args = '["java","-jar"]';
    expect(resource).toEqual({ "service.name": "shop", "process.pid": "42", "process.command_args": args });
  });

  it("has ids, times and threads of its samples", async () => {
    const [sample] = observations(await read(write(SHOP)));
    expect(sample?.link).toEqual({ traceId: TRACE, spanId: SPAN });
    expect(sample?.attributes).toMatchObject({ "thread.name": "main", "thread.id": 7n });
    expect(sample?.attributes).not.toHaveProperty("source.event.time");
    expect(sample?.time).toBe(BigInt(AT) * 1_000_000n);
  });

  it("has a file for each resource, whatever their order", async () => {
    const core = await read(write(SHOP, CART, SHOP));
    expect(codes(core)).toEqual([]);
    const files = core.files().map(({ name, samples, resource }) => [name, samples, resource["service.name"]]);
    expect(files).toEqual([
      ["logs/resource[0]", 6, "shop"],
      ["logs/resource[1]", 3, "cart"],
    ]);
  });

  it("reports records without a pprof profile", async () => {
    const text = { records: [{ format: "text", body: '"main" #1\n\n at a.b(c.java:1)' }] };
    expect(codes(await read(write(text)))).toEqual(["logs.no-profile"]);
    const both = await read(write(SHOP, text));
    expect(both.diagnostics().map(({ code, message }) => `${code} ${message}`)).toEqual([
      'logs.other-format logs: 1 log record is not a pprof profile; profiling.data.format is "text", and pprof-gzip-base64 is read',
    ]);
    expect(both.samples()).toBe(3);
  });

  it("keeps the other records where one is damaged", async () => {
    const body = Buffer.from("no base64 \u00e9").toString("latin1");
    const core = await read(write({ ...SHOP, records: [{ body }, ...SHOP.records] }));
    expect(codes(core)).toContain("logs.record");
    expect(core.samples()).toBe(3);
  });

  it("is read as far as it goes where it is cut anywhere", async () => {
    const bytes = write(SHOP, CART);
    for (let length = 1; length < bytes.length; length += 7) {
      const core = await read(bytes.subarray(0, length));
      expect(core.samples()).toBeLessThanOrEqual(6);
      // A cut after a message is no damage.
      if (core.samples() < 3) expect(codes(core).length).toBeGreaterThan(0);
    }
  });
});

describe("a profile of Splunk's agents by itself", () => {
  const readPprof = async (...files: Uint8Array[]) => {
    const core = await emptyCore();
    await readInputs(
      core,
      files.map((bytes) => ({ name: "a.pprof", source: bytesSource(bytes) })),
    );
    return core;
  };

  it("counts samples that have no values", async () => {
    const core = await readPprof(cpu(2));
    expect(codes(core)).toEqual([]);
    expect(core.profiles().map(({ type, unit, value }) => [type, unit, value])).toEqual([["samples", "count", 2n]]);
    expect(observations(core, "samples")[0]?.attributes).toMatchObject({ "source.event.period": 1000n });
  });

  it("keeps its time as a label beside another time", async () => {
    const core = await readPprof(cpu(1, { end_timestamp_ns: 5 }));
    const [sample] = observations(core, "samples");
    expect([sample?.time, sample?.attributes["source.event.time"]]).toEqual([5n, BigInt(AT)]);
  });

  it("has no period where samples differ in it", async () => {
    const pprof = bare({ "source.event.period": 1000 }, { "source.event.period": 500 });
    const core = await read(logsJson({ records: [{ pprof }] }));
    expect(core.profiles().map(({ type, unit, value }) => [type, unit, value])).toEqual([["cpu", "count", 2n]]);
  });

  it("may have its first text at index 0, and labels of it without a key", async () => {
    // 6 "source.event.time", 2 { 3 { 3 AT } }: as the Python agent writes it.
    const text = [...new TextEncoder().encode("source.event.time")];
    const time = [0x18, ...varint(BigInt(AT))];
    const sample = [0x1a, time.length, ...time];
    const pprof = Uint8Array.from([0x12, sample.length, ...sample, 0x32, text.length, ...text]);
    const core = await read(logsProtobuf({ records: [{ pprof }] }));
    expect(codes(core)).toEqual([]);
    expect(observations(core)[0]?.time).toBe(BigInt(AT) * 1_000_000n);
  });
});

function varint(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    if (rest <= 0x7fn) return bytes;
  }
}
