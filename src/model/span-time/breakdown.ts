/**
 * The time of a span for people: the measured parts, and the time that no event covers, divided by child spans and
 * wall samples. Each part has its 95 % interval (Wilson). The parts add up to the time.
 *
 * Wall samples are spread over the time in which the span itself was on a thread, without its children. The time of a
 * state is its share of that. What events and CPU samples already explain is taken off; the others share the time that
 * is left.
 *
 *   cpu        CPU samples times their period
 *   runnable   the thread could run, but no CPU sample explains it: it had no processor, or no sample hit it
 *   running    the same, where the recording does not tell a thread with a processor from one without
 *   idle       a thread that waits for its next task, and still has the ids of the span
 *   unknown    a wait whose stack has no known method
 *   off-thread no thread worked for it: it waited for a callback or a result
 *   gc         pauses of the collector, and waits in the JVM for a collection
 *   unsampled  no event and no sample explains it
 *
 * Each sample is in one part, also one of 0 ns; no sample is in `unsampled`.
 */
import { profileOfKind } from "../../core/tables/kinds.ts";
import { nanosOfEach } from "../../core/tables/quantities.ts";
import type { ProfileSummary } from "../../core/types.ts";
import { likelyShare } from "../lists/confidence.ts";
import type { Account } from "./accounts.ts";
import { offTime } from "./off-thread.ts";
import { type SpanPart, splitTime } from "./parts.ts";
import type { WallPart } from "./states.ts";

/** In the order of the bar. */
export const BREAKDOWN = [
  "cpu",
  "runnable",
  "running",
  "lock",
  "wait",
  "park",
  "sleep",
  "socket",
  "file",
  "call",
  "idle",
  "unknown",
  "off-thread",
  "gc",
  "children",
  "unsampled",
] as const;
/** A part of the time: on CPU, ready to run, waiting, on no thread, in the collector, in child spans, not sampled. */
export type BreakdownName = (typeof BREAKDOWN)[number];

/** A part of the time, and what it is made of. */
export interface BreakdownPart {
  part: BreakdownName;
  nano: bigint;
  /** The 95 % interval in ns. Both are `nano` for what was measured and nothing contradicts. */
  low: bigint;
  high: bigint;
  /** Ns of it that events or spans state; the rest is estimated from samples. */
  measured: bigint;
  /** CPU samples of `cpu`; of other parts the wall samples in its state, and outside of pauses but for `gc`. */
  samples: number;
}

/** How the recording samples the processor: null where samples do not tell how long a span was on one. */
export function cpuOf(profiles: readonly ProfileSummary[]): { period: number } | null {
  const profile = profileOfKind(profiles, "cpu");
  if (profile === undefined || profile.samplesWithSpan + (profile.inferredSpan ?? 0) === 0) return null;
  const period = nanosOfEach(profile);
  return period === null || period <= 0 ? null : { period };
}

/** Parts that wall samples estimate beside events. */
const ESTIMATED = ["lock", "wait", "park", "sleep", "socket", "file", "call", "idle", "unknown"] as const;

interface Estimate {
  part: BreakdownName;
  measured: number;
  /** Beyond what is measured. */
  more: number;
  low: number;
  high: number;
  samples: number;
}

