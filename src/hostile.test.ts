/** Rules for whatever comes out of files: what may change the disk, and where texts are looked up. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  isAsExpression,
  isBinaryExpression,
  isCallExpression,
  isElementAccessExpression,
  isNonNullExpression,
  isParenthesizedExpression,
  isStringLiteral,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { API, type Project, type Type, TypeFlags } from "typescript/unstable/sync";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Whether a file is code that is no test. */
const isShipped = (file: string) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file);
const CODE = readdirSync(`${ROOT}src`, { recursive: true })
  .map((name) => `src/${String(name).replaceAll("\\", "/")}`)
  .filter(isShipped);
const read = (file: string) => readFileSync(ROOT + file, "utf8");

/** The only file that changes the disk. */
const DISK = "src/node/disk.ts";
const FS_WRITES =
  /\b(append|chmod|chown|copy|cp|lchmod|lchown|link|lutimes|mkdir|mkdtemp|rename|rm|rmdir|symlink|truncate|unlink|utimes|writeFile)(File|Disposable)?(Sync)?\b|\bcreateWriteStream\b/;

/** Asks Node for its files without an import, with a type that has `readFile` only. */
const ASKS_NODE = "src/library/load-core.ts";
/** Arguments of a call that opens a file to read. */
const READS = /,\s*("r"|constants\.O_RDONLY( \| NO_WAIT)?),?\s*$/;

/** Whether a file has a function of node:fs that changes the disk, all of node:fs, or opens a file to write. */
function writesFiles(text: string): boolean {
  const from = /(?:import|export)\s+(type\s+)?([^;]*?)\s+from\s+"(?:node:)?fs(?:\/promises)?"/g;
  const named = [...text.matchAll(from)].filter(([, type]) => type === undefined).map(([, , names = ""]) => names);
  const asks = /\b(import|require)\(\s*["'`](node:)?fs\b|\b(getBuiltinModule|createRequire)\b/;
  const isWhole = named.some((names) => !names.startsWith("{") || /\bdefault\b/.test(names)) || asks.test(text);
  const calls = text.matchAll(/(?<![.\w])open(?:Sync)?\(((?:[^()]|\([^()]*\))*)\)/g);
  const opens =
    named.some((names) => /\bopen(Sync)?\b/.test(names)) && [...calls].some(([, of = ""]) => !READS.test(of));
  // Under another name, its calls would not be found.
  const isRenamed = named.some((names) => /\bopen(Sync)?\s+as\b/.test(names));
  return isWhole || opens || isRenamed || named.some((names) => FS_WRITES.test(names));
}

describe("the disk", () => {
  it("is changed by one module, which knows the folder that a name is below", () => {
    expect(CODE.filter((file) => writesFiles(read(file))).sort()).toEqual([ASKS_NODE, DISK].sort());
    expect(read(ASKS_NODE)).toMatch(/interface FileSystem \{\n {2}readFile\(.*\n\}/);
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
      of("{ open }", "await open(path, constants.O_RDONLY | constants.O_CREAT);", "node:fs/promises"),
      of("{ openSync }", "openSync(path, how);"),
      of("{ openSync as reads }", 'reads(path, "w");'),
      of("{ default as all }"),
      writesFiles('export { rmSync } from "node:fs";'),
      writesFiles('await import("node:fs")'),
      writesFiles('process.getBuiltinModule("node:fs")'),
    ]).not.toContain(false);
    expect([
      of("{ readFileSync, statSync }"),
      of("type { WriteStream }"),
      of("{ openSync }", 'openSync(path, "r"); write(a, "w"); file.open(path);'),
      of("{ open }", 'await open(at(path), "r")', "node:fs/promises"),
    ]).not.toContain(true);
  });
});

/**
 * Places in files of a project that may find a text of a file in a prototype, or set one: a look-up whose key is any
 * text, also below an assertion, `in` with such a key, Object.assign from an object with such keys. Those of a key that
 * the file asks Object.hasOwn for are sound, as are Map, spread and Object.fromEntries.
 */
function lookupsIn(folder: string, below = ""): string[] {
  const api = new API({ cwd: ROOT });
  try {
    const [project] = api.updateSnapshot({ openProjects: [`${folder}/tsconfig.json`] }).getProjects();
    if (project === undefined) throw new Error(`no project in ${folder}`);
    const files = project.rootFiles.filter((file) => isShipped(file) && file.startsWith(`${folder}/${below}`));
    return files.flatMap((file) =>
      lookupsOf(project, file).map((place) => `${file.slice(folder.length + 1)}: ${place}`),
    );
  } finally {
    api.close();
  }
}

function lookupsOf({ program, checker }: Project, name: string): string[] {
  const file = program.getSourceFile(name);
  if (file === undefined) throw new Error(`${name} is not in the project`);
  const asked: { of: Node; place: Node; isSource: boolean }[] = [];
  const visit = (node: Node): void => {
    const key = keyOf(node, file);
    if (key !== null) asked.push({ of: key, place: node, isSource: false });
    if (isCallExpression(node) && node.expression.getText(file) === "Object.assign") {
      for (const of of node.arguments.slice(1)) asked.push({ of, place: node, isSource: true });
    }
    node.forEachChild(visit);
  };
  file.forEachChild(visit);
  const types = checker.getTypeAtLocation(asked.map(({ of }) => of));
  const found = asked.filter(({ isSource }, i) => {
    const type = types[i];
    if (type === undefined || isText(type)) return true;
    return isSource && checker.getIndexInfosOfType(type).some(({ keyType }) => isText(keyType));
  });
  return [...new Set(found.map(({ place }) => place.getText(file).replace(/\s+/g, " ")))];
}

function isText(type: Type): boolean {
  const { String: text, TemplateLiteral: template, Any: any, Unknown: unknown } = TypeFlags;
  return (type.flags & (text | template | any | unknown)) !== 0 || (type.isUnionType() && type.getTypes().some(isText));
}

/** The key of a look-up that is no literal and that nothing asked Object.hasOwn for. */
function keyOf(node: Node, file: SourceFile): Node | null {
  let [object, asked]: Node[] = [];
  if (isElementAccessExpression(node)) [object, asked] = [node.expression, node.argumentExpression];
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) {
    [object, asked] = [node.right, node.left];
  }
  if (object === undefined || asked === undefined || isStringLiteral(asked)) return null;
  const [key, table] = [unasserted(asked), unasserted(object)];
  return file.text.includes(`Object.hasOwn(${table.getText(file)}, ${key.getText(file)})`) ? null : key;
}

