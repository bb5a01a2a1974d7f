/**
 * A builder's content as a message of OTLP profiles in protobuf. Rows of a table are numbered by their first use, in
 * the order of the samples, and written then; so the message has neither rows that nothing refers to nor an order that
 * depends on the calls before.
 */
import { high, low } from "../../bytes/byte-writer.ts";
import { joined } from "../../bytes/joined.ts";
import { WireWriter } from "../../bytes/wire-writer.ts";
import type { WriteResult } from "../../core/types.ts";
import { TAGS } from "../../otlp/tags.ts";
import type { ListTable } from "./list-table.ts";
import type { ProfileRows } from "./profile-rows.ts";
import { type BuilderTables, LINE_WORDS, LINES_AT, VALUE_AT } from "./tables.ts";

const { KeyValue, KeyValueAndUnit, Line, Link, Location, Mapping, Profile, ProfilesData } = TAGS;
const { ProfilesDictionary: Dictionary, Function: FunctionTags, Resource, ResourceProfiles, Sample, Scope } = TAGS;
const { ScopeProfiles, Stack, ValueType } = TAGS;
const MAPPING_NUMBERS = [Mapping.memory_start, Mapping.memory_limit, Mapping.file_offset];
const FUNCTION_TEXTS = [FunctionTags.name_strindex, FunctionTags.system_name_strindex, FunctionTags.filename_strindex];

/** A table of the message: numbers by row of the builder, 0 while a row is not written. */
class Written {
  readonly wire = new WireWriter();
  readonly numbers: Uint32Array;
  private readonly tag: number;
  private count = 1;

  constructor(rows: number, tag: number) {
    this.numbers = new Uint32Array(rows);
    this.tag = tag;
    this.wire.text(tag, "");
  }

  /** The number of a row, whose content `write` writes if it is its first use. */
  use(row: number, write: (wire: WireWriter) => void): number {
    if (row === 0) return 0;
    if (this.numbers[row] === 0) {
      this.numbers[row] = this.count++;
      const start = this.wire.open(this.tag);
      write(this.wire);
      this.wire.close(start);
    }
    return this.numbers[row]!;
  }
}

/** Bytes of a big-endian id in words whose lowest is first. */
function idBytes(table: ListTable, row: number, first: number, count: number): Uint8Array {
  const bytes = new Uint8Array(4 * count);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < count; i++) view.setUint32(4 * (count - 1 - i), table.word(row, first + i));
  return bytes;
}

class MessageWriter {
  readonly out = new WireWriter();
  samples = 0;
  private readonly tables: BuilderTables;
  private readonly strings: Written;
  private readonly attributes: Written;
  private readonly functions: Written;
  private readonly mappings: Written;
  private readonly locations: Written;
  private readonly links: Written;
  private readonly stacks: Written;

  constructor(tables: BuilderTables) {
    this.tables = tables;
    this.mappings = new Written(tables.mappings.count, Dictionary.mapping_table);
    this.locations = new Written(tables.locations.count, Dictionary.location_table);
    this.functions = new Written(tables.functions.count, Dictionary.function_table);
    this.links = new Written(tables.written.count, Dictionary.link_table);
    this.strings = new Written(tables.texts.length, Dictionary.string_table);
    this.attributes = new Written(tables.attributes.count, Dictionary.attribute_table);
    this.stacks = new Written(tables.stacks.count, Dictionary.stack_table);
  }

  /** The fields of ProfilesData. */
  write(profiles: readonly ProfileRows[]): Uint8Array<ArrayBuffer> {
    const { out } = this;
    for (const ofResource of grouped(profiles, "resource")) {
      const { resource } = ofResource[0]!.head;
      const start = out.open(ProfilesData.resource_profiles);
      const content = out.open(ResourceProfiles.resource);
      const { resources, scopes } = this.tables;
      this.keyValues(Resource.attributes, resource === 0 ? 0 : resources.word(resource, 1));
      out.close(content);
      for (const ofScope of grouped(ofResource, "scope")) {
        const { scope } = ofScope[0]!.head;
        const inner = out.open(ResourceProfiles.scope_profiles);
        this.scope(scope);
        for (const profile of ofScope) this.profile(profile);
        if (scope !== 0) this.inlineText(ScopeProfiles.schema_url, scopes.word(scope, 2));
        out.close(inner);
      }
      if (resource !== 0) this.inlineText(ResourceProfiles.schema_url, resources.word(resource, 0));
      out.close(start);
    }
    // In front: a message that begins with resources may begin as JSON does, with a line break and a brace.
    const { mappings, locations, functions, links, strings, attributes, stacks } = this;
    const tables = [mappings, locations, functions, links, strings, attributes, stacks].map(({ wire }) => wire.bytes);
    const head = new WireWriter();
    head.varint(ProfilesData.dictionary);
    head.varint(tables.reduce((sum, { length }) => sum + length, 0));
    return joined([head.bytes, ...tables, out.bytes]);
  }

