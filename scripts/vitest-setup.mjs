/** Vitest's global setup: builds the core, so that tests run against its current sources. */
import { buildCore } from "./build-core.mjs";

export async function setup() {
  await buildCore();
}
