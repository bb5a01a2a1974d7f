/**
 * Payloads of any size: only the part that is being read is requested of the file, and skipped parts are not read.
 */
import { describe, expect, it } from "vitest";
import type { ByteSource } from "../../../src/bytes/byte-source.ts";
import type { StreamSource } from "../../../src/bytes/stream-source.ts";
import { PIECE } from "../../../src/bytes/window.ts";
import { Payloads } from "../../../src/otlp/payloads.ts";
import { jsonPayloads } from "../../../src/otlp/payloads-json.ts";
import { protobufPayloads } from "../../../src/otlp/payloads-protobuf.ts";
import { ascii, concat, field, varint } from "../../kit/otlp/otlp-message.ts";

const MiB = 2 ** 20;

/** A file of a head, `n` times the byte `fill`, and a tail, which exists only where it is asked for. */
class Vast implements ByteSource {
  readonly byteLength: number;
  /** Bytes given out, and the most at once. */
  given = 0;
  most = 0;
  /** The furthest byte that was asked for and is there. */
  furthest = 0;
  private readonly head: Uint8Array;
  private readonly tail: Uint8Array;
  private readonly fill: number;

  constructor(head: Uint8Array, n: number, fill: number, tail: Uint8Array) {
    this.head = head;
    this.tail = tail;
    this.fill = fill;
    this.byteLength = head.length + n + tail.length;
  }

  async slice(start: number, end: number): Promise<Uint8Array> {
    const to = Math.min(end, this.byteLength);
    const bytes = new Uint8Array(Math.max(0, to - start)).fill(this.fill);
    this.most = Math.max(this.most, end - start);
    this.given += bytes.length;
    this.furthest = Math.max(this.furthest, to);
    if (start < this.head.length) bytes.set(this.head.subarray(start, to));
    const tail = this.byteLength - this.tail.length;
    if (to > tail) bytes.set(this.tail.subarray(Math.max(0, start - tail), to - tail), Math.max(0, tail - start));
    return bytes;
  }
}

/** The head of a field whose value has `length` bytes. */
const open = (number: number, length: number) => concat([varint(number * 8 + 2), varint(length)]);

/** Around one field of a Profile, its head given and `n` bytes of it to follow. */
function inMessages(head: Uint8Array, n: number): Uint8Array {
  let all = head;
  for (const number of [2, 2, 1]) all = concat([open(number, all.length + n), all]);
  return all;
}

function newPayloads(): { payloads: Payloads; faults: string[] } {
  const faults: string[] = [];
  return {
    payloads: new Payloads(
      (message) => faults.push(message),
      () => true,
    ),
    faults,
  };
}

/** Reads through a payload as a reader of chunks does, holding the file against what came out of it. */
async function readThrough(source: StreamSource, file: Vast, ratio: number): Promise<{ bytes: number; ahead: number }> {
  let ahead = 0;
  for (let at = 0; ; ) {
    const piece = await source.slice(at, at + 100_000);
    if (piece.length === 0) return { bytes: at, ahead };
    at += piece.length;
    ahead = Math.max(ahead, file.furthest - at * ratio);
  }
}

describe("a payload of 100 MiB", () => {
  it("in protobuf is never ahead of its reader by more than two pieces", async () => {
    const n = 100 * MiB;
    const file = new Vast(inMessages(concat([field(9, ascii("jfr")), open(10, n)]), n), n, 7, new Uint8Array());
    const { payloads, faults } = newPayloads();
    for await (const { source } of protobufPayloads(file, "protobuf", payloads)) {
      const { bytes, ahead } = await readThrough(source, file, 1);
      expect(bytes).toBe(n);
      expect(ahead).toBeLessThan(2 * PIECE);
    }
    expect([payloads.recordings, faults, file.most]).toEqual([1, [], PIECE]);
  });

  it("in JSON neither, and no string of it is kept", async () => {
    const n = 100 * MiB;
    const head = ascii(
      '{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"originalPayloadFormat":"jfr","originalPayload":"',
    );
    const file = new Vast(head, n, 0x41, ascii('"}]}]}]}\n'));
    const { payloads, faults } = newPayloads();
    for await (const { source } of jsonPayloads(file, payloads)) {
      const { bytes, ahead } = await readThrough(source, file, 4 / 3);
      expect(bytes).toBe((n / 4) * 3);
      expect(ahead).toBeLessThan(2 * PIECE);
    }
    expect([payloads.recordings, faults, file.most]).toEqual([1, [], PIECE]);
  });
});

describe("what is stepped over", () => {
  it("in protobuf is not read: a payload of another format, samples, 8 GiB of each", async () => {
    const n = 8192 * MiB;
    for (const head of [concat([field(9, ascii("pprof")), open(10, n)]), open(2, n)]) {
      const tail = field(1, field(2, field(2, concat([field(9, ascii("jfr")), field(10, ascii("FLR"))]))));
      const file = new Vast(inMessages(head, n), n, 7, tail);
      const { payloads, faults } = newPayloads();
      const read: number[] = [];
      for await (const { source } of protobufPayloads(file, "protobuf", payloads)) {
        read.push((await source.slice(0, 99)).length);
      }
      expect([read, faults]).toEqual([[3], []]);
      expect(file.given).toBeLessThan(4 * PIECE);
    }
  });

  it("in JSON is read in pieces and not kept, a key of 20 MiB too", async () => {
    const n = 20 * MiB;
    for (const head of ['{"resourceProfiles":[{"schemaUrl":"', '{"resourceProfiles":[{"']) {
      const tail = head.endsWith('{"') ? '":1}]}' : '"}]}';
      const file = new Vast(ascii(head), n, 0x41, ascii(tail));
      const { payloads, faults } = newPayloads();
      for await (const _ of jsonPayloads(file, payloads)) throw new Error("nothing is there");
      expect([faults, file.most]).toEqual([[], PIECE]);
    }
  });

  it("of brackets as deep as the file costs no stack", async () => {
    const file = new Vast(ascii('{"resourceProfiles":[{"a":'), 2 * MiB, 0x5b, new Uint8Array());
    const { payloads, faults } = newPayloads();
    for await (const _ of jsonPayloads(file, payloads)) throw new Error("nothing is there");
    expect(faults).toEqual([`otlp: JSON: the text ends inside a value (offset ${file.byteLength})`]);
  });
});
