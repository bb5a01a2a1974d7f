/**
 * Single observations of a selection with their facts: time, value, event, stack, thread, span and attributes. For
 * questions about few samples, or about all of a profile in one pass.
 */
import { EVENT_NAME, EVENT_PROFILE, PROFILE_PERIOD } from "../../assembly/abi/profile-row.ts";
import * as StoreTable from "../../assembly/abi/store-table.ts";
import { isTimed } from "./families.ts";
import type { Instance } from "./instance.ts";
import { StackMethods } from "./stack-methods.ts";
import { allColumns, type ObservationColumns, observationColumns } from "./store-columns.ts";
import type { Filter } from "./types.ts";

/** One observation. `weight` is its value without the period, in samples or the unit of the profile. */
export interface ReadSample {
  /** Ns since 1970. */
  time: bigint;
  weight: bigint;
  /** Ns between two samples, 0n if it is not stated. */
  period: bigint;
  event: string;
  stack: number;
  span: bigint;
  root: bigint;
  set: number;
  /** Number of the observation over all files. */
  number: number;
}

interface Owner {
  readonly instance: Instance;
  complete(): Promise<void>;
  select(profile: number | null, filter: Filter): unknown;
}

const PAGE_ROWS_READ = 1 << 15;

/** The last reader of each core: it keeps copies of tables, which take longer than many a question. */
const readers = new WeakMap<Instance, { stamp: string; reader: SampleReader }>();

/** Another one as soon as the samples of a core are others. */
export function samplesStamp({ generation, wasm }: Instance): string {
  return `${generation} ${wasm.observationCount.value}`;
}

export async function openSamples(core: Owner): Promise<SampleReader> {
  await core.complete();
  const { instance } = core;
  const stamp = samplesStamp(instance);
  const known = readers.get(instance);
  if (known?.stamp === stamp) return known.reader;
  const reader = new SampleReader(core);
  readers.set(instance, { stamp, reader });
  return reader;
}

export class SampleReader {
  private readonly core: Owner;
  private readonly instance: Instance;
  private methods: StackMethods | null = null;
  private readonly leaves = new Map<number, string>();
  private readonly attributes = new Map<number, Map<string, string>>();
  private readonly events = new Map<number, { name: string; period: bigint; factor: bigint }>();
  private links: Uint32Array[] | null = null;

  constructor(core: Owner) {
    this.core = core;
    this.instance = core.instance;
  }

  /** Passes each observation of a profile that passes the filter, in the order of reading. Changes the selection. */
  each(profile: number, filter: Filter, visit: (sample: ReadSample) => void): void {
    this.core.select(profile, filter);
    const count = this.instance.wasm.observationCount.value;
    for (let next = 0; next < count; ) {
      const page = observationColumns(this.instance, null, next, PAGE_ROWS_READ);
      for (let i = 0; i < page.rows; i++) visit(this.sampleOf(page, i, next));
      next = page.next;
    }
  }

  private sampleOf(page: ObservationColumns, i: number, number: number): ReadSample {
    const { name, period, factor } = this.eventOf(page.event[i]!, page.profile[i]!);
    const link = page.link[i]!;
    return {
      time: page.time[i]!,
      weight: page.value[i]! / factor,
      period,
      event: name,
      stack: page.stack[i]!,
      span: this.idOf(link, 0),
      root: this.idOf(link, 2),
      set: page.set[i]!,
      number,
    };
  }

  private eventOf(event: number, family: number): { name: string; period: bigint; factor: bigint } {
    const known = this.events.get(event);
    if (known !== undefined) return known;
    const { wasm, memory } = this.instance;
    const row = wasm.eventAt(event);
    const period = memory.i64(wasm.profileAt(memory.u32(row + EVENT_PROFILE)) + PROFILE_PERIOD);
    // Values of such a profile are times: weight × period.
    const factor = isTimed(wasm, family) && period !== 0n ? period : 1n;
    const found = { name: this.instance.string(memory.u32(row + EVENT_NAME)), period, factor };
    this.events.set(event, found);
    return found;
  }

  private idOf(link: number, word: number): bigint {
    if (link === 0) return 0n;
    this.links ??= allColumns(this.instance, StoreTable.Links);
    return BigInt(this.links[word]![link]!) | (BigInt(this.links[word + 1]![link]!) << 32n);
  }

  /** Value of an attribute of an attribute set as text; "" without it. */
  attribute(set: number, key: string): string {
    const known = this.attributes.get(set) ?? this.attributesOf(set);
    this.attributes.set(set, known);
    return known.get(key) ?? "";
  }

  private attributesOf(set: number): Map<string, string> {
    const [at, size] = this.sets();
    const { wasm, memory } = this.instance;
    const rows = memory.u32s(at[set] ?? 0, (size[set] ?? 0) >> 2);
    return new Map(Array.from(rows, (row) => [this.instance.string(wasm.attributeKey(row)), this.instance.label(row)]));
  }

  private setColumns: Uint32Array[] | null = null;

  private sets(): [at: Uint32Array, size: Uint32Array] {
    this.setColumns ??= allColumns(this.instance, StoreTable.Sets);
    return this.setColumns as [Uint32Array, Uint32Array];
  }

  /** The Java method nearest to the leaf of a stack; "" without one. */
  javaLeaf(stack: number): string {
    const known = this.leaves.get(stack);
    if (known !== undefined) return known;
    this.methods ??= new StackMethods(this.instance);
    const { methods } = this;
    let leaf = "";
    methods.find(stack, (name, isJava) => {
      if (isJava) leaf = methods.text(name);
      return isJava;
    });
    this.leaves.set(stack, leaf);
    return leaf;
  }
}
