/**
 * Rules for the repository as a whole: imports between folders, length of files, packages to install. A new room (a
 * folder with a row in the tables) or a new import between rooms needs an intentional change of the tables below.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { importsOf, resolveFrom } from "../test/kit/imports.ts";
import { INPUT_FORMATS as FORMAT_ROWS } from "./core/inputs/formats.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * Imports that a room may have besides itself: folders end with /, files right below a folder with /*, the rest are
 * files or packages.
 */
interface Allowance {
  /** At run time. */
  uses: string[];
  /** With `import type` only: gone after compilation. */
  types?: string[];
}

const BINDINGS = "build/core.js";
const ABI = "assembly/abi/";
const CORE = "src/core/";
const PROTOBUF = "src/bytes/protobuf.ts";
const NUMBERED = "src/bytes/numbered.ts";
const CLASSIFY = "src/input/classify.ts";
/** Matching of a user's pattern; the only room that uses the engine. */
const PATTERN = "src/pattern/";
const IDS = "src/ids/";
/** Rows of events, formats, presets and data sets, without the core that uses them. */
const TABLES = "src/core/tables/";
/** Input formats for the core and the page. */
const INPUT_FORMATS = "src/core/inputs/";
const REACT = [
  "react",
  "react-dom",
  "@base-ui/react",
  "lucide-react",
  "react-resizable-panels",
  "d3-flame-graph",
  "d3-selection",
  "@tanstack/react-virtual",
];

/** The page's ends of its workers. */
const CLIENTS = ["src/worker/client.ts", "src/worker/task-workers.ts"];

