/** For tests of the command line: builds dist-node/ where it is missing or old, and runs it. */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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

/** Node parses these certificates each time it starts, and no test asks a host that needs them. */
const NO_CERTIFICATES = { NODE_EXTRA_CA_CERTS: "" };

const KILLER = new URL("kill-at.mjs", import.meta.url).href;

/** With `SPANFLAME_KILL_AT=N` in `env` the process is killed at its Nth step on the disk (kill-at.mjs). */
export function startCli(args: string[], cwd = ROOT, env: Record<string, string> = {}): ChildProcess {
  const killer = env.SPANFLAME_KILL_AT === undefined ? [] : ["--import", KILLER];
  return spawn(process.execPath, [...killer, CLI, ...args], {
    cwd,
    env: { ...process.env, ...NO_CERTIFICATES, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

interface RunOptions {
  input?: Uint8Array;
  cwd?: string;
  env?: Record<string, string>;
}

/** Runs the command line as a process of its own to its end. */
export function runCli(args: string[], options: RunOptions = {}): Promise<Ended> {
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

const HOST = fileURLToPath(new URL("cli-host.mjs", import.meta.url));

/** A process that runs commands, and what the latest of them has printed. */
interface Host {
  child: ChildProcess;
  printed: Record<"stdout" | "stderr", Buffer>;
  /** Looks whether the command has ended; its exit code is null until the process tells it. */
  look(code: number | null): void;
}

function startHost(): Host {
  const child = fork(HOST, [CLI], {
    env: { ...process.env, ...NO_CERTIFICATES },
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const nothing = Buffer.alloc(0);
  const host: Host = { child, printed: { stdout: nothing, stderr: nothing }, look: () => {} };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]?.on("data", (part: Buffer) => {
      host.printed[stream] = Buffer.concat([host.printed[stream], part]);
      host.look(null);
    });
  }
  child.on("message", (code: number) => host.look(code));
  return host;
}

let host: Host | null = null;
let calls = 0;
let latest: Promise<unknown> = Promise.resolve();

/**
 * What `runCli` gives, from a process that runs one command after the other (cli-host.mjs). With an input or an
 * environment it is a process of its own. Not for commands that do not end by themselves.
 */
export function callCli(args: string[], options: RunOptions = {}): Promise<Ended> {
  const { input, cwd = ROOT, env } = options;
  if (input !== undefined || env !== undefined) return runCli(args, options);
  const ended = latest.then(() => callHost(args, cwd));
  latest = ended.catch(() => {});
  return ended;
}

function callHost(args: string[], cwd: string): Promise<Ended> {
  host ??= startHost();
  const asked = host;
  const { child, printed } = asked;
  const mark = `end-of-call-${++calls}`;
  const isMarked = (all: Buffer) => all.subarray(-mark.length).toString() === mark;
  return new Promise((resolve, reject) => {
    let exit: number | null = null;
    const end = () => {
      const own = (all: Buffer) => (isMarked(all) ? all.subarray(0, -mark.length) : all);
      const [out, err] = [own(printed.stdout), own(printed.stderr)];
      printed.stdout = printed.stderr = Buffer.alloc(0);
      child.off("close", died).off("error", reject);
      resolve({ code: exit, out, err: err.toString() });
    };
    // A fault that nothing caught ends the process.
    const died = (code: number | null) => {
      host = null;
      exit = code;
      end();
    };
    asked.look = (code) => {
      exit ??= code;
      if (exit !== null && Object.values(printed).every(isMarked)) end();
    };
    child.once("close", died).once("error", reject);
    child.send({ args, cwd, mark });
  });
}

/** The JSON that a command prints, whose exit code must be 0. */
export async function askCli<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await callCli([...args, "--json"]);
  if (code !== 0) throw new Error(`exit ${code}: ${err}`);
  return JSON.parse(out.toString()) as T;
}
