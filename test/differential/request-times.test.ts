/**
 * What the Overview states of a request, against the clocks of its threads (NAME.expected.json): its CPU time is in the
 * interval, and its duration, or the bound of it, is right. A 95 % interval misses one request of twenty by chance, and
 * profilers lose samples, so 90 % of all requests are asked for.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isLeast } from "../../src/model/trace/operation-words.ts";
import { openRecording } from "../kit/open-recording.ts";
import type { WorkloadTruth } from "./workload/truth.ts";

const FOLDERS = ["../../fixtures/recorded/", "../../../shared/recordings/made/"].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);
const SHARE = 0.9;
/** A clock reads its span a little after the tracer does: milliseconds, or a share. */
const SLACK = 1;
const SLACK_SHARE = 0.02;

interface Stated {
  cpu: number;
  low: number;
  high: number;
  wall: number;
  duration: number;
  least: boolean;
}

function* pathsIn(folder: string): Iterable<string> {
  for (const file of existsSync(folder) ? readdirSync(folder) : [])
    if (file.endsWith(".expected.json")) yield join(folder, file.replace(".expected.json", ""));
}

/** All requests of a recording that has their ids, in milliseconds. */
async function requestsOf(path: string): Promise<Stated[]> {
  const { spans = [] }: Partial<WorkloadTruth> = JSON.parse(readFileSync(`${path}.expected.json`, "utf8"));
  if (spans.length === 0) return [];
  const recording = await openRecording({ name: path, data: readFileSync(`${path}.jfr`) }, { infer: true });
  const profile = recording.profiles.find(({ type }) => type === "wall") ?? recording.profiles[0]!;
  const roots = spans.filter(({ spanId, localRootSpanId }) => spanId === localRootSpanId);
  const stated = [];
  for (const { spanId, wallMs } of roots) {
    const time = await recording.timeOf(recording.select(profile.id, { localRoot: BigInt(spanId) }));
    if (time === null) continue;
    const cpu = spans.reduce((sum, span) => sum + (span.localRootSpanId === spanId ? span.selfCpuMs : 0), 0);
    const { low = 0n, high = 0n } = time.breakdown.find(({ part }) => part === "cpu") ?? {};
    stated.push({
      cpu,
      low: Number(low) / 1e6,
      high: Number(high) / 1e6,
      wall: wallMs,
      duration: Number(time.duration) / 1e6,
      least: isLeast(time.source),
    });
  }
  return stated;
}

const holdsCpu = ({ cpu, low, high }: Stated) => cpu >= low - SLACK && cpu <= high + SLACK;
function holdsDuration({ wall, duration, least }: Stated): boolean {
  const slack = SLACK + SLACK_SHARE * wall;
  return wall >= duration - slack && (least || wall <= duration + slack);
}
const shareOf = (all: Stated[], holds: (request: Stated) => boolean) => all.filter(holds).length / all.length;

describe.each(FOLDERS.filter(existsSync).map((folder) => [folder.split("/").slice(-3, -1).join("/"), folder]))(
  "the requests of %s",
  async (_, folder) => {
    const all = (await Promise.all([...pathsIn(folder)].map(requestsOf))).flat();

    it("are many", () => {
      expect(all.length).toBeGreaterThan(100);
    });

    it("have their CPU time in the interval of the Overview", () => {
      expect(shareOf(all, holdsCpu)).toBeGreaterThanOrEqual(SHARE);
    });

    it("have the duration that it states, or a longer one where it states a bound", () => {
      expect(shareOf(all, holdsDuration)).toBeGreaterThanOrEqual(SHARE);
    });

    it("would not hold with CPU times of half, or intervals of a quarter", () => {
      const half = all.map((request) => ({ ...request, low: request.low / 2, high: request.high / 2 }));
      expect(shareOf(half, holdsCpu)).toBeLessThan(SHARE);
      const narrow = all.map(({ low, high, ...rest }) => {
        const middle = (low + high) / 2;
        return { ...rest, low: middle - (middle - low) / 4, high: middle + (high - middle) / 4 };
      });
      expect(shareOf(narrow, holdsCpu)).toBeLessThan(SHARE);
    });
  },
);