const SRC_ROOMS: Record<string, Allowance> = {
  "src/pattern/": { uses: ["re2js"] },
  "src/ids/": { uses: [] },
  "src/core/": { uses: [BINDINGS, ABI, IDS, PATTERN, PROTOBUF, "src/bytes/byte-writer.ts", NUMBERED] },
  "src/bytes/": { uses: ["fflate", "fzstd"] },
  "src/otlp/": { uses: ["src/bytes/"], types: [CORE] },
  "src/input/": { uses: ["src/bytes/", "src/otlp/", INPUT_FORMATS, TABLES], types: [CORE] },
  "src/validate/": { uses: ["src/bytes/", "src/otlp/", "src/input/"], types: [CORE] },
  "src/model/": {
    uses: [ABI, TABLES, IDS, INPUT_FORMATS, PATTERN, NUMBERED],
    types: [CORE],
  },
  // Works in browsers, too, with functions that they share with Node.
  "src/push/": { uses: [PROTOBUF, "src/model/words/outward.ts"], types: [CORE] },
  // Data sets and the commands about them, loaded when used; no other room names Parquet or DuckDB.
  "src/fleet/parquet/": { uses: [ABI, CORE, "build/parquet.js", "src/bytes/", "fflate", "fzstd"] },
  "src/fleet/": {
    uses: [
      ABI,
      CORE,
      IDS,
      "build/parquet.js",
      "src/bytes/",
      "src/otlp/tags.ts",
      "src/input/",
      "src/model/",
      "src/push/",
      "src/node/",
      "src/requests/",
      "src/traces/",
      "fflate",
      "fzstd",
      // Of the user, and loaded when it is needed.
      "@duckdb/node-api",
      "node:",
    ],
  },
  // Pages and pictures as texts; its page/ runs in a report, alone.
  "src/report/": { uses: ["src/model/", "src/core/version.ts", "virtual:report-page"], types: [CORE, "src/requests/"] },
  // Reading of files, and requests about an open recording: of workers, commands and the library.
  "src/requests/": {
    uses: [CORE, IDS, PATTERN, "src/bytes/", "src/otlp/", "src/input/", "src/model/", "src/symbols/", "src/traces/"],
  },
  "src/worker/": {
    uses: [
      CORE,
      PATTERN,
      "src/requests/",
      "src/bytes/",
      "src/input/",
      "src/validate/",
      "src/model/",
      "src/push/",
      "src/symbols/",
      "src/fleet/lake.ts",
      "build/core-first.wasm",
      "build/core-rest.wasm",
      "build/symbols.wasm",
      "build/demangle.wasm.gz",
      "comlink",
    ],
  },
  "src/offline/": { uses: [] },
  "src/ui/": {
    uses: [
      ...CLIENTS,
      "src/offline/",
      "src/model/",
      "src/push/",
      "src/report/",
      // Without the readers: kinds of files, descriptions of uploads, build ids and rows of libraries.
      "src/input/upload-event.ts",
      "src/input/code-provenance.ts",
      "src/symbols/archive-path.ts",
      "src/symbols/build-id.ts",
      "src/symbols/library-rows.ts",
      TABLES,
      INPUT_FORMATS,
      ...REACT,
    ],
    types: [CORE, "src/worker/api.ts"],
  },
  // The graph of the page in other pages: a component, an element, and the worker of both.
  "src/viewer/": {
    uses: [
      "src/bytes/limited.ts",
      "src/ui/",
      "src/model/",
      "src/worker/connection.ts",
      "src/worker/graph-session.ts",
      "src/core/instance/error.ts",
      "src/library/load-core.ts",
      "src/library/check.ts",
      "src/library/selection-checks.ts",
      NUMBERED,
      "virtual:viewer-styles",
      "comlink",
      "react",
      "react-dom",
    ],
    types: [CORE, "src/library/options.ts", "src/worker/api.ts", "src/worker/client.ts"],
  },
  // Names of native frames: the reader's own module, demangler and xz; of the core only its libraries and names.
  "src/symbols/": {
    uses: ["build/symbols.js", ABI, "src/bytes/", "src/core/instance/memory.ts", "xz-decompress"],
    types: ["src/core/answers/libraries.ts", "src/core/answers/symbols.ts", "src/core/answers/views.ts"],
  },
  // Trace files; of the core only the layout of its table of spans.
  "src/traces/": { uses: [ABI, "src/bytes/", "src/otlp/", CLASSIFY, "@msgpack/msgpack"], types: [CORE] },
  // What commands share: their table, the terminal, files of the disk, the reading of inputs.
  "src/node/": {
    uses: [
      CORE,
      IDS,
      "src/symbols/",
      "src/traces/",
      "src/bytes/",
      "src/otlp/",
      "src/input/",
      "src/model/",
      "src/validate/receiver-names.ts",
      "src/requests/",
      "commander",
      "node:",
    ],
  },
  "src/cli/": {
    uses: [
      CORE,
      IDS,
      "src/node/",
      "src/fleet/*",
      "src/symbols/",
      "src/traces/",
      "src/bytes/",
      "src/otlp/",
      "src/input/",
      "src/validate/",
      "src/model/",
      "src/push/",
      "src/report/",
      "src/requests/",
      // As `npm start` does.
      "scripts/node-version.mjs",
      "scripts/end-with-parent.mjs",
      "node:",
    ],
  },
  // A program that is recorded loads the library with its first recording.
  "src/record/": {
    uses: [
      "src/core/instance/error.ts",
      "src/core/version.ts",
      "src/library/",
      "src/model/words/text.ts",
      "src/push/",
      "src/node/disk.ts",
      "node:",
    ],
  },
  // Only the entry for Node imports `node:`.
  "src/library/node.ts": {
    uses: ["src/bytes/", "src/input/", "src/library/", "src/node/file-source.ts", "src/node/chunk-threads.ts", "node:"],
  },
  "src/library/": {
    uses: [
      ABI,
      CORE,
      PATTERN,
      "src/bytes/",
      "src/otlp/",
      "src/input/",
      "src/validate/",
      "src/model/",
      "src/push/",
      "src/report/",
      "src/requests/",
      "src/symbols/",
      "src/worker/connection.ts",
      "src/worker/crossing.ts",
      "comlink",
    ],
    types: ["src/worker/api.ts"],
  },
};

