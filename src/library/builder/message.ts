/**
 * A builder's content as a message of OTLP profiles in protobuf. Rows of a table are numbered by their first use, in
 * the order of the samples, and written then; so the message has neither rows that nothing refers to nor an order that
 * depends on the calls before. Field numbers are those of src/otlp/schema.ts.
 */
import type { WriteResult } from "../../core/types.ts";
import type { ListTable } from "./list-table.ts";
import type { ProfileRows } from "./profile-rows.ts";
import { type BuilderTables, high, LINE_WORDS, LINES_AT, low, VALUE_AT } from "./tables.ts";
import { Wire } from "./wire.ts";

/** A table of the message: numbers by row of the builder, 0 while a row is not written. */
class Written {
  readonly wire = new Wire();
  readonly numbers: Uint32Array;
  private count = 1;

  constructor(rows: number, tag: number) {
    this.numbers = new Uint32Array(rows);
    this.wire.varint(tag);
    this.wire.varint(0);
  }

  /** The number of a row, which `write` writes if it is its first use. */
  use(row: number, write: (row: number) => void): number {
    if (row === 0) return 0;
    if (this.numbers[row] === 0) {
      this.numbers[row] = this.count++;
      write(row);
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
  readonly out = new Wire();
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
    this.mappings = new Written(tables.mappings.count, 0x0a);
    this.locations = new Written(tables.locations.count, 0x12);
    this.functions = new Written(tables.functions.count, 0x1a);
    this.links = new Written(tables.written.count, 0x22);
    this.strings = new Written(tables.texts.length, 0x2a);
    this.attributes = new Written(tables.attributes.count, 0x32);
    this.stacks = new Written(tables.stacks.count, 0x3a);
  }

  /** The fields of ProfilesData. */
  write(profiles: readonly ProfileRows[]): Uint8Array<ArrayBuffer> {
    const { out } = this;
    for (const ofResource of grouped(profiles, "resource")) {
      const { resource } = ofResource[0]!.head;
      const start = out.open(0x0a);
      const content = out.open(0x0a);
      const { resources, scopes } = this.tables;
      this.keyValues(0x0a, resource === 0 ? 0 : resources.word(resource, 1));
      out.close(content);
      for (const ofScope of grouped(ofResource, "scope")) {
        const { scope } = ofScope[0]!.head;
        const inner = out.open(0x12);
        this.scope(scope);
        for (const profile of ofScope) this.profile(profile);
        if (scope !== 0) this.inlineText(0x1a, scopes.word(scope, 2));
        out.close(inner);
      }
      if (resource !== 0) this.inlineText(0x1a, resources.word(resource, 0));
      out.close(start);
    }
    // In front: a message that begins with resources may begin as JSON does, with a line break and a brace.
    const { mappings, locations, functions, links, strings, attributes, stacks } = this;
    const tables = [mappings, locations, functions, links, strings, attributes, stacks].map(({ wire }) => wire.bytes);
    const head = new Wire();
    head.varint(0x12);
    head.varint(tables.reduce((sum, { length }) => sum + length, 0));
    const parts = [head.bytes, ...tables, out.bytes];
    const message = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      message.set(part, at);
      at += part.length;
    }
    return message;
  }

