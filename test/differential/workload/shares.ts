/** Comparison of samples with clocks: shares of operations in CPU time, time and allocation. */
import { chanceOf, sigmasOfChi2 } from "./chance.ts";
import { type Observation, tally } from "./observation.ts";
import { type Clock, HOUSEKEEPING, operationOf, type SpanTruth, type WorkloadTruth } from "./truth.ts";

/**
 * A count rarer than this is a fault: about 4.4 sigma. One recording has some 60 cells that matter, so an honest one
 * fails once in two thousand.
 */
export const RARE = 1e-5;
const RARE_SIGMAS = 4.4;
/**
 * Profilers are not quite fair: signals arrive late, a stack that cannot be walked loses its sample, the clocks count
 * the tracer's own work. A point, and of small shares a quarter, is let pass before chance is asked.
 */
export const slackOf = (share: number) => Math.min(0.01, share / 4);
/** Cells that should hold less than this make chi² wild; each is still held alone. */
const FEWEST = 3;

export const CLOCKS: Record<string, Clock> = {
  cpu: "selfCpuMs",
  wall: "selfWallMs",
  "alloc-samples": "selfAllocBytes",
};

/** Groupings of the samples with a span; each contains all of them. */
const GROUPINGS: Record<string, (span: SpanTruth) => string> = {
  operation: operationOf,
  route: ({ attributes }) => attributes["http.route"] ?? "(none)",
  tenant: ({ attributes }) => attributes.tenant ?? "(none)",
  thread: ({ thread }) => thread,
  root: ({ localRootSpanId }) => localRootSpanId,
};

/** CPU and wall samples against the clocks, as shares: how often a profiler really samples is its own affair. */
export function shareFaults(seen: Observation[], truth: WorkloadTruth, profile: string): string[] {
  const clock = CLOCKS[profile] ?? "selfCpuMs";
  const spans = new Map(truth.spans.map((span) => [span.spanId, span]));
  const linked = seen.filter((o) => o.profile === profile && spans.has(o.span));
  const n = linked.reduce((sum, { value }) => sum + value, 0);
  const faults: string[] = [];
  for (const [grouping, keyOf] of Object.entries(GROUPINGS)) {
    const wanted = costs(truth.spans, clock, keyOf);
    const total = [...wanted.values()].reduce((a, b) => a + b, 0);
    const found = tally(linked, (o) => keyOf(spans.get(o.span) as SpanTruth));
    let chi2 = 0;
    let cells = 0;
    for (const [key, cost] of wanted) {
      const count = found.get(key)?.value ?? 0;
      const share = cost / total;
      if (n * share >= FEWEST) {
        chi2 += (count - n * share) ** 2 / (n * share);
        cells++;
      }
      if (chanceOf(count, n, share, slackOf(share)) > RARE) continue;
      faults.push(`${profile}: ${grouping} ${key} has ${count} of ${n}, by the clock ${percent(share)}`);
    }
    // One cell may be off by little and all of them together by too much.
    if (cells > 1 && sigmasOfChi2(chi2, cells - 1) > RARE_SIGMAS) {
      faults.push(
        `${profile}: by ${grouping} the samples lie apart from the clocks, chi² ${chi2.toFixed(0)} of ${cells}`,
      );
    }
  }
  return faults;
}

function costs(spans: SpanTruth[], clock: Clock, keyOf: (span: SpanTruth) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const span of spans) sums.set(keyOf(span), (sums.get(keyOf(span)) ?? 0) + span[clock]);
  return sums;
}

/**
 * Samples × period against the clocks. It is never more than the clocks measured. It is less, because timers coalesce
 * and signals get lost: our profilers found 44 % (2 ms requested of a 4 ms tick) to 91 %. Less than a quarter is a
 * fault.
 */
export function amountFaults(
  seen: Observation[],
  truth: WorkloadTruth,
  profile: string,
  periodNanos: bigint,
): string[] {
  if (periodNanos === 0n) return [`${profile}: no period`];
  const clock = CLOCKS[profile] ?? "selfCpuMs";
  const spent = truth.spans.reduce((sum, span) => sum + span[clock], 0);
  const count = seen.reduce((sum, o) => sum + (o.profile === profile && o.span !== "0" ? o.value : 0), 0);
  const most = spent / (Number(periodNanos) / 1e6);
  if (count >= most / 4 && count <= most + RARE_SIGMAS * Math.sqrt(most)) return [];
  return [`${profile}: ${count} samples with a span, the clocks have time for ${most.toFixed(0)}`];
}

/** The housekeeping thread burns CPU outside of every span: its samples, against those that have one. */
export function housekeepingFaults(seen: Observation[], truth: WorkloadTruth): string[] {
  const cpu = seen.filter(({ profile }) => profile === "cpu");
  const count = (which: (o: Observation) => boolean) => cpu.reduce((sum, o) => sum + (which(o) ? o.value : 0), 0);
  const own = count(({ thread, span }) => thread === HOUSEKEEPING && span === "0");
  const inSpans = count(({ span }) => span !== "0");
  const spent = truth.spans.reduce((sum, { selfCpuMs }) => sum + selfCpuMs, 0);
  const share = truth.housekeepingCpuMsWithoutSpan / (truth.housekeepingCpuMsWithoutSpan + spent);
  const faults: string[] = [];
  if (chanceOf(own, own + inSpans, share, slackOf(share)) <= RARE) {
    faults.push(`cpu: ${own} of ${own + inSpans} samples are ${HOUSEKEEPING}'s, by the clock ${percent(share)}`);
  }
  // The threads of the spans are outside of one only for moments between two, one sample in a hundred. Under the agent
  // it is up to one in ten: before its first span a thread loads the tracer's classes.
  const workers = new Set(truth.spans.map(({ thread }) => thread));
  const bare = count(({ thread, span }) => workers.has(thread) && span === "0");
  if (bare > Math.max(3, 0.2 * inSpans)) faults.push(`cpu: ${bare} samples of the workers have no span`);
  return faults;
}

/**
 * Allocation is compared in bytes, not in shares, because size × weight represents all of it. A profiler that takes
 * one sample every `step` bytes at random finds bytes/step ± √(bytes/step) of them: five sigma are allowed. Three more
 * steps are allowed, because the first objects of a thread are sampled early and tracers allocate between our two
 * readings of the counter (up to three samples in operations that allocate a fifth of a step).
 */
export function allocationFaults(seen: Observation[], truth: WorkloadTruth): string[] {
  const spans = new Map(truth.spans.map((span) => [span.spanId, span]));
  const linked = seen.filter((o) => o.profile === "alloc-samples" && spans.has(o.span));
  const all = tally(linked, () => "all operations").get("all operations");
  if (all === undefined) return ["alloc-samples: none has a span"];
  const step = all.value / all.samples;
  const faults: string[] = [];
  for (const keyOf of [operationOf, () => "all operations"]) {
    const found = tally(linked, (o) => keyOf(spans.get(o.span) as SpanTruth));
    for (const [key, bytes] of costs(truth.spans, "selfAllocBytes", keyOf)) {
      const estimate = found.get(key)?.value ?? 0;
      if (Math.abs(estimate - bytes) <= 5 * Math.sqrt(bytes * step) + 3 * step) continue;
      faults.push(`alloc-samples: ${key}: ${estimate} bytes by size × weight, ${bytes} by the counters`);
    }
  }
  return faults;
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