/** Additional imports of tests in any room: their tools, the test kit, and the real core. */
const TOOLS = ["vitest", "fast-check", "protobufjs", "ajv", "assemblyscript/asc", "fflate", "typescript/", "node:"];
const TESTS = [
  ...TOOLS,
  ABI,
  CORE,
  IDS,
  PATTERN,
  "build/",
  "scripts/",
  "src/otlp/",
  "src/symbols/",
  "src/traces/",
  "src/validate/",
  "test/kit/",
];

/** Tests of the whole core, and their tools. No shipped code imports from here. */
const TEST_ROOMS: Record<string, Allowance> = {
  "test/package/": { uses: [...TOOLS, "scripts/", "test/kit/", "@playwright/test", "esbuild", "webpack"] },
  "test/": {
    uses: [
      ...TOOLS,
      ABI,
      "build/",
      "scripts/",
      "src/",
      "e2e/kit/",
      "react",
      "react-dom",
      "comlink",
      "hyparquet",
      "parse5",
      "saxes",
    ],
  },
};

/** The rooms of input formats. */
const READERS = Object.values(FORMAT_ROWS).map(({ room }) => `assembly/read/${room}/`);

const ASSEMBLY_ROOMS: Record<string, Allowance> = {
  ...Object.fromEntries(
    READERS.map((room) => [room, { uses: [ABI, "assembly/memory/", "assembly/store/", "assembly/read/*"] }]),
  ),
  "assembly/abi/": { uses: [] },
  "assembly/memory/": { uses: [ABI] },
  "assembly/store/": { uses: [ABI, "assembly/memory/"] },
  "assembly/merge/": { uses: [ABI, "assembly/memory/", "assembly/store/", "assembly/read/jfr/"] },
  // In a separate module, without the store.
  "assembly/read/elf/": { uses: [ABI, "assembly/memory/"] },
  "assembly/read/dwarf/": { uses: [ABI, "assembly/memory/", "assembly/read/elf/"] },
  "assembly/symbols.ts": { uses: [ABI, "assembly/memory/", "assembly/read/elf/", "assembly/read/dwarf/"] },
  // In a separate module without any state.
  "assembly/parquet/": { uses: [] },
  "assembly/parquet.ts": { uses: ["assembly/parquet/"] },
  "assembly/read/": { uses: [ABI, "assembly/memory/", "assembly/store/"] },
  "assembly/view/": { uses: [ABI, "assembly/memory/", "assembly/store/"] },
  // util/number is of AssemblyScript's own library: shortest decimal digits of an f64.
  "assembly/write/": { uses: [ABI, "assembly/memory/", "assembly/store/", "util/number"] },
  "assembly/index.ts": { uses: ["assembly/"] },
  "assembly/reset.ts": { uses: ["assembly/"] },
  // Entries of test builds: internals under their own names.
  "assembly/testing/": { uses: ["assembly/"] },
};

const MAX_LINES = 600;
/** The formatter breaks code and leaves comments alone. */
const MAX_COMMENT_COLUMNS = 120;
/** For a function of the page: a longer component is split into hooks and smaller components. */
const MAX_FUNCTION_LINES = 80;
const SOURCE_FILE = /\.(ts|tsx|mts|mjs|js|css|py|java|sh)$/;
const NOT_SOURCES = [
  "node_modules",
  "build",
  "dist",
  "dist-lib",
  "dist-node",
  "dist-server",
  "test-results",
  "playwright-report",
];

interface LockedPackage {
  resolved?: string;
  integrity?: string;
  optionalDependencies?: Record<string, string>;
}

function covers(entry: string, target: string): boolean {
  if (entry.endsWith("/*")) return posix.dirname(target) === entry.slice(0, -2);
  const folder = entry.endsWith("/") || entry.endsWith(":");
  return folder ? target.startsWith(entry) : target === entry || target.startsWith(`${entry}/`);
}

