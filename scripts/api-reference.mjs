/**
 * The reference of the library (docs/api/) from the declarations that the package has. API Extractor reads them; it
 * contains its compiler. The pages are made here, because API Documenter writes a file for each member: 700.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import apiExtractor from "@microsoft/api-extractor";
import { ROOT, runTool } from "./run.mjs";

const { Extractor, ExtractorConfig } = apiExtractor;

/** Sources of the package's entries. */
const ENTRIES = ["index", "node", "worker", "../record/index"];
/** Names that come from other entries than `spanflame`, by their source files. */
const ELSEWHERE = {
  node: "spanflame/node",
  worker: "spanflame/worker",
  "worker-host": "spanflame/worker",
  ...Object.fromEntries(["context", "options", "recorder"].map((file) => [`record/${file}`, "spanflame/record"])),
};

/** Pages with the source files whose names they have; a file that is missing here fails. */
const PAGES = [
  {
    name: "recordings",
    title: "Opening files",
    about: "Functions that open files, their inputs, and the recording that they return.",
    files: [
      "library/open",
      "library/recording",
      "library/inputs",
      "library/load-core",
      "library/url-source",
      "library/node",
      "library/worker",
      "library/worker-host",
      "input/open",
      "bytes/byte-source",
    ],
  },
  {
    name: "selections",
    title: "Selections and requests",
    about: "A selection has samples of one profile, and methods that answer questions about them.",
    files: ["library/selection", "library/options"],
  },
  {
    name: "samples",
    title: "Samples, columns and tables",
    about: "Samples and their parts, columns of observations, and the tables to which they refer.",
    files: ["library/sample-types", "library/columns", "library/tables"],
  },
  {
    name: "answers",
    title: "Facts and answers",
    about: "Types of the facts of a recording and of the answers about selections.",
    files: [
      "core/types",
      "core/view-types",
      "core/rank-types",
      "core/shape",
      "core/answers/time-rows",
      "core/standing-out",
      "core/inputs/formats",
      "core/diagnostics/wording",
      "model/flame/frame-types",
    ],
  },
  {
    name: "traces",
    title: "Traces, operations and calls",
    about: "Types of the answers about spans, the time of requests and the calls of dumps.",
    files: [
      "requests/api/traces-api",
      "requests/api/operations-api",
      "requests/api/why-api",
      "model/waits/waits",
      "model/waits/held",
      "model/span-time/thread-states",
      "requests/api/calls-api",
      "model/query/query",
      "model/span-time/breakdown",
      "model/span-time/request-time",
      "model/trace/operations",
      "model/trace/reasons",
      "core/dumps/call-columns",
    ],
  },
  {
    name: "builder",
    title: "Making profiles",
    about: "The builder of profiles, its entries and samples.",
    files: ["library/builder/builder", "library/builder/profile-rows", "library/builder/tables"],
  },
  {
    name: "recorder",
    title: "Recording a Node program",
    about: "The recorder, and the context of the running code.",
    files: ["record/recorder", "record/options", "record/context"],
  },
  {
    name: "output",
    title: "Formats, validation and sending",
    about: "Output formats, the validator of OTLP profiles, and sending to receivers.",
    files: [
      "library/formats",
      "core/tables/formats",
      "core/split",
      "library/validate",
      "validate/diagnostics",
      "validate/receiver-names",
      "push/push",
      "push/endpoint",
      "push/answer",
    ],
  },
  {
    name: "values",
    title: "Errors, ids and texts",
    about: "The error that calls throw, and helpers for ids, values and JSON.",
    files: [
      "core/instance/error",
      "model/words/ids",
      "model/words/pasted-ids",
      "model/words/format",
      "library/json",
      "core/version",
    ],
  },
];

/** Constants with well-known symbols, which have no name to import. */
const SYMBOLS = new Map([
  ["DISPOSE", "Symbol.dispose"],
  ["DISPOSE_ASYNC", "Symbol.asyncDispose"],
]);

