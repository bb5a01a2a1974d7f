import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../test/kit/run-cli.ts";
import { areBrief } from "./compiled-core.ts";

const SHOP = join(ROOT, "fixtures/shop.jfr");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "spanflame-brief-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A file of this size that begins with `head`. */
function fileOf(name: string, head: string, bytes: number): string {
  const path = join(folder, name);
  writeFileSync(path, head, "latin1");
  truncateSync(path, bytes);
  return path;
}

describe("inputs that are read before optimized code pays", () => {
  it("are small recordings", () => {
    expect(areBrief([SHOP])).toBe(true);
    expect(areBrief([SHOP, fileOf("3m.jfr", "FLR\0", 3e6)])).toBe(true);
  });

  it("are not many recordings", () => {
    const path = fileOf("half.jfr", "FLR\0", 2 ** 21);
    expect(areBrief([path])).toBe(true);
    expect(areBrief([path, path])).toBe(false);
  });

  it.each([
    ["a compressed file", () => fileOf("shop.jfr.gz", "\x1f\x8b\b\0", 1000)],
    ["a folder", () => folder],
    ["no file", () => join(folder, "absent.jfr")],
    ["standard input", () => "-"],
    ["a file without a head", () => fileOf("empty.jfr", "", 0)],
  ])("are not %s", (_, path) => {
    expect(areBrief([SHOP, path()])).toBe(false);
  });
});
