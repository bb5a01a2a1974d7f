/** For tests of the command line as a process: builds dist-node/ where it is missing or old, and runs it. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { buildOnce, ROOT } from "./build-once.ts";

export { ROOT } from "./build-once.ts";

export const CLI = join(ROOT, "dist-node", "cli.js");

/** Once for all test files that run at a time: a build empties the folder first. */
export function buildCli(): Promise<void> {
  return buildOnce("command line");
}

export interface Ended {
  code: number | null;
  out: Buffer;
  err: string;
}

export function startCli(args: string[], cwd = ROOT, env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** Runs the command line to its end. */
export function runCli(
  args: string[],
  options: { input?: Uint8Array; cwd?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = startCli(args, options.cwd, options.env);
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