/** Emits the declarations of the library; the caller removes the folder. */
export async function emitTypes() {
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, ".cache", "types-"));
  await runTool("tsc", ["-p", "src/library/tsconfig.types.json", "--outDir", folder]);
  cpSync(join(ROOT, "build", "core.d.ts"), join(folder, "build", "core.d.ts"));
  return folder;
}

/** The names of all entries, and the names in their types that no entry exports. */
function modelOf(folder) {
  const file = join(folder, "src", "library", "entries.d.ts");
  const output = join(folder, "api.json");
  writeFileSync(file, ENTRIES.map((entry) => `export * from "./${entry}.ts";\n`).join(""));
  const types = ["node"];
  const compilerOptions = { target: "es2022", module: "esnext", moduleResolution: "bundler", strict: true };
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: ROOT,
      mainEntryPointFilePath: file,
      compiler: {
        overrideTsconfig: {
          compilerOptions: { ...compilerOptions, lib: ["es2023", "dom", "dom.iterable"], types, skipLibCheck: true },
          files: [file],
        },
      },
      apiReport: { enabled: false },
      docModel: { enabled: true, apiJsonFilePath: output },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
    packageJsonFullPath: join(ROOT, "package.json"),
  });
  const hidden = [];
  const messageCallback = (message) => {
    const [, symbol] = /^The symbol "(\w+)" needs to be exported/.exec(message.text) ?? [];
    if (symbol !== undefined) hidden.push(symbol);
    message.handled = true;
  };
  const { succeeded } = Extractor.invoke(config, { localBuild: true, messageCallback });
  if (!succeeded) throw new Error(`API Extractor cannot read ${file}`);
  const [{ members }] = JSON.parse(readFileSync(output, "utf8")).members;
  return { members, hidden };
}

