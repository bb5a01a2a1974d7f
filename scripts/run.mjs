/** Child processes of the scripts: their output is passed through, and they end with their parent. */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The repository's root, where every script works. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const TOOLS = {
  biome: "@biomejs/biome/bin/biome",
  playwright: "@playwright/test/cli.js",
  tsc: "typescript/bin/tsc",
  vite: "vite/bin/vite.js",
  vitest: "vitest/vitest.mjs",
};

/** Runs an installed tool by its file: no shell, no npx, the same on every platform. */
export function runTool(name, args, options) {
  return run(process.execPath, [join(ROOT, "node_modules", TOOLS[name]), ...args], options);
}

/**
 * Runs a command in the root to its end; never rejects. `code` is null when it could not start, was ended by a signal
 * or ran out of time; `output` is its output if `stdio` pipes it. With `said`, its lines are given to that one by one.
 */
export function run(
  command,
  args,
  { timeoutMs, env, said, stdio = said ? ["inherit", "pipe", "pipe"] : "inherit" } = {},
) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio, cwd: ROOT, env: { ...process.env, ...env } });
    const result = { code: null, timedOut: false, output: "" };
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (part) => {
        result.output += part;
      });
      if (said && stream) createInterface({ input: stream }).on("line", said);
    }
    const forward = (signal) => child.kill(signal);
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, forward);
    const kill = () => {
      result.timedOut = true;
      child.kill("SIGKILL");
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(kill, timeoutMs);
    const done = (more) => {
      clearTimeout(timer);
      for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, forward);
      resolve({ ...result, ...more });
    };
    child.on("error", (error) => done({ output: error.message }));
    child.on("close", (code, signal) => done({ code, signal }));
  });
}
