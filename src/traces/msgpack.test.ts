/** Spans of Datadog's Java agent 1.68.1 in msgpack, as it sends them, are a trace file. */
import { readFileSync } from "node:fs";
import { encode } from "@msgpack/msgpack";
import { describe, expect, it } from "vitest";
import { KeptSpans } from "../../test/kit/span-table.ts";
import { bytesSource } from "../bytes/byte-source.ts";
import { Expansion } from "../bytes/expansion.ts";
import { classified } from "../input/classify.ts";
import { readTraceFile } from "./read.ts";

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/received/${name}`, import.meta.url));

async function read(bytes: Uint8Array) {
  const store = new KeptSpans();
  return { store, ...(await readTraceFile("trace", bytesSource(bytes), store, 1)) };
}

describe.each(["dd168.v04.msgpack", "dd168.v05.msgpack"])("%s", (name) => {
  it("is known by its bytes", async () => {
    const source = bytesSource(fixture(name));
    expect((await classified(source, new Expansion(source))).sniffed.kind).toBe("trace");
  });

  it("has a span with all its ids", async () => {
    const { spans, format, diagnostics } = await read(fixture(name));
    expect([spans, format, diagnostics]).toEqual([1, "datadog", []]);
  });

  it("is refused where it is cut, and nothing is thrown at any byte", async () => {
    const whole = fixture(name);
    for (let end = 0; end < whole.length; end += 7) {
      const { spans, diagnostics } = await read(whole.subarray(0, end));
      expect([end, spans, diagnostics.length > 0]).toEqual([end, 0, true]);
    }
  });
});

it("of more values than a tracer sends is not decoded", async () => {
  const { spans, diagnostics } = await read(encode([[{ trace_id: 1, meta: { a: Array(1 << 20).fill(0) } }]]));
  expect([spans, diagnostics.map(({ code }) => code)]).toEqual([0, ["trace.damaged", "trace.empty"]]);
});