export function breakdownOf(account: Account, cpu: { period: number } | null): BreakdownPart[] {
  const { length, stretches, target } = account;
  const { parts, children } = splitTime(length, stretches, Number(account.cpu.nano), target.children);
  const measured = new Map<SpanPart, number>(parts.map(({ part, nano }) => [part, nano]));
  const off = offTime(account.off);
  const beside = (measured.get("other") ?? 0) - children;
  // Threads at once may have more CPU time than the request was on a thread.
  const above = Math.min(measured.get("cpu") ?? 0, Math.max(0, Math.ceil(off.low) - beside));
  measured.set("cpu", (measured.get("cpu") ?? 0) - above);
  const nowhere = Math.floor(Math.min(off.nano, beside + above));
  const rest = beside + above - nowhere;
  const own = length - children;
  const [low, high, all] = [off.most, off.least, off.measured].map((nano) => Math.max(0, own - nano));
  const onThread = { likely: own - nowhere, low: low ?? 0, high: high ?? 0, all: all ?? 0 };
  const estimates = estimated(account, cpu, measured, onThread);
  const wanted = estimates.reduce((sum, { more }) => sum + more, 0);
  const scale = wanted > rest ? rest / wanted : 1;
  // No event states the time on a processor: as much of it as its samples leave open may be another part's.
  const onCpu = (measured.get("cpu") ?? 0) - (estimates.find(({ part }) => part === "cpu")?.low ?? 0);
  const open = rest + nowhere + Math.max(0, onCpu);
  const rows = estimates.map(({ part, measured: own, more, low, high, samples }): BreakdownPart => {
    const nano = own + Math.floor(more * scale);
    const bound = (value: number) => BigInt(Math.floor(Math.min(Math.max(own, value), own + open, length)));
    if (part === "cpu") {
      // The interval is that of the CPU samples, which may contradict the events of the same time.
      const [least, most] = [Math.min(own, low), Math.min(Math.max(own, high), length)].map(Math.floor);
      return { part, nano: BigInt(nano), low: BigInt(least ?? 0), high: BigInt(most ?? 0), measured: 0n, samples };
    }
    return {
      part,
      nano: BigInt(nano),
      low: bound(Math.min(low, nano)),
      high: bound(Math.max(high, nano)),
      measured: BigInt(own),
      samples,
    };
  });
  const exact = (part: BreakdownName, nano: number): BreakdownPart => {
    const all = BigInt(nano);
    return { part, nano: all, low: all, high: all, measured: all, samples: 0 };
  };
  rows.push(exact("children", children));
  rows.push({
    part: "off-thread",
    nano: BigInt(nowhere),
    low: BigInt(Math.floor(Math.min(off.low, nowhere))),
    high: BigInt(Math.floor(Math.min(Math.max(off.high, nowhere), length))),
    measured: BigInt(Math.floor(Math.min(off.measured, nowhere))),
    samples: 0,
  });
  fillRest(rows, length);
  rows.push(unsampled(rows, length));
  const ofEvents = new Set<BreakdownName>([...account.events.values()].flatMap(({ parts: own }) => [...own.keys()]));
  const order = (part: BreakdownName) => BREAKDOWN.indexOf(part);
  return rows
    .filter(({ part, nano, high, samples }) => nano > 0n || samples > 0 || ofEvents.has(part) || isOpen(part, high))
    .sort((a, b) => order(a.part) - order(b.part));
}

/** Parts that are not known to be 0. */
function isOpen(part: BreakdownName, high: bigint): boolean {
  return (part === "cpu" || part === "off-thread") && high > 0n;
}

/** What rounding left goes to the largest estimate. */
function fillRest(rows: BreakdownPart[], length: number): void {
  const left = BigInt(length) - rows.reduce((sum, { nano }) => sum + nano, 0n);
  const [largest] = rows
    .filter(({ nano, measured, part }) => nano > measured && part !== "cpu" && part !== "off-thread")
    .sort((a, b) => Number(b.nano - a.nano));
  if (largest === undefined || left > BigInt(rows.length)) return;
  largest.nano += left;
  if (largest.high < largest.nano) largest.high = largest.nano;
}

function unsampled(rows: readonly BreakdownPart[], length: number): BreakdownPart {
  const sum = (of: "nano" | "low" | "high") => rows.reduce((all, row) => all + row[of], 0n);
  const left = (taken: bigint) => (taken > BigInt(length) ? 0n : BigInt(length) - taken);
  return {
    part: "unsampled",
    nano: left(sum("nano")),
    low: left(sum("high")),
    high: left(sum("low")),
    measured: 0n,
    samples: 0,
  };
}

