/** Recordings opened through the library's interface, with the core of the build. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { OpenInput } from "../../src/library/inputs.ts";
import { openWith } from "../../src/library/open.ts";
import type { OpenOptions } from "../../src/library/options.ts";
import type { Recording } from "../../src/library/recording.ts";

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

let compiled: Promise<WebAssembly.Module> | null = null;

/** The core of the build, compiled once. */
export function loadCore(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compile(readFileSync(path("build/core.wasm")));
  return compiled;
}

/** A file of the repository as an input. */
export function fileInput(name: string): { name: string; data: Uint8Array } {
  return { name, data: readFileSync(path(name)) };
}

export function openRecording(input: OpenInput | readonly OpenInput[], options?: OpenOptions): Promise<Recording> {
  return openWith(loadCore, input, options);
}
