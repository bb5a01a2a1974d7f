/**
 * Single observations of a selection with their facts: time, value, event, stack, thread, span and attributes. For
 * questions about few samples, or about all of a profile in one pass.
 */
import * as ProfileRow from "../../../assembly/abi/rows/profile-row.ts";
import * as StoreTable from "../../../assembly/abi/store-table.ts";
import { isTimed } from "../instance/families.ts";
import { type Window, windowOf } from "../instance/file-ranges.ts";
import type { Instance } from "../instance/instance.ts";
import { samplesStamp } from "../instance/instance.ts";
import { nanosOfUnit } from "../tables/kinds.ts";
import type { Filter, Selection } from "../types.ts";
import { type Activation, activationsOf } from "./span-roots.ts";
import { StackMethods } from "./stack-methods.ts";
import { allColumns, EVERYTHING, longs, type ObservationColumns, observationColumns } from "./store-columns.ts";

/** One row of the store, while it is visited. */
export interface ReadSample {
  /** Ns since 1970. */
  time: bigint;
  /** How many observations of the recorder it is, about where the values do not tell. */
  observations: number;
  /** The time that it is of or lasted, in ns; 0n where its value is none and no period makes it one. */
  nanos: bigint;
  /** In the unit of its profile. */
  value: bigint;
  event: string;
  stack: number;
  /** Row of the store, as are links. */
  thread: number;
  link: number;
  span: bigint;
  root: bigint;
  set: number;
  /** Number of the recording. */
  file: number;
  /** Number of the observation. */
  number: number;
}

/** Where a function is from. */
export interface FunctionPlace {
  /** "" where the recording does not state it. */
  file: string;
  name: string;
  isJava: boolean;
}

interface EventFacts {
  name: string;
  /** Value of one observation; below 1 if each row is one, or if that is unknown. */
  one: number;
  /** Ns of 1 of a value. */
  nanos: bigint;
}

/** Of an open recording. */
interface Owner {
  readonly core: { readonly instance: Instance; complete(): Promise<void> };
  about(profile: number | null, filter: Filter): unknown;
}

const PAGE_ROWS_READ = 1 << 15;
/** Of a step in the background. */
const STEP_ROWS_READ = 1 << 13;
/** Words of a link before its trace: the span and the local root. */
const LINK_ID_WORDS = 4;

/** The last reader of each core: it keeps copies of tables, which take longer than many a question. */
const readers = new WeakMap<Instance, { stamp: string; reader: SampleReader }>();

export async function openSamples(held: Owner): Promise<SampleReader> {
  await held.core.complete();
  return samplesOf(held);
}

/** Of a complete core. */
export function samplesOf(held: Owner): SampleReader {
  const { instance } = held.core;
  const stamp = samplesStamp(instance);
  const known = readers.get(instance);
  if (known?.stamp === stamp) return known.reader;
  const reader = new SampleReader(held);
  readers.set(instance, { stamp, reader });
  return reader;
}

/** The observation at a row of a page. 64-bit numbers are made when they are asked for: most questions need few. */
class PageSample implements ReadSample {
  row = 0;
  private readonly reader: SampleReader;
  private readonly page: ObservationColumns;
  readonly file: number;

  constructor(reader: SampleReader, page: ObservationColumns, file: number) {
    this.reader = reader;
    this.page = page;
    this.file = file;
  }

  get time(): bigint {
    return this.page.time[this.row]!;
  }

  get observations(): number {
    const { one } = this.facts;
    return one > 0 ? Math.round(Number(this.page.value[this.row]!) / one) : 1;
  }

  get nanos(): bigint {
    const value = this.page.value[this.row]!;
    const { nanos } = this.facts;
    return nanos === 1n ? value : value * nanos;
  }

  get value(): bigint {
    return this.page.value[this.row]!;
  }

  get event(): string {
    return this.facts.name;
  }

  get stack(): number {
    return this.page.stack[this.row]!;
  }

  get thread(): number {
    return this.page.thread[this.row]!;
  }

  get link(): number {
    return this.page.link[this.row]!;
  }

  get span(): bigint {
    return this.reader.idOf(this.page.link[this.row]!, 0);
  }

