/**
 * Rows of a data set as a message of OTLP profiles, in the form that Spanflame writes (docs/otlp.md), so that the
 * reader of messages makes columns of ids, threads and events again. Rows that differ in time and value only are one
 * Sample.
 */
import { hexOf } from "../../bytes/hex.ts";
import { Numbered } from "../../bytes/numbered.ts";
import { WireWriter } from "../../bytes/wire-writer.ts";
import { TAGS } from "../../otlp/tags.ts";
import { bigEndian, putAttribute } from "./spans-message.ts";

const { AnyValue, KeyValueAndUnit, Line, Link, Location, Profile: ProfileTags, ProfilesData } = TAGS;
const { ProfilesDictionary, Function: FunctionTags, Resource, ResourceProfiles, Sample: SampleTags } = TAGS;
const { ScopeProfiles, Stack, ValueType } = TAGS;

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

/** The process of a recording: attributes, and when it was recorded, in nanoseconds since 1970; 0n is unknown. */
export interface Process {
  resource: readonly (readonly [string, string])[];
  start: bigint;
  end: bigint;
}

export type Processes = ReadonlyMap<string, Process>;

/** A table of the dictionary: rows, each once. Row 0 is empty. */
class Rows extends Numbered<string, Uint8Array> {
  constructor() {
    super("", new Uint8Array(0));
  }

  row(key: string, write: (to: WireWriter) => void): number {
    return this.of(key, () => {
      const to = new WireWriter();
      write(to);
      return to.taken();
    });
  }
}

class Dictionary {
  private readonly words = new Numbered("");
  private readonly mappings = new Rows();
  private readonly locations = new Rows();
  private readonly functions = new Rows();
  private readonly links = new Rows();
  private readonly attributes = new Rows();
  private readonly stacks = new Rows();
  private readonly stackNumbers = new Map<StackRow, number>();

  text(text: string): number {
    return this.words.of(text);
  }

  attribute(key: string, value: string | bigint): number {
    return this.attributes.row(`${typeof value} ${key}\0${value}`, (to) => {
      to.field(KeyValueAndUnit.key_strindex, this.text(key));
      to.message(KeyValueAndUnit.value, () =>
        typeof value === "bigint" ? to.number(AnyValue.int_value, value) : to.text(AnyValue.string_value, value),
      );
    });
  }

  link(trace: Uint8Array, span: Uint8Array): number {
    return this.links.row(`${trace} ${span}`, (to) => {
      to.delimited(Link.trace_id, trace);
      to.delimited(Link.span_id, span);
    });
  }

  stack(stack: StackRow | null): number {
    if (stack === null) return 0;
    const known = this.stackNumbers.get(stack);
    if (known !== undefined) return known;
    const locations = stack.frames.map((frame, i) => this.location(frame, stack.lines?.[i] ?? 0));
    const number = this.stacks.row(locations.join(" "), (to) => to.packed(Stack.location_indices, locations));
    this.stackNumbers.set(stack, number);
    return number;
  }

  private location({ name, file, frameType }: FunctionRow, line: number): number {
    const number = this.functions.row(`${name}\0${file ?? ""}`, (to) => {
      to.field(FunctionTags.name_strindex, this.text(name));
      to.field(FunctionTags.filename_strindex, this.text(file ?? ""));
    });
    const type = frameType === null ? 0 : this.attribute("profile.frame.type", frameType);
    return this.locations.row(`${number} ${line} ${type}`, (to) => {
      to.message(Location.lines, () => {
        to.field(Line.function_index, number);
        to.field(Line.line, line);
      });
      if (type !== 0) to.packed(Location.attribute_indices, [type]);
    });
  }

  write(to: WireWriter): void {
    const { mapping_table, location_table, function_table, link_table, attribute_table, stack_table } =
      ProfilesDictionary;
    const tables: [tag: number, rows: Rows][] = [
      [mapping_table, this.mappings],
      [location_table, this.locations],
      [function_table, this.functions],
      [link_table, this.links],
      [attribute_table, this.attributes],
      [stack_table, this.stacks],
    ];
    for (const word of this.words.list) to.text(ProfilesDictionary.string_table, word);
    for (const [tag, { list }] of tables) for (const row of list) to.delimited(tag, row);
  }
}

