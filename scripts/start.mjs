#!/usr/bin/env node
/**
 * `npm start`: builds outputs that are missing or older than their sources, then serves the viewer and prints its
 * address. Arguments go to the CLI (`npm start -- --port 8080 FILE…`); without a recording the page opens the sample.
 */
import { join } from "node:path";
import { endWithParent } from "./end-with-parent.mjs";
import { oldNode } from "./node-version.mjs";

const refusal = oldNode(process.versions.node);
if (refusal !== null) {
  console.error(refusal);
  process.exit(1);
}
// After the check: an old Node stops at imports that it does not know.
const { buildToServe } = await import("./builds.mjs");
const { ROOT, run } = await import("./run.mjs");

/** Options of the CLI that take the next argument. */
const WITH_VALUE = ["--port"];
const given = process.argv.slice(2);
const hasRecording = given.some((arg, i) => !arg.startsWith("-") && !WITH_VALUE.includes(given[i - 1]));

endWithParent();
try {
  await buildToServe();
  const args = ["--no-open", ...(hasRecording ? [] : ["--sample"]), ...given];
  const { code } = await run(process.execPath, [join(ROOT, "dist-server", "cli.js"), ...args]);
  // Ended by a signal, as it is meant to be: no error.
  process.exitCode = code ?? 0;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
