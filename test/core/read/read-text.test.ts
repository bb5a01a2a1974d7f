/** JFR strings of every encoding: always valid UTF-8, and what TextDecoder makes of them where that is defined. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { ReadCore } from "../../kit/core/read-harness.ts";

let core: ReadCore;
beforeAll(async () => {
  core = await ReadCore.create();
}, 60_000);

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(Math.floor(value / 128))];
}

/** Units of modified UTF-8: three bytes for each surrogate, two for U+0000. */
function modified(text: string): number[] {
  return Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)).flatMap((unit) => {
    if (unit !== 0 && unit < 0x80) return [unit];
    if (unit < 0x800) return [0xc0 | (unit >> 6), 0x80 | (unit & 63)];
    return [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63)];
  });
}

/** Reads one string that fills its bytes exactly; both ways of passing it must agree on its end. */
function read(bytes: number[]): string {
  core.enter(bytes);
  expect(core.x.skipText()).toBeTruthy();
  expect(core.at()).toBe(bytes.length);
  core.enter(bytes);
  const text = core.text();
  expect([text.kind, text.at]).toEqual(["present", bytes.length]);
  return strict.decode(text.bytes);
}

const sized = (encoding: number, bytes: ArrayLike<number>) => [
  encoding,
  ...varint(bytes.length),
  ...Array.from({ length: bytes.length }, (_, i) => bytes[i] ?? 0),
];
const utf16 = (units: number[]) => [4, ...varint(units.length), ...units.flatMap(varint)];
const unitsOf = (text: string) => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));

/** U+FFFD for each lone surrogate. */
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, "\ufffd");

/** Any UTF-16, lone surrogates included. */
const anyUnits = fc.array(
  fc.oneof(
    fc.nat(0xffff),
    fc.integer({ min: 0xd800, max: 0xdfff }),
    fc.constantFrom(0, 0x41, 0xd83d, 0xde00, 0xfffd, 0xfeff),
  ),
  { maxLength: 30 },
);

describe("a string", () => {
  it("may be null or empty", () => {
    core.enter([0]);
    expect(core.text()).toMatchObject({ kind: "null", at: 1 });
    core.enter([1]);
    expect(core.text()).toMatchObject({ kind: "present", at: 1, bytes: new Uint8Array() });
    expect(read([3, 0])).toBe("");
    expect(read([4, 0])).toBe("");
    expect(read([5, 0])).toBe("");
  });

  it("may be a key of 64 bits", () => {
    for (const [bytes, key] of [
      [[2, 0], 0n],
      [[2, 0x85, 0x01], 133n],
      [[2, ...Array(9).fill(0xff)], (1n << 64n) - 1n],
    ] as const) {
      core.enter(bytes);
      expect(core.text()).toMatchObject({ kind: "key", key, at: bytes.length });
      core.enter(bytes);
      expect(core.x.skipText()).toBeTruthy();
      expect(core.at()).toBe(bytes.length);
    }
  });

  it("in UTF-8 comes out as it is, however long", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        expect(read(sized(3, new TextEncoder().encode(text)))).toBe(text);
      }),
    );
    for (const n of [7, 8, 9, 127, 128, 300, 20_000]) expect(read(sized(3, Array(n).fill(0x61)))).toBe("a".repeat(n));
  });

  it("in UTF-16 comes out with its pairs joined and U+FFFD for a lone surrogate", () => {
    fc.assert(
      fc.property(anyUnits, (units) => {
        expect(read(utf16(units))).toBe(wellFormed(String.fromCharCode(...units)));
      }),
      { numRuns: 500 },
    );
  });

  it("in UTF-16 takes the low 16 bits of a unit", () => {
    expect(read([4, 2, ...varint(0x10041), ...varint(0x42)])).toBe("AB");
  });

  it("in Latin-1 has a character per byte", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(read(sized(5, bytes))).toBe(String.fromCharCode(...bytes));
      }),
    );
  });

  it("in modified UTF-8 means the characters that its surrogates and C0 80 spell", () => {
    expect(read(sized(3, modified("a\u0000é\u{1f525}z")))).toBe("a\u0000é\u{1f525}z");
    fc.assert(
      fc.property(anyUnits, (units) => {
        const text = String.fromCharCode(...units);
        expect(read(sized(3, modified(text)))).toBe(wellFormed(text));
      }),
      { numRuns: 500 },
    );
  });

  it("that is broken UTF-8 still comes out valid, whole characters intact", () => {
    const byte = fc.oneof(fc.nat(255), fc.constantFrom(0xc0, 0xc1, 0xe0, 0xed, 0xf0, 0xf4, 0xf8, 0xff, 0x80, 0xbf));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 40 }), (bytes) => {
        // Strict decoding in `read` is the claim; letters before and after must survive.
        const text = read(sized(3, [0x3c, ...bytes, 0x3e]));
        expect([text.at(0), text.at(-1)]).toEqual(["<", ">"]);
        const ascii = (s: string) => s.replace(/[^ -~]/g, "");
        expect(ascii(text)).toBe(ascii(lenient.decode(Uint8Array.from([0x3c, ...bytes, 0x3e]))));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    [[0x80]],
    [[0xc3]],
    [[0xe2, 0x82]],
    [[0xf0, 0x9f, 0x94]],
    [[0xc1, 0xbf]],
    [[0xe0, 0x80, 0xaf]],
    [[0xf0, 0x80, 0x80, 0xaf]],
    [[0xf4, 0x90, 0x80, 0x80]],
    [[0xf8, 0x88, 0x80, 0x80, 0x80]],
    [[0xff]],
  ])("of the bytes %j is nothing but U+FFFD", (bytes) => {
    expect(read(sized(3, bytes))).toMatch(/^\ufffd+$/);
  });
});

