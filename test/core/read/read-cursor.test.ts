/** Integers of a chunk against a reader that takes them byte by byte. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { ReadCore } from "../../kit/core/read-harness.ts";

let core: ReadCore;
beforeAll(async () => {
  core = await ReadCore.create();
}, 60_000);

/** Value and length of the varint at `at`; null where it does not end before `limit`. */
function naive(bytes: ArrayLike<number>, at: number, limit = bytes.length): { value: bigint; length: number } | null {
  let value = 0n;
  for (let i = 0; at + i < limit; i++) {
    const byte = bytes[at + i] ?? 0;
    if (i === 8) return { value: value | (BigInt(byte) << 56n), length: 9 };
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte < 0x80) return { value, length: i + 1 };
  }
  return null;
}

/** A varint of at least `length` bytes. */
function encode(value: bigint, length = 1): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (bytes.length < 8 && (rest > 0x7fn || bytes.length + 1 < length)) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return bytes;
}

/** Where `count` varints from `at` end; null where they do not. */
function naiveSkip(bytes: ArrayLike<number>, at: number, count: number): number | null {
  let end = at;
  for (let i = 0; i < count; i++) {
    const one = naive(bytes, end);
    if (one === null) return null;
    end += one.length;
  }
  return end;
}

const TOP = (1n << 64n) - 1n;
const u64 = fc.oneof(
  fc.bigInt({ min: 0n, max: TOP }),
  fc.integer({ min: 0, max: 64 }).map((bits) => (1n << BigInt(bits)) - 1n),
  fc.integer({ min: 0, max: 63 }).map((bits) => 1n << BigInt(bits)),
);

describe("a varint", () => {
  it.each([
    [[0x00], 0n],
    [[0x7f], 127n],
    [[0x80, 0x01], 128n],
    [[0xff, 0xff, 0xff, 0xff, 0x0f], 0xffff_ffffn],
    [[0x81, 0x80, 0x80, 0x80, 0x00], 1n],
    [[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], 0n],
    [[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80], 1n << 63n],
    [Array(9).fill(0xff), TOP],
    [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], (1n << 56n) - 1n],
  ])("%j is %d", (bytes, value) => {
    core.enter(bytes);
    expect(BigInt.asUintN(64, core.x.varLong())).toBe(value);
    expect([core.at(), core.overrun()]).toEqual([bytes.length, false]);
  });

  it("is read whatever its length, padding and the bytes behind it", () => {
    fc.assert(
      fc.property(u64, fc.integer({ min: 1, max: 9 }), fc.nat(255), fc.nat(3), (value, length, behind, before) => {
        const bytes = [...Array(before).fill(0x80), ...encode(value, length)];
        core.enter(bytes, behind, before);
        expect(BigInt.asUintN(64, core.x.varLong())).toBe(value);
        expect([core.at(), core.overrun()]).toEqual([bytes.length, false]);
      }),
      { numRuns: 500 },
    );
  });

  it("cut anywhere gives 0, overruns and stays at the limit", () => {
    for (const value of [128n, 1n << 20n, 1n << 34n, 1n << 55n, 1n << 56n, TOP]) {
      const whole = encode(value);
      for (let n = 0; n < whole.length; n++) {
        for (const behind of [0x00, 0xff]) {
          core.enter(whole.slice(0, n), behind);
          expect(core.x.varLong()).toBe(0n);
          expect([core.at(), core.overrun()]).toEqual([n, true]);
          // Nothing after it is read either.
          expect([core.x.readByte(), core.x.varLong(), core.x.left()]).toEqual([0, 0n, 0]);
        }
      }
    }
  });

  it("is the low 32 bits where an int is wanted, whichever way its sign was extended", () => {
    for (const bytes of [encode(0xffff_fffbn), encode(BigInt.asUintN(64, -5n))]) {
      core.enter(bytes);
      expect(core.x.readInt() | 0).toBe(-5);
      expect(core.at()).toBe(bytes.length);
    }
  });
});

