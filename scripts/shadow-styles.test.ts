import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CSS_VARIABLES } from "../src/viewer/css-variables.ts";
import { forHost } from "./shadow-styles.ts";

const sheetOf = (name: string) =>
  readFileSync(new URL(`../src/ui/primitives/theme/${name}.css`, import.meta.url), "utf8");
const THEME = sheetOf("tokens") + sheetOf("base");

it("rules of the page become rules of the host, and nothing is left for the page", () => {
  const text = forHost(THEME);
  expect(text).not.toMatch(/:root|\bbody\b|\bhtml\b/);
  expect(text).toContain(':host([data-theme="dark"])');
  // The scheme is that of the page around.
  expect(text).not.toContain("color-scheme: light dark");
});

it("every variable has the value of its token, unless the page sets it", () => {
  const text = forHost(THEME);
  for (const { name, token } of CSS_VARIABLES) {
    const value = new RegExp(/(?<=\s)TOKEN:\s*([^;]+);/.source.replace("TOKEN", token)).exec(THEME)?.[1];
    expect(text).toContain(`${token}:var(${name}, ${value});`);
  }
});

it("a sheet without the rules that it is made of is refused", () => {
  expect(() => forHost("button { color: red; }")).toThrow("nothing like");
});
