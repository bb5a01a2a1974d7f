/** Times in which a JVM made no progress, of dumps and of recordings. */
import type { Core } from "../core/core.ts";
import type { Pause } from "./api/api.ts";
import { marksOf } from "./traces/sample-facts.ts";

const NANOS = 1_000_000;

/** How long a JVM made no progress: time in which pauses of several files, or phases of one, overlap counts once. */
export function pausedIn(pauses: readonly Pick<Pause, "startUnixNano" | "durationNano">[]) {
  const sorted = [...pauses].sort((a, b) => (a.startUnixNano < b.startUnixNano ? -1 : 1));
  let [count, nanos, longest, latest] = [0, 0n, 0n, 0n];
  for (const { startUnixNano: start, durationNano } of sorted) {
    const end = start + durationNano;
    if (durationNano > longest) longest = durationNano;
    if (count === 0 || start >= latest) count++;
    if (end > latest) nanos += end - (start > latest ? start : latest);
    if (end > latest) latest = end;
  }
  return { count, nanos, longest };
}

/** The longest is first. */
export async function pausesOf(core: Core, hasDumps: boolean): Promise<Pause[]> {
  const all = [...(hasDumps ? await pausesOfRuns(core) : []), ...pausesOfRecordings(core)];
  return all.sort((a, b) => Number(b.durationNano - a.durationNano) || Number(a.startUnixNano - b.startUnixNano));
}

async function pausesOfRuns(core: Core): Promise<Pause[]> {
  const dumps = await core.dumps();
  return dumps.runs.flatMap(({ label }, run) => {
    const { from, to } = dumps.pausesWithin(run, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
    return Array.from(from, (start, i) => ({
      startUnixNano: BigInt(start) * BigInt(NANOS),
      durationNano: BigInt(to[i]! - start) * BigInt(NANOS),
      source: label,
      cause: "",
    }));
  });
}

export function pausesOfRecordings(core: Core): Pause[] {
  const { start, pauses, files, texts } = marksOf(core);
  return Array.from(pauses.at, (at, i) => ({
    startUnixNano: start + BigInt(at),
    durationNano: BigInt(pauses.nanos[i]!),
    source: files[pauses.file[i]!] ?? "",
    cause: texts[pauses.text[i]!] ?? "",
  }));
}
