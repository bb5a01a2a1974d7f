/** Rules for whatever comes out of files: what may change the disk, and where texts are looked up. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const CODE = readdirSync(`${ROOT}src`, { recursive: true })
  .map((name) => `src/${String(name).replaceAll("\\", "/")}`)
  .filter((name) => /\.tsx?$/.test(name) && !/\.(test|d)\.tsx?$/.test(name));
const read = (file: string) => readFileSync(ROOT + file, "utf8");

/** The only file that changes the disk. */
const DISK = "src/cli/disk.ts";
const FS_WRITES =
  /\b(append|chmod|chown|copy|cp|lchmod|lchown|link|lutimes|mkdir|mkdtemp|rename|rm|rmdir|symlink|truncate|unlink|utimes|writeFile)(File|Disposable)?(Sync)?\b|\bcreateWriteStream\b/;

/** Whether a file imports a function of node:fs that changes the disk, all of node:fs, or opens a file to write. */
function writesFiles(text: string): boolean {
  const imports = [...text.matchAll(/import\s+(type\s+)?([^;]*?)\s+from\s+"(?:node:)?fs(?:\/promises)?"/g)];
  const named = imports.filter(([, type]) => type === undefined).map(([, , names = ""]) => names);
  const isWhole = named.some((names) => !names.startsWith("{")) || /\b(import|require)\("(node:)?fs\b/.test(text);
  const opens =
    /\bopen(Sync)?\((?:[^()]|\([^()]*\))*,\s*"(?!r")/.test(text) &&
    named.some((names) => /\bopen(Sync)?\b/.test(names));
  return isWhole || opens || named.some((names) => FS_WRITES.test(names));
}

describe("the disk", () => {
  it("is changed by one module, which knows the folder that a name is below", () => {
    expect(CODE.filter((file) => file !== DISK).filter((file) => writesFiles(read(file)))).toEqual([]);
    expect(writesFiles(read(DISK))).toBe(true);
  });

  it("is watched by this test", () => {
    const of = (names: string, rest = "", from = "node:fs") => writesFiles(`import ${names} from "${from}";\n${rest}`);
    expect([
      of("{ readFileSync,\n  writeFileSync }"),
      of("{ rm }", "", "node:fs/promises"),
      of("* as fs"),
      of("fs", "", "fs"),
      of("{ openSync }", 'openSync(join(a, b), "wx");'),
      of("{ open }", 'await open(path, "a");', "node:fs/promises"),
      writesFiles('await import("node:fs")'),
    ]).not.toContain(false);
    expect([
      of("{ readFileSync, statSync }"),
      of("type { WriteStream }"),
      of("{ openSync }", 'openSync(path, "r"); write(a, "w");'),
    ]).not.toContain(true);
  });
});

/**
 * Places of a text that may find a text of a file in a prototype: tables of texts as objects, look-ups of a variable in
 * an object with keys of files, and objects with a prototype that are filled.
 */
function prototypeLookups(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const expressions = [
    /^(?:export )?const \w+: (?:Readonly<)?(?:Partial<)?Record<string, [^\n]* = \{(?!\};).*$/gm,
    /^.*\b(?:samplesWithAttribute|resource|events|params|tags)\[[\w.]*(?:key|name|event|type|tag|attribute)\].*$/gim,
    /^.*\w: Record<string, [^=\n]*> = \{\};.*$/gm,
    /^.*\bObject\.assign\(\{\},.*$/gm,
  ];
  const lines = expressions.flatMap((expression) => [...code.matchAll(expression)]).map(([line]) => line.trim());
  return lines.filter((line) => !line.includes("Object.hasOwn("));
}

/** Look-ups by keys of the program, or in objects without a prototype, by file. */
const SOUND_LOOKUPS: Readonly<Record<string, string>> = {
  "src/cli/security-headers.ts": "a list of headers",
  "src/cli/usage/options.ts": "the help, by the names of options",
  "src/core/capacity.ts": "functions of the core",
  "src/core/core.ts": "counts of events have no prototype",
  "src/core/why.ts": "one attribute",
  "src/core/dump.ts": "parameters have no prototype",
  "src/input/bundle.ts": "the keys are those of the table",
  "src/model/context/coverage.ts": "events of a list",
  "src/model/recording/about.ts": "attributes of a list",
  "src/model/why/story.ts": "one attribute",
  "src/otlp/schema.ts": "fields of the schema",
  "src/ui/export/ExportDialog.tsx": "one attribute",
};

describe("a text from a file", () => {
  it("is looked up in maps and own properties only", () => {
    const found = CODE.filter((file) => prototypeLookups(read(file)).length > 0);
    expect(found.filter((file) => SOUND_LOOKUPS[file] === undefined)).toEqual([]);
    expect(Object.keys(SOUND_LOOKUPS).filter((file) => !found.includes(file))).toEqual([]);
  });

  it("is recognised by this test", () => {
    const faults = [
      'const KEYS: Readonly<Record<string, string>> = { a: "b" };',
      "export const KEYS: Record<string, number> = {\n  a: 1,\n};",
      "if (profile.samplesWithAttribute[attribute.key] === undefined) return;",
      "const found: Record<string, string> = {};",
      "Object.assign({}, ...resources)",
    ];
    expect(faults.map((text) => prototypeLookups(text).length)).toEqual(faults.map(() => 1));
    const sound = [
      'const KEYS = new Map(Object.entries({ a: "b" }));',
      'resource["service.name"]',
      "events[0]",
      "return Object.hasOwn(params, key) ? params[key] : [];",
    ];
    expect(sound.flatMap(prototypeLookups)).toEqual([]);
  });
});
