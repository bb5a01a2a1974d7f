import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { apiReference } from "./api-reference.mjs";
import { ROOT } from "./run.mjs";

const FOLDER = join(ROOT, "docs", "api");

let pages;
let unexported;
let silent;
beforeAll(async () => {
  ({ pages, unexported, silent } = await apiReference());
}, 120_000);

describe("the library's declarations", () => {
  it("use no name in public types that the package does not export", () => {
    expect(unexported).toEqual([]);
  });

  it("have a comment for each name and each method", () => {
    expect(silent).toEqual([]);
  });

  it("are described in docs/api/ as they are: `npm run docs` prints it", async () => {
    for (const [name, text] of pages) await expect(text).toMatchFileSnapshot(join(FOLDER, name));
    expect(readdirSync(FOLDER).sort()).toEqual([...pages.keys()].sort());
  });
});