  private scope(row: number): void {
    const start = this.out.open(ScopeProfiles.scope);
    if (row !== 0) {
      const { scopes } = this.tables;
      this.inlineText(Scope.name, scopes.word(row, 0));
      this.inlineText(Scope.version, scopes.word(row, 1));
      this.keyValues(Scope.attributes, scopes.word(row, 3));
    }
    this.out.close(start);
  }

  private inlineText(tag: number, text: number): void {
    if (text !== 0) this.out.text(tag, this.tables.texts[text]!);
  }

  /** A set as KeyValues, whose keys are in place. */
  private keyValues(tag: number, set: number): void {
    const { sets, attributes } = this.tables;
    for (let i = sets.start(set); i < sets.end(set); i++) {
      const row = sets.words[i]!;
      const start = this.out.open(tag);
      this.inlineText(KeyValue.key, attributes.word(row, 0));
      this.out.delimited(KeyValue.value, this.valueOf(row));
      this.out.close(start);
    }
  }

  private valueOf(attribute: number): Uint8Array {
    const { words } = this.tables.attributes;
    const at = this.tables.attributes.start(attribute) + VALUE_AT;
    return new Uint8Array(words.buffer, 4 * at, words[at - 1]!);
  }

  private profile(profile: ProfileRows): void {
    const { out } = this;
    const { head } = profile;
    const start = out.open(ScopeProfiles.profiles);
    this.valueType(Profile.sample_type, head.type, head.unit);
    this.samplesOf(profile);
    const [from, duration] = profile.range();
    if (from !== 0n) out.fixed(Profile.time_unix_nano, from);
    out.field(Profile.duration_nano, low(duration), high(duration));
    // Parca refuses a message without it.
    this.valueType(Profile.period_type, head.periodType, head.periodUnit);
    out.field(Profile.period, low(head.period), high(head.period));
    if (head.id.length > 0) out.delimited(Profile.profile_id, head.id);
    this.setIndices(out, Profile.attribute_indices, head.set);
    out.close(start);
  }

  private valueType(tag: number, type: number, unit: number): void {
    const start = this.out.open(tag);
    this.out.field(ValueType.type_strindex, this.text(type));
    this.out.field(ValueType.unit_strindex, this.text(unit));
    this.out.close(start);
  }

  /** The observations sorted by their samples, and the samples. */
  private samplesOf({ samples, counts, owners, times, values, sums, head, count }: ProfileRows): void {
    const places = new Uint32Array(samples.count + 1);
    for (let row = 1; row < samples.count; row++) places[row + 1] = places[row]! + counts[row]!;
    const order = new Uint32Array(head.times ? count : 0);
    for (let i = 0; i < order.length; i++) order[places[owners[i]!]!++] = i;
    const columns = { times: halves(times), values: halves(values), order };
    const sumHalves = halves(sums);
    for (let row = 1; row < samples.count; row++) {
      if (counts[row] === 0) continue;
      this.samples++;
      const { out } = this;
      const start = out.open(Profile.samples);
      out.field(Sample.stack_index, this.stack(samples.word(row, 0)));
      this.setIndices(out, Sample.attribute_indices, samples.word(row, 2));
      out.field(Sample.link_index, this.link(samples.word(row, 1)));
      if (head.times) this.observations(columns, places[row]! - counts[row]!, places[row]!);
      else {
        const list = out.open(Sample.values);
        out.varint(sumHalves[2 * row]!, sumHalves[2 * row + 1]!);
        out.close(list);
      }
      out.close(start);
    }
  }

  private observations(
    { times, values, order }: Record<"times" | "values" | "order", Uint32Array>,
    from: number,
    to: number,
  ) {
    const { out } = this;
    const list = out.open(Sample.values);
    for (let i = from; i < to; i++) {
      const at = 2 * order[i]!;
      out.varint(values[at]!, values[at + 1]!);
    }
    out.close(list);
    out.varint(Sample.timestamps_unix_nano);
    out.varint(8 * (to - from));
    for (let i = from; i < to; i++) {
      const at = 2 * order[i]!;
      out.fixed64(times[at]!, times[at + 1]!);
    }
  }

