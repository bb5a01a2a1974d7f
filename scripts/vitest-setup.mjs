/** Vitest's global setup: the tests run against the core as its sources are now. */
import { buildCore } from "./build-core.mjs";

export async function setup() {
  await buildCore();
}
