import { expect, it } from "vitest";
import { FunctionNames } from "./function-names.ts";

it("reads each name once, and all again when frames became others", () => {
  const names = new FunctionNames();
  const read: number[] = [];
  const refresh = (generation: number, texts: Record<number, string>) =>
    names.refresh(generation, Object.keys(texts).map(Number), (id) => {
      read.push(id);
      return texts[id]!;
    });
  refresh(1, { 3: "0x10", 5: "main" });
  refresh(1, { 3: "0x10", 5: "main", 8: "run" });
  expect(read).toEqual([3, 5, 8]);
  expect([...names.matching("0x")]).toEqual([3]);
  expect([...names.alphabet().keys()]).toEqual([3, 5, 8]);

  refresh(2, { 5: "main", 8: "run", 9: "read" });
  expect(read).toEqual([3, 5, 8, 5, 8, 9]);
  expect([...names.matching("0x")]).toEqual([]);
  expect([...names.matching("r")]).toEqual([8, 9]);
  expect([...names.alphabet().keys()]).toEqual([5, 9, 8]);
});