  get root(): bigint {
    return this.reader.idOf(this.page.link[this.row]!, 2);
  }

  get set(): number {
    return this.page.set[this.row]!;
  }

  get number(): number {
    return this.page.number[this.row]!;
  }

  private get facts() {
    return this.reader.eventOf(this.page.event[this.row]!, this.page.profile[this.row]!);
  }
}

export class SampleReader {
  private readonly held: Owner;
  private readonly instance: Instance;
  private methods: StackMethods | null = null;
  private readonly nameBits = new Map<number, number>();
  private readonly stackBits = new Map<number, number>();
  private readonly labels = new Map<number, string>();
  private readonly attributes = new Map<number, ReadonlyMap<string, string>>();
  private readonly events = new Map<number, EventFacts>();
  /** Number of the observation after the last one of each recording. */
  private readonly fileEnds: readonly number[];
  /** Halves of the ids of spans and local roots. */
  private links: Uint32Array[] | null = null;

  constructor(held: Owner) {
    this.held = held;
    this.instance = held.core.instance;
    let end = 0;
    const ends = this.instance.files.map(({ samples }) => (end += samples));
    this.fileEnds = [...ends.slice(0, -1), EVERYTHING.last];
  }

  /** Passes each observation of a profile that passes the filter, in the order of reading. */
  each(profile: number, filter: Filter, visit: (sample: ReadSample) => void): void {
    this.held.about(profile, filter);
    this.pass(filter, (_, sample) => visit(sample));
  }

  /** Passes each observation of several profiles that passes the filter, in one pass, with its profile. */
  eachOf(profiles: ReadonlySet<number>, filter: Filter, visit: (profile: number, sample: ReadSample) => void): void {
    const [only = null] = profiles;
    this.held.about(profiles.size === 1 ? only : null, filter);
    this.pass(filter, (profile, sample) => {
      if (profiles.has(profile)) visit(profile, sample);
    });
  }

  private pass(filter: Filter, visit: (profile: number, sample: ReadSample) => void): void {
    const window = windowOf(filter, this.instance);
    const end = Math.min(this.instance.wasm.observationCount.value, window?.last ?? Number.POSITIVE_INFINITY);
    for (let next = 0; next < end; ) next = this.page(next, visit, { window, most: PAGE_ROWS_READ });
  }

  /** Visits a page of one recording; the number of the observation after it. */
  private page(
    first: number,
    visit: (profile: number, sample: ReadSample) => void,
    { window, most }: { window: Window | null; most: number },
  ): number {
    const file = this.fileOf(first);
    const own = { ...(window ?? EVERYTHING), last: Math.min(window?.last ?? EVERYTHING.last, this.fileEnds[file]!) };
    const page = observationColumns(this.instance, own, first, most);
    const sample = new PageSample(this, page, file);
    for (; sample.row < page.rows; sample.row++) visit(page.profile[sample.row]!, sample);
    return page.next;
  }

  /** The value of a selection by the row of its stack; row 0 is of samples without one. */
  valuesByStack({ profile, measure, filter }: Selection): Float64Array {
    this.held.about(profile, filter);
    const window = windowOf(filter, this.instance);
    const sums = new Float64Array(this.instance.wasm.storeColumns(StoreTable.Stacks, 0, 0, 0));
    const end = this.instance.wasm.observationCount.value;
    for (let next = 0; next < end; ) {
      const page = observationColumns(this.instance, window, next, PAGE_ROWS_READ);
      const values = measure > 0 ? page.second : page.value;
      for (let row = 0; row < page.rows; row++)
        if (page.profile[row] === profile) sums[page.stack[row]!]! += Number(values[row]);
      next = page.next;
    }
    return sums;
  }

  /** The leaf of each stack and the parent of each node, in the latest call tree. Null with root frames. */
  tree(): { leaf: Uint32Array; parent: Uint32Array } | null {
    const { wasm, memory } = this.instance;
    const nodes = wasm.treeNodes();
    if (nodes === 0) return null;
    const stacks = wasm.storeColumns(StoreTable.Stacks, 0, 0, 0);
    return { leaf: memory.u32s(wasm.leafNodes(), stacks), parent: memory.u32s(wasm.parentNodes(), nodes) };
  }

