/** Builds for tests that use them as a user does. Test files run at the same time: one builds, the others wait. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isBuildStale } from "../../scripts/builds.mjs";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LOCK = join(ROOT, ".cache", "build.lock");
/** An older lock is from a run that was killed. */
const LONGEST_MS = 120_000;

/** Makes those of the builds of scripts/builds.mjs that are missing or old. The core is built before all tests. */
export async function buildOnce(...names: string[]): Promise<void> {
  // A build that goes on has written a part of its files.
  if (!names.some(isBuildStale) && !existsSync(LOCK)) return;
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  for (;;) {
    try {
      mkdirSync(LOCK);
      break;
    } catch {
      const since = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - since > LONGEST_MS) rmSync(LOCK, { recursive: true, force: true });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  try {
    execFileSync(process.execPath, [join(ROOT, "scripts", "builds.mjs"), ...names], { cwd: ROOT, stdio: "pipe" });
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}
