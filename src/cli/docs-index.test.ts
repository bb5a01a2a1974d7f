/** docs/README.md lists every document, and every relative link of a document leads to a file. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { documents } from "../../test/kit/doc-commands.ts";
import { ROOT } from "../../test/kit/run-cli.ts";

const linksOf = (file: string) =>
  [...readFileSync(join(ROOT, file), "utf8").matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, path = ""]) => path);

it("the index has every document of docs/", () => {
  const listed = new Set(linksOf("docs/README.md"));
  const there = ["", "parquet/"].flatMap((folder) =>
    readdirSync(join(ROOT, "docs", folder))
      .filter((name) => name.endsWith(".md") && name !== "README.md")
      .map((name) => `${folder}${name}`),
  );
  expect(there.filter((name) => !listed.has(name))).toEqual([]);
});

it.each(documents())("the links of %s lead to files", (file) => {
  expect(linksOf(file).filter((path) => !existsSync(join(ROOT, dirname(file), path)))).toEqual([]);
});