/** `own`: ns in which the span itself was on a thread; `all` with those of which only looks say that it was on none. */
function estimated(
  account: Account,
  cpu: { period: number } | null,
  measured: ReadonlyMap<SpanPart, number>,
  own: { likely: number; low: number; high: number; all: number },
): Estimate[] {
  const { wall, collecting } = account;
  const all = account.states.total;
  const samplesOf = (part: WallPart) => wall.get(part)?.samples ?? 0;
  const timeOf: TimeOf = (samples) => {
    if (all === 0) return [0, 0, 0];
    const share = samples / all;
    const time = share * own.likely;
    // Looks that found no thread are looks, too.
    const looks = own.likely > 0 ? (all * own.all) / own.likely : all;
    const [low, high] = likelyShare(samples, Math.max(all, looks)).map((bound) => Math.abs(bound * own.all - time));
    // Of the looks and of what they leave open: two errors, which are seldom largest at once.
    const least = time - Math.hypot(low ?? 0, share * (own.likely - own.low));
    return [time, Math.max(0, least), time + Math.hypot(high ?? 0, share * (own.high - own.likely))];
  };
  const found = ESTIMATED.map((part): Estimate => {
    const known = part === "call" || part === "idle" || part === "unknown" ? 0 : (measured.get(part) ?? 0);
    const [time, low, high] = timeOf(samplesOf(part));
    return { part, measured: known, more: Math.max(0, time - known), low, high, samples: samplesOf(part) };
  });
  const pauses = measured.get("gc") ?? 0;
  // Pauses are measured; threads wait for a collection outside of them, too.
  const [waits, fewest, most] = collecting > 0 ? timeOf(collecting) : [0, 0, 0];
  const gc = { part: "gc", measured: pauses, more: waits, low: pauses + fewest, high: pauses + most } as const;
  return [...found, { ...gc, samples: samplesOf("gc") }, ...processor(account, cpu, measured, timeOf)];
}

type TimeOf = (samples: number) => [time: number, low: number, high: number];

/** The time on a processor, and the time of threads that could run besides. */
function processor(
  { wall, cpu: onCpu, length }: Account,
  cpu: { period: number } | null,
  measured: ReadonlyMap<SpanPart, number>,
  timeOf: TimeOf,
): Estimate[] {
  const found: Estimate[] = [];
  const ran = measured.get("cpu") ?? 0;
  const [least, most] = cpuInterval(onCpu.samples, cpu, length);
  // No sample is no proof of no time.
  if (onCpu.samples > 0 || most > 0) {
    found.push({ part: "cpu", measured: ran, more: 0, low: least, high: most, samples: onCpu.samples });
  }
  const samplesOf = (part: WallPart) => wall.get(part)?.samples ?? 0;
  const samples = samplesOf("runnable") + samplesOf("running");
  const [time, low, high] = timeOf(samples);
  const tells = cpu !== null && samplesOf("running") === 0;
  const more = Math.max(0, time - ran);
  // The others are samples of the time on a processor.
  if (more > 0 || (samples > 0 && onCpu.samples === 0)) {
    const bounds = {
      low: Math.max(0, time - ran - Math.hypot(time - low, most - ran)),
      high: Math.max(0, time - ran + Math.hypot(high - time, ran - least)),
    };
    found.push({ part: tells ? "runnable" : "running", measured: 0, more, ...bounds, samples });
  }
  return found;
}

/** Time on a processor: of as many samples as the time has periods, so many hit the span. */
function cpuInterval(samples: number, cpu: { period: number } | null, length: number): [low: number, high: number] {
  if (cpu === null) return [0, 0];
  const possible = Math.max(samples, 1, Math.round(length / cpu.period));
  const [low, high] = likelyShare(samples, possible);
  return [low * possible * cpu.period, high * possible * cpu.period];
}