  /** The frames of a stack, leaf first, by the file that the recording names ("" without one) and the line (or 0). */
  placesOf(stack: number, visit: (of: number, line: number, place: FunctionPlace) => void): void {
    this.methods ??= new StackMethods(this.instance);
    this.methods.places(stack, (of, line, name, isJava) => visit(of, line, this.placeOf(of, name, isJava)));
  }

  private readonly placesByFunction = new Map<number, FunctionPlace>();
  private sourceFiles: Uint32Array | null = null;

  private placeOf(of: number, name: number, isJava: boolean): FunctionPlace {
    const known = this.placesByFunction.get(of);
    if (known !== undefined) return known;
    this.sourceFiles ??= allColumns(this.instance, StoreTable.Functions)[2];
    const place = { file: this.instance.string(this.sourceFiles[of] ?? 0), name: this.instance.string(name), isJava };
    this.placesByFunction.set(of, place);
    return place;
  }

  /** Number of the recording of an observation. */
  private fileOf(observation: number): number {
    let [low, high] = [0, this.fileEnds.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.fileEnds[middle]! <= observation) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The observations of a profile in parts. Each part selects, so that others may select in between. */
  *pages(profile: number): Generator<(visit: (sample: ReadSample) => void) => void> {
    const count = this.instance.wasm.observationCount.value;
    for (let next = 0; next < count; ) {
      yield (visit) => {
        this.held.about(profile, {});
        next = this.page(next, (_, sample) => visit(sample), { window: null, most: STEP_ROWS_READ });
      };
    }
  }

  /** The span id of each link. */
  spanIds(): BigUint64Array {
    this.links ??= linkIds(this.instance);
    return longs(this.links[0]!, this.links[1]!);
  }

  private stated: Activation[] | null = null;

  /** Times in which a thread worked for a span, where events state them. */
  activations(): readonly Activation[] {
    this.stated ??= activationsOf(this.instance);
    return this.stated;
  }

  /** Steps to the copies of tables that samples with ids and stacks need. */
  *prepare(): Generator<void, void> {
    this.links ??= linkIds(this.instance);
    yield;
    this.sets();
    yield;
    this.methods ??= new StackMethods(this.instance);
  }

  eventOf(event: number, family: number): EventFacts {
    const known = this.events.get(event);
    if (known !== undefined) return known;
    const { wasm, memory } = this.instance;
    const row = wasm.eventAt(event);
    const profile = memory.u32(row + ProfileRow.EVENT_PROFILE);
    const period = wasm.countedPeriod(profile);
    const name = this.instance.string(memory.u32(row + ProfileRow.EVENT_NAME));
    const one = wasm.valueOfOne(profile);
    // Values of such a profile are times: weight × period.
    const timed = isTimed(wasm, family) && period !== 0n;
    const found = timed
      ? { name, one: one * Number(period), nanos: 1n }
      : { name, one, nanos: BigInt(this.nanosOf(profile, period)) };
    this.events.set(event, found);
    return found;
  }

  private nanosOf(profile: number, period: bigint): number {
    const { memory, wasm } = this.instance;
    const row = wasm.profileAt(profile);
    const text = (field: number) => this.instance.string(memory.u32(row + field));
    const unit = text(ProfileRow.UNIT);
    const isCount = unit === "samples" || unit === "count";
    return nanosOfUnit(unit) ?? (isCount ? Number(period) * (nanosOfUnit(text(ProfileRow.PERIOD_UNIT)) ?? 0) : 0);
  }

  /** A half of an id of a link: 0 and 1 of the span, 2 and 3 of the local root. */
  idWord(link: number, word: number): number {
    this.links ??= linkIds(this.instance);
    return this.links[word]![link]!;
  }

  /** Whether a link has a span or a local root. */
  hasIds(link: number): boolean {
    this.links ??= linkIds(this.instance);
    return link !== 0 && this.links.some((words) => words[link] !== 0);
  }

  /** Word 0: the span; 2: the local root. */
  idOf(link: number, word: number): bigint {
    if (link === 0) return 0n;
    this.links ??= linkIds(this.instance);
    return BigInt(this.links[word]![link]!) | (BigInt(this.links[word + 1]![link]!) << 32n);
  }

  /** Value of an attribute of an attribute set as text; "" without it. */
  attribute(set: number, key: string): string {
    return this.attributesOf(set).get(key) ?? "";
  }

  /** Name of a row of the store's threads; "" where it has none. */
  threadName(row: number): string {
    const [names] = this.threads();
    return this.labelOf(names[row] ?? 0) ?? "";
  }

  /** Id of a row of the store's threads; null where it has none. */
  threadId(row: number): string | null {
    const [, ids] = this.threads();
    return this.labelOf(ids[row] ?? 0);
  }

  private labelOf(attribute: number): string | null {
    if (attribute === 0) return null;
    const label = this.labels.get(attribute) ?? this.instance.label(attribute);
    this.labels.set(attribute, label);
    return label;
  }

  private threads(): [names: Uint32Array, ids: Uint32Array] {
    this.threadColumns ??= allColumns(this.instance, StoreTable.Threads);
    return this.threadColumns;
  }

  private threadColumns: [names: Uint32Array, ids: Uint32Array] | null = null;

  /** Name of a recording; null where it is the only one. */
  fileName(file: number): string | null {
    const { files } = this.instance;
    return files.length > 1 ? (files[file]?.name ?? null) : null;
  }

  /** A text of the store. */
  text(row: number): string {
    return this.instance.string(row);
  }

  /** The attributes of an attribute set as texts. */
  attributesOf(set: number): ReadonlyMap<string, string> {
    const known = this.attributes.get(set);
    if (known !== undefined) return known;
    const [at, size] = this.sets();
    const { wasm, memory } = this.instance;
    const rows = memory.u32s(at[set] ?? 0, (size[set] ?? 0) >> 2);
    const texts = Array.from(rows, (row): [string, string] => [
      this.instance.string(wasm.attributeKey(row)),
      this.instance.label(row),
    ]);
    const found = new Map(texts);
    this.attributes.set(set, found);
    return found;
  }

  private setColumns: [at: Uint32Array, size: Uint32Array] | null = null;

  private sets() {
    this.setColumns ??= allColumns(this.instance, StoreTable.Sets);
    return this.setColumns;
  }

  /** The bits of all functions of a stack together. `of` is always the same, and asked once about each name. */
  bitsOf(stack: number, of: (name: string) => number): number {
    const known = this.stackBits.get(stack);
    if (known !== undefined) return known;
    this.methods ??= new StackMethods(this.instance);
    let bits = 0;
    this.methods.find(stack, (name) => {
      bits |= this.bitsOfName(name, of);
      return false;
    });
    this.stackBits.set(stack, bits);
    return bits;
  }

  /** The functions of a stack by the names that views show, the leaf first; or those of Java alone. */
  functionsOf(stack: number, ofJava = false): string[] {
    this.methods ??= new StackMethods(this.instance);
    const { methods } = this;
    const names: string[] = [];
    methods.find(stack, (name, isJava) => {
      if (isJava || !ofJava) names.push(this.instance.frameName(methods.shownName(name)));
      return false;
    });
    return names;
  }

  /** Those of the function of Java nearest to the leaf; null without one. */
  leafBits(stack: number, of: (name: string) => number): number | null {
    this.methods ??= new StackMethods(this.instance);
    let bits: number | null = null;
    this.methods.find(stack, (name, isJava) => {
      if (isJava) bits = this.bitsOfName(name, of);
      return isJava;
    });
    return bits;
  }

  /** Names of the functions of a stack as views show them, leaf first. */
  namesOf(stack: number): string[] {
    this.methods ??= new StackMethods(this.instance);
    const { methods } = this;
    const names: string[] = [];
    methods.find(stack, (name) => {
      names.push(methods.text(methods.shownName(name)));
      return false;
    });
    return names;
  }

  private bitsOfName(name: number, of: (name: string) => number): number {
    const known = this.nameBits.get(name);
    if (known !== undefined || this.methods === null) return known ?? 0;
    const bits = of(this.methods.text(this.methods.shownName(name)));
    this.nameBits.set(name, bits);
    return bits;
  }
}

function linkIds(instance: Instance): Uint32Array[] {
  return allColumns(instance, StoreTable.Links).slice(0, LINK_ID_WORDS);
}
