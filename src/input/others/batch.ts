/**
 * Samples of other formats as messages of OTLP profiles, which the core reads. A message ends before its tables grow
 * large, so memory does not grow with the file.
 */
import { high, low } from "../../bytes/byte-writer.ts";
import { WireWriter } from "../../bytes/wire-writer.ts";
import { Dictionary, type MadeFrame } from "../../otlp/dictionary.ts";
import type { Message } from "../../otlp/framed-messages.ts";
import { TAGS } from "../../otlp/tags.ts";

/** What the values of some samples are. */
export interface Series {
  type: string;
  unit: string;
  /** Between two samples; of the unit of values, or of the type's time where values count samples. */
  period?: { unit: string; value: bigint } | undefined;
  /** Of the recording, in nanoseconds since 1970, with its duration. */
  range?: { start: bigint; duration: bigint } | undefined;
}

/** Stacks by numbers, whose frames have numbers, too. */
export interface Stacks {
  /** Leaf first. */
  framesOf(stack: number): readonly number[];
  frameOf(frame: number): MadeFrame;
}

export interface MadeSample {
  series: Series;
  of: Stacks;
  /** −1 without a stack. */
  stack: number;
  attributes: Readonly<Record<string, string | bigint>>;
  value: bigint;
  /** Nanoseconds since 1970 or an unknown moment; null without a time. */
  time: bigint | null;
}

/** Bytes in memory as a message. */
export function messageOf(bytes: Uint8Array): Message {
  const put = async (target: Uint8Array) => {
    target.set(bytes);
    return bytes.length;
  };
  return { offset: 0, length: bytes.length, fill: put };
}

const MOST_SAMPLES = 1 << 16;
const MOST_FRAMES = 1 << 22;

interface Row {
  stack: number;
  attributes: readonly number[];
  values: bigint[];
  times: bigint[];
}

/** The samples in messages. */
export function* messagesOfSamples(samples: Iterable<MadeSample>): Generator<Uint8Array> {
  let batch = new Batch();
  for (const sample of samples) {
    batch.add(sample);
    if (!batch.isFull) continue;
    yield batch.message();
    batch = new Batch();
  }
  if (!batch.isEmpty) yield batch.message();
}

class Batch {
  private readonly tables = new Dictionary();
  private readonly rows = new Map<Series, Map<string, Row>>();
  /** Locations by their frames, of each set of stacks. */
  private readonly known = new Map<Stacks, { number: number; locations: Map<number, number> }>();
  private readonly sets = new Map<MadeSample["attributes"], readonly number[]>();
  private samples = 0;

  get isEmpty(): boolean {
    return this.samples === 0;
  }

  get isFull(): boolean {
    return this.samples >= MOST_SAMPLES || this.tables.frames >= MOST_FRAMES;
  }

  add({ series, of, stack, attributes, value, time }: MadeSample): void {
    const rows = this.rows.get(series) ?? new Map<string, Row>();
    this.rows.set(series, rows);
    const index = stack < 0 ? 0 : this.stack(of, stack);
    const set = this.setOf(attributes);
    const key = `${index} ${set} ${time === null}`;
    const row = rows.get(key) ?? { stack: index, attributes: set, values: [], times: [] };
    rows.set(key, row);
    if (time !== null) row.times.push(time);
    if (time !== null || row.values.length === 0) row.values.push(value);
    else row.values[0] = (row.values[0] ?? 0n) + value;
    this.samples++;
  }

  private stack(of: Stacks, stack: number): number {
    const known = this.known.get(of) ?? { number: this.known.size, locations: new Map<number, number>() };
    this.known.set(of, known);
    const { locations } = known;
    return this.tables.stack(`${known.number} ${stack}`, () =>
      of.framesOf(stack).map((frame) => {
        const location = locations.get(frame) ?? this.tables.location(of.frameOf(frame));
        locations.set(frame, location);
        return location;
      }),
    );
  }

  private setOf(attributes: MadeSample["attributes"]): readonly number[] {
    const set = this.sets.get(attributes) ?? attributeRows(this.tables, attributes);
    this.sets.set(attributes, set);
    return set;
  }

  message(): Uint8Array {
    const { ProfilesData, ResourceProfiles, ScopeProfiles } = TAGS;
    const profiles = [...this.rows].map(([series, rows]) => this.profile(series, rows.values()));
    const out = new WireWriter();
    // In front: a message that begins with resources may begin as JSON does.
    out.message(ProfilesData.dictionary, () => this.tables.write(out));
    out.message(ProfilesData.resource_profiles, () => {
      out.message(ResourceProfiles.scope_profiles, () => {
        for (const { bytes } of profiles) out.delimited(ScopeProfiles.profiles, bytes);
      });
    });
    return out.bytes;
  }

  private profile({ type, unit, period, range }: Series, rows: Iterable<Row>): WireWriter {
    const { Profile, Sample } = TAGS;
    const out = new WireWriter();
    this.valueType(out, Profile.sample_type, type, unit);
    for (const { stack, attributes, values, times } of rows) {
      out.message(Profile.samples, () => {
        out.field(Sample.stack_index, stack);
        out.packed(Sample.attribute_indices, attributes);
        out.packed(Sample.values, values);
        if (times.length === 0) return;
        out.message(Sample.timestamps_unix_nano, () => {
          for (const time of times) out.fixed64(low(time), high(time));
        });
      });
    }
    if (range !== undefined) {
      out.fixed(Profile.time_unix_nano, range.start);
      out.number(Profile.duration_nano, range.duration);
    }
    if (period !== undefined) {
      this.valueType(out, Profile.period_type, type, period.unit);
      out.number(Profile.period, period.value);
    }
    return out;
  }

  private valueType(out: WireWriter, tag: number, type: string, unit: string): void {
    const { ValueType } = TAGS;
    out.message(tag, () => {
      out.field(ValueType.type_strindex, this.tables.strings.of(type));
      out.field(ValueType.unit_strindex, this.tables.strings.of(unit));
    });
  }
}

function attributeRows(tables: Dictionary, attributes: MadeSample["attributes"]): number[] {
  return Object.entries(attributes)
    .filter(([, value]) => value !== "")
    .map(([key, value]) => tables.attribute(key, value));
}
