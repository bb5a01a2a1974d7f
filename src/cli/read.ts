/** Inputs named on the command line, into a core. */
import { readFile } from "node:fs/promises";
import { PROFILES } from "../core/catalogue.ts";
import { Core } from "../core/core.ts";
import type { ProfileSummary } from "../core/types.ts";
import { readInputs } from "../source/open.ts";
import { UsageError } from "./exit.ts";
import { type OpenInput, openInput } from "./node-source.ts";

async function newCore(): Promise<Core> {
  // Beside the built file, see vite.node.config.ts.
  const bytes = await readFile(new URL("./core.wasm", import.meta.url));
  return Core.instantiate(await WebAssembly.compile(bytes));
}

/** A core with the inputs in it, and how many of them could be read at all. */
export async function readPaths(paths: string[]): Promise<{ core: Core; readable: number }> {
  const core = await newCore();
  let readable = 0;
  for (const path of paths) {
    let input: OpenInput;
    try {
      input = await openInput(path);
    } catch (error) {
      core.beginFile(path, 0);
      const reason = error instanceof Error ? error.message : String(error);
      core.note({
        code: "source.unreadable",
        severity: "error",
        message: `the file cannot be read: ${reason}`,
        file: path,
        chunk: null,
        offset: null,
      });
      continue;
    }
    try {
      readable += (await readInputs(core, [input])).readable;
    } finally {
      await input.close();
    }
  }
  return { core, readable };
}

/** The profile of this type; null when the inputs have none of it. A type that nobody knows is wrong usage. */
export function profileOf(core: Core, type: string | undefined): ProfileSummary | null {
  const profiles = core.profiles();
  if (type === undefined) {
    const has = profiles.length === 0 ? "" : `; the recording has ${profiles.map((p) => p.type).join(", ")}`;
    throw new UsageError(`--type is missing${has}`);
  }
  const found = profiles.find((profile) => profile.type === type);
  if (found !== undefined) return found;
  if (PROFILES.some((profile) => profile.type === type)) return null;
  throw new UsageError(`--type: there is no profile type ${JSON.stringify(type)}`);
}
