/**
 * Layouts of memory: each offset, size and code that the core and its host share is written once, in assembly/abi, and
 * both use its name.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const ABI = "assembly/abi";

/** TypeScript and AssemblyScript below a folder, as paths from the root. */
function codeIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return codeIn(path);
    return /(?<!\.d)\.tsx?$/.test(path) ? [path] : [];
  });
}

/** The text without its comments; lines keep their numbers. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, " "));
}

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const lineOf = (text: string, at: number) => text.slice(0, at).split("\n").length;

/** The arguments of the call whose bracket opens before `at`. */
function argumentsAt(code: string, at: number): string[] {
  const found = [""];
  let depth = 0;
  for (let i = at; i < code.length; i++) {
    const c = code[i]!;
    if (c === "," && depth === 0) {
      found.push("");
      continue;
    }
    if ("([{".includes(c)) depth++;
    if (")]}".includes(c) && depth-- === 0) break;
    found[found.length - 1] += c;
  }
  return found.map((argument) => argument.trim());
}

const NUMBER = /(?<![\w.])(?:0x[\da-f_]+|\d[\d_]*)n?(?![\w.])/gi;

/** Whether an expression has a number from 2 on: 0 and 1 count rows. */
function hasNumber(expression: string): boolean {
  return (expression.match(NUMBER) ?? []).some((n) => Number(n.replaceAll("_", "").replace(/n$/, "")) > 1);
}

/** Bytes of a vector. */
const VECTOR = 16;

/**
 * Loads and stores of AssemblyScript whose offset is a number. Single bytes and vectors in a row are those of a text.
 */
