/** Hash tables under attack: inputs chosen against the hash do not share slots. Steps are counted, not time. */
import { describe, expect, it } from "vitest";
import { HashCore } from "../../kit/core/hash-harness.ts";

const U64 = (v: bigint) => BigInt.asUintN(64, v);
const SEEDS = [0n, 1n, 0x0123_4567_89ab_cdefn, U64(-1n), 0x8000_0000_0000_0000n];
/** A table that is half full at most takes half a step per entry when slots are random. */
const MOST_STEPS = 1.5;

/** Multipliers that an attacker may know: those of the hash of earlier versions, without a seed. */
const K1 = 0x9e3779b97f4a7c15n;
const K2 = 0xd6e8feb86659fd93n;
const mixUnkeyed = (h: bigint, word: bigint) => {
  const m = U64((h ^ word) * K1);
  return m ^ (m >> 29n);
};
function inverse(k: bigint): bigint {
  let x = k;
  for (let i = 0; i < 6; i++) x = U64(x * (2n - k * x));
  return x;
}

const range = (n: number) => Array.from({ length: n }, (_, i) => BigInt(i));
const N = 20_000;

const core = await HashCore.create();

describe("keys that share a slot under one seed", () => {
  it("are found far from home under that seed and at home under every other", () => {
    const n = 2000;
    const keys = core.colliding(SEEDS[1] ?? 0n, n, 0xfff);
    expect(core.keySteps(SEEDS[1] ?? 0n, keys)).toBeGreaterThan(n / 4);
    for (const seed of SEEDS.filter((_, i) => i !== 1)) expect(core.keySteps(seed, keys)).toBeLessThan(MOST_STEPS);
  });
});

describe("under any seed no steps are added by", () => {
  const shifts = [0n, 8n, 20n, 31n, 32n, 33n, 40n, 44n, 48n];
  const families: [string, bigint[]][] = [
    [
      "keys that collided without a seed",
      range(N).map((i) => U64((((i >> 14n) << 56n) | (i & 0x3fffn)) * inverse(K1))),
    ],
    ...shifts.map((shift): [string, bigint[]] => [
      `keys that differ from bit ${shift} on`,
      range(N).map((i) => U64(i << shift)),
    ]),
    ["keys with equal halves", range(N).map((i) => (i << 32n) | i)],
    ["keys with opposite halves", range(N).map((i) => (i << 32n) | (0xffff_ffffn - i))],
    ["a grid", range(N).map((i) => ((i % 141n) << 32n) | (i / 141n))],
    [
      "keys of few bits",
      range(64).flatMap((a) => range(64).flatMap((b) => range(5).map((c) => (1n << a) | (1n << b) | c))),
    ],
  ];
  it.each(families)("%s", (_, family) => {
    const keys = [...new Set(family)];
    for (const seed of SEEDS) {
      expect(core.keySteps(seed, keys)).toBeLessThan(MOST_STEPS);
      expect(
        core.rowSteps(
          seed,
          keys.map((key) => [key]),
        ),
      ).toBeLessThan(MOST_STEPS);
    }
  });

  const rows: [string, bigint[][]][] = [
    ["a second word that cancels the first one's difference", range(N).map((i) => [i + 1n, mixUnkeyed(0n, i + 1n)])],
    ["a third word that cancels", range(N).map((i) => [0n, i + 1n, mixUnkeyed(mixUnkeyed(0n, 0n), i + 1n)])],
    ["words with one sum", range(N).map((i) => [i, BigInt(N) - i])],
    ["words with one difference", range(N).map((i) => [i, i])],
    ["the same words in another place", range(N).map((i) => (i % 2n === 0n ? [i + 2n, 0n] : [0n, i + 1n]))],
    [
      "upper bits that cancel",
      range(1 << 14).map((i) =>
        range(4)
          .flatMap((k) => [(i >> k) << 62n, (i >> (k + 4n)) << 61n])
          .map(U64),
      ),
    ],
  ];
  it.each(rows)("rows: %s", (_, family) => {
    const distinct = [...new Map(family.map((row) => [row.join(), row])).values()];
    for (const seed of SEEDS) {
      expect(core.rowSteps(seed, distinct)).toBeLessThan(MOST_STEPS);
      const runs = distinct.map((row) => new Uint8Array(BigUint64Array.from(row).buffer));
      expect(core.byteSteps(seed, runs)).toBeLessThan(MOST_STEPS);
    }
  });

  /** Thue and Morse: sums of powers, with its signs, vanish modulo a power of two for every odd base. */
  const morse = (flip: number) =>
    Uint8Array.from({ length: 4096 }, (_, i) => (((i >> 4).toString(2).replaceAll("0", "").length + flip) % 2) << 7);
  const sections = [morse(0), morse(1)];
  const runs: [string, Uint8Array[]][] = [
    [
      "sections that are equal as polynomials",
      Array.from({ length: 256 }, (_, i) =>
        Uint8Array.from(Array.from({ length: 8 }, (_, k) => [...(sections[(i >> k) & 1] ?? [])]).flat()),
      ),
    ],
    [
      "one bit anywhere",
      Array.from({ length: 1024 * 8 }, (_, i) => {
        const run = new Uint8Array(1024);
        run[i >> 3] = 1 << (i & 7);
        return run;
      }),
    ],
    ["their length", Array.from({ length: 4096 }, (_, i) => new Uint8Array(i + 1))],
  ];
  it.each(runs)("runs that differ in %s", (_, family) => {
    for (const seed of SEEDS) expect(core.byteSteps(seed, family)).toBeLessThan(MOST_STEPS);
  });

  it("words that the unkeyed finish left in one slot", () => {
    const words = range(N).map((i) => U64((i << 12n) * inverse(K2)));
    for (const seed of SEEDS) expect(core.keySteps(seed, words)).toBeLessThan(MOST_STEPS);
  });
});
