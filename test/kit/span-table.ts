/** A table of spans outside of the core: for tests of trace files and of trees. */
import * as Row from "../../assembly/abi/rows/span-row.ts";
import type { SpanColumns } from "../../src/core/samples/spans.ts";
import type { SpanStore } from "../../src/traces/rows.ts";

/** A span as tests write it down. Times in ns. */
export interface DrawnSpan {
  id: bigint;
  parent?: bigint;
  start: bigint;
  end: bigint;
  trace?: bigint;
  kind?: string;
  instance?: string;
  name?: string;
  /** A string of the table. */
  serviceText?: number;
  /** SIDE_… of abi/rows/span-row.ts. */
  side?: number;
}

const KINDS = ["", "server", "client", "consumer", "internal"];
const U64 = (1n << 64n) - 1n;

/** Strings that a drawn table uses for kinds that enter a process. */
export const ENTRIES = new Set([KINDS.indexOf("server"), KINDS.indexOf("consumer")]);

/** Columns of drawn spans. Instances `i1`, `i2` … are strings 1, 2 …; 0 = none. */
export function drawn(spans: readonly DrawnSpan[]): SpanColumns {
  const words = (of: (span: DrawnSpan) => number) => Uint32Array.from(spans, of);
  const ids = (of: (span: DrawnSpan) => bigint) => BigUint64Array.from(spans, of);
  const none = words(() => 0);
  return {
    count: spans.length,
    traceHigh: ids(({ trace = 1n }) => trace >> 64n),
    traceLow: ids(({ trace = 1n }) => trace & U64),
    id: ids(({ id }) => id),
    parent: ids(({ parent = 0n }) => parent),
    root: ids(() => 0n),
    start: BigInt64Array.from(spans, ({ start }) => start),
    end: BigInt64Array.from(spans, ({ end }) => end),
    threadId: BigInt64Array.from(spans, () => 0n),
    service: words(({ serviceText = 0 }) => serviceText),
    name: none,
    resource: none,
    kind: words(({ kind = "" }) => KINDS.indexOf(kind)),
    status: none,
    threadName: none,
    thread: none,
    instance: words(({ instance = "" }) => Number(instance.slice(1))),
    origin: words(() => 1),
    source: words(() => 1),
    set: none,
    side: words(({ side = 0 }) => side),
  };
}

/** A store that keeps rows and texts, as the core does. */
export class KeptSpans implements SpanStore {
  readonly texts = [""];
  readonly attributes: { key: number; kind: number; value: bigint }[] = [{ key: 0, kind: 0, value: 0n }];
  readonly sets: (readonly number[])[] = [[]];
  readonly rows: DataView[] = [];
  private readonly most: number;

  constructor(most = Number.POSITIVE_INFINITY) {
    this.most = most;
  }

  text(text: string): number {
    const known = this.texts.indexOf(text);
    return known >= 0 ? known : this.texts.push(text) - 1;
  }

  attribute(key: number, kind: number, value: bigint): number {
    return this.attributes.push({ key, kind, value }) - 1;
  }

  set(attributes: readonly number[]): number {
    return this.sets.push(attributes) - 1;
  }

  add(rows: Uint8Array): boolean {
    const copy = rows.slice();
    if (this.rows.length + rows.length / Row.BYTES > this.most) return false;
    for (let at = 0; at < copy.length; at += Row.BYTES) this.rows.push(new DataView(copy.buffer, at, Row.BYTES));
    return true;
  }

  /** The rows as texts and numbers. */
  list() {
    return this.rows.map((row) => {
      const text = (field: number) => this.texts[row.getUint32(field, true)] ?? "?";
      const long = (field: number) => row.getBigUint64(field, true);
      return {
        trace: (long(Row.TRACE_HIGH) << 64n) | long(Row.TRACE_LOW),
        id: long(Row.ID),
        parent: long(Row.PARENT),
        start: row.getBigInt64(Row.START, true),
        end: row.getBigInt64(Row.END, true),
        threadId: row.getBigInt64(Row.THREAD_ID, true),
        service: text(Row.SERVICE),
        name: text(Row.NAME),
        resource: text(Row.RESOURCE),
        kind: text(Row.KIND),
        status: row.getUint32(Row.STATUS, true),
        thread: text(Row.THREAD_NAME),
        side: row.getUint32(Row.SIDE, true),
        instance: text(Row.INSTANCE),
        attributes: this.attributesOf(row.getUint32(Row.SET, true)),
      };
    });
  }

  private attributesOf(set: number): Record<string, string | bigint> {
    const pairs = (this.sets[set] ?? []).map((row) => {
      const { key, kind, value } = this.attributes[row] ?? { key: 0, kind: 0, value: 0n };
      return [this.texts[key] ?? "?", kind === 1 ? (this.texts[Number(value)] ?? "?") : value] as const;
    });
    return Object.fromEntries(pairs);
  }
}
