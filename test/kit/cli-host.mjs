/**
 * Runs commands of dist-node/cli.js in one process, one after the other, each through its entry. Starting Node and
 * compiling is most of what a short command costs. `callCli` of run-cli.ts sends them.
 */
import { syncBuiltinESMExports } from "node:module";
import { pathToFileURL } from "node:url";
import v8 from "node:v8";

// Before its end a command collects garbage (src/node/settle.ts), which is a third of what a short one costs. This
// process goes on, and `settle` finds nothing to call.
const { setFlagsFromString } = v8;
v8.setFlagsFromString = (flag) => flag === "--expose-gc" || setFlagsFromString(flag);
syncBuiltinESMExports();

const [node = "", , cli = ""] = process.argv;
const entry = pathToFileURL(cli);

process.on("message", async ({ args, cwd, mark }) => {
  process.chdir(cwd);
  process.argv = [node, cli, ...args];
  process.exitCode = 0;
  // By a new address the entry's body runs again, and what it imports is there already.
  entry.search = mark;
  await import(entry.href);
  process.stderr.write(mark);
  process.stdout.write(mark, () => process.send?.(process.exitCode));
});
process.on("disconnect", () => process.exit());
