/** Runs Node programs with the built recorder, each in a separate process. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Recording } from "../../../src/library/recording.ts";
import type { Sample } from "../../../src/library/sample-types.ts";
import { ROOT } from "../build-once.ts";
import { openRecording } from "../open-recording.ts";

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export const PRELOADED = ["--import", "spanflame/record"];

/** Runs a program until its end. It is in the repository's folder, so that it finds the package by its name. */
export function run(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    // Where many programs share a processor, V8 takes fewer samples than it is asked for.
    const all = { PATH: process.env.PATH, SPANFLAME_RECORD_HZ: "500", ...env };
    const child = execFile(process.execPath, args, { cwd: ROOT, env: all, maxBuffer: 1 << 26 }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr }),
    );
  });
}

/** A program that imports the recorder. */
export const program = (text: string) => ["--input-type=module", "-e", `${IMPORTS}\n${text}`];
export const IMPORTS = `import * as recorder from "spanflame/record"; const { context, flush, start, stop } = recorder;
import { setTimeout as sleep } from "node:timers/promises";
function burn(ms) { for (const end = performance.now() + ms; performance.now() < end; ) Math.sqrt(end); }`;

export async function opened(path: string): Promise<Recording> {
  return openRecording({ name: basename(path), data: await readFile(path) });
}

export const within = (recording: Recording, name: string): Sample[] =>
  [...recording.select("cpu").samples()].filter(({ stack }) => stack.frames.some((frame) => frame.function === name));
