/** code-provenance.json: its forms, damage, and the library of a path. */
import { describe, expect, it } from "vitest";
import { type CodeLibrary, LibraryPaths } from "../core/answers/library-paths.ts";
import { librariesIn } from "./code-provenance.ts";

const REQUESTS = {
  kind: "library",
  name: "requests",
  version: "2.31.0",
  paths: ["/app/lib/requests", "/app/lib/r.py"],
};
const STDLIB = {
  kind: "standard library",
  name: "stdlib",
  version: "3.12",
  paths: ["/usr/lib/python3.12/", "/app/lib"],
};

describe("a list of libraries", () => {
  it("is read below v1, and bare", () => {
    expect(librariesIn(JSON.stringify({ v1: [REQUESTS, STDLIB] }))).toEqual({
      libraries: [REQUESTS, STDLIB],
      problem: null,
    });
    expect(librariesIn(JSON.stringify([STDLIB])).libraries).toEqual([STDLIB]);
  });

  it("leaves out what is no library, and reports how many", () => {
    const list = [REQUESTS, null, { name: "a" }, { name: "", paths: [] }, { ...STDLIB, version: 3, paths: [1, "/x"] }];
    const { libraries, problem } = librariesIn(JSON.stringify({ v1: list }));
    expect(libraries).toEqual([REQUESTS, { ...STDLIB, version: "", paths: ["/x"] }]);
    expect(problem).toBe("code-provenance.json: 3 of 5 libraries have no name or no list of paths");
  });

  it.each(["", "{", '{"v1":[', '"v1"', "null", "{}", '{"v1":{}}'])("that is damaged gives a reason: %s", (text) => {
    const { libraries, problem } = librariesIn(text);
    expect(libraries).toEqual([]);
    expect(problem).toMatch(/^code-provenance\.json was not read: ./);
  });
});

describe("the library of a file", () => {
  const paths = new LibraryPaths();
  paths.add([REQUESTS, STDLIB, { ...REQUESTS, name: "later" }, { ...REQUESTS, name: "root", paths: ["/", ""] }]);
  const windows: CodeLibrary = { kind: "library", name: "w", version: "", paths: ["C:\\lib\\w"] };
  paths.add([windows]);

  it.each([
    ["/app/lib/requests/sessions.py", "requests"],
    ["/app/lib/requests", "requests"],
    ["/app/lib/r.py", "requests"],
    ["/app/lib/requests2/a.py", "stdlib"],
    ["/usr/lib/python3.12/json/decoder.py", "stdlib"],
    ["/usr/lib/python3.1/a.py", undefined],
    ["C:\\lib\\w\\a\\b.rb", "w"],
    ["/srv/app.py", undefined],
    ["a.py", undefined],
    ["", undefined],
  ])("%s is of %s", (file, name) => {
    expect(paths.of(file)?.name).toBe(name);
  });

  it("is forgotten with the files", () => {
    const some = new LibraryPaths();
    some.add([REQUESTS]);
    some.reset();
    expect(some.of("/app/lib/r.py")).toBeNull();
  });
});
