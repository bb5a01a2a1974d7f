/**
 * OTLP profiles of v1.7, which async-profiler 4.1 and 4.2 write, as samples. Since then the message has changed so:
 *
 *   ProfilesDictionary   6 attribute table { 1 key text, 2 value }, no stacks
 *   Profile              1 sample types *, 2 samples *, 3 location indices *, 4 time, 5 duration, 6 and 7 period
 *   Sample               1 first and 2 number of its location indices, 3 values *, 4 attributes *, 6 times *
 *   Location             1 mapping, 2 address, 3 lines { 1 function, 2 line, 3 column }, 5 attributes
 *
 * A sample has a value for each sample type, or for each time.
 */
import { DELIMITED, VARINT, Varint, type WireField, wireFields } from "../../bytes/protobuf.ts";
import type { MadeFrame } from "../../otlp/dictionary.ts";
import type { MadeSample, Series } from "./batch.ts";
import { type Faults, MOST_DEEP } from "./faults.ts";

const TEXT = new TextDecoder();
/** From the message to the samples of its first profile. */
const PATH = [1, 2, 2, 2];

/** Whether the first sample of a message has the fields of v1.7: its head is enough. */
export function isBefore18(head: Uint8Array): boolean {
  let [from, to] = [0, head.length];
  for (const wanted of PATH) {
    const inner = fieldIn(head, from, to, wanted);
    if (inner === null) return false;
    [from, to] = inner;
  }
  return isSampleBefore18(head.subarray(from, to));
}

function isSampleBefore18(sample: Uint8Array): boolean {
  const fields = [...wireFields(sample)];
  const has = (number: number, wire: number) => fields.some((field) => field.number === number && field.wire === wire);
  return has(2, VARINT) && has(3, DELIMITED) && !has(2, DELIMITED);
}

/** The bytes of the first field of a number, as far as the head has them. */
function fieldIn(head: Uint8Array, from: number, end: number, wanted: number): [number, number] | null {
  const varint = new Varint();
  for (let at = from; at >= 0 && at < end; ) {
    at = varint.read(head, at, end);
    if (at < 0 || ![VARINT, DELIMITED].includes(varint.low % 8)) return null;
    const [number, wire] = [Math.floor(varint.value / 8), varint.low % 8];
    at = varint.read(head, at, end);
    if (at < 0) return null;
    if (wire !== DELIMITED) continue;
    if (number === wanted) return [at, Math.min(end, at + varint.value)];
    at += varint.value;
  }
  return null;
}

function numbersOf({ wire, bits, bytes }: WireField): bigint[] {
  if (wire !== DELIMITED) return [bits];
  const varint = new Varint();
  const numbers: bigint[] = [];
  for (let at = varint.read(bytes, 0, bytes.length); at > 0; at = varint.read(bytes, at, bytes.length)) {
    numbers.push(varint.long);
    if (at >= bytes.length) break;
  }
  return numbers;
}

/** Fields of a message by number, the last one of each, and lists of all. */
class Fields {
  private readonly lists = new Map<number, WireField[]>();

  constructor(bytes: Uint8Array) {
    for (const field of wireFields(bytes)) {
      const list = this.lists.get(field.number);
      if (!field.isWhole && field.wire !== DELIMITED) continue;
      if (list === undefined) this.lists.set(field.number, [field]);
      else list.push(field);
    }
  }

  all(number: number): Uint8Array[] {
    return (this.lists.get(number) ?? []).filter(({ wire }) => wire === DELIMITED).map(({ bytes }) => bytes);
  }

  number(number: number): number {
    return Number(this.lists.get(number)?.at(-1)?.bits ?? 0n);
  }

  numbers(number: number): bigint[] {
    return (this.lists.get(number) ?? []).flatMap(numbersOf);
  }

  text(number: number): string {
    return TEXT.decode(this.all(number).at(-1));
  }
}

/** Whether all profiles of a message are of v1.7: a collector may have put those of several writers together. */
export function isAllBefore18(message: Uint8Array): boolean {
  const profiles = [message].flatMap(inside(1)).flatMap(inside(2)).flatMap(inside(2));
  const first = profiles.map((profile) => inside(2)(profile)[0]).filter((sample) => sample !== undefined);
  return first.every(isSampleBefore18);
}

const inside = (number: number) => (message: Uint8Array) => new Fields(message).all(number);

export function* samplesBefore18(message: Uint8Array, faults: Faults): Generator<MadeSample> {
  const file = new Fields(message);
  const tables = new Tables(new Fields(file.all(2)[0] ?? new Uint8Array(0)));
  for (const resource of file.all(1)) {
    for (const scope of new Fields(resource).all(2)) {
      for (const profile of new Fields(scope).all(2)) yield* profileSamples(new Fields(profile), tables, faults);
    }
  }
}

class Tables {
  readonly strings: string[];
  private readonly functions: Uint8Array[];
  private readonly locations: Uint8Array[];
  private readonly attributes: Uint8Array[];

  constructor(dictionary: Fields) {
    this.strings = dictionary.all(5).map((bytes) => TEXT.decode(bytes));
    this.functions = dictionary.all(3);
    this.locations = dictionary.all(2);
    this.attributes = dictionary.all(6);
  }

