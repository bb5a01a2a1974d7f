import { expect, it } from "vitest";
import { findSource, hotLines, sourceDoubts, sourceKey } from "./source-files.ts";

it.each([
  // [the frame's path, the files, those that are found, by the name alone]
  ["com/acme/Ops.java", ["app/src/main/java/com/acme/Ops.java"], [0], false],
  ["com/acme/Ops.java", ["app/src/main/kotlin/com/acme/Ops.kt"], [0], false],
  ["com/acme/Ops.java", ["acme/Ops.java"], [0], false],
  ["com/acme/Ops.java", ["Ops.java"], [0], true],
  ["com/acme/Ops.java", ["test/com/other/Ops.java", "Ops2.java"], [], false],
  ["com/acme/Ops.java", ["Ops.java", "a/com/acme/Ops.java", "b/com/acme/Ops.java"], [1, 2], false],
  ["Ops.java", ["a/Ops.java"], [0], false],
  ["/build/42/shop/server/main.go", ["checkout/server/main.go"], [0], false],
  ["/build/42/shop/server/main.go", ["checkout/client/main.go"], [], false],
  ["/build/42/shop/main.go", ["main.go"], [0], true],
  ["C:\\shop\\main.cs", ["shop/main.cs"], [0], false],
  ["webpack://shop/./src/a.ts", ["shop/src/a.ts"], [0], false],
  ["file:///srv/shop.mjs", ["shop.mjs"], [0], true],
  ["main.go", ["xmain.go"], [], false],
])("%s among %j", (path, files, found, byName) => {
  expect(findSource(files, path)).toEqual({ files: found, byName });
});

it("has one key for the files that a class of the JVM may be in", () => {
  expect(new Set(["a/B.java", "a/B.kt", "a/B.scala"].map(sourceKey)).size).toBe(1);
  expect(sourceKey("a/b.go")).toBe("a/b.go");
});

it("goes to the line with most self first, and never to an unknown one", () => {
  const lines = [
    { line: 0, self: 9, total: 9 },
    { line: 2, self: 0, total: 7 },
    { line: 3, self: 4, total: 4 },
    { line: 5, self: 0, total: 8 },
  ];
  expect(hotLines({ lines, self: 13, total: 20, whole: 30 })).toEqual([3, 5, 2]);
});

it("doubts a text without code at a sampled line", () => {
  const at = (line: number) => ({ line, self: 1, total: 1 });
  expect(sourceDoubts([at(0), at(1)], ["a", " "])).toBe("");
  expect(sourceDoubts([at(1), at(2)], ["a", " "])).toContain("1 sampled line of 2 is empty");
  expect(sourceDoubts([at(7), at(9)], ["a"])).toContain("2 sampled lines of 2 are empty or after the end");
});
