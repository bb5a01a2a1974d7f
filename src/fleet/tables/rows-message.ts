/**
 * Rows of a data set as a message of OTLP profiles, in the form that Spanflame writes (docs/otlp.md), so that the
 * reader of messages makes columns of ids, threads and events again. Rows that differ in time and value only are one
 * Sample.
 */
import { Bytes } from "./protobuf-bytes.ts";
import { bigEndian } from "./spans-message.ts";

export interface FunctionRow {
  name: string;
  file: string | null;
  frameType: string | null;
}

export interface StackRow {
  /** Leaf first. */
  frames: readonly FunctionRow[];
  lines: readonly number[] | null;
}

/** An observation. Ids are signed, 0 for none. */
export interface SampleRow {
  /** The observations of a process: part and recording. */
  process: string;
  time: bigint;
  type: string;
  unit: string;
  value: bigint;
  /** Second measure, where the profile has one. */
  second: bigint | null;
  period: bigint | null;
  event: string | null;
  root: bigint;
  span: bigint;
  trace: Uint8Array | null;
  endpoint: string | null;
  operation: string | null;
  thread: string | null;
  threadId: bigint | null;
  stack: StackRow | null;
  attributes: readonly (readonly [string, string])[];
}

export type Resources = ReadonlyMap<string, readonly (readonly [string, string])[]>;

/** Rows of a table of the dictionary, each once. Row 0 is empty. */
class Rows {
  private readonly numbers = new Map<string, number>();
  readonly list: Uint8Array[] = [new Uint8Array(0)];

  of(key: string, write: (bytes: Bytes) => void): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const bytes = new Bytes();
    write(bytes);
    this.numbers.set(key, this.list.length);
    this.list.push(bytes.taken());
    return this.list.length - 1;
  }
}

class Dictionary {
  private readonly words = new Map<string, number>([["", 0]]);
  private readonly mappings = new Rows();
  private readonly locations = new Rows();
  private readonly functions = new Rows();
  private readonly links = new Rows();
  private readonly attributes = new Rows();
  private readonly stacks = new Rows();
  private readonly stackNumbers = new Map<StackRow, number>();

  text(text: string): number {
    const known = this.words.get(text);
    if (known !== undefined) return known;
    this.words.set(text, this.words.size);
    return this.words.size - 1;
  }

  attribute(key: string, value: string | bigint): number {
    return this.attributes.of(`${typeof value} ${key}\0${value}`, (row) => {
      row.number(1, this.text(key));
      row.message(2, (any) => (typeof value === "bigint" ? any.int64(3, value) : any.text(1, value)));
    });
  }

  link(trace: Uint8Array, span: Uint8Array): number {
    return this.links.of(`${trace} ${span}`, (row) => {
      row.delimited(1, trace);
      row.delimited(2, span);
    });
  }

  stack(stack: StackRow | null): number {
    if (stack === null) return 0;
    const known = this.stackNumbers.get(stack);
    if (known !== undefined) return known;
    const locations = stack.frames.map((frame, i) => this.location(frame, stack.lines?.[i] ?? 0));
    const number = this.stacks.of(locations.join(" "), (row) => row.packed(1, locations));
    this.stackNumbers.set(stack, number);
    return number;
  }

  private location({ name, file, frameType }: FunctionRow, line: number): number {
    const number = this.functions.of(`${name}\0${file ?? ""}`, (row) => {
      row.number(1, this.text(name));
      row.number(3, this.text(file ?? ""));
    });
    const type = frameType === null ? 0 : this.attribute("profile.frame.type", frameType);
    return this.locations.of(`${number} ${line} ${type}`, (row) => {
      row.message(3, (inner) => {
        inner.number(1, number);
        inner.number(2, line);
      });
      if (type !== 0) row.packed(4, [type]);
    });
  }

