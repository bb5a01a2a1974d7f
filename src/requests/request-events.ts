/** The events of any type that the threads of a selection wrote, in order and by type: for worker and command line. */
import { openSamples, type SampleReader } from "../core/samples/sample-reader.ts";
import { openSpans, rowsOf } from "../core/samples/spans.ts";
import type { Filter, ProfileSummary, TimeRange } from "../core/types.ts";
import type { HeldCore } from "./held-core.ts";

export interface Happened {
  type: string;
  /** Since the first event of the answer. */
  offsetNano: bigint;
  startUnixNano: bigint;
  /** Null for events at one moment. */
  durationNano: bigint | null;
  /** What the event counts, such as bytes; null for times and plain counts. */
  value: { unit: string; amount: bigint } | null;
  thread: string;
  /** Several threads may have one name. */
  threadId: string | null;
  /** Of the recording, where several were read. */
  file: string | null;
  span: bigint | null;
  localRoot: bigint | null;
  fields: Record<string, string>;
}

/** An event, with rows of the store. */
export interface EventRow extends Pick<Happened, "type" | "startUnixNano" | "durationNano" | "value"> {
  thread: number;
  file: number;
  link: number;
  set: number;
  stack: number;
  /** In the list of all. */
  number: number;
}

/** The events of a type. */
export interface TypeFigures {
  type: string;
  count: number;
  /** In all; null where no event of the type has a duration, as those after it. */
  durationNano: bigint | null;
  p50Nano: bigint | null;
  p95Nano: bigint | null;
  maxNano: bigint | null;
}

/** Added while reading. */
const OWN = "spanflame.";
/** Units of values that are 1. */
const PLAIN = new Set(["count", "samples"]);

/** Events of a core that has every event as a profile, in the order of time. */
export class RequestEvents {
  readonly reader: SampleReader;
  readonly rows: readonly EventRow[];

  private constructor(reader: SampleReader, rows: readonly EventRow[]) {
    this.reader = reader;
    this.rows = rows;
  }

  static async of(
    held: HeldCore,
    profiles: readonly ProfileSummary[],
    filter: Filter,
    isWanted: (event: string) => boolean = () => true,
  ): Promise<RequestEvents> {
    const reader = await openSamples(held);
    const units = new Map(profiles.map(({ id, unit }) => [id, unit]));
    const rows: EventRow[] = [];
    // Several profiles may be of one event.
    let last = "";
    reader.eachOf(new Set(units.keys()), filter, (profile, sample) => {
      const { event: type, time, thread, stack, file } = sample;
      const key = `${type} ${time} ${thread} ${stack}`;
      if (!isWanted(type) || key === last) return;
      last = key;
      const unit = units.get(profile)!;
      const isTime = unit === "nanoseconds";
      const isPlain = isTime || PLAIN.has(unit);
      rows.push({
        type,
        startUnixNano: time,
        durationNano: isTime ? sample.value : null,
        value: isPlain ? null : { unit, amount: sample.value },
        ...{ thread, file, stack, link: sample.link, set: sample.set, number: 0 },
      });
    });
    rows.sort((a, b) => Number(a.startUnixNano - b.startUnixNano));
    for (const [number, row] of rows.entries()) row.number = number;
    return new RequestEvents(reader, rows);
  }

  happened({ type, startUnixNano, durationNano, value, ...row }: EventRow): Happened {
    const { reader } = this;
    return {
      type,
      offsetNano: startUnixNano - (this.rows[0]?.startUnixNano ?? startUnixNano),
      ...{ startUnixNano, durationNano, value },
      thread: reader.threadName(row.thread),
      threadId: reader.threadId(row.thread),
      file: reader.fileName(row.file),
      span: reader.idOf(row.link, 0) || null,
      localRoot: reader.idOf(row.link, 2) || null,
      fields: Object.fromEntries([...reader.attributesOf(row.set)].filter(([name]) => !name.startsWith(OWN))),
    };
  }
}

/** The types, those with the most time first, then by count. */
export function typesOf(rows: readonly EventRow[]): TypeFigures[] {
  const groups = new Map<string, { count: number; durations: bigint[] }>();
  for (const { type, durationNano } of rows) {
    const group = groups.get(type) ?? { count: 0, durations: [] };
    groups.set(type, group);
    group.count++;
    if (durationNano !== null) group.durations.push(durationNano);
  }
  const types = [...groups].map(([type, { count, durations }]): TypeFigures => {
    durations.sort((a, b) => Number(a - b));
    const at = (share: number) => durations[Math.max(0, Math.ceil(share * durations.length) - 1)] ?? null;
    const durationNano = durations.length === 0 ? null : durations.reduce((sum, each) => sum + each, 0n);
    return { type, count, durationNano, p50Nano: at(0.5), p95Nano: at(0.95), maxNano: at(1) };
  });
  return types.sort((a, b) => Number((b.durationNano ?? 0n) - (a.durationNano ?? 0n)) || b.count - a.count);
}

/** The time of the samples and of the scopes with any of the ids, whose samples `own` selects; null without any. */
export async function timeOfIds(held: HeldCore, own: Filter, ids: readonly bigint[]): Promise<TimeRange | null> {
  let time: TimeRange | null = null;
  const widen = (from: bigint, to: bigint) => {
    time = {
      from: time === null || from < time.from ? from : time.from,
      to: time === null || to > time.to ? to : time.to,
    };
  };
  const profiles = new Set(held.core.profiles().map(({ id }) => id));
  const reader = await openSamples(held);
  reader.eachOf(profiles, own, (_, sample) => widen(sample.time - sample.nanos, sample.time + sample.nanos));
  const columns = (await openSpans(held.core)).columns();
  const { id, root, traceLow, start, end } = columns;
  // There may be millions of rows: numbers of 64 bits are made of those whose lower halves are the same.
  const lows = new Set(ids.map((each) => Number(BigInt.asUintN(32, each))));
  const halves = [id, root, traceLow].map(
    ({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, 2 * length),
  );
  for (const row of rowsOf(columns, "recordings")) {
    if (!halves.some((own) => lows.has(own[2 * row]!))) continue;
    if ([id, root, traceLow].some((column) => ids.includes(column[row]!))) widen(start[row]!, end[row]!);
  }
  return time;
}

/** How far from a request its chunks, and those of the scopes and the monitors of other threads, are. */
export const AROUND = 60_000_000_000n;
/** More than the clocks of two chunks may differ (model/context/limits.ts). */
export const SLACK = 1_000_000n;
