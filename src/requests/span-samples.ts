/**
 * Spans of trace files as samples, where no recording has any: the stack of a span is the spans above it, its value the
 * time in which none of its children ran. They are messages of OTLP profiles, which the core reads.
 */
import { high, low } from "../bytes/byte-writer.ts";
import { WireWriter } from "../bytes/wire-writer.ts";
import type { Core } from "../core/core.ts";
import { SpanAttributes } from "../core/samples/span-attributes.ts";
import { readMessages } from "../input/read-messages.ts";
import { rootWords } from "../model/trace/span-words.ts";
import { selfStretches } from "../model/trace/times.ts";
import { Dictionary } from "../otlp/dictionary.ts";
import type { Message } from "../otlp/framed-messages.ts";
import { TAGS } from "../otlp/tags.ts";
import type { ReadTraces } from "./contexts.ts";

/** Spans of a message. */
const MOST_SPANS = 1 << 16;
/** Frames of a stack; a deeper span counts for the frame at that depth. */
const MOST_FRAMES = 1024;

/** Adds the spans of each trace file as a file of samples. */
export async function addSpanSamples(core: Core, traces: ReadTraces): Promise<void> {
  const samples = new SpanSamples(core, traces);
  core.beginReading();
  try {
    for (const { name, number } of traces.files) {
      await readMessages(core, {
        ...{ name, format: "trace", independent: true },
        messages: () => samples.messages(number),
        bytes: () => 0,
        breath: async () => true,
      });
    }
  } finally {
    core.endReading();
  }
}

class SpanSamples {
  private readonly traces: ReadTraces;
  private readonly attributes: SpanAttributes;
  private readonly texts = new Map<number, string>();
  /** Place of the first span above each, or itself, that ran in its service. */
  private readonly roots: Uint32Array;

  constructor(core: Core, traces: ReadTraces) {
    const { tree, columns } = traces;
    const serviceOf = (place: number) => columns.service[tree.row[place] ?? 0] ?? 0;
    this.traces = traces;
    this.attributes = new SpanAttributes(core.instance);
    this.roots = new Uint32Array(tree.count);
    for (const [place, up] of tree.up.entries()) {
      const isRoot = up < 0 || serviceOf(up) !== serviceOf(place);
      this.roots[place] = isRoot ? place : (this.roots[up] ?? 0);
    }
  }

  /** The spans of a trace file, by its number. */
  async *messages(number: number): AsyncGenerator<Message> {
    const { tree, columns } = this.traces;
    const places = [...tree.row.keys()].filter((place) => columns.source[tree.row[place] ?? 0] === number);
    for (let from = 0; from < places.length; from += MOST_SPANS) {
      const bytes = this.message(places.slice(from, from + MOST_SPANS));
      const fill = async (target: Uint8Array) => {
        target.set(bytes);
        return bytes.length;
      };
      yield { offset: 0, length: bytes.length, fill };
    }
  }

  private message(places: readonly number[]): Uint8Array {
    const tables = new Dictionary();
    const profile = new WireWriter();
    const { Profile, ProfilesData, ResourceProfiles, ScopeProfiles, Sample, ValueType } = TAGS;
    profile.message(Profile.sample_type, () => {
      profile.number(ValueType.type_strindex, tables.strings.of("span-time"));
      profile.number(ValueType.unit_strindex, tables.strings.of("nanoseconds"));
    });
    const { tree } = this.traces;
    const stacks = new Map<number, number>();
    const stackOf = (place: number): number => {
      const above: number[] = [];
      for (let at = place; at >= 0 && !stacks.has(at); at = tree.up[at] ?? -1) above.push(at);
      let stack = stacks.get(tree.up[above.at(-1) ?? place] ?? -1) ?? 0;
      for (const at of above.reverse()) {
        if ((tree.depth[at] ?? 0) < MOST_FRAMES)
          stack = tables.below(stack, tables.location({ name: this.frameAt(at) }));
        stacks.set(at, stack);
      }
      return stacks.get(place) ?? 0;
    };
    for (const place of places) {
      const stretches = selfStretches(tree, tree, place);
      if (stretches.length === 0) continue;
      profile.message(Profile.samples, () => {
        profile.number(Sample.stack_index, stackOf(place));
        profile.packed(Sample.attribute_indices, this.attributesAt(place, tables));
        profile.number(Sample.link_index, tables.link(tree.id[this.roots[place] ?? 0] ?? 0n, tree.id[place] ?? 0n));
        profile.packed(
          Sample.values,
          stretches.map(([from, to]) => to - from),
        );
        profile.message(Sample.timestamps_unix_nano, () => {
          for (const [from] of stretches) profile.fixed64(low(from), high(from));
        });
      });
    }
    const out = new WireWriter();
    out.message(ProfilesData.resource_profiles, () => {
      out.message(ResourceProfiles.scope_profiles, () => out.delimited(ScopeProfiles.profiles, profile.bytes));
    });
    out.message(ProfilesData.dictionary, () => tables.write(out));
    return out.bytes;
  }

  private frameAt(place: number): string {
    const { columns, tree } = this.traces;
    const row = tree.row[place] ?? 0;
    const text = (column: Uint32Array) => this.text(column[row]);
    return rootWords({ name: text(columns.name), resource: text(columns.resource), service: text(columns.service) });
  }

  private attributesAt(place: number, tables: Dictionary): number[] {
    const { columns, tree } = this.traces;
    const row = tree.row[place] ?? 0;
    const root = tree.row[this.roots[place] ?? 0] ?? 0;
    const endpoint = this.text(columns.resource[root]) || this.text(columns.name[root]);
    const own = new Map(this.attributes.of(columns.set[row] ?? 0).map(({ key, value }) => [key, value]));
    own.set("service.name", this.text(columns.service[row]));
    own.set("trace endpoint", endpoint);
    return [...own].filter(([, value]) => value !== "").map(([key, value]) => tables.attribute(key, value));
  }

  private text(index = 0): string {
    const text = this.texts.get(index) ?? this.traces.spans.string(index);
    this.texts.set(index, text);
    return text;
  }
}