  text(index: number): string {
    return this.strings[index] ?? "";
  }

  has(location: number): boolean {
    return location < this.locations.length;
  }

  readonly frameOf = (index: number): MadeFrame => {
    const line = new Fields(new Fields(this.locations[index] ?? new Uint8Array(0)).all(3)[0] ?? new Uint8Array(0));
    const fn = new Fields(this.functions[line.number(1)] ?? new Uint8Array(0));
    const name = this.text(fn.number(1)) || "(no name)";
    return {
      name,
      file: this.text(fn.number(3)),
      startLine: fn.number(4),
      line: line.number(2),
      column: line.number(3),
    };
  };

  /** Texts and whole numbers. */
  set(indices: readonly bigint[]): Record<string, string | bigint> {
    const set = new Map<string, string | bigint>();
    for (const index of indices) {
      const attribute = new Fields(this.attributes[Number(index)] ?? new Uint8Array(0));
      const value = new Fields(attribute.all(2)[0] ?? new Uint8Array(0));
      const key = attribute.text(1);
      if (key !== "") set.set(key, value.text(1) || (value.numbers(3)[0] ?? ""));
    }
    return Object.fromEntries(set);
  }
}

interface Measured {
  values: bigint[];
  times: bigint[];
  from: number;
  length: number;
  attributes: Record<string, string | bigint>;
}

function* profileSamples(profile: Fields, tables: Tables, faults: Faults): Generator<MadeSample> {
  const types = profile.all(1).map((bytes) => new Fields(bytes));
  const [periodType] = profile.all(6).map((bytes) => new Fields(bytes));
  const indices = profile.numbers(3).map(Number);
  const sets = new Map<string, Record<string, string | bigint>>();
  const samples = profile.all(2).map((bytes): Measured => {
    const sample = new Fields(bytes);
    const set = sample.numbers(4);
    const attributes = sets.get(`${set}`) ?? tables.set(set);
    sets.set(`${set}`, attributes);
    const values = sample.numbers(3).map((value) => BigInt.asIntN(64, value));
    return { values, times: fixedOf(bytes), from: sample.number(1), length: sample.number(2), attributes };
  });
  // async-profiler 4.2 counts the frame of the thread, which it left out.
  const endsLate = (sample: Measured, i: number) =>
    sample.from + sample.length === (samples[i + 1]?.from ?? indices.length) + 1;
  if (samples.every(endsLate)) for (const sample of samples) sample.length--;
  const stated = { unit: tables.text(periodType?.number(2) ?? 0), value: profile.numbers(7)[0] ?? 0n };
  const named = types.map((type) => ({ type: tables.text(type.number(1)), unit: tables.text(type.number(2)) }));
  const series: Series[] = named.map((each) => ({ ...each, ...(stated.value > 0n && { period: stated }) }));
  const each = timeOfEach(named, samples);
  if (each !== null)
    series.splice(0, 2, { type: named[0]?.type ?? "", unit: "count", period: { unit: "ns", value: each } });
  const of = {
    framesOf: (sample: number) => {
      const { from, length } = samples[sample] ?? { from: 0, length: 0 };
      const all = indices.slice(from, from + Math.min(length, MOST_DEEP));
      const known = all.filter((location) => tables.has(location));
      if (all.length < Math.min(length, MOST_DEEP) || known.length < all.length)
        faults.add("with locations that do not exist, which were left out", `sample ${sample}`);
      return known;
    },
    frameOf: tables.frameOf,
  };
  for (const [stack, { values, times, attributes }] of samples.entries()) {
    for (const [i, one] of series.entries()) {
      const sample = { series: one, of, stack, attributes };
      if (times.length > 0 && series.length === 1 && values.length <= times.length && each === null)
        for (const [k, time] of times.entries()) yield { ...sample, value: values[k] ?? 1n, time };
      else if (values[i] !== undefined) yield { ...sample, value: values[i], time: null };
      else faults.add("with fewer values than sample types; left out", `sample ${stack}`);
    }
  }
}

/** Nanoseconds of one sample, where the second sample type is the time of the first one. */
function timeOfEach(types: readonly { type: string; unit: string }[], samples: readonly Measured[]): bigint | null {
  const [count, time] = types;
  if (types.length !== 2 || count?.unit !== "count" || time?.unit !== "ns" || count.type !== time.type) return null;
  const [first] = samples;
  const [number = 0n, nanos = 0n] = first?.values ?? [];
  if (number <= 0n || nanos % number !== 0n) return null;
  const each = nanos / number;
  return samples.every(({ values: [n = 0n, ns = 0n] }) => n * each === ns) ? each : null;
}

/** Times of a sample, which are fixed numbers in one or several fields. */
function fixedOf(sample: Uint8Array): bigint[] {
  const times: bigint[] = [];
  for (const { number, wire, bytes, bits } of wireFields(sample)) {
    if (number !== 6) continue;
    if (wire !== DELIMITED) times.push(bits);
    else {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      for (let at = 0; at + 8 <= bytes.length; at += 8) times.push(view.getBigUint64(at, true));
    }
  }
  return times;
}
