/** What the tables of a core say of its observations: ids, threads, attributes, each once. */
import * as StoreTable from "../../../assembly/abi/store-table.ts";
import { Numbered } from "../../bytes/numbered.ts";
import type { Instance } from "../../core/instance/instance.ts";
import { allColumns } from "../../core/samples/store-columns.ts";
import { namingOf } from "../../model/lists/explorer.ts";
import { type Dictionary, Texts } from "../parquet/column-data.ts";
import type { Kernels } from "../parquet/kernels.ts";
import { bigEndian } from "./spans-message.ts";

const SERVICE_KEY = "service.name";
const INSTANCE_KEY = "service.instance.id";
const WORD = 0xffff_ffffn;

/** Attributes that have columns, and the others as numbers of texts: key, value, key, value … */
export interface Attributes {
  endpoint: number;
  operation: number;
  /** 0 unless the observation states another one than its recording. */
  service: number;
  instance: number;
  others: readonly number[];
}

/** Ids of links: code by link, 0 for none. */
export interface Ids {
  codes: Uint32Array;
  dictionary: Dictionary;
  count: number;
}

/** Trace id of a span, in halves. */
export type TraceIds = { get(span: bigint): readonly [high: bigint, low: bigint] | undefined };

/** Attribute sets of observations: their own, and those of their local roots. Emptied for each of many recordings. */
class FoundSets {
  found: number[] = [];
  private readonly rootSet: Uint32Array;
  /** By set: the list that it is in. */
  private readonly marks: Uint32Array;
  private list = 0;

  constructor(rootSet: Uint32Array, count: number) {
    this.rootSet = rootSet;
    this.marks = new Uint32Array(count);
  }

  emptied(): this {
    this.found = [];
    this.list++;
    return this;
  }

  add(link: number, set: number): void {
    this.addSet(set);
    this.addSet(this.rootSet[link]!);
  }

  private addSet(set: number): void {
    if (this.marks[set] === this.list) return;
    this.marks[set] = this.list;
    this.found.push(set);
  }
}

export class Contexts {
  readonly texts = new Texts();
  readonly keys = new Texts();
  readonly spans: Ids;
  readonly roots: Ids;
  readonly traces: Ids;
  /** Numbers of `texts` by thread, and ids as halves. */
  readonly threadName: Uint32Array;
  readonly threadId: Uint32Array;
  private readonly instance: Instance;
  private readonly rootSet: Uint32Array;
  private readonly sets: [at: Uint32Array, size: Uint32Array];
  /** By the number of the keys of names. */
  private readonly known: Map<number, number>[] = [];
  private readonly namings: ReturnType<typeof namingOf>[] = [];
  /** Attributes by row, and those of sets: each is decoded once. */
  private readonly pairs: [key: string, value: string][] = [];
  private readonly decoded: [key: string, value: string][][] = [];
  private readonly found: FoundSets[] = [];
  /** By the numbers of `attributesOf`. */
  readonly attributes: Attributes[] = [];

  /** `traces`: ids of the traces of spans, which links without one get. */
  constructor(kernels: Kernels, instance: Instance, traces: TraceIds | null) {
    this.instance = instance;
    const links = allColumns(instance, StoreTable.Links);
    if (traces !== null) fillTraces(links, traces);
    this.spans = idsOf(kernels, links[0]!, links[1]!);
    this.roots = idsOf(kernels, links[2]!, links[3]!);
    this.traces = tracesOf(links[4]!, links[5]!, links[6]!, links[7]!);
    this.rootSet = links[8]!;
    this.sets = allColumns(instance, StoreTable.Sets);
    const [name, id] = allColumns(instance, StoreTable.Threads);
    const label = (attribute: number) => (attribute === 0 ? "" : instance.label(attribute));
    this.threadName = name.map((attribute) => this.texts.of(label(attribute)));
    this.threadId = new Uint32Array(BigInt64Array.from(id, (attribute) => idNumber(label(attribute))).buffer);
  }

  /** An empty list of sets, of which there are several at a time, by number. */
  setsOf(number: number): FoundSets {
    this.found[number] ??= new FoundSets(this.rootSet, this.sets[0].length);
    return this.found[number].emptied();
  }

  /** Number of the keys that name the endpoints and operations of a profile, by the sets of its observations. */
  namingOf(sets: readonly number[]): number {
    const keys = new Set<string>();
    for (const set of sets) for (const [key] of this.decoded[set] ?? this.decode(set)) keys.add(key);
    const found = namingOf((key) => keys.has(key));
    const number = this.namings.findIndex(
      (each) => each.endpoint === found.endpoint && each.operation === found.operation,
    );
    if (number >= 0) return number;
    this.known.push(new Map());
    return this.namings.push(found) - 1;
  }

