/** Everything that comments and documents cite exists; and planted faults are found. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Citations, citationsOf, proseOf } from "./citations.mjs";
import { ROOT } from "./run.mjs";

/** Names that look like files of this repository and are not meant to be. */
const FOREIGN = [
  // A file to be written, in a checklist.
  /\bNAME\b/,
  // A function of the library.
  /^Selection\.html$/,
  // Outputs of commands in the README and in the skill.
  /^(trace|slow)\.html$/,
  // Files of the built library and command line, as their modules see them: scripts/vite.package.config.ts.
  /^src\/(node\/)?dist-lib\/(core\.wasm|symbols\.wasm|demangle\.wasm\.gz)$/,
  /^src\/library\/((core|symbols)\.wasm|demangle\.wasm\.gz|worker-script\.js)$/,
  /^src\/cli\/dist$/,
  /^src\/fleet\/parquet\.wasm$/,
  // Files and packages of other runtimes, in the table of findings.
  /^\/[\w/]+\.(py|rb|js)$/,
  /^([\w.]+\/)*(crypto|compress)\/…?$/,
  // Of the installed package, and of the built page in it.
  /^((host|wrong)\.mjs$|spanflame\/dist\/|assets(\/|$))/,
  // Examples: in a method of a dump's dictionary, and in the architecture test.
  /^B\.java$/,
  /^worker\/worker\.ts$/,
];

const TEXTS = {
  "DESIGN.md":
    "# Design\n\n## 1 First part\n\n## 2.1 `Second` part\n\n- **Limits** (of patterns): some\n\n```sh\n# No heading\n```\n",
  "docs/guide.md": "# Guide\n",
  "src/view/shape.ts": "",
  "src/view/tree.ts": "",
  "src/read/shape.ts": "",
  "src/read/deep/view/tree.ts": "",
};

function faultsIn(path, text) {
  const texts = { ...TEXTS, [path]: text };
  const citations = new Citations(Object.keys(texts), (file) => texts[file], { docs: "" }, [/^made-up\.ts$/]);
  return citations.faultsOf(path).map((fault) => fault.slice(path.length + 2));
}

describe("citations", () => {
  it("of comments, documents and texts for users exist", () => {
    const { citations, citing } = citationsOf(ROOT, FOREIGN);
    expect(citing.length).toBeGreaterThan(500);
    // This file cites files that do not exist.
    const others = citing.filter((path) => path !== "scripts/citations.test.mjs");
    expect(others.flatMap((path) => citations.faultsOf(path))).toEqual([]);
  });

  it("of fixtures and titles of tests in the table of producers exist", () => {
    const text = readFileSync(join(ROOT, "docs", "producers.md"), "utf8");
    const fixtures = [...text.matchAll(/`(fixtures\/[^`]+)`/g)].map(([, path]) => path);
    expect(fixtures.length).toBeGreaterThan(10);
    expect(fixtures.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const tests = [...text.matchAll(/`([^`]+\.test\.ts)`: ("[^"]+"(?:, "[^"]+")*)/g)];
    expect(tests.length).toBeGreaterThan(25);
    for (const [, path, titles] of tests) {
      const code = readFileSync(join(ROOT, path), "utf8");
      for (const [, title] of titles.matchAll(/"([^"]+)"/g)) expect([path, code.includes(title)]).toEqual([path, true]);
    }
  });

  it("that are sound are no faults", () => {
    const comment = [
      "/**",
      " * As view/shape.ts, `shape.ts`, tree.ts and ../read/shape.ts; below `src/read/`; not https://a.org/b/gone.ts#x;",
      ' * DESIGN, "Second part"; DESIGN.md, "limits"; docs/guide.md, "Guide"; DESIGN §1; DESIGN.md §2.1; made-up.ts;',
      " * https://a.org/spec.html#part §4.2; `npm run docs`; build/core.js; src/*.ts; FILE.ts/x.",
      " */",
    ].join("\n");
    expect(faultsIn("src/view/a.ts", comment)).toEqual([]);
    const links =
      "[a](src/view/shape.ts) [b](DESIGN.md#21-second-part) [c](docs) [d](#here) [e](https://a.org)\n\n# Here\n";
    expect(faultsIn("README.md", links)).toEqual([]);
  });

  it.each([
    ["// See view/gone.ts.", "view/gone.ts: does not exist"],
    ["// See gone.ts.", "gone.ts: does not exist"],
    ["const a = 1; // see gone.ts", "gone.ts: does not exist"],
    ["// See ./shape.ts.", "./shape.ts: does not exist"],
    ["// As in view/tree.ts.", "view/tree.ts: could be src/view/tree.ts or src/read/deep/view/tree.ts"],
    ["// Below `gone/`.", "gone/: does not exist"],
    ["// Below src/gone/, too.", "src/gone/: does not exist"],
    ['/* DESIGN,\n * "Third part" */', 'DESIGN, "Third part": no such heading'],
    ['// DESIGN, "No heading".', 'DESIGN, "No heading": no such heading'],
    ["// other.md §1.", "other.md: does not exist"],
    ["// DESIGN §3.", "DESIGN §3: no heading has this number"],
    ["// Section §3.", "§3: no document is named"],
    ["// `npm run gone`", "npm run gone: package.json has no such script"],
    ['say("see docs/gone.md");', "docs/gone.md: does not exist"],
    ['new URL("../gone.txt", import.meta.url)', "../gone.txt: does not exist"],
  ])("of code that lead nowhere are faults: %s", (text, fault) => {
    expect(faultsIn("lib/a.ts", text)).toContain(fault);
  });

  it.each([
    ["[a](src/gone.ts)", "src/gone.ts: does not exist"],
    ["[a](DESIGN.md#third-part)", "DESIGN.md#third-part: no heading has this anchor"],
    ["[a](#nowhere)", "#nowhere: no heading has this anchor"],
    ["As `view/gone.ts`", "view/gone.ts: does not exist"],
    ["As `src/view/gone*.ts`", "src/view/gone*.ts: no file"],
  ])("of documents that lead nowhere are faults: %s", (text, fault) => {
    expect(faultsIn("README.md", text)).toContain(fault);
  });

  it("of a directory's README are of files below it", () => {
    expect(faultsIn("src/view/README.md", "`shape.ts`, src/read/shape.ts")).toEqual([]);
    expect(faultsIn("src/read/README.md", "`gone.ts`, `tree.ts`")).toEqual(["gone.ts: does not exist"]);
    expect(faultsIn("docs/README.md", "`tree.ts`")).toEqual(["tree.ts: does not exist"]);
  });

  it("are looked for in comments only, which may break between words", () => {
    expect(proseOf("a.ts", 'import "./b.ts";\n/** One\n * two */\nx(); // three\n')).toBe("One two\n\nthree");
    expect(proseOf("a.sh", "#!/bin/sh\n# one\n# two\nrun a.sh\n")).toBe("one two");
  });
});
