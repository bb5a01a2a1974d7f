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
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { ROOT } from "./run.mjs";
import { LATE_DATA, lateObjects, splitText } from "./split-core.mjs";
import { isStale } from "./stale.mjs";

/**
 * Functions that most visits do not need: readers of all formats but JFR, writers, the table of spans and what is
 * inferred for events without a span, filters by many ids, comparisons, regrouped graphs, searches, lists of
 * functions, notations of names in messages, the choice of what is read. The exceptions run for every core.
 */
const LATE = [
  /^assembly\/read\/(?!jfr\/|otlp\/message\/beginMessages)[\w-]+\/[\w-]+\//,
  /^assembly\/write\/(?!scope\/setVersion)/,
  /^assembly\/merge\//,
  /\/store\/held\/frees\/mark(?!Nothing)|\/input\/scan$|\/reset\/take(List|Samples)Back$|\/store\/(mark|held\/(lists|divided))\//,
  /\/store\/spans\/(?!addSpan$)|\/store\/span-traces\/|\/view\/evidence\//,
  /\/view\/(regroup|search|top)\/|\/store\/(notations|lines)\//,
  /\/view\/diff\/(baseline|changed|diff|observed|pairs|squares)\//,
  /\/read\/wanted\/setWanted$|\/view\/(predicates\/selectIds$|link-values\/|libraries\/(?!hasAddressed$))|\/store\/(inferred\/(?!mergeSets$)|threads\/rows\/|contexts\/(?!note|forget))/,
];
/** Called where each module starts, once: copies would be larger, and no faster. */
const STARTS = "assembly/memory/*/o*n*";
/** The largest functions that are inlined, always and where it pays, and those that never are. */
const INLINED = { always: 10, flexible: 30, apart: [STARTS] };
const INLINED_IN_PARTS = {
  ...{ always: 6, flexible: 10 },
  apart: [STARTS, "assembly/memory/sums/*", "assembly/store/threads/labels/threadLabel"],
};
/** Functions that enter the list of resets under a name (assembly/memory/resets.ts): every core calls them. */
const RESETS = /\/((reset|drop)\w+|endScratch|freeOutput|joinProcesses)$/;

/** Whether a function is in the rest of the core, by its name with its path. */
export const isLate = (name) => !RESETS.test(name) && LATE.some((pattern) => pattern.test(name));

const PARTS = { first: "-first.wasm", rest: "-rest.wasm" };

/** Options of asc for all modules, by target. */
const CONFIG = "asconfig.json";
/**
 * The core, which is optimized after asc (`optimize`); the reader of symbols, loaded when symbols are; loops of the
 * writer of data sets, which the command line loads. Each with its first file, the pages of its memory and asc's level.
 */
const MODULES = [
  { name: "core", entry: "index.ts", pages: 16, level: "0", features: ["--enable", "simd"], isSplit: true },
  { name: "symbols", entry: "symbols.ts", pages: 4, level: "3", features: [], isSplit: false },
  { name: "parquet", entry: "parquet.ts", pages: 16, level: "3", features: [], isSplit: false },
];

const DEMANGLER = join(ROOT, "node_modules/gecko-profiler-demangle/index_bg.wasm");
/** Its memory, in pages of 64 KiB: a readable name is at most a few times as long as its symbol. */
const DEMANGLER_PAGES = 512;

/** Compiles when needed; says whether it did. Throws with asc's own message. */
export async function buildCore({ target = "release", force = false, isDraft = false, root = ROOT } = {}) {
  if (isDraft) {
    for (const module of MODULES) await draftModule(module, root);
    await boundDemangler(force, root);
    return { built: true };
  }
  let built = false;
  for (const module of MODULES) built = (await buildModule(module, target, force, root)) || built;
  return { built: (await boundDemangler(force, root)) || built };
}

/** The release of the core or of a part, with the names of its functions: for a profiler, or to see what is large. */
export async function namedCore(part = "whole", root = ROOT) {
  const written = await compile(MODULES[0], "release", root, (wasm) => optimize(wasm, true));
  return written.get(baseOf(MODULES[0], "release") + (PARTS[part] ?? ".wasm"));
}

/** Whether the release of a module is missing or old. */
export function isCoreStale(root = ROOT) {
  return MODULES.some((module) => isModuleStale(module, "release", root));
}

