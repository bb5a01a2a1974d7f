import { expect, it } from "vitest";
import { callOptions } from "./call-options.ts";

it("conditions on calls are options of the command line", () => {
  const options = callOptions([
    { part: "ids", ids: ["web/1:1:8:0", "web/1:1:9:0~2"] },
    { part: "min", text: "10" },
    { part: "min", text: "100" },
    { part: "roots", text: "recorded" },
    { part: "text", text: "checkout" },
    { part: "text", text: "-health" },
    { part: "param", text: "tenant=a=b" },
    { part: "not-param", text: "tenant=c=d" },
  ]);
  expect(options).toEqual({
    args: [
      "--call=web/1:1:8:0",
      "--call=web/1:1:9:0~2",
      "--attr=tenant=a=b",
      "--attr=tenant!=c=d",
      "--min-ms",
      "100",
      "--roots",
      "recorded",
      "--query=checkout -health",
    ],
    missing: [],
  });
});

it("conditions without an option are named", () => {
  const { args, missing } = callOptions([
    { part: "method", text: "shop.Cart.add" },
    { part: "slowest", text: "100" },
  ]);
  expect(args).toEqual([]);
  expect(missing).toHaveLength(2);
  expect(missing[0]).toContain("shop.Cart.add");
});
