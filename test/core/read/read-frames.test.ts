/** Frames of every width: keys, lines and bytecode indices of one byte to nine, in stacks deeper than any window. */
import { describe, expect, it } from "vitest";
import { codes, frameText, observations, read } from "../../kit/core/read-store.ts";
import type { Item, Pool, TypeSpec, Value } from "../../kit/jfr/jfr-builder.ts";
import { CPU, cpuType, field, JVM_TYPES } from "../../kit/jfr/jfr-types.ts";

/** One to nine bytes of varint; in the last two the ninth byte has its high bit, which no other byte may end with. */
const WIDE = [0n, 127n, 128n, 1n << 20n, 1n << 27n, 1n << 34n, 1n << 41n, 1n << 48n, 1n << 55n, 1n << 63n, -1n];
const METHODS = WIDE.map((key) => BigInt.asUintN(64, key + 1n)).filter((key) => key !== 0n);
const LINES = [0, -1, 1, 127, 128, 16_383, 16_384, 65_535, 65_536, 1 << 24, 0x7fff_ffff, -0x8000_0000];
const TYPES = [1n, 127n, 128n, 200n, 1n << 40n];
const INDICES = [0n, 1n, -1n, ...WIDE];

/** Bytecode indices as long, because they may be of nine bytes then. */
function types(index: string): TypeSpec[] {
  const all = JVM_TYPES.map((type) => {
    if (type.name !== "jdk.types.StackFrame") return type;
    const fields = (type.fields ?? []).map((f) => (f.name === "bytecodeIndex" ? field("bytecodeIndex", index) : f));
    return { ...type, fields };
  });
  return [...all, cpuType()];
}

/** The generator of hostile.test.ts: the same frames in every run. */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function constants(stacks: Value[]): Pool[] {
  const one = 1n;
  return [
    { type: "jdk.types.StackTrace", entries: stacks.map((stack, i): [bigint, Value] => [BigInt(i + 1), stack]) },
    {
      type: "jdk.types.Method",
      entries: METHODS.map((key): [bigint, Value] => [
        key,
        { type: one, name: key, descriptor: one, modifiers: 1, hidden: false },
      ]),
    },
    { type: "java.lang.Class", entries: [[one, { name: one, modifiers: 1 }]] },
    {
      type: "jdk.types.Symbol",
      entries: [[one, { string: "C" }], ...METHODS.map((key): [bigint, Value] => [key, { string: `m${key}` }])],
    },
    { type: "jdk.types.FrameType", entries: TYPES.map((key): [bigint, Value] => [key, { description: "Inlined" }]) },
  ];
}

/** The method that a constant pool gives key 1 twice: the class's name is the first symbol. */
const nameOf = (key: bigint) => (key === 1n ? "C.C" : `C.m${key}`);

describe("frames", () => {
  it.each([
    ["long", true],
    ["int", true],
    ["long", false],
  ])("are read whatever they are wide, bytecode index %s, compressed %s", async (index, compressed) => {
    const below = random(5);
    const pick = <T>(from: T[]): T => from[below(from.length)] as T;
    const depths = [1, 2, 7, 8, 9, 16, 63, 64, 65, 200, 600];
    const stacks = [...depths, ...depths].map((depth) =>
      // Narrow ones among them, as the fast way expects them.
      Array.from({ length: depth }, () => {
        const narrow = below(3) !== 0;
        const at = narrow ? BigInt(below(300)) : pick(INDICES);
        return {
          method: narrow ? pick(METHODS.slice(0, 5)) : pick(METHODS),
          lineNumber: narrow ? pick(LINES.slice(0, 5)) : pick(LINES),
          bytecodeIndex: index === "int" ? Number(BigInt.asIntN(32, at)) : BigInt.asIntN(64, at),
          type: narrow ? 1n : pick(TYPES),
        };
      }),
    );
    const values = { eventThread: 0n, weight: 1n, spanId: 0n, localRootSpanId: 0n };
    const events = stacks.map(
      (_, i): Item => ({ event: CPU, values: { ...values, startTime: BigInt(i), stackTrace: BigInt(i + 1) } }),
    );
    const checkpoint = constants(stacks.map((frames) => ({ truncated: false, frames })));
    const core = await read({ types: types(index), items: [...events, { checkpoint }], compressed });
    const expected = stacks.map((frames) =>
      frames.map(({ method, lineNumber }) => `${nameOf(method)}${lineNumber > 0 ? `:${lineNumber}` : ""} jvm`),
    );
    expect(observations(core).map(({ stack }) => stack.map(frameText))).toEqual(expected);
    expect(codes(core)).toEqual(compressed ? [] : ["jfr.integers.fixed"]);
  });
});