async function boundDemangler(force, root) {
  const output = join(root, "build", "demangle.wasm");
  // What the page and the library fetch: browsers unpack it faster than they fetch the rest.
  const packed = `${output}.gz`;
  const here = fileURLToPath(new URL(".", import.meta.url));
  if (!force && !isStale([output, packed], [DEMANGLER, join(here, "bound-module.mjs")])) return false;
  const started = new Date();
  const { boundModule } = await import("./bound-module.mjs");
  const module = boundModule(readFileSync(DEMANGLER), DEMANGLER_PAGES);
  replace(output, module, started);
  replace(packed, gzipSync(module, { level: 9 }), started);
  return true;
}

async function buildModule(module, target, force, root) {
  if (!force && !isModuleStale(module, target, root)) return false;
  const started = new Date();
  const written = await compile(module, target, root);
  for (const [path, contents] of written) replace(resolve(root, path), contents, started);
  return true;
}

function isModuleStale(module, target, root) {
  const sources = ["assembly", CONFIG, "scripts/build-core.mjs", "scripts/split-core.mjs"].map((path) =>
    join(root, path),
  );
  return isStale(outputsOf(module, target, root), sources);
}

/**
 * A release in less than half of the processor time, whose core takes a quarter longer for a recording. The other
 * modules are not optimized. The core's first part is all of it, its rest an empty module. It is dated so that it is
 * stale for all builds of a release.
 */
async function draftModule(module, root) {
  const written = await compile({ ...module, level: "0" }, "release", root, draft);
  for (const [path, contents] of written) replace(resolve(root, path), contents, new Date(0));
}

/** The module's files of a target without their endings. */
const baseOf = ({ name }, target) => (target === "release" ? `build/${name}` : `build/${target}/${name}`);

/** The wasm file, its parts, and the bindings that asc writes beside it. */
function outputsOf(module, target, root) {
  const parts = module.isSplit && target === "release" ? Object.values(PARTS) : [];
  return [".wasm", ".js", ".d.ts", ...parts].map((end) => join(root, baseOf(module, target) + end));
}

/** Runs asc and returns its outputs. */
async function compile(module, target, root, finish = optimize) {
  // Loaded only when there is something to compile: the compiler takes a second to start.
  const asc = await import("assemblyscript/asc");
  const written = new Map();
  const writeFile = (name, contents) => void written.set(name, contents);
  const base = baseOf(module, target);
  const args = [`assembly/${module.entry}`, "--config", CONFIG, "--target", target, "--baseDir", root];
  args.push("--outFile", `${base}.wasm`, "--initialMemory", `${module.pages}`);
  args.push(
    ...module.features,
    ...(target === "release" ? ["--optimizeLevel", module.level, "--shrinkLevel", "0"] : []),
  );
  // With names, by which the release is split; the optimizer leaves them out.
  if (module.isSplit) args.push("--debug");
  const { error, stdout, stderr } = await asc.main(args, { writeFile });
  const said = `${stdout.toString()}${stderr.toString()}`.trim();
  if (error) throw new Error(`asc: ${error.message}\n${said}`);
  if (said) throw new Error(`asc printed a warning:\n${said}`);
  if (module.isSplit && target === "release") {
    const { whole, ...parts } = await finish(written.get(`${base}.wasm`));
    written.set(`${base}.wasm`, whole);
    for (const [part, bytes] of Object.entries(parts)) written.set(base + PARTS[part], bytes);
  }
  return written;
}

/**
 * The optimization of asc's `optimizeLevel: 3`, by the same optimizer, with less inlining in the parts, which the page
 * loads first: they are smaller to download, and slower to read (docs/notes/performance.md). asc has no option for
 * that.
 */
async function optimize(wasm, names = false) {
  // The other half of the work, on another processor: nothing can be tested before the core is there.
  const worker = new Worker(new URL(import.meta.url), { workerData: { partsOf: wasm, names } });
  const others = new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  others.catch(() => {});
  const { module } = await optimized(wasm, INLINED, names);
  const whole = module.emitBinary();
  module.dispose();
  return { whole, ...(await others) };
}

async function optimized(wasm, { always, flexible, apart }, names, late = []) {
  const { binaryen, module, features } = await read(wasm);
  binaryen.setDebugInfo(names);
  binaryen.setAlwaysInlineMaxSize(always);
  binaryen.setFlexibleInlineMaxSize(flexible);
  binaryen.setOptimizeLevel(4);
  for (const pattern of apart) {
    binaryen.setPassArgument("no-inline", pattern);
    module.runPasses(["no-inline"]);
  }
  for (let pass = 0; pass < 2; pass++) module.optimize();
  joinData(module, late);
  return { binaryen, module, features };
}

