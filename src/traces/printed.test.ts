/** Spans as the exporters of four SDKs print them, between lines of a log, by the real programs. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { KeptSpans } from "../../test/kit/span-table.ts";
import { bytesSource } from "../bytes/byte-source.ts";
import { opened } from "../input/classify.ts";
import { readTraceFile } from "./read.ts";

const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/traces/printed/shop-${name}.log`, import.meta.url));
const utf8 = (text: string) => new TextEncoder().encode(text);

async function read(bytes: Uint8Array) {
  const store = new KeptSpans();
  const file = await readTraceFile("t", bytesSource(bytes), store, 1);
  const codes = file.diagnostics.map(({ code }) => code);
  return { ...file, codes, rows: store.list(), names: store.list().map(({ name }) => name) };
}

const NAMES = ["SELECT orders", 'price = "net"', "GET /orders/{id}"];
/** As rows have them: a boolean is 0 or 1, a double its bits. */
const ATTRIBUTES = {
  ...{ "db.system": "sqlite", rows: 3n, cached: 0n },
  ratio: new BigUint64Array(Float64Array.of(0.5).buffer)[0],
  ids: expect.stringMatching(/^\["?1"?,"?2"?\]$/),
};

describe("spans that a program prints", () => {
  it.each([
    ["python", "python"],
    ["go", "go"],
    ["go-pretty", "go"],
    ["node", "node"],
    ["java-otlp", "otlp-json"],
  ])(
    "are read from the log of %s: names, kinds, times, parents, status, service and attributes",
    async (name, format) => {
      const found = await read(fixture(name));
      expect([found.format, found.names, found.diagnostics]).toEqual([format, NAMES, []]);
      const [select, price, root] = found.rows;
      expect(found.rows.map(({ kind, status }) => [kind, status])).toEqual([
        ["client", 0],
        ["internal", 2],
        ["server", 0],
      ]);
      expect(new Set(found.rows.map(({ trace }) => trace)).size).toBe(1);
      expect(root!.trace >> 64n).not.toBe(0n);
      expect([root!.parent, select!.parent, price!.parent]).toEqual([0n, root!.id, root!.id]);
      expect(found.rows.every(({ service, instance }) => service === "shop" && instance === "shop-1")).toBe(true);
      // Of 30 November 2026, and the request is around its parts. Node prints the starts in milliseconds.
      expect(new Date(Number(root!.start / 1_000_000n)).toISOString()).toMatch(/^2026-11-30T21:2/);
      expect(root!.start <= select!.start && select!.end <= price!.end && select!.end > select!.start).toBe(true);
      expect(root!.end - root!.start).toBeGreaterThan(price!.end - price!.start);
      expect(select!.attributes).toEqual(ATTRIBUTES);
    },
  );

  it("are names and attributes in the lines of Java's logging exporter", async () => {
    const found = await read(fixture("java"));
    expect([found.format, found.names, found.codes]).toEqual(["java", NAMES, ["trace.time.missing"]]);
    expect(found.rows.map(({ kind }) => kind)).toEqual(["client", "internal", "server"]);
    expect(found.rows[0]).toMatchObject({ id: 0x3fbce896aa5b9bd9n, trace: 0x31ffe0a5347f91e90a19ad647645a6b9n });
    expect(found.rows[0]!.attributes).toEqual({
      ...{ "db.system": "sqlite", cached: "false", ids: "[1, 2]", rows: "3", ratio: "0.5" },
    });
    expect(found.rows[2]!.attributes).toEqual({ "http.route": "/orders/{id}" });
  });

  it.each(["python", "go", "go-pretty", "node", "java-otlp", "java"])(
    "make the log of %s a trace file",
    async (name) => {
      const kindOf = async (bytes: Uint8Array) => (await opened(bytesSource(bytes))).sniffed.kind;
      const bytes = fixture(name);
      expect(await kindOf(bytes)).toBe("trace");
      expect(await kindOf(Buffer.concat([utf8("a line of the log\n".repeat(5000)), bytes]))).toBe("trace");
      expect(await kindOf(utf8("the service took 12 ms {load}\n".repeat(9)))).toBe("foreign");
    },
  );

  it.each(["python", "go-pretty", "node"])("are read around damage: %s", async (name) => {
    const text = fixture(name).toString();
    const at = text.indexOf("price");
    const found = await read(utf8(`${text.slice(0, at)}\nWARN: another thread wrote here {\n${text.slice(at)}`));
    expect(found.names).toEqual([NAMES[0], NAMES[2]]);
    expect(found.codes).toEqual(["trace.damaged"]);
  });

  it.each(["python", "go", "node", "java-otlp"])(
    "are those before the end of a log that is still written: %s",
    async (name) => {
      const bytes = fixture(name);
      const found = await read(bytes.subarray(0, bytes.lastIndexOf("/orders/{id}") - 40));
      expect(found.names).toEqual(NAMES.slice(0, 2));
      expect(found.codes).toHaveLength(1);
    },
  );

  it("are read after lines with a bracket, a prefix and objects of other kinds", async () => {
    const java = fixture("java-otlp")
      .toString()
      .replaceAll("INFO: ", "[otel.javaagent 2026-11-30 21:28:19:000 +0000] [main] INFO - ");
    const other = '[main] {"name":"x","context":{"user":1}}\n{"name":"log","msg":{"trace_id":"1"}}\n';
    const found = await read(utf8(`${other}${java}{"resource":{"attributes":[]},"scopeLogs":[]}\n`));
    expect([found.names, found.diagnostics]).toEqual([NAMES, []]);
  });

  it("are read without the records of a log that name their ids", async () => {
    const record =
      '{"level":"info","msg":"paid","trace_id":"31ffe0a5347f91e90a19ad647645a6b9","span_id":"3fbce896aa5b9bd9"}';
    const zipkin = '{"traceId":"1","id":"2","name":"pay","timestamp":3,"duration":4}';
    const found = await read(utf8(`${record}\n${zipkin}\n${record}\n`));
    expect([found.names, found.diagnostics]).toEqual([["pay"], []]);
    expect((await opened(bytesSource(utf8(`${record}\n`.repeat(9))))).sniffed).toMatchObject({ kind: "foreign" });
    const log = utf8(`${`${record}\n`.repeat(9)}${fixture("go")}`);
    expect((await opened(bytesSource(log))).sniffed.kind).toBe("trace");
    expect((await read(log)).names).toEqual(NAMES);
  });

  it("have texts as Node quotes them", async () => {
    const name = String.raw`'a\'b\n' +${"\n"}    'c\u{1F600}'`;
    const text = `{\n  traceId: '${"1".repeat(32)}',\n  name: ${name},\n  id: '00000000000000a1',\n  kind: 0,\n  duration: 1.5,\n  timestamp: 1796074090945000,\n  attributes: { b: [Object], 'c.d': 12n, e: undefined, f: [ 1, ... 2 more items ], g: \`it's "q"\` }\n}\n`;
    const { rows, diagnostics } = await read(utf8(text));
    expect(diagnostics).toEqual([]);
    expect(rows[0]).toMatchObject({ name: "a'b\nc😀", id: 0xa1n, end: rows[0]!.start + 1500n });
    expect(rows[0]!.attributes).toEqual({ "c.d": 12n, f: "[1]", g: `it's "q"` });
  });

  it("with a time or an id that is none are left out", async () => {
    const text = fixture("python").toString();
    const late = await read(utf8(text.replace(/"start_time": "[^"]*"/, '"start_time": "soon"')));
    expect(late.names).toEqual(NAMES.slice(1));
    expect(late.diagnostics[0]?.message).toMatch(
      /^Python's console exporter: the start is soon, no time of ISO 8601; /,
    );
    expect((await read(utf8("plain text {\n"))).codes).toEqual(["trace.format"]);
  });
});
