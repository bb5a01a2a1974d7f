#!/usr/bin/env node
/**
 * node bench/views.mjs RECORDING [rounds]: measures each request of the analysis views, with a different filter each
 * time, so that no answer is cached. Milliseconds, p50 and p95.
 */
import { readFileSync } from "node:fs";
import { newCore, read } from "./load.mjs";

const [path, rounds = "12"] = process.argv.slice(2);
const core = await newCore();
await read(core, new Uint8Array(readFileSync(path)));
const profile = core.profiles().reduce((a, b) => (b.samples > a.samples ? b : a));
const { from, to } = core.views.timeBounds();
core.select(profile.id, {});
const [name, second] = core.views.top("total", 0, 2).rows.map((row) => row.name);
const room = { width: 1400 };
const half = { from, to: from + (to - from) / 2n };
const filters = [{}, { localRoot: core.views.rank({ kind: "local-root" }, 0, 1).rows[0]?.id ?? 0n }, { time: half }];
const pattern = (i) => (i % 2 === 0 ? "a" : "b");
const { views } = core;
const whole = { from: "", merged: [], recursion: "kept", lines: false };
const questions = {
  "select, frames": () => core.views.frames({ focus: 0, ...room }),
  callers: () => views.regroup({ grouping: { kind: "callers" }, path: [], ...room }),
  "callers of one": () => views.regroup({ grouping: { kind: "callers-of", name: second }, path: [], ...room }),
  "callees of one": () => views.regroup({ grouping: { kind: "callees-of", name }, path: [], ...room }),
  "shape, frames": (i) => {
    views.shape({ ...whole, merged: [i % 2 === 0 ? "^java" : "a"], recursion: "all" });
    return core.views.frames({ focus: 0, ...room });
  },
  "shape of one": (i) => {
    views.shape({ ...whole, from: i % 2 === 0 ? name : second });
    return core.views.frames({ focus: 0, ...room });
  },
  "lines, shaped": (i) => {
    views.shape({ ...whole, merged: [i % 2 === 0 ? "^java" : "a"], lines: true });
    return core.views.frames({ focus: 0, ...room });
  },
  "whole again": () => views.shape(whole),
  top: () => views.top("self", 0, 100),
  children: () => views.children(0),
  search: (i) => views.search(pattern(i)),
  timeline: () => views.timeline(profile.id, 300, [], null),
  threads: () => views.threads(profile.id),
  diff: () => {
    views.keepBaseline();
    return views.diff({ focus: 0, ...room, rest: false, normalised: true });
  },
};
core.views.frames({ focus: 0, ...room });
console.log(`${profile.type}: ${profile.samples} samples`);
for (const [question, ask] of Object.entries(questions)) {
  const times = [];
  for (let i = 0; i < Number(rounds) * filters.length; i++) {
    core.select(profile.id, filters[(i + 1) % filters.length]);
    const start = performance.now();
    core.select(profile.id, filters[i % filters.length]);
    ask(i);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(1).padStart(7);
  console.log(`${question.padEnd(16)} p50 ${at(0.5)}   p95 ${at(0.95)}`);
}