/** `name as Name` and `name!` are still any text. */
function unasserted(node: Node): Node {
  const isAsserted = isAsExpression(node) || isNonNullExpression(node) || isParenthesizedExpression(node);
  return isAsserted ? unasserted(node.expression) : node;
}

/** Look-ups that were reviewed, by the reason why no prototype is met. */
const SOUND: Readonly<Record<string, readonly string[]>> = {
  "keys of the program": [
    "src/cli/push/otel-environment.ts: environment[prefix + part]",
    "src/library/builder/json.ts: object[field.json]",
    "src/core/instance/capacity.ts: wasm[key as keyof Wasm]",
    "src/core/instance/capacity.ts: Object.assign(this.wasm, { [name]: call })",
    "src/core/instance/capacity.ts: Object.assign(this.guarded, { [name]: member })",
    "src/core/dumps/late-core.ts: late[name as keyof Wasm]",
    "src/core/answers/filters.ts: filter[field as Condition]",
    "src/core/reading/losses.ts: events[event]",
    "src/core/reading/read-filter.ts: filter[field as FieldOfReaders]",
    "src/core/writing/processes.ts: resource[key]",
    "src/input/upload-event.ts: event[key]",
    "src/library/check.ts: given[key as keyof T]",
    "src/library/selection-checks.ts: given[name as Condition]",
    "src/library/selection-checks.ts: filter[member]",
    "src/model/trace/coverage.ts: events[event]",
    "src/model/recording/about.ts: resource[key]",
    "src/model/trace/beside.ts: resource[key]",
    "src/model/query/filters.ts: given[name]",
    "src/model/why/rule-file.ts: rule[field]",
    "src/node/same-file.ts: given[name]",
    "src/otlp/schema.ts: TYPES[typeName as TypeName]",
    "src/record/spans.ts: attributes[each]",
    "src/otlp/schema.ts: HEX_DIGITS[name]",
    "src/fleet/parquet/file-reader.ts: row[columns[i]!]",
    "src/fleet/parquet/file.ts: rows[column.name]",
    "src/fleet/tables/select.ts: row[column]",
    "src/fleet/tables/conditions.ts: wanted[name as keyof Wanted]",
    "src/fleet/query-answers.ts: wanted[name as keyof Wanted]",
    'src/fleet/tables/views.ts: { text: "STRING", int64: "BIGINT", double: "DOUBLE", timestamp: "TIMESTAMP", date: "DATE" }[type]',
    "src/ui/primitives/panes/HeightHandle.tsx: heights[key]",
    'src/ui/primitives/toast/ToastRegion.tsx: ICONS[toast.type as Wanted["tone"]]',
    "src/viewer/element.ts: Object.assign(this, { [name]: value })",
    "src/worker/task-workers.ts: own[name as keyof T]",
    "src/worker/task-workers.ts: remote[name as keyof T]",
  ],
  "keys of the keyboard": [
    "src/model/collection/histogram.ts: { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -most, End: most }[key]",
    "src/ui/shell/find/FindBox.tsx: { ArrowDown: 1, ArrowUp: -1 }[key]",
    "src/ui/views/flame/minimap.ts: steps[event.key]",
    "src/ui/primitives/keys/list-keys.ts: { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page, Home: 0, End: count - 1, }[key]",
    "src/ui/primitives/menu/MenuPanel.tsx: next[event.key]",
    "src/ui/primitives/panes/HeightHandle.tsx: { ArrowDown: STEP, ArrowUp: -STEP }[event.key]",
    "src/ui/parts/timeline/RangePicker.tsx: { ArrowLeft: -STEP, ArrowRight: STEP, PageDown: -10 * STEP, PageUp: 10 * STEP }[event.key]",
  ],
  "no prototype": [
    "src/core/core.ts: events[type.event]",
    "src/core/reading/profiles.ts: events[name]",
    "src/core/dumps/dump.ts: params[name]",
    "src/library/samples.ts: record[this.attributes.key[row]!]",
    "src/otlp/logs-protobuf.ts: Object.assign(logs.resource, Object.fromEntries(attributesOf(part, 1)))",
  ],
  "letters that a pattern has": ['src/core/tables/kinds.ts: NANOS[prefix === "micro" ? "u" : prefix[0] || "s"]'],
  "own keys of the object": ["src/core/writing/message-writing.ts: overrides[key]"],
  "a value of a prototype equals no value of a file": ["src/core/instance/resource.ts: other[key]"],
  "a name of the member that was found": ["src/otlp/logs-json.ts: (value as Record<string, unknown>)[name]"],
  "the methods of a recording, asked by its own worker's client": ["src/library/worker-host.ts: asked[request]"],
};

