/**
 * Small inputs that claim much data or decompress to it: memory, requests and outputs are counted, intact parts read.
 */
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { type ByteSource, bytesSource } from "../../../src/bytes/byte-source.ts";
import { Excess, Expansion } from "../../../src/bytes/expansion.ts";
import { unpackLz4 } from "../../../src/bytes/lz4.ts";
import { StreamSource } from "../../../src/bytes/stream-source.ts";
import { takeFrom } from "../../../src/bytes/take.ts";
import { unpackZstd } from "../../../src/bytes/zstd.ts";
import type { Core } from "../../../src/core/core.ts";
import { type ChunkBuffer, loadChunk } from "../../../src/input/chunk-load.ts";
import { oneMessage } from "../../../src/input/message-files.ts";
import { readInputs } from "../../../src/input/open.ts";
import { messagesOf } from "../../../src/otlp/framed-messages.ts";
import { codes, emptyCore, observations } from "../../kit/core/read-store.ts";
import { buildChunk } from "../../kit/jfr/jfr-builder.ts";
import { concat } from "../../kit/jfr/jfr-bytes.ts";
import { cpuChunk } from "../../kit/jfr/jfr-types.ts";

const MiB = 2 ** 20;
const small = buildChunk(cpuChunk([{ weight: 5n }])).bytes;
const other = buildChunk(cpuChunk([{ weight: 7n }])).bytes;

const u32 = (n: number) => [n & 0xff, (n >>> 8) & 0xff, (n >>> 16) & 0xff, n >>> 24];

/** A source of `bytes` and then endless zeros, which counts the requested bytes. */
class Endless implements ByteSource {
  readonly byteLength = Number.MAX_SAFE_INTEGER;
  given = 0;
  most = 0;
  private readonly bytes: Uint8Array;

  constructor(bytes: number[]) {
    this.bytes = Uint8Array.from(bytes);
  }

  async slice(start: number, end: number): Promise<Uint8Array> {
    this.most = Math.max(this.most, end - start);
    this.given += end - start;
    const out = new Uint8Array(end - start);
    out.set(this.bytes.subarray(start, end));
    return out;
  }
}

async function* parts(...all: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* all;
}

async function* zeros(n: number, piece = MiB): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < n; i++) yield new Uint8Array(piece);
}

async function open(...sources: ByteSource[]): Promise<{ core: Core; read: string[] }> {
  const core = await emptyCore();
  const { inputs } = await readInputs(
    core,
    sources.map((source, i) => ({ name: `${i}`, source })),
  );
  return { core, read: inputs.map(({ read }) => read) };
}

const values = (core: Core) => observations(core).map(({ value }) => value);

describe("zstd", () => {
  // 128 KiB of window, no checksum; a block of 128 KiB of one byte.
  const FRAME = [0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3];
  const block = (size: number, isLast: boolean) => {
    const head = (size << 3) | 2 | (isLast ? 1 : 0);
    return [...u32(head).slice(0, 3), 0x61];
  };

  it("gives one block at a time", async () => {
    const count = 64;
    const bytes = Uint8Array.from([
      ...FRAME,
      ...Array.from({ length: count }, (_, i) => block(1 << 17, i === count - 1)).flat(),
    ]);
    let taken = 0;
    const take = takeFrom(bytesSource(bytes));
    const unpacked = unpackZstd(async (n) => {
      const piece = await take(n);
      taken += piece.length;
      return piece;
    });
    let out = 0;
    for (let piece = await unpacked.next(); !piece.done; piece = await unpacked.next()) {
      expect(piece.value.length).toBeLessThanOrEqual(1 << 17);
      out += piece.value.length;
      // fzstd waits for 18 bytes before it begins: three blocks.
      expect(taken).toBeLessThanOrEqual(FRAME.length + 4 * (out / (1 << 17) + 3));
    }
    expect(out).toBe(count << 17);
  });

  it.each([
    ["a block above 128 KiB", [...FRAME, ...block((1 << 17) + 1, true)], "a block of type 1 and 131073 bytes"],
    ["a window of 2 GiB", [...FRAME.slice(0, 5), 21 << 3], "a window of 2147483648 bytes"],
    ["a dictionary", [...FRAME.slice(0, 4), 1, 0, 9], "needs a dictionary"],
  ])("with %s is refused before it is unpacked", async (_, bytes, message) => {
    const source = new Endless(bytes);
    await expect(unpackZstd(takeFrom(source)).next()).rejects.toThrow(message);
    expect(source.given).toBeLessThan(MiB);
  });

  it("with tiny blocks in a large window ends, since every block moves the window", async () => {
    const bytes = [...FRAME.slice(0, 5), 10 << 3, ...Array.from({ length: 50 }, () => block(1, false)).flat()];
    const unpacked = unpackZstd(takeFrom(bytesSource(Uint8Array.from(bytes))), 20 * MiB);
    const read = async () => {
      for await (const _ of unpacked);
    };
    await expect(read()).rejects.toThrow("too small for a window of 1048576 bytes");
  });
});

