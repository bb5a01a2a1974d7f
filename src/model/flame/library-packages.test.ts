import { expect, it } from "vitest";
import { isLibraryName, LIBRARY_PACKAGES } from "./library-packages.ts";

it("lists each package of libraries once, in order, in one or two parts", () => {
  expect(LIBRARY_PACKAGES).toEqual([...new Set(LIBRARY_PACKAGES)].sort());
  expect(LIBRARY_PACKAGES.filter((name) => !/^\w+(\.\w+)?$/.test(name))).toEqual([]);
  // A package below another one would have no effect.
  expect(
    LIBRARY_PACKAGES.filter((name) => LIBRARY_PACKAGES.includes(name.split(".")[0] ?? "") && /\./.test(name)),
  ).toEqual([]);
});

it.each([
  ["org.apache.kafka.Consumer.poll", true],
  ["org.apache", true],
  ["kotlin.collections.List.map", true],
  ["org.apachefoo.Main.run", false],
  ["org.acme.apache.Main.run", false],
  ["org", false],
  ["kotlinish.Main.run", false],
  ["com.acme.shop.org.apache.Main", false],
  ["", false],
])("%s is in one of them: %s", (name, expected) => {
  expect(isLibraryName(name)).toBe(expected);
});
