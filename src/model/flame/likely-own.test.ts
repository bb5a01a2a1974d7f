import { expect, it } from "vitest";
import { columnsOf } from "../../../test/kit/flame.ts";
import { LOOK } from "../query/look.ts";
import { likelyOwn } from "./likely-own.ts";

it("offers packages of libraries as the reader's own only where none is of the application", () => {
  const picture =
    "- 9\n  org.apache.tomcat.A.run 9\n    com.datadog.demo.x.Main.main 5\n      ch.qos.logback.Log.log 2";
  expect(likelyOwn(columnsOf(picture), LOOK)).toEqual(["com.datadog.demo", "ch.qos.logback"]);
  expect(likelyOwn(columnsOf(`${picture}\n      shop.A.b 1`), LOOK)).toEqual([]);
  expect(likelyOwn(columnsOf(picture), { ...LOOK, own: "com.datadog" })).toEqual([]);
});
