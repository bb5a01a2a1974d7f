import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isStale } from "./stale.mjs";

let root;
const at = (path, seconds) => utimesSync(join(root, path), seconds, seconds);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "spanflame-stale-"));
  mkdirSync(join(root, "src", "deep"), { recursive: true });
  writeFileSync(join(root, "src", "deep", "a.ts"), "");
  writeFileSync(join(root, "out.js"), "");
  for (const path of ["src/deep/a.ts", "src/deep", "src"]) at(path, 100);
  at("out.js", 200);
});

afterEach(() => rmSync(root, { recursive: true }));

const stale = (...outputs) =>
  isStale(
    outputs.map((p) => join(root, p)),
    [join(root, "src"), join(root, "absent")],
  );

describe("isStale", () => {
  it("is false when every output is newer than every source", () => {
    expect(stale("out.js")).toBe(false);
  });

  it("sees a changed file deep in a folder", () => {
    at("src/deep/a.ts", 300);
    expect(stale("out.js")).toBe(true);
  });

  it("sees a deleted file by its folder", () => {
    rmSync(join(root, "src", "deep", "a.ts"));
    expect(stale("out.js")).toBe(true);
  });

  it("sees a missing output", () => {
    expect(stale("out.js", "none.js")).toBe(true);
  });
});
