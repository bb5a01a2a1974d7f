/**
 * What a recording cannot show, with figures, and the setting that records it better: one table for `info`, its JSON
 * and the page. docs/recording.md has the settings.
 */
import type { FileSummary, ProfileSummary } from "../../core/types.ts";
import { formatCounted, formatNanos, formatPercent } from "../words/format.ts";
import { formatMoment } from "../words/moments.ts";
import { countedChunks } from "./about.ts";
import { lossSentences } from "./loss-words.ts";
import { eventsOff, nanosOf } from "./setting-words.ts";
import { missingIds, settingFor } from "./span-ids.ts";

/** What the doubts are made of. */
export interface RecordedFacts {
  profiles: readonly ProfileSummary[];
  files: readonly FileSummary[];
  /** Samples whose stack the recorder cut, by the index of the profile; empty where stacks were not read. */
  cut: ReadonlyMap<number, number>;
  /** Inference gives samples without ids a span. */
  canInfer: boolean;
  /** CPU time of the processes by the JVM's own load (jdk.CPULoad), ns; null where it is not known. */
  jvmCpuNanos: number | null;
  /** The most threads of a process at a time (jdk.JavaThreadStatistics); 0 where it is not known. */
  threads: number;
}

export interface Doubt {
  about: keyof typeof ROWS;
  words: string;
  /** Ready to copy. */
  setting?: string;
}

type Told = Omit<Doubt, "about">;

/** Settings by the beginning of the profiler's events. */
type Settings = Parameters<typeof settingFor>[0];

/** A wait of a thread that is shorter is seldom why a request is slow. */
const SHORT_NANOS = 1e6;
/** Between two chunks a recorder writes files and starts again. */
const MOST_BREAK = 1_000_000_000n;
/** The recorder's samples and the JVM's load count other threads, and other times at the ends. */
const CPU_RATIO = 1.5;
const CPU_NANOS = 1e9;

export const DEEPER: Settings = {
  "datadog.": "-Ddd.profiling.stackdepth=512",
  "profiler.": "jstackdepth=2048",
  "jdk.": "-XX:FlightRecorderOptions=stackdepth=256",
};
const ALL_THREADS_CPU: Settings = {
  "jdk.": "-XX:StartFlightRecording=settings=profile,jdk.CPUTimeSample#enabled=true",
};

const sampled = ({ profiles }: RecordedFacts) => profiles.filter(({ samples }) => samples > 0);

/** `37 % of cpu, all of park and lock-contention`. */
function sharesOf(parts: readonly (readonly [type: string, share: number])[]): string {
  const all = parts.filter(([, share]) => share === 1).map(([type]) => type);
  const some = parts.filter(([, share]) => share < 1).map(([type, share]) => `${formatPercent(share, 1)} of ${type}`);
  const last = all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : all[0];
  return [...some, ...(last === undefined ? [] : [`all of ${last}`])].join(", ");
}