describe("skipping varints", () => {
  /** Bytes with long runs of continuation, so that nine-byte values come up everywhere. */
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 20 }).map((bytes) => [...bytes]),
    fc.integer({ min: 1, max: 40 }).map((n) => Array<number>(n).fill(0xff)),
    fc.integer({ min: 1, max: 40 }).map((n) => Array<number>(n).fill(0x01)),
    fc.tuple(u64, fc.integer({ min: 1, max: 9 })).map(([value, length]) => encode(value, length)),
    fc.nat(255).map((last) => [...Array<number>(8).fill(0x80), last]),
  );
  const stream = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.flat());

  function check(bytes: number[], count: number, behind: number, at = 0): void {
    core.enter(bytes, behind, at);
    core.x.skipVarints(count);
    const end = naiveSkip(bytes, at, count);
    expect([core.at(), core.overrun()]).toEqual(end === null ? [bytes.length, true] : [end, false]);
  }

  it("ends where reading them one by one ends", () => {
    fc.assert(
      fc.property(stream, fc.nat(200), fc.nat(255), fc.nat(20), (bytes, count, behind, at) => {
        check(bytes, count, behind, Math.min(at, bytes.length));
      }),
      { numRuns: 3000 },
    );
  });

  it("ends there for every count of one stream, with nine-byte values across all seams of 16 bytes", () => {
    for (let before = 0; before < 34; before++) {
      const nine = [...Array<number>(8).fill(0x80 + before), 0xff];
      const bytes = [...Array<number>(before).fill(1), ...nine, ...nine, ...Array<number>(40).fill(2)];
      for (let count = 0; count < before + 44; count++) check(bytes, count, 0xff);
    }
  });

  it("of more than there are overruns at the limit, even with a count near 2³²", () => {
    for (const count of [65, 1 << 20, 0xffff_ffff]) check(Array<number>(64).fill(3), count, 0x01);
    check(Array<number>(64).fill(0xff), 8, 0xff);
  });
});

describe("fixed-width integers", () => {
  it("are big-endian, by their width", () => {
    const bytes = Array.from({ length: 16 }, (_, i) => 0xf0 + i);
    core.enter(bytes);
    expect(core.x.fixed(1)).toBe(0xf0n);
    expect(core.x.fixed(2)).toBe(0xf1f2n);
    expect(core.x.fixed(4)).toBe(0xf3f4f5f6n);
    expect(BigInt.asUintN(64, core.x.fixed(8))).toBe(0xf7f8f9fafbfcfdfen);
    expect([core.at(), core.overrun()]).toEqual([15, false]);
  });

  it("cut off give 0 and overrun", () => {
    for (const width of [1, 2, 4, 8]) {
      for (let n = 0; n < width; n++) {
        core.enter(Array(n).fill(0x77), 0x77);
        expect(core.x.fixed(width)).toBe(0n);
        expect([core.at(), core.overrun()]).toEqual([n, true]);
      }
    }
  });

  it("are what longs and ints are when the chunk says so", () => {
    core.x.setCompressed(false);
    try {
      core.enter([0x80, 0, 0, 0, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xfe]);
      expect(BigInt.asUintN(64, core.x.readLong())).toBe((1n << 63n) | 1n);
      expect(core.x.readInt() | 0).toBe(-2);
      expect([core.at(), core.overrun()]).toEqual([12, false]);
    } finally {
      core.x.setCompressed(true);
    }
  });
});

describe("skipping bytes", () => {
  it("stays within the limit", () => {
    for (const [n, at, overrun] of [
      [0, 0, false],
      [5, 5, false],
      [6, 5, true],
      [0xffff_ffff, 5, true],
    ] as const) {
      core.enter([1, 2, 3, 4, 5]);
      core.x.skipBytes(n);
      expect([core.at(), core.overrun()]).toEqual([at, overrun]);
    }
  });
});
