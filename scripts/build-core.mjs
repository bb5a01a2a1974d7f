#!/usr/bin/env node
/**
 * Compiles assembly/ to build/core.wasm, build/symbols.wasm and build/parquet.wasm with their bindings, and bounds
 * the demangler of a package to build/demangle.wasm (bound-module.mjs): `build-core.mjs [--target release|debug]
 * [--force]`. The release of the core also gets the two parts that the page loads, core-first.wasm and core-rest.wasm
 * (split-core.mjs).
 * Does nothing when the outputs are newer than the sources. A failed compile leaves the last good outputs alone,
 * and each file is replaced in one step, so that readers never see half of one.
 */
import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ROOT } from "./run.mjs";
import { splitText } from "./split-core.mjs";
import { isStale } from "./stale.mjs";

/**
 * Functions that most visits do not need: readers of messages and dumps, writers, the table of spans and what is
 * inferred for events without a span, filters by many ids, comparisons. The exceptions run for every core.
 */
const LATE = [
  /^assembly\/(read\/(otlp|pprof|collapsed|cdt)|write)\/(?!message\/beginMessages|scope\/setVersion)/,
  /^assembly\/merge\/(?!merge\/resetMerge|part\/resetPart)/,
  /\/input\/scan$|\/reset\/takeSamplesBack$|\/store\/mark\//,
  /\/store\/spans\/(?!resetSpans|addSpan$)|\/store\/span-traces\/(?!resetSpanTraces)|\/view\/evidence\/(?!resetEvidence)/,
  /\/view\/(baseline|changed|diff|pairs|squares)\/(?!reset|drop|evidenceUnit)/,
  /\/view\/(predicates\/selectIds$|link-values\/(?!reset))|\/read\/jfr\/scopes\/|\/store\/inferred\/(?!reset)|\/store\/contexts\/(?!note(Observation|Thread)|reset)/,
];

const PARTS = { first: "-first.wasm", rest: "-rest.wasm" };

/** The core, and the reader of symbols, which shares its sources' folder and is loaded when symbols are. */
const CORE = { config: "asconfig.json", isSplit: true };
const SYMBOLS = { config: "asconfig.symbols.json", isSplit: false };
/** Loops of the writer of data sets, which the command line loads. */
const PARQUET = { config: "asconfig.parquet.json", isSplit: false };

const DEMANGLER = join(ROOT, "node_modules/gecko-profiler-demangle/index_bg.wasm");
/** Its memory, in pages of 64 KiB: a readable name is at most a few times as long as its symbol. */
const DEMANGLER_PAGES = 512;

/** Compiles when needed; says whether it did. Throws with asc's own message. */
export async function buildCore({ target = "release", force = false, root = ROOT } = {}) {
  let built = false;
  for (const module of [CORE, SYMBOLS, PARQUET]) built = (await buildModule(module, target, force, root)) || built;
  return { built: (await boundDemangler(force, root)) || built };
}

async function boundDemangler(force, root) {
  const output = join(root, "build", "demangle.wasm");
  const here = fileURLToPath(new URL(".", import.meta.url));
  if (!force && !isStale([output], [DEMANGLER, join(here, "bound-module.mjs")])) return false;
  const started = new Date();
  const { boundModule } = await import("./bound-module.mjs");
  replace(output, boundModule(readFileSync(DEMANGLER), DEMANGLER_PAGES), started);
  return true;
}

async function buildModule(module, target, force, root) {
  const sources = ["assembly", module.config].map((path) => join(root, path));
  const outputs = outputsOf(module, target, root);
  if (!force && !isStale(outputs, sources)) return false;
  const started = new Date();
  const written = await compile(module, target, root);
  for (const [path, contents] of written) replace(resolve(root, path), contents, started);
  return true;
}

/** The wasm file of the target in asconfig.json, its parts, and the bindings that asc writes beside it. */
function outputsOf({ config, isSplit }, target, root) {
  const outFile = JSON.parse(readFileSync(join(root, config), "utf8")).targets[target]?.outFile;
  if (!outFile) throw new Error(`${config} has no target "${target}"`);
  const parts = isSplit && target === "release" ? Object.values(PARTS) : [];
  return [".wasm", ".js", ".d.ts", ...parts].map((end) => join(root, outFile.replace(/\.wasm$/, end)));
}

