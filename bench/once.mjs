#!/usr/bin/env node
/** node bench/once.mjs [IN OUT [- OPTIONS…]]: one conversion from file to file; prints its CPU and peak memory. */
import { spawnSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const [input, output, child, ...options] = process.argv.slice(2);
if (child !== "child" && input !== undefined) {
  // In a separate process, so that the figures are of the conversion only.
  const own = fileURLToPath(import.meta.url);
  const { stdout, status } = spawnSync(process.execPath, [own, input, output, "child", ...options], {
    encoding: "utf8",
  });
  process.stdout.write(stdout);
  process.exitCode = status ?? 1;
} else {
  if (input !== undefined) {
    process.argv = [process.argv[0], "cli.js", "convert", input, "-o", output, ...options];
    await import("../dist-node/cli.js");
    await rm(output, { force: true });
  }
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  console.log(JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1e3, peakMiB: maxRSS / 1024 }));
}
