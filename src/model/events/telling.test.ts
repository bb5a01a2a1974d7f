import { expect, it } from "vitest";
import { telling } from "./telling.ts";

it("the fields of a type of the catalogue come first, then the longest text; what the request has is last", () => {
  const fields = { "trace endpoint": "GET /a/long/endpoint", note: "longer", zone: "a", "file.path": "/x" };
  expect(telling("jdk.FileRead", fields).map(([name]) => name)).toEqual([
    "file.path",
    "note",
    "zone",
    "trace endpoint",
  ]);
  const order = telling("my.Event", fields).map(([name]) => name);
  expect(order).toEqual(["note", "file.path", "zone", "trace endpoint"]);
});
