import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { chosenSkips, LONG_WORK, skippedWork, unchangedWork } from "./long-work.mjs";
import { ROOT } from "./run.mjs";

it("skips work whose rooms did not change", () => {
  expect(unchangedWork(["README.md"])).toEqual(["collector", "spark", "fuzz", "relations"]);
  expect(unchangedWork(["src/push/push.ts", "src/pushed.ts"])).toEqual(["spark", "fuzz", "relations"]);
  expect(unchangedWork(["docs/sql/spark.sql", "assembly/parquet.ts"])).toEqual(["collector", "relations"]);
  expect(unchangedWork(null)).toEqual([]);
});

it("takes names from the variable", async () => {
  expect(chosenSkips("none")).toEqual([]);
  expect(chosenSkips("spark, collector")).toEqual(["spark", "collector"]);
  expect(() => chosenSkips("spark,flink")).toThrow(
    "SPANFLAME_SKIP: flink is none of none, collector, spark, fuzz, relations",
  );
  expect((await skippedWork({ SPANFLAME_SKIP: "fuzz" })).names).toEqual(["fuzz"]);
});

it("names rooms that exist", () => {
  const rooms = Object.values(LONG_WORK).flatMap((work) => work.rooms);
  expect(rooms.filter((room) => !existsSync(join(ROOT, room)))).toEqual([]);
});