async function parts(wasm, names) {
  const late = await lateRanges(wasm);
  const { binaryen, module, features } = await optimized(wasm, INLINED_IN_PARTS, names, late);
  try {
    const { first, rest } = splitText(module.emitText(), isLate);
    return {
      first: assemble(binaryen, first, features),
      rest: assemble(binaryen, rest, features),
    };
  } finally {
    module.dispose();
  }
}

/** Parts of the memory that have data of late functions only. */
async function lateRanges(wasm) {
  const { module } = await read(wasm);
  try {
    const segments = segmentsOf(module);
    const late = new Set(lateObjects(module.emitText(), segments, isLate));
    const ranges = [];
    segments.forEach((segment, i) => {
      if (!late.has(segment)) return;
      const to = segment.offset + segment.data.length;
      if (late.has(segments[i - 1])) ranges.at(-1).to = to;
      else ranges.push({ from: segment.offset, to });
    });
    return ranges;
  } finally {
    module.dispose();
  }
}

/** A module without functions. */
const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/** Inlining is most of what the levels above 1 gain, in a third of their time. */
async function draft(wasm) {
  const { binaryen, module } = await read(wasm);
  try {
    module.runPasses(["inlining"]);
    binaryen.setOptimizeLevel(1);
    module.optimize();
    const whole = module.emitBinary();
    return { whole, first: whole, rest: EMPTY };
  } finally {
    module.dispose();
  }
}

/** The module of asc, and the optimizer with the settings of all levels. */
async function read(wasm) {
  const { default: binaryen } = await import("binaryen");
  const { MutableGlobals, SignExt, NontrappingFPToInt, BulkMemory, BulkMemoryOpt, SIMD128 } = binaryen.Features;
  const features = MutableGlobals | SignExt | NontrappingFPToInt | BulkMemory | BulkMemoryOpt | SIMD128;
  const module = binaryen.readBinary(wasm);
  module.setFeatures(features);
  binaryen.setShrinkLevel(0);
  binaryen.setFastMath(true);
  binaryen.setZeroFilledMemory(true);
  binaryen.setOneCallerInlineMaxSize(200);
  binaryen.setAllowInliningFunctionsWithLoops(true);
  binaryen.setGenerateStackIR(true);
  binaryen.setOptimizeStackIR(true);
  binaryen.setDebugInfo(false);
  return { binaryen, module, features };
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
 * its head; the heads of 600 segments were 3 % of the packed module. Segments in one of the `late` ranges have names of
 * late ones; what is between ranges may have changed when those come.
 */
function joinData(module, late) {
  const rangeAt = (offset) => late.findIndex(({ from, to }) => from <= offset && offset < to);
  const joined = [];
  for (const { offset, data } of segmentsOf(module)) {
    const last = joined.at(-1);
    const range = rangeAt(offset);
    if (last?.range !== range || offset - last.offset - last.data.length > ZEROS) joined.push({ offset, data, range });
    else {
      const both = new Uint8Array(offset + data.length - last.offset);
      both.set(last.data);
      both.set(data, offset - last.offset);
      last.data = both;
    }
  }
  const { initial, max, shared } = module.getMemoryInfo();
  module.removeExport("memory");
  const segments = joined.map(({ offset, data, range }, i) => ({
    name: `${range < 0 ? "" : LATE_DATA}${i}`,
    ...{ offset: module.i32.const(offset), data, passive: false },
  }));
  module.setMemory(initial, max, "memory", segments, shared);
}

/** The data segments of a module, in the order of their addresses. */
function segmentsOf(module) {
  return Array.from({ length: module.getNumDataSegments() }, (_, i) => {
    const { offset, data } = module.getDataSegmentInfo(module.getDataSegmentByIndex(i));
    return { offset, data: new Uint8Array(data) };
  }).sort((a, b) => a.offset - b.offset);
}

/** Dated to the start of the compile, so that a source saved during it is newer. */
function replace(path, contents, time) {
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.${process.pid}.partial`;
  writeFileSync(partial, contents);
  utimesSync(partial, time, time);
  renameSync(partial, path);
}

if (!isMainThread && workerData?.partsOf !== undefined) {
  parentPort.postMessage(await parts(workerData.partsOf, workerData.names));
} else if (isMainThread && argv[1] === fileURLToPath(import.meta.url)) {
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
