/** Waits of a selection as rows: when, how long, on what, and who held it (docs/waits.md). */
import type { FileWaits } from "../../core/samples/contexts.ts";
import type { ReadSample, SampleReader } from "../../core/samples/sample-reader.ts";
import type { Filter, ProfileSummary } from "../../core/types.ts";
import { OPERATION_KEYS } from "../lists/request-keys.ts";

export const WAIT_KINDS = ["monitor", "notify", "park", "sleep", "socket", "file", "queue", "safepoint", "gc"] as const;
export type WaitKind = (typeof WAIT_KINDS)[number];

/** What a thread worked for: null where that is not known. */
export interface Work {
  thread: string;
  span: bigint | null;
  localRoot: bigint | null;
  operation: string | null;
}

/** A stretch of a wait. */
export interface Held extends Work {
  startUnixNano: bigint;
  durationNano: bigint;
  certain: boolean;
}

export interface Wait extends Work {
  kind: WaitKind;
  /** Of what was waited for. */
  class: string | null;
  address: bigint | null;
  /** Host and port, or path. */
  target: string | null;
  startUnixNano: bigint;
  durationNano: bigint;
  /** In the order of time, without overlap. */
  held: Held[];
}

/** Profiles whose observations are waits, by type; the monitors' say by their event whether a signal was waited for. */
const KINDS: Readonly<Record<string, WaitKind>> = {
  "lock-contention": "monitor",
  park: "park",
  sleep: "sleep",
  "socket-read": "socket",
  "socket-write": "socket",
  "file-read": "file",
  "file-write": "file",
  "file-force": "file",
  "queue-time": "queue",
};
const NOTIFY_EVENT = "jdk.JavaMonitorWait";

/** Attributes that tell what was waited for. */
const CLASSES = ["park.class", "queue.task"];
const HOSTS = ["server.address", "network.peer.address"];

/** The waits of a selection, in the order of their starts. `nameOf`: what a request is called, by its local root. */
export function waitsOf(
  reader: SampleReader,
  profiles: readonly ProfileSummary[],
  files: readonly FileWaits[],
  filter: Filter,
  nameOf: (root: bigint) => string | null,
): Wait[] {
  const holders = new Holders(reader, files, nameOf);
  const kinds = new Map(profiles.flatMap(({ id, type }) => (KINDS[type] === undefined ? [] : [[id, KINDS[type]]])));
  const found: Wait[] = [];
  reader.eachOf(new Set(kinds.keys()), filter, (profile, sample) => {
    const kind = sample.event === NOTIFY_EVENT ? "notify" : kinds.get(profile)!;
    const target = (keys: readonly string[]) => firstOf(reader, sample, keys);
    const host = target(HOSTS);
    const port = target(["network.peer.port"]);
    const { name, address, held } = holders.of(sample.number);
    found.push({
      kind,
      class: name ?? target(CLASSES),
      address,
      target: host === null ? target(["file.path"]) : port === null ? host : `${host}:${port}`,
      startUnixNano: sample.time,
      durationNano: sample.nanos,
      thread: reader.threadName(sample.thread),
      span: sample.span || null,
      localRoot: sample.root || null,
      operation: target(OPERATION_KEYS) ?? (sample.root === 0n ? null : nameOf(sample.root)),
      held,
    });
  });
  return found.sort((a, b) => Number(a.startUnixNano - b.startUnixNano));
}

function firstOf(reader: SampleReader, { set }: Pick<ReadSample, "set">, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = reader.attribute(set, key);
    if (text !== "") return text;
  }
  return null;
}

/** What is known of the waits of all files, by observation. */
class Holders {
  private readonly reader: SampleReader;
  private readonly nameOf: (root: bigint) => string | null;
  private readonly rows = new Map<number, { file: FileWaits; row: number; first: number; end: number }>();

  constructor(reader: SampleReader, files: readonly FileWaits[], nameOf: (root: bigint) => string | null) {
    [this.reader, this.nameOf] = [reader, nameOf];
    for (const file of files) {
      const { waits, held } = file;
      for (const [row, observation] of waits.observation.entries())
        this.rows.set(observation, { file, row, first: 0, end: 0 });
      for (let first = 0, end = 0; first < held.wait.length; first = end) {
        while (held.wait[end] === held.wait[first]) end++;
        Object.assign(this.rows.get(waits.observation[waits.enters[held.wait[first]!]!]!)!, { first, end });
      }
    }
  }

  of(observation: number): { name: string | null; address: bigint | null; held: Held[] } {
    const known = this.rows.get(observation);
    if (known === undefined) return { name: null, address: null, held: [] };
    const { file, row, first, end } = known;
    const { waits } = file;
    return {
      name: this.reader.text(waits.type[row]!) || null,
      address: waits.address[row]! || null,
      held: Array.from({ length: end - first }, (_, i) => this.stretch(file, first + i)),
    };
  }

  private stretch({ base, held }: FileWaits, i: number): Held {
    const start = base + BigInt(Math.round(held.from[i]!));
    const root = held.root[i]!;
    const set = held.set?.[i] ?? 0;
    return {
      thread: this.reader.threadName(held.row[i]!),
      span: held.span[i]! || null,
      localRoot: root || null,
      operation: firstOf(this.reader, { set }, OPERATION_KEYS) ?? (root === 0n ? null : this.nameOf(root)),
      startUnixNano: start,
      durationNano: base + BigInt(Math.round(held.to[i]!)) - start,
      certain: held.certain[i] === 1,
    };
  }
}
