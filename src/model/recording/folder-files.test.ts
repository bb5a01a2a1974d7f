import { expect, it } from "vitest";
import { isProfileName, shortNames, usualEndings } from "./folder-files.ts";

it("a folder's profiles are known by their endings, compressed or not", () => {
  const names = ["a.jfr", "b.JFR", "c.jfr.gz", "d.pprof", "e.pb.zst", "f.zip", "notes.txt", "g.gz", "jfr", "h.json"];
  expect(names.filter(isProfileName)).toEqual(["a.jfr", "b.JFR", "c.jfr.gz", "d.pprof", "e.pb.zst", "f.zip"]);
  expect(usualEndings()).toMatch(/^\.jfr, .* or \.zip$/);
});

const named = (...paths: [path: string, least?: number][]) =>
  shortNames(paths.map(([path, least = 1]) => ({ parts: path.split("/"), least })));

it("files are named by as much of their paths as tells them apart", () => {
  expect(named(["/x/a.jfr"], ["/y/b.jfr"])).toEqual(["a.jfr", "b.jfr"]);
  expect(named(["/r/host1/rec.jfr"], ["/r/host2/rec.jfr"], ["/r/c.jfr"])).toEqual([
    "host1/rec.jfr",
    "host2/rec.jfr",
    "c.jfr",
  ]);
  expect(named(["/a/x/rec.jfr"], ["/b/x/rec.jfr"])).toEqual(["a/x/rec.jfr", "b/x/rec.jfr"]);
  expect(named(["/r/a.jfr", 2], ["/a.jfr"])).toEqual(["r/a.jfr", "a.jfr"]);
  expect(named(["/r/a.jfr"], ["/r/a.jfr"])).toEqual(["/r/a.jfr", "/r/a.jfr (2)"]);
});
