#!/usr/bin/env node
/**
 * node bench/symbols.mjs FILE [ADDRESSES] [ROUNDS]: names of random addresses (200) of a library or debug file, as
 * whole processes: `spanflame symbolize` in turns with llvm-symbolizer and addr2line, where they are installed. Prints
 * medians of wall time, processor time and peak memory, and their ratio to Spanflame's. Needs GNU time.
 *
 * The addresses are the same for the same file: in executable segments, by a fixed sequence.
 */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { median } from "./load.mjs";

const CLI = fileURLToPath(new URL("../dist-node/cli.js", import.meta.url));
const TIME = "/usr/bin/time";
const [FILE, count = "200", rounds = "5"] = process.argv.slice(2);
const LOAD = 1;
const EXECUTABLE = 1;

/** Executable segments of a 64-bit ELF file: start and size in memory. */
function codeOf(path) {
  const fd = openSync(path, "r");
  try {
    const bytes = (at, size) => {
      const buffer = Buffer.alloc(size);
      readSync(fd, buffer, 0, size, at);
      return buffer;
    };
    const head = bytes(0, 64);
    const size = head.readUInt16LE(54);
    const table = bytes(Number(head.readBigUInt64LE(32)), size * head.readUInt16LE(56));
    return Array.from({ length: table.length / size }, (_, i) => table.subarray(i * size, (i + 1) * size))
      .filter((row) => row.readUInt32LE(0) === LOAD && (row.readUInt32LE(4) & EXECUTABLE) !== 0)
      .map((row) => ({ start: row.readBigUInt64LE(16), size: Number(row.readBigUInt64LE(40)) }));
  } finally {
    closeSync(fd);
  }
}

function addressesOf(path) {
  const segments = codeOf(path);
  const total = segments.reduce((sum, { size }) => sum + size, 0);
  let state = 1;
  return Array.from({ length: Number(count) }, () => {
    state = (state * 48_271) % 0x7fff_ffff;
    let at = Math.floor((state / 0x7fff_ffff) * total);
    let i = 0;
    for (; at >= segments[i].size; i++) at -= segments[i].size;
    return `0x${(segments[i].start + BigInt(at)).toString(16)}`;
  });
}

const TOOLS = [
  { name: "Spanflame", line: [process.execPath, CLI, "symbolize", "--symbols", FILE, "--json", "-"] },
  { name: "llvm-symbolizer", line: ["llvm-symbolizer", `--obj=${FILE}`, "--output-style=JSON", "--inlines"] },
  { name: "addr2line", line: ["addr2line", "-f", "-i", "-C", "-e", FILE] },
];

/** Null if the tool is not installed. */
function run({ line }, input) {
  const { stdout, stderr, status } = spawnSync(TIME, ["-f", "\n%e %U %S %M", ...line], { input, maxBuffer: 1 << 28 });
  if (status === 127) return null;
  if (status !== 0) throw new Error(`${line[0]} ended with ${status}: ${stderr}`);
  const [wall, user, system, peak] = stderr.toString().trim().split("\n").at(-1).split(" ").map(Number);
  return { wall, cpu: user + system, peak: peak / 1024, bytes: stdout.length };
}

if (FILE === undefined) throw new Error("usage: node bench/symbols.mjs FILE [ADDRESSES] [ROUNDS]");
const input = addressesOf(FILE).join("\n");
const results = TOOLS.map(() => []);
for (let round = 0; round < Number(rounds); round++)
  for (let i = 0; i < TOOLS.length; i++) {
    const which = (i + round) % TOOLS.length;
    const result = run(TOOLS[which], input);
    if (result !== null) results[which].push(result);
  }
console.log(`${count} addresses of a file of ${(statSync(FILE).size / 1e6).toFixed(0)} MB, ${rounds} rounds`);
const middle = (i, what) => median(results[i].map((result) => result[what]));
for (const [i, { name }] of TOOLS.entries()) {
  if (results[i].length === 0) {
    console.log(`  ${name}: not installed, skipped`);
    continue;
  }
  const ratio = (what) => `${middle(i, what).toFixed(2)} (${(middle(i, what) / middle(0, what)).toFixed(2)})`;
  console.log(`  ${name}: ${ratio("wall")} s, processor ${ratio("cpu")} s, peak ${ratio("peak")} MiB`);
}
console.log(`load average ${loadavg()[0].toFixed(1)}, Node ${process.version}`);