/** Runs asc and returns its outputs. */
async function compile({ config, isSplit }, target, root) {
  // Loaded only when there is something to compile: the compiler takes a second to start.
  const asc = await import("assemblyscript/asc");
  const written = new Map();
  const writeFile = (name, contents) => void written.set(name, contents);
  const args = ["--config", config, "--target", target, "--baseDir", root];
  // With names, by which the release is split; the optimizer leaves them out.
  if (isSplit) args.push("--debug");
  const { error, stdout, stderr } = await asc.main(args, { writeFile });
  const said = `${stdout.toString()}${stderr.toString()}`.trim();
  if (error) throw new Error(`asc: ${error.message}\n${said}`);
  if (said) console.error(said);
  if (isSplit && target === "release") {
    const [path, contents] = [...written].find(([name]) => name.endsWith(".wasm"));
    const { whole, ...parts } = await optimize(contents);
    written.set(path, whole);
    for (const [part, bytes] of Object.entries(parts)) written.set(path.replace(/\.wasm$/, PARTS[part]), bytes);
  }
  return written;
}

/**
 * The optimization of asc's `optimizeLevel: 3`, by the same optimizer, but without inlining functions of medium size: a
 * tenth smaller to download and as fast (docs/notes/performance.md). asc has no option for that.
 */
async function optimize(wasm) {
  const { default: binaryen } = await import("binaryen");
  const { MutableGlobals, SignExt, NontrappingFPToInt, BulkMemory, BulkMemoryOpt, SIMD128 } = binaryen.Features;
  const features = MutableGlobals | SignExt | NontrappingFPToInt | BulkMemory | BulkMemoryOpt | SIMD128;
  const module = binaryen.readBinary(wasm);
  try {
    module.setFeatures(features);
    binaryen.setOptimizeLevel(4);
    binaryen.setShrinkLevel(0);
    binaryen.setFastMath(true);
    binaryen.setZeroFilledMemory(true);
    binaryen.setAlwaysInlineMaxSize(10);
    binaryen.setFlexibleInlineMaxSize(30);
    binaryen.setOneCallerInlineMaxSize(200);
    binaryen.setAllowInliningFunctionsWithLoops(true);
    binaryen.setGenerateStackIR(true);
    binaryen.setOptimizeStackIR(true);
    binaryen.setDebugInfo(false);
    for (let pass = 0; pass < 2; pass++) module.optimize();
    joinData(module);
    const { first, rest } = splitText(module.emitText(), (name) => LATE.some((pattern) => pattern.test(name)));
    return {
      whole: module.emitBinary(),
      first: assemble(binaryen, first, features),
      rest: assemble(binaryen, rest, features),
    };
  } finally {
    module.dispose();
  }
}

function assemble(binaryen, text, features) {
  const module = binaryen.parseText(text);
  try {
    module.setFeatures(features);
    if (!module.validate()) throw new Error("a part of the core is no valid module");
    return module.emitBinary();
  } finally {
    module.dispose();
  }
}

/** Zero bytes that cost less in a segment than the head of another segment. */
const ZEROS = 32;

/**
 * Joins data segments with few zeros between them. The optimizer cuts each text of the core in two, around the zeros of
 * its head; the heads of 600 segments were 3 % of the packed module.
 */
function joinData(module) {
  const segments = Array.from({ length: module.getNumDataSegments() }, (_, i) => {
    const { offset, data } = module.getDataSegmentInfo(module.getDataSegmentByIndex(i));
    return { offset, data: new Uint8Array(data) };
  }).sort((a, b) => a.offset - b.offset);
  const joined = [];
  for (const { offset, data } of segments) {
    const last = joined.at(-1);
    if (last === undefined || offset - last.offset - last.data.length > ZEROS) joined.push({ offset, data });
    else {
      const both = new Uint8Array(offset + data.length - last.offset);
      both.set(last.data);
      both.set(data, offset - last.offset);
      last.data = both;
    }
  }
  const { initial, max, shared } = module.getMemoryInfo();
  module.removeExport("memory");
  module.setMemory(
    initial,
    max,
    "memory",
    joined.map(({ offset, data }, i) => ({ name: `${i}`, offset: module.i32.const(offset), data, passive: false })),
    shared,
  );
}

/** Dated to the start of the compile, so that a source saved during it is newer. */
function replace(path, contents, time) {
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.${process.pid}.partial`;
  writeFileSync(partial, contents);
  utimesSync(partial, time, time);
  renameSync(partial, path);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { target: { type: "string" }, force: { type: "boolean" } } });
  const target = values.target ?? "release";
  try {
    const { built } = await buildCore({ target, force: values.force ?? false });
    console.log(built ? `core (${target}): built` : `core (${target}): up to date`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
