import { expect, it } from "vitest";
import { pageTitle } from "./page-title.ts";

const ROOT = { kind: "id", of: "local-root", id: 0x3b2f_0000_0000_0001n, word: "request" } as const;
const NAMES = { endpoint: "POST /checkout", operation: "servlet.request" };

it("names the request and the file", () => {
  expect(pageTitle(ROOT, NAMES, ["shop.jfr"])).toBe("POST /checkout · 3b2f… · shop.jfr — Spanflame");
  expect(pageTitle({ ...ROOT, of: "span" }, NAMES, ["shop.jfr"])).toBe(
    "servlet.request · 3b2f… · shop.jfr — Spanflame",
  );
});

it("names what is known", () => {
  expect(pageTitle(ROOT, null, ["shop.jfr"])).toBe("request · 3b2f… · shop.jfr — Spanflame");
  expect(pageTitle({ kind: "value", key: "tenant", value: "acme" }, null, ["a.jfr", "b.jfr"])).toBe(
    "acme · a.jfr and 1 more — Spanflame",
  );
  expect(pageTitle(null, null, ["shop.jfr"])).toBe("shop.jfr — Spanflame");
});