const ROWS = {
  ids: (facts): Told[] => {
    const missing = facts.canInfer ? null : missingIds(facts.profiles);
    if (missing !== null) return [missing];
    const parts = sampled(facts).flatMap(({ type, samples, samplesWithSpan, inferredSpan = 0 }) => {
      const without = samples - samplesWithSpan - inferredSpan;
      return without > 0 ? [[type, without / samples] as const] : [];
    });
    return parts.length === 0 ? [] : [{ words: `Samples without a span: ${sharesOf(parts)}.` }];
  },
  stacks: ({ profiles, cut }): Told[] => {
    const own = profiles.filter(({ id }) => (cut.get(id) ?? 0) > 0);
    if (own.length === 0) return [];
    const shares = own.map(({ id, type, samples }) => [type, cut.get(id)! / samples] as const);
    const words = `Stacks that the recorder cut, so that their roots are not known: ${sharesOf(shares)}.`;
    return [told(words, settingFor(DEEPER, own))];
  },
  losses: ({ profiles }): Told[] => lossSentences(profiles).map((words) => ({ words })),
  thresholds: (facts): Told[] => {
    const found = facts.profiles.flatMap(({ type, settings }) => {
      const off = eventsOff(settings);
      return settings.flatMap(({ event, name, value }) => {
        const nanos = name === "threshold" && !off.includes(event) ? (nanosOf(value) ?? 0) : 0;
        return nanos > SHORT_NANOS ? [{ type, event, nanos }] : [];
      });
    });
    if (found.length === 0) return [];
    const words = new Set(found.map(({ type, nanos }) => `${type} below ${formatNanos(nanos)}`));
    const lower = new Set(found.flatMap(({ event }) => (event.startsWith("jdk.") ? [`${event}#threshold=1ms`] : [])));
    const setting = `-XX:StartFlightRecording=settings=profile,${[...lower].join(",")}`;
    return [told(`Waits that are not recorded: ${[...words].join(", ")}.`, lower.size === 0 ? undefined : setting)];
  },
  periods: (facts): Told[] => {
    const own = sampled(facts).filter(
      ({ meaning, periodUnit, period }) =>
        ["cpu", "wall"].includes(meaning.kind) && periodUnit === "nanoseconds" && period > 0n,
    );
    if (own.length === 0 || own.every(({ samplesWithSpan, inferredSpan = 0 }) => samplesWithSpan + inferredSpan === 0))
      return [];
    const words = own.map(({ type, period }) => `${type} every ${formatNanos(period)}`);
    return [{ words: `A span that is shorter than the period may have no sample: ${words.join(", ")}.` }];
  },
  gaps: ({ files }): Told[] =>
    files.flatMap((file) => {
      const chunks = countedChunks(file).toSorted((a, b) => Number(a.startUnixNano - b.startUnixNano));
      let end = chunks[0]?.startUnixNano ?? 0n;
      return chunks.flatMap(({ startUnixNano, durationNano }) => {
        const [from, gap] = [end, startUnixNano - end];
        if (startUnixNano + durationNano > end) end = startUnixNano + durationNano;
        return gap > MOST_BREAK
          ? [
              {
                words: `Between two chunks of ${file.name} nothing is recorded for ${formatNanos(gap)}, from ${formatMoment(from)} on.`,
              },
            ]
          : [];
      });
    }),
  threads: (facts): Told[] => {
    const wall = sampled(facts).find(({ meaning }) => meaning.kind === "wall");
    if (wall === undefined || wall.threads >= facts.threads) return [];
    const alive = `${formatCounted(facts.threads, "Java thread")} at a time`;
    return [{ words: `${wall.type} has samples of ${formatCounted(wall.threads, "thread")}, of up to ${alive}.` }];
  },
  cpu: (facts): Told[] => {
    const own = sampled(facts).filter(({ meaning }) => meaning.kind === "cpu" && meaning.nanos !== null);
    const bySamples = own.map(({ value, meaning }) => Number(value) * meaning.nanos!);
    const { jvmCpuNanos } = facts;
    const most = Math.max(0, ...bySamples);
    if (own.length === 0 || jvmCpuNanos === null || jvmCpuNanos < CPU_NANOS || jvmCpuNanos < most * CPU_RATIO)
      return [];
    const profile = own[bySamples.indexOf(most)]!;
    const jvm = `the JVM's own load (jdk.CPULoad) is ${formatNanos(jvmCpuNanos)}`;
    const words = `Samples of ${profile.type} add up to ${formatNanos(most)} of processor time; ${jvm}.`;
    return [told(words, settingFor(ALL_THREADS_CPU, [profile]))];
  },
} satisfies Record<string, (facts: RecordedFacts) => Told[]>;

const told = (words: string, setting: string | undefined): Told => ({
  words,
  ...(setting !== undefined && { setting }),
});

/** In the order of the table; none if the recording is known to be without a doubt. */
export function doubtsOf(facts: RecordedFacts): Doubt[] {
  const rows = Object.entries(ROWS) as [keyof typeof ROWS, (facts: RecordedFacts) => Told[]][];
  return rows.flatMap(([about, row]) => row(facts).map((each) => ({ about, ...each })));
}