  private setIndices(to: WireWriter, tag: number, set: number): void {
    if (set === 0) return;
    const { sets } = this.tables;
    const start = to.open(tag);
    for (let i = sets.start(set); i < sets.end(set); i++) to.varint(this.attribute(sets.words[i]!));
    to.close(start);
  }

  private readonly text = (row: number): number => this.strings.use(row, (wire) => wire.utf8(this.tables.texts[row]!));

  private readonly attribute = (row: number): number =>
    this.attributes.use(row, (wire) => {
      wire.field(KeyValueAndUnit.key_strindex, this.text(this.tables.attributes.word(row, 0)));
      wire.delimited(KeyValueAndUnit.value, this.valueOf(row));
      wire.field(KeyValueAndUnit.unit_strindex, this.text(this.tables.attributes.word(row, 1)));
    });

  private link(row: number): number {
    return this.links.use(row, (wire) => {
      wire.delimited(Link.trace_id, idBytes(this.tables.written, row, 0, 4));
      wire.delimited(Link.span_id, idBytes(this.tables.written, row, 4, 2));
    });
  }

  private stack(row: number): number {
    return this.stacks.use(row, (wire) => {
      const { stacks } = this.tables;
      const { numbers } = this.locations;
      const list = wire.open(Stack.location_indices);
      const [from, to] = [stacks.start(row), stacks.end(row)];
      for (let i = from; i < to; i++) if (numbers[stacks.words[i]!] === 0) this.location(stacks.words[i]!);
      wire.varints(stacks.words, from, to, numbers);
      wire.close(list);
    });
  }

  private location(row: number): number {
    return this.locations.use(row, (wire) => {
      const { words } = this.tables.locations;
      const at = this.tables.locations.start(row);
      wire.field(Location.mapping_index, this.mapping(words[at]!));
      wire.field(Location.address, words[at + 1]!, words[at + 2]!);
      for (let i = at + LINES_AT; i < this.tables.locations.end(row); i += LINE_WORDS) {
        const line = wire.open(Location.lines);
        wire.field(Line.function_index, this.function(words[i]!));
        wire.field(Line.line, words[i + 1]!, words[i + 2]!);
        wire.field(Line.column, words[i + 3]!, words[i + 4]!);
        wire.close(line);
      }
      this.setIndices(wire, Location.attribute_indices, words[at + 3]!);
    });
  }

  private mapping(row: number): number {
    return this.mappings.use(row, (wire) => {
      const { words } = this.tables.mappings;
      const at = this.tables.mappings.start(row);
      for (const [i, tag] of MAPPING_NUMBERS.entries()) wire.field(tag, words[at + 2 * i]!, words[at + 2 * i + 1]!);
      wire.field(Mapping.filename_strindex, this.text(words[at + 6]!));
      this.setIndices(wire, Mapping.attribute_indices, words[at + 7]!);
    });
  }

  private function(row: number): number {
    return this.functions.use(row, (wire) => {
      const { words } = this.tables.functions;
      const at = this.tables.functions.start(row);
      for (const [i, tag] of FUNCTION_TEXTS.entries()) wire.field(tag, this.text(words[at + i]!));
      wire.field(FunctionTags.start_line, words[at + 3]!, words[at + 4]!);
    });
  }
}

/** The two words of each number. */
function halves(array: BigInt64Array | BigUint64Array): Uint32Array {
  return new Uint32Array(array.buffer, array.byteOffset, 2 * array.length);
}

/** Profiles with equal rows together, in the order of the first ones. */
function grouped(profiles: readonly ProfileRows[], by: "resource" | "scope"): ProfileRows[][] {
  const groups = new Map<number, ProfileRows[]>();
  for (const profile of profiles) {
    const known = groups.get(profile.head[by]);
    if (known === undefined) groups.set(profile.head[by], [profile]);
    else known.push(profile);
  }
  return [...groups.values()];
}

export function messageOf(tables: BuilderTables, profiles: readonly ProfileRows[]): WriteResult {
  const writer = new MessageWriter(tables);
  const bytes = writer.write(profiles);
  const observations = profiles.reduce((sum, { count }) => sum + count, 0);
  return { bytes, size: bytes.length, profiles: profiles.length, samples: writer.samples, observations };
}
