/** The parts of a recording, as tables: producers, chunks, coverage, settings. */
import type { FileSummary, ProfileSummary, Setting } from "../../core/types.ts";
import { coverageRows } from "./coverage.ts";

/** Who is known to name events so. */
const PRODUCERS: [prefix: string, name: string][] = [
  ["datadog.", "Datadog"],
  ["profiler.", "async-profiler"],
  ["jdk.", "JDK Flight Recorder"],
];

export interface Producer {
  name: string;
  /** Event types of it, and how many events they are. */
  types: number;
  events: number;
}

/** By the names of the events, most events first. An agent that writes through the JDK's recorder has both. */
export function producersOf(files: readonly FileSummary[]): Producer[] {
  const counts = new Map<string, number>();
  for (const { chunks } of files) {
    for (const { events } of chunks) {
      for (const [event, count] of Object.entries(events)) counts.set(event, (counts.get(event) ?? 0) + count);
    }
  }
  const producers = new Map<string, Producer>();
  for (const [event, count] of counts) {
    const known = PRODUCERS.find(([prefix]) => event.startsWith(prefix))?.[1];
    const name = known ?? "others";
    const producer = producers.get(name) ?? { name, types: 0, events: 0 };
    producer.types++;
    producer.events += count;
    producers.set(name, producer);
  }
  return [...producers.values()].sort((a, b) => b.events - a.events);
}

export interface ChunkRow {
  file: string;
  /** From 0, in its file. */
  index: number;
  /** Of its first byte. */
  offset: number;
  version: string;
  bytes: number;
  startUnixNano: bigint;
  durationNano: bigint;
  events: number;
}

export function chunkRows(files: readonly FileSummary[]): ChunkRow[] {
  return files.flatMap(({ name, chunks }) => {
    let offset = 0;
    return chunks.map((chunk, index) => {
      const events = Object.values(chunk.events).reduce((sum, count) => sum + count, 0);
      const { version, bytes, startUnixNano, durationNano } = chunk;
      const row = { file: name, index, offset, version, bytes, startUnixNano, durationNano, events };
      offset += bytes;
      return row;
    });
  });
}

export interface ProfileCoverage {
  type: string;
  samples: number;
  /** Share of the samples that carry it, by `span id`, `local root` and the keys of attributes. */
  shares: Map<string, number>;
}

/** Which of the profiles' samples can be found by what: a column for all that any of them carries. */
export function coverageTable(profiles: readonly ProfileSummary[]): { columns: string[]; rows: ProfileCoverage[] } {
  const columns = new Set<string>();
  const rows = profiles.map((profile) => {
    const shares = new Map<string, number>();
    for (const { name, samples } of coverageRows(profile)) {
      columns.add(name);
      shares.set(name, profile.samples === 0 ? 0 : samples / profile.samples);
    }
    return { type: profile.type, samples: profile.samples, shares };
  });
  return { columns: [...columns], rows };
}

/** Settings of all profiles and of events without samples, each once, by event. */
export function settingRows(profiles: readonly ProfileSummary[], others: readonly Setting[]): Setting[] {
  const byText = new Map<string, Setting>();
  for (const setting of [...profiles.flatMap(({ settings }) => settings), ...others]) {
    byText.set(JSON.stringify([setting.event, setting.name, setting.value]), setting);
  }
  return [...byText.values()].sort((a, b) => compare(a.event, b.event) || compare(a.name, b.name));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