/** The imports of a file that its room's row does not allow, one line each. */
function trespasses(file: string, text: string, rooms: Record<string, Allowance>): string[] {
  const room = Object.keys(rooms).find((name) => covers(name, file));
  const isTest = /\.test\.tsx?$/.test(file);
  if (room === undefined) return isTest ? [] : [`${file}: is in no room of the table`];
  const { uses = [], types = [] } = rooms[room] ?? {};
  const atRunTime = [room, ...uses, ...(isTest ? TESTS : [])];
  return importsOf(text).flatMap(({ specifier, typeOnly }) => {
    const target = resolveFrom(file, specifier);
    const allowed = typeOnly ? [...atRunTime, ...types] : atRunTime;
    if (allowed.some((entry) => covers(entry, target))) return [];
    const how = !typeOnly && types.some((entry) => covers(entry, target)) ? " at run time (only its types may be)" : "";
    return [`${file}: imports ${specifier}${how}`];
  });
}

/** First lines of functions and methods, as the formatter leaves them. */
const FUNCTION = /^( *)(?:export )?(?:default )?(?:async )?(?:function\*? (\w+)|const (\w+) = .*(?:=> \{|\()$)/;
const METHOD = /^( {2})(?:(?:private|protected|static|override|async|get|set) )*(?!if|for|while|switch)(\w+)\(.*[{(]$/;

/** The functions of a text with their lines, from the first to the closing bracket with the same indentation. */
function functionsOf(text: string): { name: string; lines: number }[] {
  const lines = text.split("\n");
  return lines.flatMap((line, start) => {
    const [head, indent = "", ...names] = FUNCTION.exec(line) ?? METHOD.exec(line) ?? [];
    if (head === undefined) return [];
    const isEnd = (other: string) => other.startsWith(indent) && /^[})][\]}),;]*$/.test(other.slice(indent.length));
    const length = lines.slice(start + 1).findIndex(isEnd);
    return [{ name: names.find(Boolean) ?? "", lines: length + 2 }];
  });
}

/** Whether a file makes a regular expression of anything but a literal. */
function makesExpressions(text: string): boolean {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  return /\bRegExp\((?!\s*(?:"[^"]*"|'[^']*')\s*[,)])/.test(code);
}

/** Source files below a folder as paths from the root with forward slashes. */
function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return entry.name.startsWith(".") || NOT_SOURCES.includes(entry.name) ? [] : sourcesIn(path);
    return SOURCE_FILE.test(entry.name) ? [path.split(sep).join("/")] : [];
  });
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

/** TypeScript and AssemblyScript below a folder. */
function codeIn(folder: string): string[] {
  return sourcesIn(folder).filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"));
}

function trespassesIn(folder: string, rooms: Record<string, Allowance>): string[] {
  return codeIn(folder).flatMap((file) => trespasses(file, read(file), rooms));
}

describe("the rooms", () => {
  it("of src/ import only what the table allows", () => {
    expect(trespassesIn("src", SRC_ROOMS)).toEqual([]);
  });

  it("of assembly/ import only what the table allows", () => {
    expect(trespassesIn("assembly", ASSEMBLY_ROOMS)).toEqual([]);
  });

  it("of test/ import only what the table allows", () => {
    expect(trespassesIn("test", TEST_ROOMS)).toEqual([]);
  });

  it("are told apart by this test", () => {
    const text = [
      'import { a } from "../core/core.ts";',
      'import type { B } from "../core/types.ts";',
      'export type * from "../core/types.ts";',
      "import {",
      "  c,",
      '} from "../cli/main.ts";',
      'import "./style.css";',
      'export { d } from "react-dom/client";',
      'const e = await import("node:fs");',
      'new Worker(new URL("../worker/worker.ts", import.meta.url));',
      'import f from "../../assembly/index.ts";',
      '// import g from "comlink";',
      'export type H = "from" | "to";',
    ].join("\n");
    expect(trespasses("src/ui/app.tsx", text, SRC_ROOMS)).toEqual([
      "src/ui/app.tsx: imports ../core/core.ts at run time (only its types may be)",
      "src/ui/app.tsx: imports ../cli/main.ts",
      "src/ui/app.tsx: imports ../../assembly/index.ts",
      "src/ui/app.tsx: imports node:fs",
      "src/ui/app.tsx: imports ../worker/worker.ts",
    ]);
    expect(trespasses("src/new/a.ts", "", SRC_ROOMS)).toEqual(["src/new/a.ts: is in no room of the table"]);
    expect(trespasses("assembly/read/a.ts", 'import { b } from "../write/b";', ASSEMBLY_ROOMS)).toHaveLength(1);
  });
});

