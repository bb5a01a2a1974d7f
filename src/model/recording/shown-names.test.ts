import { expect, it } from "vitest";
import { shownNames } from "./shown-names.ts";

it("the stream files of a dump have one name, other files their own", () => {
  const dump = [
    "shop-1.calls.0.protocol",
    "shop-1.calls.1.protocol",
    "shop-1.dictionary.protocol",
    "shop-1.traces.0.gz",
  ];
  expect(shownNames([...dump, "a.jfr", "pay.v2.sql.0.protocol"])).toEqual(["shop-1", "a.jfr", "pay.v2"]);
  expect(shownNames(["backup.sql", "dump/web/2024/02/03/17/calls/000001.gz"])).toEqual([
    "backup.sql",
    "dump/web/2024/02/03/17/calls/000001.gz",
  ]);
});
