/** Spans that a trace file has but that cannot be read as they are: each is reported, and the others are read. */
import { describe, expect, it } from "vitest";
import { concat, field, varint } from "../../test/kit/otlp/otlp-message.ts";
import { KeptSpans } from "../../test/kit/span-table.ts";
import { bytesSource } from "../bytes/byte-source.ts";
import { readTraceFile } from "./read.ts";

async function read(bytes: Uint8Array) {
  const store = new KeptSpans();
  const { diagnostics, format } = await readTraceFile("t", bytesSource(bytes), store, 1);
  // Many spans here have ids only.
  const found = diagnostics
    .map(({ code, message, offset }) => ({ code, message, offset }))
    .filter(({ code }) => code !== "trace.time.missing");
  return { rows: store.list(), ids: store.list().map(({ id }) => id), found, format };
}

const readText = (text: string) => read(new TextEncoder().encode(text));
const id = (value: number) => field(2, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, value));
const NAME = field(5, Uint8Array.of(0x61));
/** A field that the format does not have yet. */
const LATER = concat([varint(31 * 8), varint(7)]);

/** A Resource without attributes, and a ScopeSpans. */
const message = (...spans: Uint8Array[]) => field(1, concat([field(1, new Uint8Array()), field(2, concat(spans))]));
const span = (...fields: Uint8Array[]) => field(2, concat(fields));
/** After its length, as in the file exporter's files. */
function framed(bytes: Uint8Array): Uint8Array {
  const head = new Uint8Array(4);
  new DataView(head.buffer).setUint32(0, bytes.length);
  return concat([head, bytes]);
}

describe("OTLP in protobuf", () => {
  it("leaves out a span with a field that goes beyond it", async () => {
    // The name has a length of 9, and the span ends after one byte of it.
    const broken = span(id(2), Uint8Array.of(0x2a, 9, 0x61));
    const bytes = message(span(id(1), NAME), broken, span(id(3), NAME));
    const { ids, found } = await read(bytes);
    expect(ids).toEqual([1n, 3n]);
    const offset = bytes.indexOf(9) - 11;
    const text = `OTLP: a field goes beyond its message; the span was left out (offset ${offset})`;
    expect(found).toEqual([{ code: "trace.span", message: text, offset }]);
  });

  it("leaves out a span with a damaged attribute, and a damaged resource", async () => {
    const attribute = field(9, Uint8Array.of(0x0a, 5, 0x6b));
    const sound = message(span(id(1), NAME));
    const resource = field(1, Uint8Array.of(0x0a, 3, 0x0a));
    const damaged = field(1, concat([resource, field(2, concat([span(id(2), attribute), span(id(3), NAME)]))]));
    const { ids, found } = await read(concat([sound, damaged]));
    expect(ids).toEqual([1n, 3n]);
    expect(found.map(({ code, offset }) => [code, (offset ?? 0) - sound.length])).toEqual([
      ["trace.damaged", 4],
      ["trace.span", 11],
    ]);
  });

  it("reads the next frame where a varint goes beyond the one before", async () => {
    // The tag of a field that never ends is the last byte of the first frame.
    const first = concat([message(span(id(1), NAME)), Uint8Array.of(0x80)]);
    const { ids, found } = await read(concat([framed(first), framed(message(span(id(2), NAME)))]));
    expect(ids).toEqual([1n, 2n]);
    expect(found.map(({ code, offset }) => [code, offset])).toEqual([["trace.damaged", 4 + first.length - 1]]);
  });

  it("may begin with fields of a later version", async () => {
    const { ids, found, format } = await read(concat([LATER, message(concat([LATER, span(LATER, id(1), NAME)]))]));
    expect([ids, found, format]).toEqual([[1n], [], "otlp"]);
    expect((await read(framed(concat([LATER, message(span(id(1), NAME))])))).ids).toEqual([1n]);
  });

  it("may begin with a span whose flags precede its other fields", async () => {
    const flags = Uint8Array.of(...varint(16 * 8 + 5), 1, 0, 0, 0);
    expect((await read(field(1, field(2, span(flags, id(1), NAME))))).ids).toEqual([1n]);
  });
});

describe("times that 64 bits do not hold", () => {
  const MOST = 2n ** 63n - 1n;

  it("are moved to the limit, and the duration stays within 64 bits", async () => {
    const timed = (n: number, start: string, duration: string) =>
      `{"trace_id":1,"span_id":${n},"start":${start},"duration":${duration}}`;
    const { rows, found } = await readText(
      `[${[
        timed(1, "9223372036854775807", "0"),
        timed(2, "9223372036854775807", "1"),
        timed(3, "99999999999999999999", "5"),
        timed(4, "-99999999999999999999", "99999999999999999999"),
        timed(5, "-5", "7"),
      ].join(",")}]`,
    );
    expect(rows.map(({ start, end }) => [start, end])).toEqual([
      [MOST, MOST],
      [MOST, MOST],
      [MOST, MOST],
      [-MOST, 0n],
      [-5n, 2n],
    ]);
    expect(found.map(({ code, offset }) => [code, offset])).toEqual([
      ["trace.time", 1 + timed(1, "9223372036854775807", "0").length + 1],
      ["trace.time", expect.any(Number)],
      ["trace.time", expect.any(Number)],
    ]);
    expect(found[0]?.message).toMatch(
      /^Datadog: a time of the span is beyond the year 2262; it was moved to the limit/,
    );
  });
});

describe("objects that are no spans", () => {
  it("are none of a file without a trace id", async () => {
    const { ids, found } = await readText('[{"id":"1"},{"id":"2"}]');
    expect([ids, found.map(({ code }) => code)]).toEqual([[], ["trace.format"]]);
  });
});