function bareOffsets(file: string, text: string): string[] {
  const code = codeOf(text);
  return [...code.matchAll(/\b(?:(load|store)<(\w+)>|v128\.(load|store))\(/g)].flatMap((match) => {
    const [call, scalar, type, vector] = match;
    const given = argumentsAt(code, match.index + call.length);
    const offset = given[(scalar ?? vector) === "load" ? 1 : 2];
    if (offset === undefined || type === "u8" || (offset.match(NUMBER) ?? []).length === 0) return [];
    if (vector !== undefined && Number(offset) % VECTOR === 0) return [];
    return [`${file}:${lineOf(code, match.index)}: ${call}${given.join(", ")})`];
  });
}

const READS =
  /\b(?:memory|this\.memory|core\.memory)\.(?:[uif]\d+s?|bytes|words|text)\(|\.[gs]et(?:Big)?(?:Ui|I|U)nt\d+\(|\.getFloat64\(/g;

/** Reads of the core's memory at a place that a number is part of, in the call or where the place was computed. */
function bareReads(file: string, text: string): string[] {
  const code = codeOf(text);
  const said = (at: number, what: string) => `${file}:${lineOf(code, at)}: ${what.replace(/\s+/g, " ")}`;
  const reads = [...code.matchAll(READS)].map((match) => ({
    at: match.index,
    call: match[0],
    place: argumentsAt(code, match.index + match[0].length)[0] ?? "",
  }));
  const places = new Set(reads.flatMap(({ place }) => place.match(/^[a-z]\w*/gi) ?? []));
  const computed = [...code.matchAll(/\b(?:const|let) (\w+) = ([^;]*);/g)].filter(
    ([, name = "", value = ""]) => places.has(name) && hasNumber(value),
  );
  const subscripts = [...code.matchAll(/\w\[([^[\]]*)\]/g)].filter(
    ([, index = ""]) => /[*/%]/.test(index) && hasNumber(index),
  );
  const columns = [...code.matchAll(/\.filter\(\(_, (\w+)\) => \1 % ([^)]*)\)/g)].filter(([, , by = ""]) =>
    hasNumber(by),
  );
  return [
    ...reads.filter(({ place }) => hasNumber(place)).map(({ at, call, place }) => said(at, `${call}${place})`)),
    ...(reads.length === 0 ? [] : [...computed, ...subscripts, ...columns].map((match) => said(match.index, match[0]))),
  ];
}

const abiFiles = codeIn(ABI);
const CONSTANT = /^export const (\w+) = (?:0x[\da-f]+|\d+);$/;

/** Names that a file of assembly/abi exports. */
function namesOf(text: string): string[] {
  return [...text.matchAll(/^export const (\w+)/gm)].map(([, name = ""]) => name);
}

/**
 * Names of a file's layouts under which they could be declared again: `SIZE` of slice.ts as `SLICE_SIZE`, and a name by
 * itself if it has the prefix of its layout (`TAG_WORD` beside `TAG_BYTES`).
 */
function layoutNamesIn(file: string): string[] {
  const names = namesOf(read(file)).filter((name) => name === name.toUpperCase());
  const stem = basename(file, ".ts")
    .replace(/-(?:row|answer)$/, "")
    .replaceAll("-", "_")
    .toUpperCase();
  const prefixes = names.flatMap((name) => /^\w+_(?=BYTES$)/.exec(name)?.[0] ?? []);
  const isWhole = (name: string) => !names.includes("BYTES") || prefixes.some((prefix) => name.startsWith(prefix));
  return names.flatMap((name) => [`${stem}_${name}`, ...(isWhole(name) ? [name] : [])]);
}

/** Names of all layouts, and the sets of values by their file. */
const allNames = abiFiles.flatMap(layoutNamesIn);
const layoutNames = new Set(allNames);
const sets = abiFiles
  .map((file) => ({ file, names: namesOf(read(file)).filter((name) => name !== name.toUpperCase()) }))
  .filter(({ names }) => names.length > 0);

const plain = (word: string) => word.toLowerCase().replace(/[^a-z]/g, "");

/** Lists of names whose order means nothing to the core. */
const NAMES_ONLY = ["src/model/query/shape.ts"];

/** Constants with the name of a layout's, enums and lists with the members of a set: duplicates of assembly/abi. */
function declaredAgain(file: string, text: string): string[] {
  const code = codeOf(text);
  // A member of a namespace under its own name is none.
  const constants = [...code.matchAll(/\b(?:const|let) ([A-Z][A-Z\d_]+)\b(?! = \w+\.\w+;)/g)].filter(([, name = ""]) =>
    layoutNames.has(name),
  );
  const lists = [
    ...(NAMES_ONLY.includes(file) ? "" : code).matchAll(/\benum \w+ \{([^}]*)\}|= \[((?:\s*"[^"]*",?)+)\s*\]/g),
  ].filter(([, members, texts]) => {
    const words = (members ?? texts ?? "").split(",").map((word) => plain(word.replace(/=.*/, "")));
    const all = words.filter((word) => word !== "").join();
    return sets.some(({ names }) => names.map(plain).join() === all);
  });
  return [...constants, ...lists].map(
    (match) => `${file}:${lineOf(code, match.index)}: ${match[0].replace(/\s+/g, " ")}`,
  );
}

/** Sizes and offsets that only the host defines: there must not be any. */
function hostLayouts(file: string, text: string): string[] {
  const code = codeOf(text);
  const found = code.matchAll(
    /\bconst ((?!MOST_)(?:[A-Z]+_)*(?:BYTES|OFFSET|ROW|ROWS|FLAG|FLAGS))(?:: \w+)? = (?:0x[\da-f]+|\d+);/g,
  );
  return [...found].map((match) => `${file}:${lineOf(code, match.index)}: ${match[0]}`);
}

/** Numbers of a format, which are no layouts. */
const OF_FORMATS = ["assembly/read/dwarf/at.ts"];
const core = codeIn("assembly").filter((file) => ![...abiFiles, ...OF_FORMATS].includes(file));
/** Where the host reads the core's memory. The kit's other files build and read files of other formats. */
const host = [...codeIn("src/core"), ...codeIn("src/symbols"), ...codeIn("src/model"), ...codeIn("test/kit")].filter(
  // Tests also read files, whose layouts are not the core's.
  (file) => !/^test\/|\.test\.ts$/.test(file) || /\bmemory\.buffer\b/.test(read(file)),
);

describe("assembly/abi", () => {
  it("holds nothing but numbers with a name, which all compilers read alike", () => {
    expect(abiFiles.length).toBeGreaterThan(20);
    const others = abiFiles.flatMap((file) =>
      codeOf(read(file))
        .split("\n")
        .filter((line) => line.trim() !== "" && !CONSTANT.test(line))
        .map((line) => `${file}: ${line}`),
    );
    expect(others).toEqual([]);
  });

  it("is imported as namespaces", () => {
    const named = /^(?:import|export) (?:type )?\{[^}]*\} from "[^"]*\/abi\/[^"]+"/gm;
    const importers = ["assembly", "src", "test", "bench", "e2e"].flatMap(codeIn);
    expect(importers.filter((file) => codeOf(read(file)).search(named) >= 0)).toEqual([]);
    expect('import {\n  ROWS,\n} from "../abi/frames-answer";'.search(named)).toBe(0);
  });

  it("has no name twice, and files of one kind: a layout, or a set of values", () => {
    expect(allNames.filter((name, i) => allNames.indexOf(name) !== i)).toEqual([]);
    const mixed = sets.filter(({ file, names }) => names.length !== namesOf(read(file)).length);
    expect(mixed).toEqual([]);
    for (const { file, names } of sets) {
      const values = [...read(file).matchAll(/= (\d+);/g)].map(([, value]) => value);
      expect(new Set(values).size, file).toBe(names.length);
    }
  });

  it("has what both sides import, and nothing that only one does", () => {
    const importing = (files: string[], file: string) =>
      files.some((other) => new RegExp(`/abi/(?:\\w+/)?${basename(file, ".ts")}(\\.ts)?"`).test(read(other)));
    const oneSided = abiFiles.filter(
      (file) => !importing(core, file) || !importing([...host, ...codeIn("src/core")], file),
    );
    expect(oneSided).toEqual([]);
  });
});

describe("memory", () => {
  it("of the core is read and written by names in AssemblyScript", () => {
    expect(core.flatMap((file) => bareOffsets(file, read(file)))).toEqual([]);
  });

  it("of the core is read by names of assembly/abi in TypeScript", () => {
    expect(host.flatMap((file) => bareReads(file, read(file)))).toEqual([]);
  });

  it("has no layout and no code that is declared a second time", () => {
    const again = [...core, ...host].flatMap((file) => declaredAgain(file, read(file)));
    expect([...again, ...host.flatMap((file) => hostLayouts(file, read(file)))]).toEqual([]);
  });
});

describe("a number typed twice", () => {
  const found = (find: (file: string, text: string) => string[], text: string) => find("a.ts", text);

  it("is found in AssemblyScript as an offset", () => {
    expect(found(bareOffsets, "load<u32>(p, 12)")).toEqual(["a.ts:1: load<u32>(p, 12)"]);
    expect(found(bareOffsets, "\nstore<i64>(at(i, 2), load<i64>(q) + 4, 16);")).toEqual([
      "a.ts:2: store<i64>(at(i, 2), load<i64>(q) + 4, 16)",
    ]);
    expect(found(bareOffsets, "v128.load(p, 4)")).toHaveLength(1);
    expect(found(bareOffsets, "load<u32>(p, WORD + 8)")).toHaveLength(1);
    const fine = [
      "load<u32>(p, NAME)",
      "store<u32>(p, 12)",
      "load<u32>(p + 12)",
      "load<u8>(p, 1)",
      "v128.load(p, 32)",
      "// load<u32>(p, 4)",
    ];
    expect(fine.flatMap((text) => found(bareOffsets, text))).toEqual([]);
  });

  it("is found in TypeScript where memory is read", () => {
    const planted = [
      "memory.u32(p + 12)",
      "this.memory.i64(row + 0x18)",
      "view.getBigUint64(at + 40, true)",
      "const p = at + i * 40; memory.u32(p);",
      "const p = at + 16 * (i + 1); memory.u32(p + NAME);",
      "memory.u32s(at, 4 * n); words[3 * i + 1]",
      "memory.f64s(at, n); values.filter((_, i) => i % 3 === 0)",
    ];
    expect(planted.filter((text) => found(bareReads, text).length === 0)).toEqual([]);
    const fine = [
      "memory.u32(p + NAME)",
      "const p = at + BYTES * (i + 1); memory.u32(p);",
      "memory.u32s(at, n); words[i + 1]",
      "const limit = 4 * 2; memory.u32(p);",
      "words[3 * i]",
    ];
    expect(fine.flatMap((text) => found(bareReads, text))).toEqual([]);
  });

  it("is found as a constant, an enum or a list of the same names", () => {
    const planted = [
      "const TOP_BYTES = 24;",
      "export const TOP_BYTES: usize = 24;",
      "enum Status { Done, More, /** No. */ Unreadable, }",
      'const KINDS = ["local-root", "span", "attribute"] as const;',
    ];
    expect(planted.filter((text) => found(declaredAgain, text).length === 0)).toEqual([]);
    expect(found(hostLayouts, "const THREAD_BYTES = 40;")).toEqual(["a.ts:1: const THREAD_BYTES = 40;"]);
    const fine = ["const rows = TOP_BYTES * 2;", "enum Stage { Closed, Open }", 'const WORDS = ["done", "more"];'];
    expect(fine.flatMap((text) => [...found(declaredAgain, text), ...found(hostLayouts, text)])).toEqual([]);
  });
});

/** Objects that own blocks of memory. */
const OWNERS = "Block|Buffer|BytesTable|KeyTable|RowTable|Slots";
/** Owners that no reset makes or empties, by the reason. */
const OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  "made with the flag or the count that is asked before they are read": [
    "assembly/store/contexts.ts: noted",
    "assembly/store/contexts.ts: borders",
    "assembly/store/contexts.ts: threads",
    "assembly/store/contexts.ts: contexts",
    "assembly/store/contexts.ts: waits",
    "assembly/store/span-traces.ts: bySpan",
    "assembly/store/symbols.ts: entries",
    "assembly/store/symbols.ts: draft",
  ],
  "made where the tables of a message begin": [
    "assembly/read/pprof/tables.ts: mappingRows",
    "assembly/read/pprof/tables.ts: functionRows",
    "assembly/read/pprof/tables.ts: locationRows",
  ],
};

/** Functions of a text by name, with their bodies. */
const functionsIn = (code: string) =>
  [...code.matchAll(/^(?:export )?function (\w+)\(.*\n((?: .*\n|\n)*?)\}/gm)].map(([, name = "", body = ""]) => ({
    name,
    body,
  }));

/** What a module enters in the list of all resets (assembly/memory/resets.ts): a function without a name, or one. */
const LISTED = /^on(?:Reset|GiveUp)\((?:\(\): void => \{\n((?: .*\n|\n)*?)\}|(\w+))\);$/gm;

/** The bodies of the functions that a module enters. */
function listedIn(code: string): string {
  const functions = functionsIn(code);
  return [...code.matchAll(LISTED)]
    .map(([, body, named]) => body ?? functions.find(({ name }) => name === named)?.body ?? "")
    .join("");
}

/**
 * Owners of memory at the top of a module that would keep void pointers over a reset. `own…` and `Block` enter a list
 * by themselves; others in the heap are made by a reset of their module, those in static memory emptied.
 */
function ownersWithoutReset(file: string, text: string, called: string, listed = ""): string[] {
  const code = codeOf(text);
  const own = listedIn(code);
  // A reset has to be reached from the list; what begins something, or drops it, is called by whom it belongs to.
  const isCalled = (name: string) =>
    new RegExp(`(?<!function )\\b${name}\\(`).test(name.startsWith("reset") ? listed + own : called + own);
  const bodies = functionsIn(code)
    .filter(({ name }) => /^(reset|begin|drop)/.test(name) && isCalled(name))
    .reduce((all, { body }) => all + body, own);
  const declared = code.matchAll(
    new RegExp(`^(?:export )?(?:let|const) (\\w+): (${OWNERS}) = changetype<\\w+>\\((.+)\\);$`, "gm"),
  );
  return [...declared].flatMap(([, name, type, at = ""]) => {
    const isStatic = at !== "0";
    if (type === "Block") return /^(memory\.data\(16, 4\)|inHand( \+ \d+)?)$/.test(at) ? [] : [`${file}: ${name}`];
    const isReset = isStatic ? `\\b${name}\\.(drop|free|create|init)\\(` : `^ +${name} = `;
    return new RegExp(isReset, "m").test(bodies) ? [] : [`${file}: ${name}`];
  });
}

describe("memory of the core", () => {
  const files = codeIn("assembly").filter(
    (file) => !file.includes("/testing/") && !/^assembly\/(memory|abi)\//.test(file),
  );
  const codes = files.map((file) => codeOf(read(file)));
  const called = codes.join("\n");
  const listed = codes.map(listedIn).join("");

  it("has owners that every reset knows", () => {
    const found = files.flatMap((file) => ownersWithoutReset(file, read(file), called, listed));
    expect(found.sort()).toEqual(Object.values(OTHERWISE).flat().sort());
  });

  it("is owned from the start of a module on: an owner that a function makes would stay in the list", () => {
    const late = /^ .*\b(own(Buffer|BytesTable|KeyTable|RowTable|Set)|onReset|onGiveUp)\(/m;
    expect(files.filter((file) => !/\/set\.ts$/.test(file) && late.test(codeOf(read(file))))).toEqual([]);
  });

  it("of views is in blocks of the list", () => {
    // The call tree moves its own blocks.
    const views = files.filter((file) => file.startsWith("assembly/view/") && !/\/(block|call-tree)\.ts$/.test(file));
    expect(views.filter((file) => /import \{[^}]*\b(alloc|regrow|(?:new|own)\w+)\b/.test(read(file)))).toEqual([]);
  });

  it("without a reset is found by this test", () => {
    const of = (text: string, calls = "resetIt();") => ownersWithoutReset("a.ts", text, "resetIt();", calls);
    const heap = "let rows: Buffer = changetype<Buffer>(0);\n";
    const fixed = "const known: KeyTable = changetype<KeyTable>(memory.data(offsetof<KeyTable>(), 8));\n";
    const made = "export function resetIt(): void {\n  rows = newBuffer(8);\n  known.free();\n}\n";
    expect(of(heap + fixed)).toEqual(["a.ts: rows", "a.ts: known"]);
    expect(of(heap + fixed + made)).toEqual([]);
    expect(of(heap + fixed + made, "")).toEqual(["a.ts: rows", "a.ts: known"]);
    expect(of(`${heap}${fixed}${made}onReset(resetIt);\n`, "")).toEqual([]);
    expect(of(`${heap}${fixed}onReset((): void => {\n  rows = newBuffer(8);\n});\n`)).toEqual(["a.ts: known"]);
    expect(of(`${heap}${fixed}onGiveUp((): void => {\n  known.free();\n});\n`)).toEqual(["a.ts: rows"]);
    expect(of("const rows: Buffer = ownBuffer(8);\n")).toEqual([]);
    expect(of("const a: Block = changetype<Block>(memory.data(8, 8));\n")).toEqual(["a.ts: a"]);
    expect(of("const a: Block = changetype<Block>(memory.data(16, 4));\n")).toEqual([]);
  });
});
