import { describe, expect, it } from "vitest";

const bytes = (...values: number[]) => Uint8Array.from(values);

describe("typed arrays in expectations", () => {
  it("are equal by their elements, wherever their memory begins", () => {
    expect(bytes(9, 1, 2).subarray(1)).toEqual(bytes(1, 2));
    expect({ list: [bytes(1, 2)] }).toEqual({ list: [bytes(1, 2)] });
    expect(Float64Array.of(Number.NaN, -0)).toStrictEqual(Float64Array.of(Number.NaN, -0));
    expect(new Uint8Array(1 << 24)).toEqual(new Uint8Array(1 << 24));
  });

  it("differ by an element, a length or a type", () => {
    expect(bytes(1, 2)).not.toEqual(bytes(1, 3));
    expect(bytes(1, 2)).not.toEqual(bytes(1, 2, 0));
    expect([bytes(1), bytes(2)]).not.toEqual([bytes(1), bytes(3)]);
    expect(bytes(1, 2)).not.toEqual(Buffer.from([1, 2]));
    expect(bytes(1)).not.toEqual(Int8Array.of(1));
    expect(Float64Array.of(0)).not.toEqual(Float64Array.of(-0));
  });
});
