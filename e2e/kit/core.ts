/** Answers of the core in Node, which the page is compared with. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { Core } from "../../src/core/core.ts";
import type { ExtraEvent, Filter, ProfileSummary } from "../../src/core/types.ts";
import { readInputs } from "../../src/input/open.ts";

const WASM = fileURLToPath(new URL("../../build/core.wasm", import.meta.url));

export async function coreOf(paths: string[], extra: ExtraEvent[] = []): Promise<Core> {
  const core = await Core.instantiate(await WebAssembly.compile(await readFile(WASM)), extra);
  const inputs = await Promise.all(
    paths.map(async (path) => ({ name: path, source: bytesSource(await readFile(path)) })),
  );
  await readInputs(core, inputs);
  return core;
}

export function profileIn(core: Core, type: string): ProfileSummary {
  const profile = core.profiles().find((each) => each.type === type);
  if (profile === undefined) throw new Error(`the core has no profile ${type}`);
  return profile;
}

/** Roots of a profile, heaviest first, by one of its measures. */
export function rootsBy(core: Core, type: string, measure: number, filter: Filter = {}) {
  core.select(profileIn(core, type).id, filter, measure);
  return core.views.rank({ kind: "local-root" }, 0, 1000).rows;
}
