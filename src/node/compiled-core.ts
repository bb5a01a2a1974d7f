/** The core of the command line, compiled for the inputs of a command. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { hasMagic } from "../input/chunk-header.ts";

/**
 * Bytes of recordings that are read before optimized code pays. The optimizing compiler takes a fifth of the processor
 * time of such a command and 5 MiB (docs/notes/performance.md).
 */
const BRIEF = 2 ** 22;
/** V8 prints an error for a flag that it does not know, so this is for versions that are tested. */
const TESTED = new Set(["20", "22", "24"]);
const MAGIC_BYTES = 4;

/** Flags that V8 reads when it compiles a function, at its first call; and the ones that it has otherwise. */
const SIMPLE = ["--liftoff-only"];
const USUAL = ["--no-liftoff-only", "--wasm-tier-up", "--wasm-dynamic-tiering"];

/** The compiled core, which threads can share. */
export async function compiledCore(): Promise<WebAssembly.Module> {
  // Written by scripts/vite.package.config.ts.
  return WebAssembly.compile(await readFile(new URL("../dist-lib/core.wasm", import.meta.url)));
}

let isSimple = false;

/** Whether functions of WebAssembly that are called first from now on stay as they are first compiled. */
export function compileSimply(wanted: boolean): void {
  const [major = ""] = process.versions.node.split(".");
  if (wanted === isSimple || !TESTED.has(major)) return;
  isSimple = wanted;
  for (const flag of wanted ? SIMPLE : USUAL) setFlagsFromString(flag);
}

/** Whether the inputs are recordings that are not compressed and small together. */
export function areBrief(paths: readonly string[]): boolean {
  let bytes = 0;
  for (const path of paths) {
    const size = recordingBytes(path);
    if (size === null) return false;
    bytes += size;
  }
  return bytes < BRIEF;
}

/** Size of a file that begins as a recording; null for all else. */
function recordingBytes(path: string): number | null {
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size >= BRIEF) return null;
    const file = openSync(path, "r");
    try {
      const head = new Uint8Array(MAGIC_BYTES);
      return readSync(file, head) === MAGIC_BYTES && hasMagic(head) ? found.size : null;
    } finally {
      closeSync(file);
    }
  } catch {
    // Opening it says why.
    return null;
  }
}
