/**
 * The same comparison for recordings whose samples have no span (JDK, async-profiler): the class in which a stack
 * begins identifies the operation.
 */
import { chanceOf } from "./chance.ts";
import { classesOf, classOf } from "./identity.ts";
import type { Observation } from "./observation.ts";
import { RARE, slackOf } from "./shares.ts";
import { type Clock, HOUSEKEEPING, type WorkloadTruth } from "./truth.ts";

/** Profiles by the first part of their name: `cpu:jdk.ExecutionSample` is held to what `cpu` is. */
export const STACK_CLOCKS: Record<string, Clock> = {
  cpu: "selfCpuMs",
  "cpu-time": "selfCpuMs",
  wall: "selfWallMs",
};

/** Operations that share a class cannot be distinguished by it: they are one row, with all their classes. */
interface Row {
  operations: string[];
  classes: Set<string>;
}

function rowsOf(truth: WorkloadTruth): Row[] {
  let rows: Row[] = [];
  for (const [operation, classes] of Object.entries(classesOf(truth))) {
    const touched = rows.filter((row) => classes.some((name) => row.classes.has(name)));
    rows = rows.filter((row) => !touched.includes(row));
    rows.push({
      operations: [operation, ...touched.flatMap((row) => row.operations)],
      classes: new Set([...classes, ...touched.flatMap((row) => [...row.classes])]),
    });
  }
  return rows;
}

export function stackShareFaults(seen: Observation[], truth: WorkloadTruth, profile: string): string[] {
  const clock = STACK_CLOCKS[profile.split(":")[0] ?? ""] ?? "selfCpuMs";
  const threads = new Set([HOUSEKEEPING, ...truth.spans.map(({ thread }) => thread)]);
  const rows = rowsOf(truth).map((row) => ({ ...row, cost: costOf(row, truth, clock), value: 0 }));
  let samples = 0;
  for (const o of seen) {
    if (o.profile !== profile || !threads.has(o.thread)) continue;
    const found = classOf(o.frames);
    const row = rows.find(({ classes }) => found !== null && classes.has(found));
    if (row === undefined || row.cost === 0) continue;
    row.value += o.value;
    samples += o.samples;
  }
  const value = rows.reduce((sum, row) => sum + row.value, 0);
  const cost = rows.reduce((sum, row) => sum + row.cost, 0);
  if (samples === 0) return [`${profile}: no stack holds code of the workload`];
  // The value may be nanoseconds or weighted samples, but chance depends on the number of observations.
  const each = value / samples;
  return rows.flatMap((row) => {
    const share = row.cost / cost;
    const count = Math.round(row.value / each);
    if (row.cost === 0 || chanceOf(count, samples, share, slackOf(share)) > RARE) return [];
    const name = row.operations.join(", ");
    return [`${profile}: ${name} has ${count} of ${samples}, by the clock ${(100 * share).toFixed(1)} %`];
  });
}

/** 0 if it is unknown: how long the housekeeping slept. */
function costOf({ operations }: Row, truth: WorkloadTruth, clock: Clock): number {
  const own = truth.spans.reduce((sum, span) => sum + (operations.includes(span.operation) ? span[clock] : 0), 0);
  if (!operations.includes("")) return own;
  return clock === "selfCpuMs" ? own + truth.housekeepingCpuMsWithoutSpan : 0;
}