describe("the files", () => {
  it(`have at most ${MAX_LINES} lines`, () => {
    const files = sourcesIn(".");
    expect(files.length).toBeGreaterThan(20);
    const long = files.map((file) => ({ file, lines: read(file).trimEnd().split("\n").length }));
    expect(long.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
  });
});

describe("the steps of a reading", () => {
  const callers = (step: string) =>
    codeIn("src").filter((file) => {
      if (file.startsWith("src/core/") || /\.test\.tsx?$/.test(file)) return false;
      return new RegExp(`(?<!function )\\b${step}\\(`).test(read(file));
    });

  it.each([
    ["normaliseNames", "src/requests/open-files.ts"],
    ["idNames", "src/requests/open-files.ts"],
    ["keepContexts", "src/requests/contexts.ts"],
    ["nameTraces", "src/requests/contexts.ts"],
    ["sniffSource", "src/input/classify.ts"],
  ])("%s are in one place, which knows their order", (step, file) => {
    expect(callers(step)).toEqual([file]);
  });
});

describe("varints", () => {
  const loops = (text: string) => /\b0x7fn?\) *(\||<<|\*)|% (0x80|128)n?\) *\||[&|] (127|128)n?\b/.test(text);

  it("are written and read in src/bytes, and in the core", () => {
    const files = codeIn("src").filter((file) => !/\.test\.tsx?$/.test(file) && loops(read(file)));
    expect(files.filter((file) => !file.startsWith("src/bytes/"))).toEqual([]);
    expect(files).not.toEqual([]);
  });

  it("in other places are found by this test", () => {
    const planted = [
      "room[size++] = (low & 0x7f) | 0x80;",
      "bytes.push(Number(rest & 0x7fn) | 0x80);",
      "bytes[size++] = (rest % 0x80) | 0x80;",
      "value |= BigInt(byte & 0x7f) << shift;",
      "value += (byte & 0x7f) * scale;",
      "out.push((n & 127) | 128);",
    ];
    expect(planted.filter((text) => !loops(text))).toEqual([]);
  });
});

