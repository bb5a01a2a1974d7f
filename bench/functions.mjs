#!/usr/bin/env node
/**
 * node bench/functions.mjs FILE [PASSES]: processor time of a warm conversion by function of the core, from V8's profile
 * of a core with names, and the calls of each, from a core that counts them. Prints both for each sample, for all
 * functions with at least a half percent of the time. Code that was inlined counts for its caller.
 */
import { readFile } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { Core } from "../dist-lib/core/core.js";
import { namedCore } from "../scripts/build-core.mjs";
import { readInto } from "./load.mjs";

const [path, passes = "20"] = process.argv.slice(2);
if (path === undefined) {
  console.error("usage: node bench/functions.mjs FILE [PASSES]");
  process.exit(2);
}
const named = await namedCore();
const core = await Core.instantiate(await WebAssembly.compile(named));
const bytes = new Uint8Array(await readFile(path));
let samples = 0;

async function convert(into = core) {
  into.reset();
  await readInto(into, bytes);
  samples = into.write(null, {}, { format: "otlp" }).observations;
}

/** Calls of a conversion by function. */
async function countCalls() {
  const { default: binaryen } = await import("binaryen");
  const module = binaryen.readBinary(named);
  const names = [];
  for (let i = 0; i < module.getNumFunctions(); i++) {
    const fn = module.getFunctionByIndex(i);
    const { name, body } = binaryen.getFunctionInfo(fn);
    const global = `calls ${i}`;
    const more = module.i32.add(module.global.get(global, binaryen.i32), module.i32.const(1));
    module.addGlobal(global, binaryen.i32, true, module.i32.const(0));
    module.addGlobalExport(global, global);
    binaryen.Function.setBody(fn, module.block(null, [module.global.set(global, more), body], binaryen.auto));
    names.push([name, global]);
  }
  let exported;
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...all) => {
    const instance = await instantiate(...all);
    exported = instance.exports;
    return instance;
  };
  const counting = await Core.instantiate(await WebAssembly.compile(module.emitBinary()));
  WebAssembly.instantiate = instantiate;
  await convert(counting);
  return new Map(names.map(([name, global]) => [name, exported[global].value]));
}

for (let pass = 0; pass < 3; pass++) await convert();
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.setSamplingInterval", { interval: 200 });
await session.post("Profiler.start");
const before = process.cpuUsage();
for (let pass = 0; pass < Number(passes); pass++) await convert();
const { user, system } = process.cpuUsage(before);
const { profile } = await session.post("Profiler.stop");

const name = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame.functionName || "(anonymous)"]));
const taken = new Map();
let all = 0;
for (const [i, id] of profile.samples.entries()) {
  const micros = Math.max(0, profile.timeDeltas[i + 1] ?? 0);
  taken.set(name.get(id), (taken.get(name.get(id)) ?? 0) + micros);
  all += micros;
}
/** Shares of the processor time: the profile's own times include those in which other programs ran. */
const nanos = (micros) => ((micros / all) * (user + system) * 1e3) / Number(passes) / samples;
const calls = await countCalls();
console.log(`${samples} samples, ${nanos(all).toFixed(0)} ns each`);
for (const [of, micros] of [...taken].sort((a, b) => b[1] - a[1])) {
  if (micros < all / 200) break;
  const share = ((100 * micros) / all).toFixed(1).padStart(5);
  const called = ((calls.get(of) ?? 0) / samples).toFixed(2).padStart(8);
  console.log(`${nanos(micros).toFixed(1).padStart(8)} ns ${share} % ${called} calls  ${of}`);
}