describe("lz4", () => {
  it("skips 4 GiB in pieces", async () => {
    const source = new Endless([0x50, 0x2a, 0x4d, 0x18, ...u32(2 ** 24)]);
    await expect(unpackLz4(takeFrom(source)).next()).rejects.toThrow("no frame starts with 00000000");
    expect(source.most).toBeLessThanOrEqual(1 << 18);
    expect(source.given).toBeGreaterThanOrEqual(2 ** 24);
  });

  it("refuses a block above the frame's largest before it asks for its bytes", async () => {
    const source = new Endless([4, 0x22, 0x4d, 0x18, 0x60, 0x40, 0, ...u32(0x7fff_ffff)]);
    await expect(unpackLz4(takeFrom(source)).next()).rejects.toThrow("a block of 2147483647 bytes");
    expect(source.given).toBeLessThan(MiB);
  });
});

describe("a stream", () => {
  it("gives up keeping what is more than the limit", async () => {
    const source = new StreamSource(zeros(64));
    source.hold(0, 8 * MiB);
    let most = 0;
    for (let at = 0; (await source.ahead(at, at + 1)) > 0; at += MiB) most = Math.max(most, source.bytesKept);
    expect([source.keeps, source.byteLength]).toEqual([false, 64 * MiB]);
    expect(most).toBeLessThanOrEqual(9 * MiB);
    await expect(source.slice(0, 1)).rejects.toThrow(RangeError);
  });

  it("does not keep what it copied into a target", async () => {
    const source = new StreamSource(zeros(64));
    let most = 0;
    const target = new Proxy(new Uint8Array(64 * MiB), {
      get(of, key) {
        most = Math.max(most, source.bytesKept);
        const value = Reflect.get(of, key);
        return typeof value === "function" ? value.bind(of) : value;
      },
    });
    expect(await source.readInto(0, target)).toBe(64 * MiB);
    expect(most).toBeLessThanOrEqual(2 * MiB);
  });

  it("finds a byte among many small parts", async () => {
    const many = Array.from({ length: 5000 }, (_, i) => Uint8Array.of(i & 0xff, i >> 8));
    const source = new StreamSource(parts(...many));
    source.hold(0);
    await source.ahead(0, 10_000);
    for (const i of [0, 1, 1777, 2500, 4999]) {
      expect([...(await source.slice(2 * i, 2 * i + 2))]).toEqual([i & 0xff, i >> 8]);
    }
    source.hold(null);
    await source.ahead(9000, 9001);
    expect(source.bytesKept).toBe(1000);
  });
});

describe("a chunk size that lies", () => {
  const claims = (size: bigint) => {
    const bytes = small.slice();
    new DataView(bytes.buffer).setBigInt64(8, size);
    return bytes;
  };

  it("of 3 GiB before few bytes makes room for those, and the next chunk is read", async () => {
    const core = await emptyCore();
    const wishes: number[] = [];
    for (const key of ["reserve", "grow"] as const) {
      const real = core[key].bind(core);
      core[key] = (...[bytes, toRead]: Parameters<Core["grow"]>) => {
        wishes.push(bytes);
        real(bytes, toRead);
      };
    }
    try {
      const source = new StreamSource(parts(claims(3n << 30n), other));
      const { inputs } = await readInputs(core, [{ name: "a", source }]);
      expect(inputs[0]?.read).toBe("partly");
    } finally {
      for (const key of ["reserve", "grow"] as const) Reflect.deleteProperty(core, key);
    }
    expect(values(core)).toEqual([5n, 7n]);
    expect(Math.max(...wishes)).toBeLessThanOrEqual(2 * MiB);
  });

  it.each([1n << 40n, 3n, -1n])("of %s keeps a bounded part of a stream, and the next chunk is read", async (size) => {
    const { core } = await open(new StreamSource(parts(claims(size), new Uint8Array(5 * MiB), other)));
    expect(values(core)).toEqual([5n, 7n]);
    let held = 0;
    const buffer: ChunkBuffer = {
      reserve: (bytes) => {
        held = Math.max(held, bytes);
      },
      grow: (bytes) => {
        held = Math.max(held, bytes);
      },
      input: (end, start = 0) => new Uint8Array(end - start),
    };
    const source = new StreamSource(zeros(64));
    const chunk = await loadChunk(buffer, source, 0, size, 8 * MiB);
    expect(chunk).toEqual({ there: 8 * MiB, length: 8 * MiB, isWhole: false, refusal: null });
    expect(held).toBeLessThanOrEqual(9 * MiB);
    expect(source.byteLength).toBeLessThanOrEqual(10 * MiB);
  });

  it("of a chunk that grows beyond its first room is read whole", async () => {
    const samples = Array.from({ length: 180_000 }, (_, i) => ({ weight: BigInt(i) }));
    const long = concat(buildChunk(cpuChunk(samples)).bytes, small);
    expect(long.length).toBeGreaterThan(2 * MiB);
    const plain = await open(bytesSource(long));
    const wanted = [plain.core.profiles(), codes(plain.core)];
    const stream = await open(new StreamSource(parts(long)));
    expect([stream.core.profiles(), codes(stream.core)]).toEqual(wanted);
  });
});

