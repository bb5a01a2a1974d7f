/**
 * Preloaded into a process of the command line: it kills itself after the Nth step on the disk of a thread, N of
 * SPANFLAME_KILL_AT. Steps are files that are complete, moved or removed.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { env, kill, pid } from "node:process";

const at = Number(env.SPANFLAME_KILL_AT);
let steps = 0;
for (const name of ["fsyncSync", "renameSync", "rmSync"]) {
  const original = fs[name];
  fs[name] = (...given) => {
    const answer = original(...given);
    if (++steps === at) kill(pid, "SIGKILL");
    return answer;
  };
}
syncBuiltinESMExports();
