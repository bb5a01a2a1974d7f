/** For tests of the command line as a process: builds dist-node/ where it is missing or old, and runs it. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const CLI = join(ROOT, "dist-node", "cli.js");
const LOCK = join(ROOT, ".cache", "cli-build.lock");

/** The same sources and the same step as in scripts/start.mjs. */
const BUILD = `
  import { isStale } from "./scripts/stale.mjs";
  import { runTool } from "./scripts/run.mjs";
  const sources = ["src", "build/core.wasm", "vite.node.config.ts", "scripts/report-page.mjs", "scripts/third-party.ts", "package-lock.json"];
  if (isStale(["dist-node/cli.js"], sources)) {
    const { code } = await runTool("vite", ["build", "--config", "vite.node.config.ts", "--logLevel", "warn"]);
    process.exitCode = code;
  }
`;

/** One test file builds, the others wait: a build empties the folder first. */
export async function buildCli(): Promise<void> {
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  for (;;) {
    try {
      mkdirSync(LOCK);
      break;
    } catch {
      const since = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      // Left behind by a run that was killed.
      if (Date.now() - since > 60_000) rmSync(LOCK, { recursive: true, force: true });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  try {
    execFileSync(process.execPath, ["--input-type=module", "-e", BUILD], { cwd: ROOT, stdio: "pipe" });
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

export interface Ended {
  code: number | null;
  out: Buffer;
  err: string;
}

export function startCli(args: string[], cwd = ROOT): ChildProcess {
  return spawn(process.execPath, [CLI, ...args], { cwd, stdio: ["pipe", "pipe", "pipe"] });
}

/** Runs the command line to its end. */
export function runCli(args: string[], options: { input?: Uint8Array; cwd?: string } = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = startCli(args, options.cwd);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on("data", (part: Buffer) => out.push(part));
    child.stderr?.on("data", (part: Buffer) => err.push(part));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out: Buffer.concat(out), err: Buffer.concat(err).toString() }));
    child.stdin?.on("error", () => {});
    child.stdin?.end(options.input ?? "");
  });
}

/** The JSON that a command prints, whose exit code must be 0. */
export async function askCli<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await runCli([...args, "--json"]);
  if (code !== 0) throw new Error(`exit ${code}: ${err}`);
  return JSON.parse(out.toString()) as T;
}
