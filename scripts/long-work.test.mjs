import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { baseOf, chosenSkips, importsOf, LONG_WORK, leftOut, skippedWork, unchangedWork } from "./long-work.mjs";
import { ROOT } from "./run.mjs";

const ALL = Object.keys(LONG_WORK);
const known = new Map();
const imports = (folders) => {
  const key = String(folders);
  if (!known.has(key)) known.set(key, importsOf(folders));
  return known.get(key);
};

it("skips work whose rooms did not change", async () => {
  const runs = async (...changed) => {
    const skipped = await unchangedWork(changed, imports);
    return ALL.filter((name) => !skipped.includes(name));
  };
  expect(await runs("README.md")).toEqual([]);
  expect(await runs("src/push/push.ts", "src/pushed.ts")).toEqual(["collector"]);
  expect(await runs("docs/sql/spark.sql", "assembly/parquet.ts")).toEqual(["spark", "fuzz", "matrices", "fleet"]);
  // By what the tests import.
  expect(await runs("src/core/core.ts")).toEqual(["collector", "fuzz", "matrices"]);
  expect(await runs("src/library/builder/builder.ts")).toEqual(["collector", "fuzz", "package"]);
  expect(await unchangedWork(null)).toEqual([]);
  const broken = () => Promise.reject(new Error("a.ts: syntax error"));
  expect(await unchangedWork(["README.md"], broken)).toEqual(["spark", "relations", "fleet", "package"]);
});

it("finds imports at any depth, and those of types alone not", async () => {
  const fuzzed = await imports(["test/fuzz/"]);
  expect(fuzzed).toEqual(
    expect.arrayContaining(["test/fuzz/contexts.test.ts", "src/core/core.ts", "src/bytes/protobuf.ts"]),
  );
  expect(fuzzed).not.toContain("src/ui/shell/app/App.tsx");
  // What a clean clone does not have.
  expect(fuzzed.filter((path) => path.startsWith("build/"))).toEqual([]);
});

it("leaves out the folders whose tests do nothing else", () => {
  expect(leftOut(["collector", ""])).toEqual([]);
  expect(leftOut(["package", "fleet"])).toEqual(["test/package/", "src/fleet/", "test/fleet/"]);
});

it("compares with what a push began with, with the fork of a branch, or with the commit before", async () => {
  const clone =
    (known, branch, forks = {}) =>
    async ([command, ...args]) => {
      const answers = { "merge-base": forks[args[1]], "symbolic-ref": branch };
      const output = command in answers ? answers[command] : known[args.at(-1).replace("^{commit}", "")];
      return { code: output === undefined ? 1 : 0, output: `${output}\n` };
    };
  const commits = { HEAD: "c", "HEAD^1": "b", a: "a" };
  expect(await baseOf({ SPANFLAME_BASE: "a" }, clone(commits))).toBe("a");
  expect(await baseOf({ SPANFLAME_BASE: "0".repeat(40) }, clone(commits))).toBe(null);
  expect(await baseOf({}, clone(commits, "quick", { "origin/main": "a", main: "c" }))).toBe("a");
  expect(await baseOf({}, clone(commits, "quick", { main: "c" }))).toBe("c");
  expect(await baseOf({}, clone(commits, "quick"))).toBe("b");
  expect(await baseOf({}, clone(commits, "main", { "origin/main": "a", main: "c" }))).toBe("b");
  expect(await baseOf({}, clone(commits, undefined, { "origin/main": "a", main: "c" }))).toBe("b");
  expect(await baseOf({}, clone({ HEAD: "c" }))).toBe(null);
});

it("takes names from the variable", async () => {
  expect(chosenSkips("none")).toEqual([]);
  expect(chosenSkips("spark, collector")).toEqual(["spark", "collector"]);
  expect(() => chosenSkips("spark,flink")).toThrow(`SPANFLAME_SKIP: flink is none of none, ${ALL.join(", ")}`);
  expect((await skippedWork({ SPANFLAME_SKIP: "fuzz" })).names).toEqual(["fuzz"]);
});

it("names rooms that exist", () => {
  const rooms = Object.values(LONG_WORK).flatMap((work) => [
    ...work.rooms,
    ...(work.importers ?? []),
    ...(work.alone ?? []),
  ]);
  expect(rooms.filter((room) => !existsSync(join(ROOT, room)))).toEqual([]);
});