describe("what comes out of wrappers", () => {
  it("is bounded by a multiple of the input", async () => {
    const expansion = new Expansion({ byteLength: 100 }, 4 * MiB);
    let out = 0;
    const read = async () => {
      for await (const piece of expansion.limit(zeros(100))) out += piece.length;
    };
    await expect(read()).rejects.toThrow(Excess);
    expect(out).toBe(4 * MiB);
    const large = new Expansion({ byteLength: MiB }, 4 * MiB);
    for await (const piece of large.limit(zeros(100))) out += piece.length;
    expect(out).toBe(104 * MiB);
  });

  it("has a separate code, and the input before it is read", async () => {
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield small;
      throw new Excess("too many");
    }
    const source = new StreamSource(bytes());
    expect([...(await source.slice(0, 4))]).toEqual([...small.subarray(0, 4)]);
    await source.ahead(0, 2 * small.length);
    expect([source.isExcess, source.fault]).toEqual([true, "too many"]);
  });
});

describe("messages", () => {
  it("of a file above 1 GiB in a stream are refused with their size", async () => {
    const asked: number[] = [];
    const source: ByteSource = {
      byteLength: 0,
      slice: async () => new Uint8Array(0),
      ahead: async (start, end) => {
        asked.push(end - start);
        return end - start;
      },
    };
    const notes: string[] = [];
    const messages = oneMessage(source, (code, _, message) => notes.push(`${code} ${message}`));
    expect((await messages.next()).done).toBe(true);
    expect(asked).toEqual([2 ** 30 + 1]);
    expect(notes).toEqual([expect.stringMatching(/^source.too-long .* 1073741825 bytes \(offset 0\).*decompress it/)]);
  });

  it("of JSON with a text above 64 MiB end at it, and the next line is read", async () => {
    const notes: string[] = [];
    let most = 0;
    const head = '{"dictionary":{"stringTable":["';
    async function* text(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode(head);
      for (let i = 0; i < 140; i++) {
        most = Math.max(most, source.bytesKept);
        yield new Uint8Array(MiB).fill(0x61);
      }
      yield new TextEncoder().encode(`"]}}\n{"dictionary":{}}\n`);
    }
    const source = new StreamSource(text());
    const offsets: number[] = [];
    const note = (code: string, _: string, message: string) => notes.push(`${code} ${message}`);
    for await (const { offset } of messagesOf(source, "json", note, () => true)) offsets.push(offset);
    expect(offsets).toHaveLength(2);
    expect(notes).toEqual([
      expect.stringMatching(/^otlp.damaged .*a value of more than 67108864 bytes.*\(offset 30\)/),
    ]);
    expect(most).toBeLessThan(72 * MiB);
  });
});