/** Number of the link, and the attribute of an id that the link cannot have. */
function context(dictionary: Dictionary, { root, span, trace }: SampleRow): { link: number; attribute: number } {
  const lone = (key: string, id: bigint) => dictionary.attribute(key, hexOf(bigEndian(id)));
  if (span === 0n) {
    if (root !== 0n) return { link: 0, attribute: lone("local_root_span.id", root) };
    return { link: 0, attribute: trace === null ? 0 : dictionary.attribute("trace.id", hexOf(trace)) };
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

function addRow(dictionary: Dictionary, profile: Profile, row: SampleRow, process: Process | undefined): void {
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
    if (process !== undefined && process.end > process.start) {
      extend(profile, process.start);
      extend(profile, process.end - 1n);
    }
    sample.values = [(sample.values[0] ?? 0n) + row.value];
    if (row.second !== null) sample.second = (sample.second ?? 0n) + row.second;
    return;
  }
  sample.values.push(row.value);
  sample.times.push(row.time);
  extend(profile, row.time);
}

function extend(profile: Profile, time: bigint): void {
  if (profile.first === 0n || time < profile.first) profile.first = time;
  if (time > profile.last) profile.last = time;
}

function putProfile(dictionary: Dictionary, to: WireWriter, profile: Profile): void {
  const valueType = (tag: number, type: string, unit: string) =>
    to.message(tag, () => {
      to.field(ValueType.type_strindex, dictionary.text(type));
      to.field(ValueType.unit_strindex, dictionary.text(unit));
    });
  valueType(ProfileTags.sample_type, profile.type, profile.unit);
  for (const { stack, link, attributes, values, second, times } of profile.samples.values()) {
    const seconds = second === null ? [] : [dictionary.attribute("spanflame.second_value", second)];
    to.message(ProfileTags.samples, () => {
      to.field(SampleTags.stack_index, stack);
      to.packed(SampleTags.attribute_indices, [...attributes, ...seconds]);
      to.field(SampleTags.link_index, link);
      to.packed(SampleTags.values, values);
      if (times.length > 0)
        to.message(SampleTags.timestamps_unix_nano, () => {
          for (const time of times) to.long(time);
        });
    });
  }
  to.fixed(ProfileTags.time_unix_nano, profile.first);
  // The end is exclusive.
  to.number(ProfileTags.duration_nano, profile.last - profile.first + 1n);
  if (profile.period !== null) {
    valueType(ProfileTags.period_type, profile.type, "nanoseconds");
    to.number(ProfileTags.period, profile.period);
  }
  if (profile.hasLocalRoots)
    to.packed(ProfileTags.attribute_indices, [dictionary.attribute("spanflame.trace_id", "local_root_span_id")]);
}

/** The message with all rows. Rows of a process are a Resource. */
export function messageOf(rows: readonly SampleRow[], processes: Processes): Uint8Array<ArrayBuffer> {
  const dictionary = new Dictionary();
  const all = new Map<string, Map<string, Profile>>();
  for (const row of rows) {
    const profiles = all.get(row.process) ?? new Map<string, Profile>();
    all.set(row.process, profiles);
    const key = `${row.type}\0${row.unit}\0${row.period}`;
    const { type, unit, period } = row;
    const empty = { type, unit, period, first: 0n, last: 0n, hasLocalRoots: false, samples: new Map() };
    const profile = profiles.get(key) ?? empty;
    profiles.set(key, profile);
    addRow(dictionary, profile, row, processes.get(row.process));
  }
  const to = new WireWriter();
  for (const [process, profiles] of all) {
    to.message(ProfilesData.resource_profiles, () => {
      to.message(ResourceProfiles.resource, () => {
        const { resource = [] } = processes.get(process) ?? {};
        for (const [key, value] of resource) putAttribute(to, Resource.attributes, key, value);
      });
      to.message(ResourceProfiles.scope_profiles, () => {
        for (const profile of profiles.values())
          to.message(ScopeProfiles.profiles, () => putProfile(dictionary, to, profile));
      });
    });
  }
  to.message(ProfilesData.dictionary, () => dictionary.write(to));
  return to.taken();
}