/** Pages by file name, names of public types that no entry exports, and names and methods without a text. */
export async function apiReference() {
  const folder = await emitTypes();
  try {
    const { members, hidden } = modelOf(folder);
    const items = members.map((item) => ({ ...item, name: plainName(item.name), ...placeOf(item.fileUrlPath) }));
    const parts = items.flatMap((item) => [item, ...(item.members ?? []).map((each) => ({ ...each, of: item.name }))]);
    // A property may say enough by its name.
    const silent = parts.filter((part) => textOf(part) === "" && !/^Property|Constructor/.test(part.kind));
    return {
      pages: pagesOf(items),
      unexported: hidden.filter((name) => !SYMBOLS.has(name)),
      silent: silent.map(({ of, name }) => (of === undefined ? name : `${of}.${name}`)),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Names of the browser's globals get a number from the extractor: `Selection_2`. */
function plainName(name) {
  return name.replace(/_\d+$/, "");
}

/** The page of a source file, and the entry of the package that has its names. */
function placeOf(path) {
  const [, file] = /\/src\/(.+)\.d\.ts$/.exec(path) ?? [];
  const page = PAGES.find(({ files }) => files.includes(file));
  if (page === undefined) throw new Error(`no page of the reference has the names of ${path}`);
  return { page: page.name, entry: ELSEWHERE[file.replace("library/", "")] };
}

function pagesOf(items) {
  const link = (name) => {
    const item = items.find((each) => each.name === name);
    return item === undefined ? null : `${item.page}.md#${name.toLowerCase()}`;
  };
  const pages = new Map([["README.md", indexOf(items)]]);
  for (const { name, title, about, files } of PAGES) {
    const place = ({ fileUrlPath }) => files.findIndex((file) => fileUrlPath.endsWith(`/src/${file}.d.ts`));
    const own = items.filter(({ page }) => page === name).sort((a, b) => place(a) - place(b));
    const sections = own.map((item) => sectionOf(item, link));
    pages.set(`${name}.md`, `${[`# ${title}`, about, ...sections].join("\n\n")}\n`);
  }
  return pages;
}

function indexOf(items) {
  const lists = PAGES.map(({ name, title }) => {
    const names = items
      .filter(({ page }) => page === name)
      .map((item) => `[${item.name}](${name}.md#${item.name.toLowerCase()})`);
    return `## [${title}](${name}.md)\n\n${names.join(" · ")}`;
  });
  const head =
    "Printed from the library's declarations by `npm run docs`. [docs/library.md](../library.md) is the guide.";
  return `${["# Reference of the library", head, ...lists].join("\n\n")}\n`;
}

const MEMBERS = new Set(["Method", "MethodSignature", "Constructor"]);

function sectionOf(item, link) {
  const { kind, name, entry, members = [] } = item;
  const from = entry === undefined ? "" : `From \`${entry}\`. `;
  const parts = [`## ${name}`, `${from}${textOf(item)}`.trim()];
  if (kind !== "Class" && kind !== "Interface") parts.push(declarationOf(item));
  const fields = members.filter((member) => !MEMBERS.has(member.kind));
  if (fields.length > 0) parts.push(tableOf(fields, link));
  const bases = heritageOf(item, link);
  if (bases !== "") parts.splice(2, 0, bases);
  for (const member of members.filter(({ kind }) => kind === "Method" || kind === "MethodSignature")) {
    parts.push(`### ${name}.${withSymbol(member.name)}`, declarationOf(member), textOf(member));
  }
  return parts.filter((part) => part !== "").join("\n\n");
}

function declarationOf({ excerptTokens }) {
  const text = excerptTokens.map((token) => plainReference(token)).join("");
  return `\`\`\`ts\n${text.replace(/^export (declare )?/, "").trim()}\n\`\`\``;
}

const plainReference = ({ kind, text }) => (kind === "Reference" ? withSymbol(plainName(text)) : text);

function withSymbol(name) {
  return name.replace(/\w+/, (word) => SYMBOLS.get(word) ?? word);
}

/** Types that an interface extends. */
function heritageOf({ kind, excerptTokens }, link) {
  if (kind !== "Interface" && kind !== "Class") return "";
  // Not that of a type parameter.
  const start = excerptTokens.findIndex(({ text }) => /^[^<]*\bextends $/.test(text));
  if (start < 0) return "";
  return `Extends ${linked(excerptTokens.slice(start + 1), link).replace(/ +`/g, "`")}.`;
}

/** Tokens as code, references to names of the library as links. */
function linked(tokens, link) {
  const parts = [];
  for (const token of tokens) {
    const text = plainReference(token).replace(/\s+/g, " ");
    const to = token.kind === "Reference" ? link(text) : null;
    if (to !== null) parts.push(`[\`${text}\`](${to})`);
    else if (parts.at(-1)?.endsWith("`") && !parts.at(-1).startsWith("["))
      parts.push(`${parts.pop().slice(0, -1)}${text}\``);
    else parts.push(`\`${text}\``);
  }
  return parts.join("").replace(/`\s*`/g, "");
}

function tableOf(fields, link) {
  const rows = fields.map((field) => {
    const { name, isOptional, excerptTokens, propertyTypeTokenRange: range } = field;
    const type = range === undefined ? "" : linked(excerptTokens.slice(range.startIndex, range.endIndex), link);
    const cells = [`\`${name}${isOptional ? "?" : ""}\``, type, textOf(field).replace(/\s*\n\s*/g, " ")];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return ["| property | type | meaning |", "|---|---|---|", ...rows].join("\n");
}

/** The text of a comment: its paragraphs, then its parameters and errors. */
function textOf({ docComment = "" }) {
  const lines = docComment
    .split("\n")
    .map((line) => line.replace(/^\s*(\/\*\*|\*\/|\* ?)/, "").replace(/\s*\*\/\s*$/, ""));
  const [text = "", ...tags] = lines.join("\n").trim().split(/^@/m);
  const blocks = tags.map((tag) => {
    const [, name, rest] = /^(\w+)\s*([\s\S]*)$/.exec(tag.trim()) ?? [];
    const words = rest.replace(/\s*\n\s*/g, " ");
    if (name !== "param") return `Throws ${words}.`;
    const [, parameter, meaning] = /^(\w+) - (.*)$/.exec(words) ?? [];
    return `\`${parameter}\`: ${meaning}.`;
  });
  const paragraphs = text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s*\n\s*/g, " "));
  return [...paragraphs, ...blocks].filter(Boolean).join("\n\n");
}