describe("packed messages without end", () => {
  const LINE =
    '{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"samples":[{"stackIndex":0,"values":["1"]}]}]}]}],"dictionary":{}}\n';
  const lines = (count: number) => new TextEncoder().encode(LINE.repeat(count));
  /** The profile has a name of `more` bytes. */
  const framed = (count: number, more = 0) => {
    const name = more === 0 ? [] : [0x32, more - 2, ...new Array<number>(more - 2).fill(0x61)];
    const message = Uint8Array.of(0, 0, 0, 8 + more, 0x0a, 6 + more, 0x12, 4 + more, 0x12, 2 + more, 0x12, 0, ...name);
    return new Uint8Array(Buffer.concat(Array.from({ length: count }, () => message)));
  };
  const zipped = (bytes: Uint8Array) => gzipSync(zipSync({ "a.pb": bytes, "b.pb": bytes, "c.pb": bytes }));
  const MOST = 2 ** 14;

  it.each([
    ["lines of JSON in gzip", gzipSync(lines(40_000)), false],
    ["frames in gzip in gzip", gzipSync(gzipSync(framed(100_000))), false],
    ["entries of a zip, together", zipped(framed(10_000)), false],
    ["lines in zip", zipped(lines(MOST)), false],
    ["lines as a file", lines(MOST + 9), true],
    ["frames as a file", framed(MOST + 9), false],
    ["larger frames as a file", framed(MOST + 9, 20), true],
  ])("%s are as many as their bytes allow", async (_, bytes, isWhole) => {
    const { core } = await open(bytesSource(bytes));
    const messages = core.files().reduce((sum, file) => sum + file.messages.length, 0);
    // Of a file whose messages have no end, one more may be counted.
    expect(messages - (isWhole ? MOST + 9 : MOST)).toBeOneOf([0, -1]);
    expect(codes(core).includes("otlp.messages")).toBe(!isWhole);
  });

  it("chunks and logs are as many as their bytes allow", async () => {
    const header = new Uint8Array(68).fill(0);
    header.set([0x46, 0x4c, 0x52, 0, 0, 2]);
    header[15] = 68;
    const chunks = new Uint8Array(Buffer.concat(Array.from({ length: MOST + 9 }, () => header)));
    const log = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"x"}}]}]}]}\n';
    const logs = new TextEncoder().encode(log.repeat(MOST + 9));
    for (const [bytes, count] of [
      [chunks, (core: Core) => core.files()[0]!.chunks.length],
      [logs, null],
    ] as const) {
      for (const isPacked of [true, false]) {
        const { core } = await open(bytesSource(isPacked ? gzipSync(gzipSync(bytes)) : bytes));
        expect(codes(core).includes("source.excess")).toBe(isPacked);
        if (count !== null) expect(count(core)).toBe(isPacked ? MOST : MOST + 9);
      }
    }
  });
});

describe("inputs that change or fail", () => {
  /** `bytes` of which only the first `there` can be read. */
  const failing = (bytes: Uint8Array, there: number, fault: () => Uint8Array): ByteSource => ({
    byteLength: bytes.length,
    slice: async (start, end) => (start >= there ? fault() : bytes.subarray(start, Math.min(end, there))),
  });
  const twice = concat(small, other);

  it("that became shorter are read so far, named with both sizes, and partly read", async () => {
    const source = failing(twice, small.length, () => new Uint8Array(0));
    const { core, read } = await open(source, bytesSource(other));
    expect([read, values(core)]).toEqual([
      ["partly", "wholly"],
      [5n, 7n],
    ]);
    expect(core.diagnostics()).toMatchObject([{ code: "source.changed", file: "0", offset: small.length }]);
    expect(core.diagnostics()[0]?.message).toContain(`ends at byte ${small.length} of ${twice.length}`);
  });

  it.each([0, small.length, small.length + 30])(
    "that cannot be read at byte %i do not cost the others",
    async (there) => {
      const source = failing(twice, there, () => {
        throw new Error("EIO: i/o error, read");
      });
      const { core, read } = await open(source, bytesSource(other));
      expect(read).toEqual([there === 0 ? "not" : "partly", "wholly"]);
      expect(values(core)).toEqual(there === 0 ? [7n] : [5n, 7n]);
      const fault = core.diagnostics().find(({ code }) => code === "source.unreadable");
      expect(fault).toMatchObject({ file: "0", offset: there, message: expect.stringContaining("EIO") });
      expect(codes(core)).not.toContain("source.foreign");
    },
  );

  it("inside gzip are named too", async () => {
    const packed = new Uint8Array(gzipSync(twice));
    const source = failing(packed, packed.length - 30, () => {
      throw new Error("EIO");
    });
    const { core } = await open(source, bytesSource(other));
    expect(codes(core)).toEqual(expect.arrayContaining(["source.unreadable", "gzip.damaged"]));
    expect(values(core).at(-1)).toBe(7n);
  });

  it("that were written to are named, those that grew with a warning", async () => {
    const changed = (code: "source.changed" | "source.grown", recording: Uint8Array<ArrayBuffer>): ByteSource => ({
      ...bytesSource(recording),
      change: async () => ({ code, message: "it changed", offset: 9 }),
    });
    const { core, read } = await open(changed("source.changed", small), changed("source.grown", other));
    expect([read, core.diagnostics().map(({ severity }) => severity)]).toEqual([
      ["partly", "wholly"],
      ["error", "warning"],
    ]);
  });

  it("that are streams and break off are named", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield small;
      throw new Error("EPIPE");
    }
    const { core, read } = await open(new StreamSource(broken()));
    expect([read, values(core), codes(core)]).toEqual([["partly"], [5n], ["source.unreadable"]]);
  });
});