describe("the current selection, shape and baseline of a core", () => {
  it.each(["selectBegin", "selectEnd", "shapeTree", "keepBaseline"])(
    "are made in one place, which remembers them (wasm.%s)",
    (made) => {
      const files = codeIn("src").filter((file) => new RegExp(`\\bwasm\\.${made}\\(`).test(read(file)));
      expect(files.filter((file) => !/\.test\.tsx?$/.test(file))).toEqual(["src/core/answers/views.ts"]);
    },
  );

  it("are changed by the open recording alone, and by the core where it writes", () => {
    const selects = /\b(?:core(?:\(\))?|views)\.(?:select|choose|shape)\(/;
    const files = codeIn("src").filter((file) => !/\.test\.tsx?$/.test(file) && selects.test(read(file)));
    const core = ["src/core/core.ts", "src/core/writing/message-writing.ts"];
    expect(files.sort()).toEqual([...core, "src/requests/held-core.ts"]);
  });
});

describe("comments", () => {
  const long = (text: string) =>
    text
      .split("\n")
      .map((line, i) => ({ line: i + 1, columns: line.length, comment: /^\s*(\*|\/\/|\/\*|#)/.test(line) }))
      .filter(({ columns, comment }) => comment && columns > MAX_COMMENT_COLUMNS);

  it(`have lines of at most ${MAX_COMMENT_COLUMNS} characters`, () => {
    expect(sourcesIn(".").flatMap((file) => long(read(file)).map(({ line }) => `${file}:${line}`))).toEqual([]);
  });

  it("that are longer are found by this test", () => {
    const text = ["/**", ` * ${"a".repeat(118)}`, " */", `const b = "${"c".repeat(200)}";`, `  // ${"d".repeat(115)}`];
    expect(long(text.join("\n")).map(({ line }) => line)).toEqual([2]);
  });
});

describe("a function of the page", () => {
  it(`has at most ${MAX_FUNCTION_LINES} lines`, () => {
    const files = codeIn("src/ui").filter((file) => !file.endsWith(".test.ts"));
    const all = files.flatMap((file) => functionsOf(read(file)).map((found) => ({ file, ...found })));
    expect(all.length).toBeGreaterThan(300);
    expect(all.filter(({ lines }) => lines > MAX_FUNCTION_LINES)).toEqual([]);
  });

  it("is measured by this test", () => {
    const body = (indent: string, lines: number) => Array.from({ length: lines }, () => `${indent}  {}`);
    const text = [
      ...["export function Component({", "  a,", "}: Props) {", ...body("", 5), "}"],
      ...["const arrow = async (a: number) => {", ...body("", 3), "};"],
      ...["const Wrapped = memo(", ...body("", 1), ");"],
      ...["const TABLE = {", ...body("", 9), "};"],
      ...["class Page {", "  override render(): ReactNode {", ...body("  ", 2), "  }", "}"],
    ].join("\n");
    expect(functionsOf(text)).toEqual([
      { name: "Component", lines: 9 },
      { name: "arrow", lines: 5 },
      { name: "Wrapped", lines: 3 },
      { name: "render", lines: 4 },
    ]);
  });
});

describe("a table of the page", () => {
  it("has its columns and its heads from one component", () => {
    const table = "src/ui/parts/grid/SortedTable";
    expect(sourcesIn("src/ui").filter((file) => /interface \w*Column\b/.test(read(file)))).toEqual([`${table}.tsx`]);
    expect(sourcesIn("src/ui").filter((file) => /\.sort\b.*\{/.test(read(file)) && file.endsWith(".css"))).toEqual([
      `${table}.module.css`,
    ]);
  });
});

describe("a user's pattern", () => {
  it("is no regular expression of the engine, which may take exponential time", () => {
    const code = sourcesIn("src").filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".test.ts"));
    expect(code.filter((file) => makesExpressions(read(file)))).toEqual([]);
  });

  it("is recognised by this test", () => {
    expect(["new RegExp(text)", "RegExp(text, 'i')", "new RegExp('a' + b)"].map(makesExpressions)).not.toContain(false);
    expect(['new RegExp("a+")', "take(expression: RegExp, at)", "// RegExp(text)"].map(makesExpressions)).not.toContain(
      true,
    );
  });
});

describe("the package", () => {
  const manifest: Record<string, Record<string, string> | undefined> = JSON.parse(read("package.json"));

  it("has nothing to install besides itself", () => {
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
    expect({ ...dependencies, ...optionalDependencies }).toEqual({});
    // React is for the component only, DuckDB for questions to data sets: npm installs neither.
    const asked = ["@duckdb/node-api", "react", "react-dom"];
    expect(Object.keys(peerDependencies)).toEqual(asked);
    expect(peerDependenciesMeta).toEqual(Object.fromEntries(asked.map((name) => [name, { optional: true }])));
  });

  it("pins its tools exactly", () => {
    const loose = Object.entries(manifest.devDependencies ?? {}).filter(
      ([, v]) => !/^(npm:\w+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(v),
    );
    expect(loose).toEqual([]);
  });

  it("locks them without the address of a registry, and by hash", () => {
    const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(read("package-lock.json"));
    const locked = Object.entries(packages).filter(([path]) => path !== "");
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    const unchecked = locked.filter(([, { integrity = "" }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
    expect(unchecked.map(([path]) => path)).toEqual([]);
  });

  it("locks them for every platform, since `npm ci` refuses a lock that lacks one", () => {
    const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(read("package-lock.json"));
    const optional = Object.values(packages).flatMap((locked) => Object.keys(locked.optionalDependencies ?? {}));
    expect(optional.filter((name) => !(`node_modules/${name}` in packages))).toEqual([]);
  });
});