  /** Numbers of the attributes of observations with these links, attribute sets and keys of names. */
  attributesOf(links: Uint32Array, sets: Uint32Array, namings: Uint32Array): Uint32Array {
    const numbers = new Uint32Array(links.length);
    for (let i = 0; i < numbers.length; i++) {
      // Neighbours are of a request.
      const isSame = i > 0 && links[i] === links[i - 1] && sets[i] === sets[i - 1] && namings[i] === namings[i - 1];
      numbers[i] = isSame ? numbers[i - 1]! : this.numberOf(links[i]!, sets[i]!, namings[i]!);
    }
    return numbers;
  }

  private numberOf(link: number, set: number, naming: number): number {
    const root = this.rootSet[link]!;
    const key = root * 2 ** 26 + set;
    const known = this.known[naming]!;
    const found = known.get(key);
    if (found !== undefined) return found;
    const number = this.attributes.length;
    known.set(key, number);
    this.attributes.push(this.made(root, set, this.namings[naming]!));
    return number;
  }

  private made(root: number, set: number, naming: ReturnType<typeof namingOf>): Attributes {
    const all = new Map<string, string>();
    // Those of the observation replace those of its local root.
    for (const each of [root, set]) this.addSet(all, each);
    const take = (key: string | undefined): number => {
      const value = key === undefined ? "" : (all.get(key) ?? "");
      if (key === undefined || value === "") return 0;
      const text = this.texts.of(value);
      all.delete(key);
      return text;
    };
    const [endpoint, operation] = [take(naming.endpoint), take(naming.operation)];
    const [service, instance] = [take(SERVICE_KEY), take(INSTANCE_KEY)];
    const others = [...all].flatMap(([key, value]) => [this.keys.of(key), this.texts.of(value)]);
    return { endpoint, operation, service, instance, others };
  }

  private addSet(all: Map<string, string>, set: number): void {
    for (const [key, value] of this.decoded[set] ?? this.decode(set)) all.set(key, value);
  }

  private decode(set: number): [key: string, value: string][] {
    const pairs: [key: string, value: string][] = [];
    this.decoded[set] = pairs;
    if (set === 0) return pairs;
    const [at, size] = this.sets;
    const { wasm, memory } = this.instance;
    // A set may begin at any address.
    const bytes = memory.bytes(at[set]!, size[set]!).slice();
    for (const row of new Uint32Array(bytes.buffer)) {
      this.pairs[row] ??= [this.instance.string(wasm.attributeKey(row)), this.instance.label(row)];
      pairs.push(this.pairs[row]);
    }
    return pairs;
  }
}

function idNumber(text: string): bigint {
  return /^-?\d{1,18}$/.test(text) ? BigInt(text) : 0n;
}

/** Fills in the trace ids of links that have none, by the span or else the local root. */
function fillTraces(links: readonly Uint32Array[], traces: TraceIds): void {
  const [spanLow, spanHigh, rootLow, rootHigh, ...halves] = links as [Uint32Array, ...Uint32Array[]];
  const id = (high: Uint32Array, low: Uint32Array, i: number) => (BigInt(high[i]!) << 32n) | BigInt(low[i]!);
  for (let i = 1; i < spanLow.length; i++) {
    if (halves.slice(0, 4).some((words) => words[i] !== 0)) continue;
    const found = traces.get(id(spanHigh!, spanLow, i)) ?? traces.get(id(rootHigh!, rootLow!, i));
    if (found === undefined) continue;
    const [high, low] = found;
    for (const [k, half] of [low, high].entries()) {
      halves[2 * k]![i] = Number(half & WORD);
      halves[2 * k + 1]![i] = Number(half >> 32n);
    }
  }
}

/** Ids of links; row 0 is no link. */
export function idsOf(kernels: Kernels, low: Uint32Array, high: Uint32Array): Ids {
  const words = new Uint32Array(2 * low.length);
  for (let i = 0; i < low.length; i++) {
    words[2 * i] = low[i]!;
    words[2 * i + 1] = high[i]!;
  }
  // Row 0 has no ids, so that code 0 is 0.
  const { codes, dictionary } = kernels.codedLongs(words, low.length)!;
  return { codes, dictionary, count: dictionary.of === "int64" ? dictionary.words.length / 2 : 0 };
}

const wide = (high: number, low: number) => (BigInt(high) << 32n) | BigInt(low);

/** Trace ids of links as 16 bytes, big-endian; code 0 for none. */
export function tracesOf(lowLow: Uint32Array, lowHigh: Uint32Array, highLow: Uint32Array, highHigh: Uint32Array): Ids {
  const traces = new Numbered("0 0", new Uint8Array(16));
  const codes = new Uint32Array(lowLow.length);
  for (let i = 0; i < codes.length; i++) {
    if ((highHigh[i]! | highLow[i]! | lowHigh[i]! | lowLow[i]!) === 0) continue;
    const [a, b, c, d] = [highHigh[i]!, highLow[i]!, lowHigh[i]!, lowLow[i]!];
    codes[i] = traces.of(`${a} ${b} ${c} ${d}`, () => bigEndian(wide(a, b), wide(c, d)));
  }
  return { codes, dictionary: { of: "bytes16", values: traces.list }, count: traces.list.length };
}