describe("a damaged string", () => {
  /** Both ways of passing it refuse it. */
  function refused(bytes: number[]): void {
    core.enter(bytes, 0x41);
    expect(core.text().kind).toBe("damaged");
    core.enter(bytes, 0x41);
    expect(core.x.skipText()).toBeFalsy();
  }

  it("of an unknown encoding is refused", () => {
    for (const encoding of [6, 7, 9, 127, 255]) refused([encoding, 1, 0x41]);
  });

  it("cut anywhere is refused", () => {
    const wholes = [
      [2, 0x85, 0x01],
      sized(3, modified("grün")),
      utf16(unitsOf("東京")),
      sized(5, [0x41, 0xe9]),
      [2, ...Array(9).fill(0xff)],
    ];
    for (const whole of wholes) for (let n = 0; n < whole.length; n++) refused(whole.slice(0, n));
  });

  it("longer than the chunk is refused", () => {
    for (const encoding of [3, 4, 5]) {
      for (const length of [[5], [0xff, 0xff, 0xff, 0xff, 0x0f], Array(9).fill(0xff)]) {
        refused([encoding, ...length, 1, 2, 3, 4]);
      }
    }
  });
});

describe("fixed-width strings", () => {
  it("have lengths of four bytes and UTF-16 units of two", () => {
    core.x.setCompressed(false);
    try {
      expect(read([3, 0, 0, 0, 2, 0xc3, 0xa9])).toBe("é");
      expect(read([5, 0, 0, 0, 1, 0xe9])).toBe("é");
      expect(read([4, 0, 0, 0, 3, 0x67, 0x71, 0xd8, 0x3d, 0xde, 0x00])).toBe("東\u{1f600}");
      core.enter([2, 0, 0, 0, 0, 0, 0, 1, 2]);
      expect(core.text()).toMatchObject({ kind: "key", key: 258n, at: 9 });
      core.enter([4, 0, 0, 0, 3, 0x67, 0x71, 0xd8, 0x3d, 0xde], 0);
      expect(core.text().kind).toBe("damaged");
    } finally {
      core.x.setCompressed(true);
    }
  });
});
