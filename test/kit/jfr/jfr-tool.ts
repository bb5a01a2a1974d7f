/** The JDK's own `jfr` as an independent reader, where the machine has one. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

function runs(tool: string): boolean {
  try {
    execFileSync(tool, ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The path of `jfr`: of the JDK that JAVA_HOME names, else of the one on PATH; or null. */
export function jfrTool(): string | null {
  const home = process.env.JAVA_HOME;
  const folders = [...(home ? [join(home, "bin")] : []), ...(process.env.PATH ?? "").split(delimiter)];
  return folders.map((folder) => join(folder, "jfr")).find(runs) ?? null;
}

/**
 * Calls `look` with the path of each chunk as a separate file, because the tool confuses the types of several chunks in
 * one file. Returns the sum of the chunks' sizes in bytes.
 */
export function eachChunk(bytes: Uint8Array, sizes: number[], look: (path: string, index: number) => void): number {
  const folder = mkdtempSync(join(tmpdir(), "spanflame-jfr-"));
  try {
    let at = 0;
    for (const [index, size] of sizes.entries()) {
      const path = join(folder, `${index}.jfr`);
      writeFileSync(path, bytes.subarray(at, at + size));
      at += size;
      look(path, index);
    }
    return at;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** An event as `jfr print` has it: thread as an object, ids as signed decimal text, everything else as JSON. */
export interface PrintedEvent {
  type: string;
  values: Record<string, unknown> & {
    eventThread: { javaName: string | null; osName: string | null } | null;
    spanId: string;
    localRootSpanId: string;
  };
}

export function printEvents(tool: string, path: string, events: string[]): PrintedEvent[] {
  const text = execFileSync(tool, ["print", "--json", "--stack-depth", "1", "--events", events.join(), path], {
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  // As JSON numbers the ids would lose their lowest bits.
  const exact = text.replace(/^( *"(?:spanId|localRootSpanId)": )(-?\d+)/gm, '$1"$2"');
  return (JSON.parse(exact) as { recording: { events: PrintedEvent[] } }).recording.events;
}

/** `PT1M0.25S`, as the tool prints time spans. */
export function nanosOf(span: string): number {
  const [, minutes = "0", seconds = "0"] = /^PT(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(span) ?? [];
  return Math.round((60 * Number(minutes) + Number(seconds)) * 1e9);
}

export function timeOf(printed: string): bigint {
  const [, seconds = "", fraction = "", zone = ""] = /^([^.Z+]+)(?:\.(\d+))?(.+)$/.exec(printed) ?? [];
  return BigInt(Date.parse(seconds + zone)) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
}

/** Old formats, damaged ones, and pools without an entry: the tool gives up on them. */
export const UNREADABLE = /7u40|invalid|hs_err|allocation_10s|dd-stripped|FastSlow|profiler-lock/;