describe("a text from a file", () => {
  it("is looked up in maps and own properties only", () => {
    const sound = Object.values(SOUND).flat();
    const found = lookupsIn(ROOT.replace(/\/$/, ""), "src/");
    expect(found.filter((place) => !sound.includes(place))).toEqual([]);
    expect(sound.filter((place) => !found.includes(place))).toEqual([]);
  }, 120_000);

  it("is recognised by this test", () => {
    const lines = {
      "table[tag] ?? tag": true,
      "table?.[tag]": true,
      "table[tag as Name]": true,
      "known[tag as Name]": true,
      "known[(tag as Name)!]": true,
      "table[`a.${tag}`]": true,
      "table[maybe ?? tag]": true,
      "anything[anything]": true,
      "tag in table": true,
      "(table[tag] = tag)": true,
      "delete table[tag]": true,
      "Object.assign({}, table)": true,
      "Object.assign(known, anything)": true,
      "names.get(tag)": false,
      "known[name]": false,
      "known.a": false,
      "list[0]": false,
      "list[list.length]": false,
      '"a" in known': false,
      "{ ...table }": false,
      "Object.assign(known, { b: 1 })": false,
      "Object.hasOwn(known, own) ? known[own as Name] : 0": false,
    };
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "spanflame-lookups-"))).replaceAll("\\", "/");
    try {
      const declared = `type Name = "a" | "b"; declare const tag: string, own: string, maybe: string | undefined, name: Name,
        anything: any, list: number[], names: Map<string, string>; declare const table: Record<string, string>, known: Record<Name, number>;`;
      const compilerOptions = { target: "es2022", strict: true, noEmit: true, types: [] };
      writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions }));
      for (const [i, line] of Object.keys(lines).entries()) {
        writeFileSync(
          `${folder}/case${i}.ts`,
          `${declared}\nexport const found = (${line.startsWith("{") ? `(${line})` : line});`,
        );
      }
      const found = lookupsIn(folder);
      const verdicts = Object.keys(lines).map((line, i) => [
        line,
        found.some((place) => place.startsWith(`case${i}.ts:`)),
      ]);
      expect(Object.fromEntries(verdicts)).toEqual(lines);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 120_000);
});

it("docs/fuzzing.md has every fuzzer with its number of cases", () => {
  const rows = read("docs/fuzzing.md").matchAll(
    /^\| `([\w-]+)` \| `(test\/fuzz\/[\w.-]+)` \|.*\| ([\d,]+) and (\d+) fresh cases \|$/gm,
  );
  const stated = [...rows].map(([, of, file = "", cases = "", fresh]) => [of, file, cases.replace(",", ""), fresh]);
  const fuzzers = readdirSync(`${ROOT}test/fuzz`).filter((name) => name.endsWith(".test.ts"));
  const known = fuzzers.map((name) => {
    const code = read(`test/fuzz/${name}`);
    const [of, cases, fresh] = [/\bof: "([\w-]+)"/, /\bcases: (\d+)/, /\bfresh: (\d+)/].map(
      (each) => each.exec(code)?.[1],
    );
    return [of, `test/fuzz/${name}`, cases, fresh];
  });
  expect(stated.sort()).toEqual(known.sort());
});
