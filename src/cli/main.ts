#!/usr/bin/env node
/** Entry of the command line: refuses an old Node before anything is imported that it does not know. */
import { oldNode } from "../../scripts/node-version.mjs";

const refusal = oldNode(process.versions.node);
if (refusal === null) {
  const { main } = await import("./run.ts");
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write(`${refusal}\n`);
  process.exitCode = 1;
}
