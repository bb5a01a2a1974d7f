/**
 * What a recording cannot show, with figures, and the setting that records it better: one table for `info`, its JSON
 * and the page. docs/recording.md has the settings.
 */
import type { FileSummary, ProfileSummary } from "../../core/types.ts";
import { formatCounted, formatNanos, formatPercent } from "../words/format.ts";
import { formatMoment } from "../words/moments.ts";
import { visible } from "../words/text.ts";
import { countedChunks } from "./about.ts";
import { lossSentences } from "./loss-words.ts";
import { eventsOff, nanosOf } from "./setting-words.ts";
import { EXECUTION_SAMPLE, eventsOf, ID_ROWS, missingIds, settingFor } from "./span-ids.ts";

/** Numbers of ids of spans. */
export interface Contradictions {
  /** Spans of the trace files. */
  spans: number;
  /** Those with samples. */
  sampled: number;
  /** Those with a contradiction. */
  wrong: number;
  /** Samples are outside of the span's time, on the recording's clock. */
  outside: number;
  /** The trace places the span in another process than most spans with samples of the file, or than the file states. */
  elsewhere: number;
  /** The local root of samples is a span of the trace, but not above this one. */
  roots: number;
  /** Samples state another trace id. */
  traces: number;
}

/** What the doubts are made of. */
export interface RecordedFacts {
  profiles: readonly ProfileSummary[];
  files: readonly FileSummary[];
  /** Samples whose stack the recorder cut, by the index of the profile; empty where stacks were not read. */
  cut: ReadonlyMap<number, number>;
  /** The same of samples whose stack the recorder could not read. */
  lost: ReadonlyMap<number, number>;
  /** Spans that could have samples, and those without because they are shorter than a period; null without spans. */
  spans: { known: number; short: number; period: bigint } | null;
  /** The recordings beside trace files; none without these. */
  clocks: readonly { name: string; clock: { offset: bigint; agree: number; asked: number } | null }[];
  /** Null without a trace file. */
  trace: Contradictions | null;
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
/** Threads in Java code that the JDK's sampler looks at in a period (jfrThreadSampler.cpp). */
const JDK_THREADS = 5;
/** Clocks of one machine are read one after the other. */
const LEAST_OFFSET = 1_000_000n;

/** Settings that record better, ready to copy; docs/recording.md has them. */
export const SETTINGS = {
  deeper: {
    "datadog.": "-Ddd.profiling.stackdepth=512",
    "profiler.": "jstackdepth=2048",
    "jdk.": "-XX:FlightRecorderOptions=stackdepth=256",
  },
  walker: { "datadog.": "-Ddd.profiling.ddprof.cstack=vm", "profiler.": "cstack=vm" },
  oftener: {
    "datadog.": "-Ddd.profiling.ddprof.cpu.interval.ms=5 -Ddd.profiling.ddprof.wall.interval.ms=5",
    "profiler.": "interval=5ms,wall=5ms",
    "jdk.": "-XX:StartFlightRecording=settings=profile,jdk.CPUTimeSample#enabled=true,jdk.CPUTimeSample#throttle=5ms",
  },
  allThreads: { "datadog.": "-Ddd.profiling.ddprof.wall.context.filter=false" },
  continuous: {
    "datadog.": "-Ddd.profiling.debug.dump_path=dumps -Ddd.profiling.upload.period=20",
    "profiler.": "loop=1h",
    "jdk.": "-XX:StartFlightRecording=settings=profile,disk=true,maxsize=1g",
  },
  cpuTime: { "jdk.": "-XX:StartFlightRecording=settings=profile,jdk.CPUTimeSample#enabled=true" },
  buffers: { "": "-XX:FlightRecorderOptions=memorysize=128m" },
  clocks: { "": "timedatectl set-ntp true" },
} satisfies Record<string, Settings>;
const IDS: Settings = Object.fromEntries(ID_ROWS.map(({ events, setting }) => [events, setting]));

/** Matches every frame, so that only samples without a stack have none. */
export const ANY_FRAME = "^";
/** Frames that async-profiler and ddprof write in place of a stack that they could not walk. */
export const LOST_FRAMES =
  "^\\[(no_Java_frame|unknown_(Java|not_Java|state)|not_walkable_(Java|not_Java)|GC_active|deoptimization|break_\\w+)\\]$";

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
    const words = `Samples without a span: ${sharesOf(parts)}.`;
    return parts.length === 0 ? [] : [told(words, settingFor(IDS, facts.profiles))];
  },
  contradictions: ({ trace, profiles }): Told[] => {
    if (trace === null || !profiles.some(({ samplesWithSpan }) => samplesWithSpan > 0)) return [];
    const { spans, sampled: known, wrong } = trace;
    const setting = settingFor(IDS, profiles);
    if (known === 0)
      return [told(`No sample has the id of one of the ${formatCounted(spans, "span")} of the trace.`, setting)];
    const parts = [
      [trace.outside, "has samples outside of its time", "have samples outside of their time"],
      [trace.elsewhere, "is of another process", "are of another process"],
      [trace.roots, "is not below the local root of its samples", "are not below the local root of their samples"],
      [trace.traces, "has samples of another trace id", "have samples of another trace id"],
    ] as const;
    const words = parts.flatMap(([count, one, many]) => (count === 0 ? [] : `${count} ${count === 1 ? one : many}`));
    const whole = `${wrong} of ${formatCounted(known, "span")} with samples`;
    return wrong === 0 ? [] : [told(`The trace contradicts ids of samples: ${whole}. ${words.join(", ")}.`, setting)];
  },
  clocks: ({ clocks }): Told[] =>
    clocks.flatMap(({ name, clock }) => {
      const { offset, agree, asked } = clock ?? { offset: 0n, agree: 0, asked: 0 };
      const nanos = offset < 0n ? -offset : offset;
      if (nanos < LEAST_OFFSET) return [];
      const by = `${formatNanos(nanos)} ${offset < 0n ? "behind" : "ahead of"}`;
      const words = `The clock of ${visible(name, 120)} is ${by} that of the trace, by ${agree} of ${formatCounted(asked, "span")}.`;
      return [told(words, settingFor(SETTINGS.clocks, []))];
    }),
  stacks: ({ profiles, cut, lost }): Told[] => {
    const row = (counts: ReadonlyMap<number, number>, what: string, settings: Settings) => {
      const own = profiles.filter(({ id }) => (counts.get(id) ?? 0) > 0);
      const shares = own.map(({ id, type, samples }) => [type, counts.get(id)! / samples] as const);
      return own.length === 0 ? [] : [told(`${what}: ${sharesOf(shares)}.`, settingFor(settings, own))];
    };
    return [
      ...row(cut, "Stacks that the recorder cut, so that their roots are not known", SETTINGS.deeper),
      ...row(lost, "Samples whose stack the recorder could not read", SETTINGS.walker),
    ];
  },
  losses: ({ profiles }): Told[] =>
    profiles.flatMap((profile) => lossSentences([profile]).map((words) => told(words, lossSetting(profile)))),
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
    const periods = own.map(({ type, period }) => `${type} every ${formatNanos(period)}`);
    const { known, short, period } = facts.spans ?? { known: 0, short: 0, period: 0n };
    const few = `${short} of ${formatCounted(known, "span")} have no sample and a self time below ${formatNanos(period)}`;
    const count = short === 0 ? "" : ` ${few}.`;
    const words = `A span that is shorter than the period may have no sample: ${periods.join(", ")}.${count}`;
    return [told(words, settingFor(SETTINGS.oftener, own))];
  },
  bias: (facts): Told[] => {
    const own = sampled(facts).filter((profile) => eventsOf(profile).includes(EXECUTION_SAMPLE));
    if (own.length === 0) return [];
    const looks = own.map(
      ({ events, threads }) =>
        `${formatCounted(events[EXECUTION_SAMPLE]!, "sample")} of ${formatCounted(threads, "thread")}`,
    );
    const words = `${EXECUTION_SAMPLE} looks at no more than ${JDK_THREADS} running Java threads at a time, and at none in native code or of the JVM: ${looks.join(", ")}.`;
    return [told(words, settingFor(SETTINGS.cpuTime, own))];
  },
  gaps: ({ files, profiles }): Told[] =>
    files.flatMap((file) => {
      const chunks = countedChunks(file).toSorted((a, b) => Number(a.startUnixNano - b.startUnixNano));
      let end = chunks[0]?.startUnixNano ?? 0n;
      return chunks.flatMap(({ startUnixNano, durationNano }) => {
        const [from, gap] = [end, startUnixNano - end];
        if (startUnixNano + durationNano > end) end = startUnixNano + durationNano;
        const words = `Between two chunks of ${file.name} nothing is recorded for ${formatNanos(gap)}, from ${formatMoment(from)} on.`;
        return gap > MOST_BREAK ? [told(words, settingFor(SETTINGS.continuous, profiles))] : [];
      });
    }),
  threads: (facts): Told[] => {
    const wall = sampled(facts).find(({ meaning }) => meaning.kind === "wall");
    if (wall === undefined || wall.threads >= facts.threads) return [];
    const alive = `${formatCounted(facts.threads, "Java thread")} at a time`;
    const words = `${wall.type} has samples of ${formatCounted(wall.threads, "thread")}, of up to ${alive}.`;
    return [told(words, settingFor(SETTINGS.allThreads, [wall]))];
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
    return [told(words, settingFor(SETTINGS.cpuTime, [profile]))];
  },
} satisfies Record<string, (facts: RecordedFacts) => Told[]>;

/** What takes all events of a profile; undefined where no setting is known. */
function lossSetting({ loss }: Pick<ProfileSummary, "loss">): string | undefined {
  const { limited = [], lost, dropped } = loss ?? {};
  const events = new Set(limited.flatMap(({ event }) => (event.startsWith("jdk.") ? [`${event}#throttle=off`] : [])));
  if (events.size > 0) return `-XX:StartFlightRecording=settings=profile,${[...events].join(",")}`;
  // Fewer samples find room.
  if (lost?.event.startsWith("jdk.") === true)
    return `-XX:StartFlightRecording=settings=profile,${lost.event}#enabled=true,${lost.event}#throttle=20ms`;
  return dropped === undefined ? undefined : settingFor(SETTINGS.buffers, []);
}

const told = (words: string, setting: string | undefined): Told => ({
  words,
  ...(setting !== undefined && { setting }),
});

/** In the order of the table; none if the recording is known to be without a doubt. */
export function doubtsOf(facts: RecordedFacts): Doubt[] {
  const rows = Object.entries(ROWS) as [keyof typeof ROWS, (facts: RecordedFacts) => Told[]][];
  return rows.flatMap(([about, row]) => row(facts).map((each) => ({ about, ...each })));
}