  write(bytes: Bytes): void {
    const tables = [this.mappings, this.locations, this.functions, this.links, null, this.attributes, this.stacks];
    for (const [i, table] of tables.entries()) {
      if (table === null) for (const word of this.words.keys()) bytes.text(i + 1, word);
      else for (const row of table.list) bytes.delimited(i + 1, row);
    }
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Number of the link, and the attribute of an id that the link cannot have. */
function context(dictionary: Dictionary, { root, span, trace }: SampleRow): { link: number; attribute: number } {
  const lone = (key: string, id: bigint) => dictionary.attribute(key, hex(bigEndian(id)));
  if (span === 0n) {
    if (root !== 0n) return { link: 0, attribute: lone("local_root_span.id", root) };
    return { link: 0, attribute: trace === null ? 0 : dictionary.attribute("trace.id", hex(trace)) };
  }
  if (trace !== null) {
    const attribute = root === 0n ? 0 : lone("local_root_span.id", root);
    return { link: dictionary.link(trace, bigEndian(span)), attribute };
  }
  if (root === 0n) return { link: 0, attribute: lone("span.id", span) };
  const bytes = new Uint8Array(16);
  bytes.set(bigEndian(root), 8);
  return { link: dictionary.link(bytes, bigEndian(span)), attribute: 0 };
}

function attributesOf(dictionary: Dictionary, row: SampleRow, lone: number): number[] {
  const found: number[] = lone === 0 ? [] : [lone];
  const keys = new Set<string>();
  const add = (key: string, value: string | bigint | null) => {
    if (value === null || keys.has(key)) return;
    keys.add(key);
    found.push(dictionary.attribute(key, value));
  };
  add("jfr.event", row.event);
  add("thread.name", row.thread);
  add("thread.id", row.threadId);
  for (const [key, value] of row.attributes) add(key, value);
  add("trace endpoint", row.endpoint);
  add("operation", row.operation);
  return found;
}

/** A Sample has one second value for all of its observations. */
interface Sample {
  stack: number;
  link: number;
  attributes: number[];
  values: bigint[];
  second: bigint | null;
  times: bigint[];
}

interface Profile {
  type: string;
  unit: string;
  period: bigint | null;
  first: bigint;
  last: bigint;
  hasLocalRoots: boolean;
  samples: Map<string, Sample>;
}

function addRow(dictionary: Dictionary, profile: Profile, row: SampleRow): void {
  const { link, attribute } = context(dictionary, row);
  const attributes = attributesOf(dictionary, row, attribute);
  const stack = dictionary.stack(row.stack);
  // A Sample has a time for each of its values, or for none of them.
  const kind = row.time === 0n ? "timeless" : row.second;
  const key = `${stack} ${link} ${attributes.join(",")} ${kind}`;
  let sample = profile.samples.get(key);
  if (sample === undefined) {
    sample = { stack, link, attributes, values: [], second: row.time === 0n ? null : row.second, times: [] };
    profile.samples.set(key, sample);
  }
  if (row.trace === null && row.root !== 0n) profile.hasLocalRoots = true;
  if (row.time === 0n) {
    sample.values = [(sample.values[0] ?? 0n) + row.value];
    if (row.second !== null) sample.second = (sample.second ?? 0n) + row.second;
    return;
  }
  sample.values.push(row.value);
  sample.times.push(row.time);
  if (profile.first === 0n || row.time < profile.first) profile.first = row.time;
  if (row.time > profile.last) profile.last = row.time;
}

function writeProfile(dictionary: Dictionary, bytes: Bytes, profile: Profile): void {
  const valueType = (type: string, unit: string) => (inner: Bytes) => {
    inner.number(1, dictionary.text(type));
    inner.number(2, dictionary.text(unit));
  };
  bytes.message(1, valueType(profile.type, profile.unit));
  for (const { stack, link, attributes, values, second, times } of profile.samples.values()) {
    const seconds = second === null ? [] : [dictionary.attribute("spanflame.second_value", second)];
    bytes.message(2, (sample) => {
      sample.number(1, stack);
      sample.packed(2, [...attributes, ...seconds]);
      sample.number(3, link);
      sample.packedInt64(4, values);
      if (times.length > 0) sample.packedFixed64(5, times);
    });
  }
  bytes.fixed64(3, profile.first);
  // The end is exclusive.
  bytes.int64(4, profile.last - profile.first + 1n);
  if (profile.period !== null) {
    bytes.message(5, valueType(profile.type, "nanoseconds"));
    bytes.int64(6, profile.period);
  }
  if (profile.hasLocalRoots) bytes.packed(11, [dictionary.attribute("spanflame.trace_id", "local_root_span_id")]);
}

/** The message with all rows. Rows of a process are a Resource. */
export function messageOf(rows: readonly SampleRow[], resources: Resources): Uint8Array<ArrayBuffer> {
  const dictionary = new Dictionary();
  const processes = new Map<string, Map<string, Profile>>();
  for (const row of rows) {
    const profiles = processes.get(row.process) ?? new Map<string, Profile>();
    processes.set(row.process, profiles);
    const key = `${row.type}\0${row.unit}\0${row.period}`;
    const { type, unit, period } = row;
    const empty = { type, unit, period, first: 0n, last: 0n, hasLocalRoots: false, samples: new Map() };
    const profile = profiles.get(key) ?? empty;
    profiles.set(key, profile);
    addRow(dictionary, profile, row);
  }
  const message = new Bytes();
  for (const [process, profiles] of processes) {
    message.message(1, (resourceProfiles) => {
      resourceProfiles.message(1, (resource) => {
        for (const [key, value] of resources.get(process) ?? []) {
          resource.message(1, (pair) => {
            pair.text(1, key);
            pair.message(2, (any) => any.text(1, value));
          });
        }
      });
      resourceProfiles.message(2, (scope) => {
        for (const profile of profiles.values()) {
          scope.message(2, (bytes) => writeProfile(dictionary, bytes, profile));
        }
      });
    });
  }
  message.message(2, (bytes) => dictionary.write(bytes));
  return message.taken();
}