  private scope(row: number): void {
    const start = this.out.open(0x0a);
    if (row !== 0) {
      const { scopes } = this.tables;
      this.inlineText(0x0a, scopes.word(row, 0));
      this.inlineText(0x12, scopes.word(row, 1));
      this.keyValues(0x1a, scopes.word(row, 3));
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
      this.inlineText(0x0a, attributes.word(row, 0));
      this.out.delimited(0x12, this.valueOf(row));
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
    const start = out.open(0x12);
    this.valueType(0x0a, head.type, head.unit);
    this.samplesOf(profile);
    const [from, duration] = profile.range();
    if (from !== 0n) {
      out.varint(0x19);
      out.fixed64(low(from), high(from));
    }
    out.field(0x20, low(duration), high(duration));
    // Parca refuses a message without it.
    this.valueType(0x2a, head.periodType, head.periodUnit);
    out.field(0x30, low(head.period), high(head.period));
    if (head.id.length > 0) out.delimited(0x3a, head.id);
    this.setIndices(out, 0x5a, head.set);
    out.close(start);
  }

  private valueType(tag: number, type: number, unit: number): void {
    const start = this.out.open(tag);
    this.out.field(0x08, this.text(type));
    this.out.field(0x10, this.text(unit));
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
      const start = out.open(0x12);
      out.field(0x08, this.stack(samples.word(row, 0)));
      this.setIndices(out, 0x12, samples.word(row, 2));
      out.field(0x18, this.link(samples.word(row, 1)));
      if (head.times) this.observations(columns, places[row]! - counts[row]!, places[row]!);
      else {
        const list = out.open(0x22);
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
    const list = out.open(0x22);
    for (let i = from; i < to; i++) {
      const at = 2 * order[i]!;
      out.varint(values[at]!, values[at + 1]!);
    }
    out.close(list);
    out.varint(0x2a);
    out.varint(8 * (to - from));
    for (let i = from; i < to; i++) {
      const at = 2 * order[i]!;
      out.fixed64(times[at]!, times[at + 1]!);
    }
  }

  private setIndices(to: Wire, tag: number, set: number): void {
    if (set === 0) return;
    const { sets } = this.tables;
    const start = to.open(tag);
    for (let i = sets.start(set); i < sets.end(set); i++) to.varint(this.attribute(sets.words[i]!));
    to.close(start);
  }

  private readonly text = (row: number): number =>
    this.strings.use(row, () => this.strings.wire.text(0x2a, this.tables.texts[row]!));

  private readonly attribute = (row: number): number =>
    this.attributes.use(row, () => {
      const { wire } = this.attributes;
      const start = wire.open(0x32);
      wire.field(0x08, this.text(this.tables.attributes.word(row, 0)));
      wire.delimited(0x12, this.valueOf(row));
      wire.field(0x18, this.text(this.tables.attributes.word(row, 1)));
      wire.close(start);
    });

  private link(row: number): number {
    return this.links.use(row, () => {
      const { wire } = this.links;
      const start = wire.open(0x22);
      wire.delimited(0x0a, idBytes(this.tables.written, row, 0, 4));
      wire.delimited(0x12, idBytes(this.tables.written, row, 4, 2));
      wire.close(start);
    });
  }

  private stack(row: number): number {
    return this.stacks.use(row, () => {
      const { wire } = this.stacks;
      const { stacks } = this.tables;
      const { numbers } = this.locations;
      const start = wire.open(0x3a);
      const list = wire.open(0x0a);
      const [from, to] = [stacks.start(row), stacks.end(row)];
      for (let i = from; i < to; i++) if (numbers[stacks.words[i]!] === 0) this.location(stacks.words[i]!);
      wire.varints(stacks.words, from, to, numbers);
      wire.close(list);
      wire.close(start);
    });
  }

  private location(row: number): number {
    return this.locations.use(row, () => {
      const { wire } = this.locations;
      const { words } = this.tables.locations;
      const at = this.tables.locations.start(row);
      const start = wire.open(0x12);
      wire.field(0x08, this.mapping(words[at]!));
      wire.field(0x10, words[at + 1]!, words[at + 2]!);
      for (let i = at + LINES_AT; i < this.tables.locations.end(row); i += LINE_WORDS) {
        const line = wire.open(0x1a);
        wire.field(0x08, this.function(words[i]!));
        wire.field(0x10, words[i + 1]!, words[i + 2]!);
        wire.field(0x18, words[i + 3]!, words[i + 4]!);
        wire.close(line);
      }
      this.setIndices(wire, 0x22, words[at + 3]!);
      wire.close(start);
    });
  }

  private mapping(row: number): number {
    return this.mappings.use(row, () => {
      const { wire } = this.mappings;
      const { words } = this.tables.mappings;
      const at = this.tables.mappings.start(row);
      const start = wire.open(0x0a);
      for (let i = 0; i < 3; i++) wire.field(0x08 * (i + 1), words[at + 2 * i]!, words[at + 2 * i + 1]!);
      wire.field(0x20, this.text(words[at + 6]!));
      this.setIndices(wire, 0x2a, words[at + 7]!);
      wire.close(start);
    });
  }

  private function(row: number): number {
    return this.functions.use(row, () => {
      const { wire } = this.functions;
      const { words } = this.tables.functions;
      const at = this.tables.functions.start(row);
      const start = wire.open(0x1a);
      for (let i = 0; i < 3; i++) wire.field(0x08 * (i + 1), this.text(words[at + i]!));
      wire.field(0x20, words[at + 3]!, words[at + 4]!);
      wire.close(start);
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
