/** Comparison of modification times, as in make: decides whether an output must be built again. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Newest modification time under `path` in ms; folders count too, so that a deleted file is noticed. 0 when absent. */
export function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return readdirSync(path).reduce((time, name) => Math.max(time, newest(join(path, name))), stats.mtimeMs);
}

/** True when an output (a file) is missing or older than the newest of the sources (files or folders). */
export function isStale(outputs, sources) {
  const times = outputs.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.min(...times) < Math.max(...sources.map(newest), 1);
}
